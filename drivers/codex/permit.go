package codex

import (
	"encoding/json"
	"fmt"
	"slices"

	"kurogo/drivers/ndjson"
	"kurogo/messages"
)

// A call is the use of one of our tools.
type call struct {
	Thread string          `json:"threadId"`
	ID     string          `json:"callId"`
	Tool   string          `json:"tool"`
	Input  json.RawMessage `json:"arguments"`
}

// asks hears a request of the CLI. It was told to ask nobody; where it does, the
// answer is no.
func (d *dialogue) asks(m message) (ndjson.Heard, error) {
	switch m.Method {
	case "item/tool/call":
		return d.ask(m)
	case "item/commandExecution/requestApproval", "item/fileChange/requestApproval":
		return replied(respond(m.ID, map[string]any{"decision": "decline"}))
	case "applyPatchApproval", "execCommandApproval":
		return replied(respond(m.ID, map[string]any{"decision": "denied"}))
	case "item/permissions/requestApproval":
		return replied(respond(m.ID, map[string]any{"permissions": map[string]any{}, "scope": "turn"}))
	case "item/tool/requestUserInput":
		return replied(respond(m.ID, map[string]any{"answers": map[string]any{}}))
	case "mcpServer/elicitation/request":
		return replied(respond(m.ID, map[string]any{"action": "decline", "content": nil, "_meta": nil}))
	}
	return replied(refuse(m.ID, "kurogo does not know "+messages.Cut(m.Method, 100)))
}

// ask hands a call of one of our tools on; Answer answers it.
func (d *dialogue) ask(m message) (ndjson.Heard, error) {
	var c call
	if err := json.Unmarshal(m.Params, &c); err != nil || c.ID == "" || c.Tool == "" {
		return ndjson.Heard{}, fmt.Errorf("read tool call %q of %q: %w", c.ID, c.Tool, err)
	}
	if !slices.ContainsFunc(d.spec.Tools, func(t messages.Tool) bool { return t.Name == c.Tool }) {
		// A session remembers the tools that it began with.
		return replied(result(m.ID, messages.ToolResult{Text: "There is no tool " + c.Tool + " any more.", IsError: true}))
	}
	d.asked[c.ID] = m.ID
	return ndjson.Heard{Events: []messages.DriverEvent{{
		Kind: messages.DriverToolAsked,
		Tool: messages.ToolCall{ID: c.ID, Name: c.Tool, Input: valid(c.Input)},
	}}}, nil
}

// Answer answers a tool call that still waits.
func (d *dialogue) Answer(r messages.ToolResult) ([]byte, error) {
	id, ok := d.asked[r.ID]
	if !ok {
		return nil, messages.Errorf(messages.CodeConflict, "nobody waits for it")
	}
	delete(d.asked, r.ID)
	return result(id, r)
}

func result(id json.RawMessage, r messages.ToolResult) ([]byte, error) {
	return respond(id, map[string]any{
		"contentItems": []any{map[string]string{"type": "inputText", "text": r.Text}}, "success": !r.IsError,
	})
}

// resolved hears that a request needs no answer any more.
func (d *dialogue) resolved(request json.RawMessage) {
	for call, id := range d.asked {
		if string(id) == string(request) {
			delete(d.asked, call)
		}
	}
}
