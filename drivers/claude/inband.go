package claude

import (
	"bytes"
	"encoding/json"
	"fmt"

	"kurogo/drivers/ndjson"
	"kurogo/messages"
)

// server is our name among the CLI's MCP servers; the model sees our tools under
// toolPrefix.
const (
	server     = "kurogo"
	toolPrefix = "mcp__" + server + "__"
)

// protocolVersion is what we say when the CLI names no version of MCP.
const protocolVersion = "2025-06-18"

// The errors of JSON-RPC that we use.
const noMethod = -32601

// A call is a JSON-RPC request or notification of MCP.
type call struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Version   string          `json:"protocolVersion"`
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"params"`
}

// serve is an MCP server of four methods, spoken within the dialogue.
func (d *dialogue) serve(e event) (ndjson.Heard, error) {
	c := e.Request.Message
	if len(c.ID) == 0 { // a notification
		return replied(respond(e.RequestID, json.RawMessage("0"), "result", struct{}{}))
	}
	switch c.Method {
	case "initialize":
		v := c.Params.Version
		if v == "" {
			v = protocolVersion
		}
		return replied(respond(e.RequestID, c.ID, "result", map[string]any{
			"protocolVersion": v,
			"capabilities":    map[string]any{"tools": struct{}{}},
			"serverInfo":      map[string]any{"name": server, "version": "1"},
		}))
	case "ping":
		return replied(respond(e.RequestID, c.ID, "result", struct{}{}))
	case "tools/list":
		return replied(respond(e.RequestID, c.ID, "result", map[string]any{"tools": append([]messages.Tool{}, d.tools...)}))
	case "tools/call":
		return d.ask(e)
	}
	return replied(respond(e.RequestID, c.ID, "error", map[string]any{"code": noMethod, "message": "there is no " + c.Method}))
}

// ask hands a tool call on; Answer answers it.
func (d *dialogue) ask(e event) (ndjson.Heard, error) {
	c := e.Request.Message
	if e.RequestID == "" || c.Params.Name == "" {
		return ndjson.Heard{}, fmt.Errorf("read tools/call: request %q, tool %q", e.RequestID, c.Params.Name)
	}
	d.asked[e.RequestID] = c.ID
	return ndjson.Heard{Events: []messages.DriverEvent{{
		Kind: messages.DriverToolAsked,
		Tool: messages.ToolCall{ID: e.RequestID, Name: c.Params.Name, Input: clean(c.Params.Arguments)},
	}}}, nil
}

// Answer answers a tool call that still waits.
func (d *dialogue) Answer(r messages.ToolResult) ([]byte, error) {
	id, ok := d.asked[r.ID]
	if !ok {
		return nil, messages.Errorf(messages.CodeConflict, "nobody waits for it")
	}
	delete(d.asked, r.ID)
	return respond(r.ID, id, "result", map[string]any{
		"content": []map[string]string{{"type": "text", "text": r.Text}}, "isError": r.IsError,
	})
}

// respond is a JSON-RPC response within a control_response.
func respond(request string, id json.RawMessage, key string, value any) ([]byte, error) {
	return grant(request, map[string]any{"mcp_response": map[string]any{"jsonrpc": "2.0", "id": id, key: value}})
}

// clean is raw JSON as valid UTF-8.
func clean(raw json.RawMessage) json.RawMessage {
	return bytes.ToValidUTF8(raw, []byte("\uFFFD"))
}
