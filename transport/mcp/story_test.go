package mcp_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	protocol "github.com/mark3labs/mcp-go/mcp"

	"kurogo/transport/mcp"
)

// every plays a story over each carrier in both eras, with a real client.
func every(t *testing.T, story func(t *testing.T, carrier, version string)) {
	t.Helper()
	for carrier := range carriers {
		for _, version := range []string{legacy, modern, "2024-11-05"} {
			t.Run(carrier+" "+version, func(t *testing.T) { story(t, carrier, version) })
		}
	}
}

func TestAClientListsAndCalls(t *testing.T) {
	every(t, func(t *testing.T, carrier, version string) {
		t.Helper()
		f := newFake()
		s := newServer(t, mcp.Options{Catalogue: f, Instructions: "delegate"})
		c := connect(t, carriers[carrier](t, s), version)

		list, err := c.ListTools(t.Context(), protocol.ListToolsRequest{})
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, tool := range list.Tools {
			names = append(names, tool.Name)
		}
		if !slices.IsSorted(names) || len(names) != 8 {
			t.Errorf("the tools are %v", names)
		}
		echo := list.Tools[slices.Index(names, "echo")]
		if a := echo.Annotations; !*a.ReadOnlyHint || *a.DestructiveHint || !*a.IdempotentHint || *a.OpenWorldHint || echo.Title != "Echo" || echo.OutputSchema.Type != "object" {
			t.Errorf("echo is %+v", echo)
		}

		got, err := c.CallTool(t.Context(), use("echo", args{"text": "黒衣"}))
		if err != nil {
			t.Fatal(err)
		}
		mirror, _ := json.Marshal(got.StructuredContent)
		if text := got.Content[0].(protocol.TextContent).Text; got.IsError || text != `{"text":"黒衣"}` || string(mirror) != text {
			t.Errorf("got %+v", got)
		}

		who, err := c.CallTool(t.Context(), use("whoami", nil))
		if err != nil {
			t.Fatal(err)
		}
		told := who.StructuredContent.(map[string]any)
		if told["client"] != "tester" || told["agent"] != "" {
			t.Errorf("the caller is %v", told)
		}
		if carrier == "stdio" != (told["dir"] == "/home/me/project" && told["env"] != nil) {
			t.Errorf("the caller's place is %v", told)
		}
		if stateless := carrier == "http" && version == modern; stateless != (told["session"] == "") {
			t.Errorf("the session is %v", told["session"])
		}
	})
}

// Refusals are results that a model can read: code, field, what to do; a machine
// finds the same in _meta; there is no structured content. Only what is wrong
// with the protocol is an error of the protocol.
func TestRefusals(t *testing.T) {
	every(t, func(t *testing.T, carrier, version string) {
		t.Helper()
		c := connect(t, carriers[carrier](t, newServer(t, mcp.Options{})), version)
		for _, r := range []struct {
			tool      string
			arguments any
			text      string
			code      string
			field     string
			retryable bool
		}{
			{"echo", args{}, "invalid: text: it is missing. Remedy: give it", "invalid", "text", false},
			{"echo", nil, "invalid: text: it is missing. Remedy: give it", "invalid", "text", false},
			{"echo", args{"txet": "x"}, "invalid: txet: there is no such argument. Remedy: the arguments are text, times", "invalid", "txet", false},
			{"echo", args{"text": 7}, "invalid: text: it is a number. Remedy: give a string", "invalid", "text", false},
			{"echo", args{"text": "x", "times": 4}, "invalid: times: 4 is too much. Remedy: give at most 3", "invalid", "times", false},
			{"echo", args{"text": "x", "times": 1.5}, "invalid: times: it is a number. Remedy: give an integer", "invalid", "times", false},
			{"echo", []any{1}, "invalid: arguments: it is an array. Remedy: give an object", "invalid", "arguments", false},
			{"wait_agent", args{"agentIds": []string{}}, "invalid: agentIds: it has 0 items. Remedy: give at least 1", "invalid", "agentIds", false},
			{"wait_agent", args{"agentIds": []any{"a", 2}}, "invalid: agentIds[1]: it is a number. Remedy: give a string", "invalid", "agentIds[1]", false},
			{"wait_agent", args{"mode": "most"}, `invalid: mode: "most" is not one of its values. Remedy: give one of "all", "any"`, "invalid", "mode", false},
			{"whoami", args{"x": 1}, "invalid: x: there is no such argument. Remedy: this tool takes no arguments", "invalid", "x", false},
			{"fail", args{"code": "not_found"}, "not_found: agentId: it did not work. Remedy: do something else", "not_found", "agentId", false},
			{"fail", args{"code": "busy"}, "busy: agentId: it did not work. Remedy: do something else", "busy", "agentId", true},
			{"fall", args{}, "internal: fall fell over a bug. Remedy: the log of kurogo says where", "internal", "", false},
			{"mumble", args{}, "internal: mumble did not answer with an object", "internal", "", false},
		} {
			got, err := c.CallTool(t.Context(), use(r.tool, r.arguments))
			if err != nil {
				t.Fatalf("%s: %v", r.tool, err)
			}
			data, _ := got.Meta.AdditionalFields["kurogo/error"].(map[string]any)
			field, _ := data["field"].(string)
			if !got.IsError || got.StructuredContent != nil || got.Content[0].(protocol.TextContent).Text != r.text ||
				data["code"] != r.code || field != r.field || data["retryable"] != r.retryable {
				t.Errorf("%s %v: got %+v with %v", r.tool, r.arguments, got, data)
			}
			if r.code == "busy" && data["retry_after_ms"] != 1500.0 {
				t.Errorf("busy comes with %v", data)
			}
		}
		_, err := c.CallTool(t.Context(), use("no_such_tool", nil))
		if err == nil || !strings.Contains(err.Error(), "no_such_tool") {
			t.Errorf("an unknown tool: %v", err)
		}
	})
}
