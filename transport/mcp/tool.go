package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"slices"
	"unicode/utf8"

	protocol "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"kurogo/messages"
)

// offer is the catalogue for one caller, as mcp-go wants it.
func (s *Server) offer(who messages.Caller) map[string]server.ServerTool {
	tools := s.o.Catalogue.Tools(who)
	offered := make(map[string]server.ServerTool, len(tools))
	for _, t := range tools {
		d := described(t)
		offered[t.Name] = server.ServerTool{
			Tool: d,
			Handler: func(ctx context.Context, r protocol.CallToolRequest) (*protocol.CallToolResult, error) {
				x, _ := server.ClientSessionFromContext(ctx).(*exchange)
				return x.call(ctx, d, r.Params.RawArguments, r.Params.Meta), nil
			},
		}
	}
	return offered
}

// described says what a tool is. All four hints are told, because what is not
// told is guessed: mcp-go and the clients take every tool for destructive.
func described(t messages.Tool) protocol.Tool {
	d := protocol.Tool{
		Name: t.Name, Title: t.Title, Description: t.Description,
		RawInputSchema: t.Schema, RawOutputSchema: t.Answer,
	}
	if len(d.RawInputSchema) == 0 {
		d.RawInputSchema = json.RawMessage(`{"type":"object","additionalProperties":false}`)
	}
	if h := t.Hints; h != nil {
		d.Annotations = protocol.ToolAnnotation{
			ReadOnlyHint: &h.ReadOnly, DestructiveHint: &h.Destructive,
			IdempotentHint: &h.Idempotent, OpenWorldHint: &h.OpenWorld,
		}
	}
	return d
}

// call is one use of a tool: checked, told of while it lasts, answered.
func (x *exchange) call(ctx context.Context, t protocol.Tool, input json.RawMessage, meta *protocol.Meta) *protocol.CallToolResult {
	x.legacy = x.legacy && !server.IsModernRequest(ctx) // which has no such numbers
	if len(input) == 0 || string(input) == "null" {
		input = json.RawMessage("{}")
	}
	if !x.server.o.Checked {
		if err := x.server.schemas.check(t.RawInputSchema, t.Name, input); err != nil {
			return x.fail(err, input)
		}
	}
	var token any
	if meta != nil {
		token = meta.ProgressToken
	}
	p := x.progress(token)
	answer, err := x.use(ctx, messages.ToolCall{ID: fmt.Sprint(token), Name: t.Name, Input: input}, p.note)
	p.stop()
	if err == nil {
		answer, err = object(t.Name, answer)
	}
	if err != nil {
		x.cancelled = ctx.Err() != nil
		return x.fail(err, input)
	}
	x.result = &protocol.CallToolResult{RawStructuredContent: answer} // which encode also tells as text
	return x.result
}

// use survives a tool that falls.
func (x *exchange) use(ctx context.Context, c messages.ToolCall, note func(string)) (answer json.RawMessage, err error) {
	defer func() {
		if r := recover(); r != nil {
			x.server.o.Log.Error("panic", "tool", c.Name, "panic", fmt.Sprint(r), "stack", string(debug.Stack()))
			err = messages.Errorf(messages.CodeInternal, "%s fell over a bug", c.Name).Try("the log of kurogo says where")
		}
	}()
	return x.server.o.Catalogue.Call(ctx, x.caller(), c, note)
}

// object makes an answer compact, and sees that it is what it has to be.
func object(tool string, answer json.RawMessage) (json.RawMessage, error) {
	if slices.ContainsFunc([]byte("\n\r\t"), func(c byte) bool { return bytes.IndexByte(answer, c) >= 0 }) {
		answer = compact(answer)
	}
	if !bytes.HasPrefix(answer, []byte("{")) || !utf8.Valid(answer) {
		return nil, messages.Errorf(messages.CodeInternal, "%s did not answer with an object", tool)
	}
	return answer, nil
}
