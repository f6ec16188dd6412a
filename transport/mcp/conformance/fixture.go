package conformance

import (
	"context"
	"encoding/json"

	protocol "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"kurogo/messages"
	"kurogo/transport/mcp"
)

// New is a server of o with everything that the suite asks for. It has no
// catalogue but that.
func New(o mcp.Options) *mcp.Server {
	o.Catalogue = catalogue{}
	o.Protocol = append(o.Protocol,
		server.WithToolCapabilities(false),
		server.WithResourceCapabilities(true, false),
		server.WithPromptCapabilities(false),
		server.WithCompletions(),
		server.WithLogging(),
		server.WithElicitation(),
	)
	s := mcp.New(o)
	p := s.Protocol()
	p.EnableSampling()
	tools(p)
	questions(p)
	interviews(p)
	resources(p)
	prompts(p)
	return s
}

// catalogue is the one tool that the suite wants with a schema of its own kind.
type catalogue struct{}

// Tools implements [mcp.Catalogue].
func (catalogue) Tools(messages.Caller) []messages.Tool {
	return []messages.Tool{{
		Name: "json_schema_2020_12_tool", Description: "Has a schema with the words of 2020-12",
		Schema: json.RawMessage(`{
			"$schema": "https://json-schema.org/draft/2020-12/schema",
			"type": "object",
			"$defs": {"address": {"$anchor": "addressDef", "type": "object", "properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
			"properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"}, "contactMethod": {"type": "string", "enum": ["phone", "email"]}, "phone": {"type": "string"}, "email": {"type": "string"}},
			"allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
			"if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
			"then": {"required": ["phone"]},
			"else": {"required": ["email"]},
			"additionalProperties": false
		}`),
	}}
}

// Call implements [mcp.Catalogue].
func (catalogue) Call(_ context.Context, _ messages.Caller, call messages.ToolCall, _ func(string)) (json.RawMessage, error) {
	return call.Input, nil
}

type (
	request = protocol.CallToolRequest
	result  = protocol.CallToolResult
)

func content(c ...protocol.Content) *result { return &result{Content: c} }

const (
	picture = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
	sound   = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA="
)
