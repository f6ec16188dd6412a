package mcp

import (
	"bytes"
	"encoding/json"
	"errors"

	protocol "github.com/mark3labs/mcp-go/mcp"
)

// An envelope is what can be seen of a message from outside.
type envelope struct {
	ID     json.RawMessage `json:"id"`
	RPC    string          `json:"jsonrpc"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}

// asks says whether the message wants an answer.
func (e envelope) asks() bool { return e.Method != "" && e.ID != nil }

// answers says whether the message answers a request of ours.
func (e envelope) answers() bool { return e.Method == "" }

// meta is what a message says of itself since 2026-07-28.
func (e envelope) meta() *protocol.Meta {
	var p struct {
		Meta *protocol.Meta `json:"_meta"`
	}
	if json.Unmarshal(e.Params, &p) != nil {
		return nil // whoever handles the method says it better
	}
	return p.Meta
}

// read opens a message, or says what is wrong with it. The fault carries the id
// as far as one could be read.
func read(raw []byte) (envelope, *protocol.JSONRPCError) {
	var e envelope
	var syntax *json.SyntaxError
	trimmed := bytes.TrimSpace(raw)
	err := json.Unmarshal(trimmed, &e)
	switch {
	case errors.As(err, &syntax):
		return e, fault(nil, protocol.PARSE_ERROR, "this is no JSON: send one JSON-RPC object at a time")
	case trimmed[0] == '[':
		return e, fault(nil, protocol.INVALID_REQUEST, "batches are not served: send each message by itself")
	case trimmed[0] != '{':
		return e, fault(nil, protocol.INVALID_REQUEST, "a message is a JSON object")
	case err != nil:
		return e, fault(nil, protocol.INVALID_REQUEST, "jsonrpc and method are strings")
	}
	if !sound(e.ID) {
		return e, fault(nil, protocol.INVALID_REQUEST, "id is a string or a number")
	}
	switch {
	case e.RPC != protocol.JSONRPC_VERSION:
		return e, fault(e.ID, protocol.INVALID_REQUEST, `jsonrpc must be "2.0"`)
	case e.Method == "" && (e.ID == nil || e.Result == nil && e.Error == nil):
		return e, fault(e.ID, protocol.INVALID_REQUEST, "method is missing")
	}
	return e, nil
}

// sound says whether an id, if there is one, is a string or a number.
func sound(id json.RawMessage) bool {
	return len(id) == 0 || id[0] == '"' || id[0] == '-' || '0' <= id[0] && id[0] <= '9'
}

// fault is a JSON-RPC error of the protocol itself.
func fault(id json.RawMessage, code int, what string) *protocol.JSONRPCError {
	return &protocol.JSONRPCError{
		JSONRPC: protocol.JSONRPC_VERSION, ID: requestID(id),
		Error: protocol.NewJSONRPCErrorDetails(code, what, nil),
	}
}

// requestID keeps an id as it came: a large number would lose digits.
func requestID(id json.RawMessage) protocol.RequestId {
	if len(id) == 0 {
		return protocol.NewRequestId(nil)
	}
	return protocol.NewRequestId(id)
}
