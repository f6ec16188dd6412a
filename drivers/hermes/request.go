package hermes

import (
	"encoding/json"

	"kurogo/messages"
)

// The roles of a conversation.
const (
	roleUser      = "user"
	roleAssistant = "assistant"
	roleTool      = "tool"
)

// A message is one of the conversation, as it is remembered.
type message struct {
	Role  string              `json:"role"`
	Text  string              `json:"text"`
	Calls []messages.ToolCall `json:"calls,omitempty"` // of the assistant
	Call  string              `json:"call,omitempty"`  // of a tool: the call that it answers
	Tool  string              `json:"tool,omitempty"`  // and its name
}

// begins reports whether a turn begins here.
func (m message) begins() bool { return m.Role == roleUser && !looped(m.Text) }

func (m message) size() int {
	n := len(m.Text) + 32
	for _, c := range m.Calls {
		n += len(c.Name) + len(c.Input) + 32
	}
	return n
}

// A shape is the form that an answer must have, as the service is told.
type shape int

const (
	free      shape = iota
	enveloped       // JSON, ours
	schemed         // JSON, the owner's
)

// A request is what the model is asked, whatever the service's words for it.
type request struct {
	model       string
	system      string
	history     []message
	tools       []messages.Tool // that are offered by the service's own means
	shape       shape
	schema      json.RawMessage
	maxTokens   int
	context     int
	temperature *float64
	quirks      quirks
}

// format is the schema of the answer, for a service that keeps one.
func (r request) format() json.RawMessage {
	switch {
	case r.quirks.has(noFormat) || r.shape == free:
		return nil
	case r.shape == enveloped:
		return envelopeSchema
	}
	return r.schema
}

// envelopeSchema is the form of envelope.go. What a tool takes is the tool's to say.
var envelopeSchema = json.RawMessage(`{"type":"object","properties":{` +
	`"thought":{"type":"string"},` +
	`"tool_calls":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"parameters":{"type":"object"}},"required":["name","parameters"]}},` +
	`"final_answer":{"type":"string"}}}`)

// function is a tool as both services take it.
type function struct {
	Type     string `json:"type"`
	Function struct {
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		Parameters  json.RawMessage `json:"parameters"`
	} `json:"function"`
}

func functions(tools []messages.Tool) []function {
	var out []function
	for _, t := range tools {
		f := function{Type: "function"}
		f.Function.Name, f.Function.Description, f.Function.Parameters = t.Name, t.Description, t.Schema
		if len(t.Schema) == 0 {
			f.Function.Parameters = json.RawMessage(`{"type":"object"}`)
		}
		out = append(out, f)
	}
	return out
}
