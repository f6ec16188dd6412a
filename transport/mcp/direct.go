package mcp

import (
	"context"
	"encoding/json"

	protocol "github.com/mark3labs/mcp-go/mcp"
)

// direct answers a plain call of a tool of ours without mcp-go, which would read
// the message four times before it comes back to us. ok is false where mcp-go
// knows better: for whoever shakes no hands, for what cannot be read, for tools
// that are not the catalogue's; and on HTTP, where it cancels what is withdrawn.
func (x *exchange) direct(ctx context.Context, e envelope) (answer any, ok bool) {
	if _, cancels := x.voice.(*conn); !cancels || e.Method != string(protocol.MethodToolsCall) || !e.asks() {
		return nil, false
	}
	var p struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
		Meta      *protocol.Meta  `json:"_meta"`
	}
	if json.Unmarshal(e.Params, &p) != nil || protocol.IsModernProtocol(p.Meta.ProtocolVersion()) {
		return nil, false
	}
	t, ok := x.GetSessionTools()[p.Name]
	if !ok {
		return nil, false
	}
	return protocol.JSONRPCResponse{JSONRPC: protocol.JSONRPC_VERSION, Result: x.call(ctx, t.Tool, p.Arguments, p.Meta)}, true
}
