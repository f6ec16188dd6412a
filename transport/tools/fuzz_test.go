package tools_test

import (
	"encoding/json"
	"errors"
	"testing"

	"kurogo/messages"
	"kurogo/transport/tools"
)

// Whatever a client sends, it is refused by name or it keeps to the schema that
// the client was shown, and what the house is asked can travel.
func FuzzArguments(f *testing.F) {
	h := newHouse(gives(nil, errors.New("asked")))
	c := tools.New(h, tools.Options{})
	all := c.Tools(messages.Caller{})
	for i, args := range []string{
		`{"description":"x","idempotency_key":"k"}`, `{"groupId":"g"}`, `{"groupId":"g","role":"r","prompt":"p","timeout_ms":1e3,"workingDirectory":"a"}`,
		`{"groupId":"g","agents":[{"role":"r","prompt":"p"}]}`, `{"groupId":"g","stages":[{"tasks":[{"role":"r","prompt":"p"}]}]}`,
		`{"status":"all"}`, `{"agentId":"a"}`, `{"agentIds":["a","b"],"mode":"any","timeout_ms":5}`, `{"agentId":"a","status":"success","summary":"s","editedFiles":["x"]}`,
		``, `{"agentId":"a","reason":null}`, `{"to":"x","content":"c","metadata":{"ttl":1},"metadata":{"priority":"low"}}`, `{"content":"c","deadline_s":1}`, `{"taskId":7}`, `{"a":{"b":[[[1.5e9]]]}}`,
	} {
		f.Add(i, args)
	}
	f.Fuzz(func(t *testing.T, which int, args string) {
		tool := all[(which%len(all)+len(all))%len(all)]
		h.forget()
		_, err := c.Call(t.Context(), owner, messages.ToolCall{Name: tool.Name, Input: json.RawMessage(args)}, nil)
		asked := h.questions()
		if err == nil {
			t.Fatal("the house answers nothing, and the tool did")
		}
		if len(asked) == 0 {
			if e := messages.AsError(err); e.Code == messages.CodeInternal || e.Field == "" || e.Remedy == "" {
				t.Fatalf("%s %s: %v", tool.Name, args, err)
			}
			return
		}
		for _, m := range asked {
			line, err := messages.Encode(m)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := messages.Decode(line); err != nil {
				t.Fatalf("%s does not come back: %v", line, err)
			}
		}
		var schema map[string]any
		var value any
		if json.Unmarshal(tool.Schema, &schema) != nil || args == "" || json.Unmarshal([]byte(args), &value) != nil || value == nil {
			return
		}
		if broken := conform(schema, value, true, "arguments"); len(broken) > 0 {
			t.Fatalf("%s was taken, and breaks the schema: %q", args, broken)
		}
	})
}
