package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"kurogo/messages"
)

// fake is a catalogue of tools that do what a test needs.
type fake struct {
	mu      sync.Mutex
	callers []messages.Caller
	waiting chan struct{} // hears of every wait that began
	left    chan error    // hears how every wait ended
	release chan struct{} // ends every wait
}

func newFake() *fake {
	return &fake{waiting: make(chan struct{}, 1000), left: make(chan error, 1000), release: make(chan struct{})}
}

func (f *fake) Tools(who messages.Caller) []messages.Tool {
	object := json.RawMessage(`{"type":"object","additionalProperties":false}`)
	tools := []messages.Tool{
		{
			Name: "echo", Title: "Echo", Description: "says it again", Hints: &messages.Hints{ReadOnly: true, Idempotent: true},
			Schema: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string","maxLength":20000000},"times":{"type":"integer","minimum":1,"maximum":3}},"required":["text"],"additionalProperties":false}`),
			Answer: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}`),
		},
		{Name: "whoami", Description: "says who asks", Schema: object},
		{Name: "wait_agent", Description: "waits", Schema: json.RawMessage(`{"type":"object","properties":{"agentIds":{"type":"array","items":{"type":"string"},"minItems":1,"maxItems":2},"mode":{"enum":["all","any"]}},"additionalProperties":false}`)},
		{Name: "talk", Description: "tells what it does", Schema: json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}},"additionalProperties":false}`)},
		{Name: "fail", Description: "fails", Schema: json.RawMessage(`{"type":"object","properties":{"code":{"type":"string"},"agentId":{"type":"string"},"timeout_ms":{"type":"integer"}}}`)},
		{Name: "fall", Description: "has a bug"},
		{Name: "mumble", Description: "answers with no object", Schema: object},
	}
	if who.Agent == "" {
		tools = append(tools, messages.Tool{Name: "owners_only", Description: "is not for agents", Schema: object})
	}
	return tools
}

func (f *fake) Call(ctx context.Context, who messages.Caller, call messages.ToolCall, progress func(string)) (json.RawMessage, error) {
	f.mu.Lock()
	f.callers = append(f.callers, who)
	f.mu.Unlock()
	var in struct {
		Text, Name, Code string
		Agent            string `json:"agentId"`
	}
	if err := json.Unmarshal(call.Input, &in); err != nil {
		return nil, err
	}
	switch call.Name {
	case "echo":
		return json.Marshal(map[string]string{"text": in.Text})
	case "whoami":
		return json.Marshal(map[string]any{"agent": who.Agent, "client": who.Client, "session": who.Session, "dir": who.Dir, "env": who.Env})
	case "wait_agent":
		f.waiting <- struct{}{}
		select {
		case <-f.release:
			f.left <- nil
			return json.RawMessage("{\n\t\"completed\" : [] }"), nil
		case <-ctx.Done():
			f.left <- ctx.Err()
			return nil, ctx.Err()
		}
	case "talk":
		for i := range 3 {
			progress(fmt.Sprintf("%s %d", in.Name, i))
			<-time.After(5500 * time.Millisecond)
		}
		return json.RawMessage(`{}`), nil
	case "fail":
		e := messages.Errorf(messages.Code(in.Code), "it did not work").Try("do something else")
		e.Field, e.RetryAfter = "agentId", 1500*time.Millisecond
		return nil, fmt.Errorf("use tool: %w", e)
	case "mumble":
		return json.RawMessage(`[1]`), nil
	}
	panic("a bug")
}

func (f *fake) seen() []messages.Caller {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]messages.Caller(nil), f.callers...)
}
