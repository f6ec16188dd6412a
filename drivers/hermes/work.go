package hermes

import (
	"context"
	"slices"
	"strings"

	"kurogo/messages"
)

// work does what the model asks for, one call after the other, and remembers all
// of it. good is false when any of it failed.
func (t *turn) work(ctx context.Context, w words) (good bool, err error) {
	said := message{Role: roleAssistant, Text: w.raw}
	results := make([]message, 0, len(w.calls))
	good = true
	for i, call := range w.calls {
		if call.ID == "" {
			call.ID = t.name(t.calls - len(w.calls) + i + 1)
		}
		r := messages.ToolResult{Text: w.bad[i], IsError: true}
		if r.Text == "" {
			if r, err = t.use(ctx, t.calls-len(w.calls)+i+1, call); err != nil {
				return false, err
			}
		}
		good = good && !r.IsError
		results = append(results, outcome(t.voice, t.deaf, call, r))
		// OpenAI takes no answer of a tool that was not called in its own words.
		if t.voice == native || !t.deaf && t.client.api == OpenAI {
			said.Calls = append(said.Calls, call)
		}
	}
	t.said = append(append(t.said, said), results...)
	return good, nil
}

// use uses one tool: the owner has it, and answers.
func (t *turn) use(ctx context.Context, n int, call messages.ToolCall) (messages.ToolResult, error) {
	if !slices.ContainsFunc(t.spec.Tools, func(tool messages.Tool) bool { return tool.Name == call.Name }) {
		return messages.ToolResult{IsError: true, Text: "there is no tool " + messages.Cut(call.Name, 100) + ": there are " + t.names()}, nil
	}
	call.ID = t.name(n) // the model's own may come twice
	wait := make(chan messages.ToolResult, 1)
	t.mu.Lock()
	t.waits[call.ID] = wait
	t.mu.Unlock()
	t.tell(messages.DriverEvent{Kind: messages.DriverToolStarted, Tool: call})
	t.tell(messages.DriverEvent{Kind: messages.DriverToolAsked, Tool: call})
	select {
	case r := <-wait:
		t.tell(messages.DriverEvent{Kind: messages.DriverToolEnded, Tool: messages.ToolCall{ID: call.ID, Name: call.Name}})
		return r, nil
	case <-ctx.Done():
		return messages.ToolResult{}, because(ctx)
	}
}

func (t *turn) names() string {
	var names []string
	for _, tool := range t.spec.Tools {
		names = append(names, tool.Name)
	}
	return strings.Join(names, ", ")
}
