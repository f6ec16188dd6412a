package mcp

import (
	"encoding/json"

	protocol "github.com/mark3labs/mcp-go/mcp"

	"kurogo/messages"
)

// metaError is where an error's data is in the _meta of a result.
const metaError = "kurogo/error"

// A failure is an error of a tool, with what its call tells about it.
type failure struct {
	*messages.Error
	Agent   string // that was asked for by name
	Seconds int64  // that the call was willing to wait
}

// failed reads what the call's input tells about its error.
func failed(err error, input json.RawMessage) *failure {
	f := &failure{Error: messages.AsError(err)}
	var named struct {
		Agent  string   `json:"agentId"`
		Agents []string `json:"agentIds"`
		Millis int64    `json:"timeout_ms"`
	}
	_ = json.Unmarshal(input, &named) // what does not fit is not there
	f.Agent, f.Seconds = named.Agent, named.Millis/1000
	if f.Agent == "" && len(named.Agents) == 1 {
		f.Agent = named.Agents[0]
	}
	return f
}

// fail is the result of a call that was refused or failed.
func (x *exchange) fail(err error, input json.RawMessage) *protocol.CallToolResult {
	x.failure = failed(err, input)
	return x.failure.result()
}

// result has no structured content: that would have to fit the schema of an
// answer.
func (f *failure) result() *protocol.CallToolResult {
	return &protocol.CallToolResult{
		Result: protocol.Result{
			Meta: &protocol.Meta{AdditionalFields: map[string]any{metaError: f.data()}},
		},
		Content: []protocol.Content{protocol.NewTextContent(f.Error.Error())},
		IsError: true,
	}
}

// data is the error for a machine.
func (f *failure) data() map[string]any {
	d := map[string]any{"code": f.Code, "retryable": f.Code.Retryable()}
	if f.Field != "" {
		d["field"] = f.Field
	}
	if f.Remedy != "" {
		d["remedy"] = f.Remedy
	}
	if f.RetryAfter > 0 {
		d["retry_after_ms"] = f.RetryAfter.Milliseconds()
	}
	if f.Agent != "" && (f.Code == messages.CodeNotFound || f.Code == messages.CodeDeadline) {
		d["agent_id"] = f.Agent
	}
	if f.Seconds > 0 && f.Code == messages.CodeDeadline {
		d["timeout_seconds"] = f.Seconds
	}
	return d
}

// rpc is the error as the documents have it: a number of JSON-RPC.
func (f *failure) rpc(id json.RawMessage) protocol.JSONRPCError {
	return protocol.JSONRPCError{
		JSONRPC: protocol.JSONRPC_VERSION, ID: requestID(id),
		Error: protocol.NewJSONRPCErrorDetails(f.Code.RPC(), f.Error.Error(), f.data()),
	}
}
