package hermes

import (
	"bytes"
	"encoding/json"

	"kurogo/messages"
)

// completions is OpenAI's POST /v1/chat/completions: server-sent events, each of
// one line.
type completions struct{}

func (completions) path() string { return "/chat/completions" }

type completionCall struct {
	Index    *int   `json:"index,omitempty"`
	ID       string `json:"id,omitempty"`
	Type     string `json:"type,omitempty"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

type completionMessage struct {
	Role    string           `json:"role"`
	Content string           `json:"content"`
	Calls   []completionCall `json:"tool_calls,omitempty"`
	Call    string           `json:"tool_call_id,omitempty"`
}

func (completions) encode(r request) ([]byte, error) {
	wire := map[string]any{"model": r.model, "stream": true}
	if !r.quirks.has(noOptions) {
		wire["stream_options"] = map[string]bool{"include_usage": true}
	}
	if r.temperature != nil && !r.quirks.has(noWarmth) {
		wire["temperature"] = *r.temperature
	}
	if r.maxTokens > 0 {
		name := "max_tokens"
		if r.quirks.has(newTokens) {
			name = "max_completion_tokens"
		}
		wire[name] = r.maxTokens
	}
	if len(r.tools) > 0 {
		wire["tools"] = functions(r.tools)
	}
	if format := r.format(); format != nil {
		wire["response_format"] = map[string]any{"type": "json_object"}
		if r.shape == schemed {
			wire["response_format"] = map[string]any{
				"type": "json_schema", "json_schema": map[string]any{"name": "answer", "strict": strict(format), "schema": format},
			}
		}
	}
	said := []completionMessage{{Role: "system", Content: r.system}}
	for _, m := range r.history {
		one := completionMessage{Role: m.Role, Content: m.Text, Call: m.Call}
		for _, c := range m.Calls {
			call := completionCall{ID: c.ID, Type: "function"}
			call.Function.Name, call.Function.Arguments = c.Name, string(c.Input)
			one.Calls = append(one.Calls, call)
		}
		said = append(said, one)
	}
	wire["messages"] = said
	return json.Marshal(wire)
}

// strict reports whether a schema is one that the service can promise to keep: an
// object that says that it has nothing else.
func strict(schema json.RawMessage) bool {
	var s struct {
		More *bool `json:"additionalProperties"`
	}
	return json.Unmarshal(schema, &s) == nil && s.More != nil && !*s.More
}

// A delta is a piece of an answer, or, where nothing is streamed, all of it.
type delta struct {
	Content   string           `json:"content"`
	Reasoning string           `json:"reasoning_content"`
	Thinking  string           `json:"reasoning"` // as others name it
	Refusal   string           `json:"refusal"`
	Calls     []completionCall `json:"tool_calls"`
}

func (completions) hear(line []byte, a *answer) (piece, error) {
	line = bytes.TrimSpace(line)
	data, ok := bytes.CutPrefix(line, []byte("data:"))
	switch data = bytes.TrimSpace(data); {
	case len(line) == 0 || line[0] == ':' || !ok && known(line):
		return piece{}, nil
	case string(data) == "[DONE]":
		a.ended, a.done = true, true
		return piece{}, nil
	case !ok && line[0] != '{':
		return piece{warning: show("this is no event", line)}, nil
	case len(data) == 0:
		return piece{}, nil
	}
	var said struct {
		Choices []struct {
			Delta   delta  `json:"delta"`
			Message delta  `json:"message"`
			Reason  string `json:"finish_reason"`
		} `json:"choices"`
		Usage *struct {
			Input   int64 `json:"prompt_tokens"`
			Output  int64 `json:"completion_tokens"`
			Details struct {
				Cached int64 `json:"cached_tokens"`
			} `json:"prompt_tokens_details"`
		} `json:"usage"`
		Error json.RawMessage `json:"error"`
	}
	switch err := json.Unmarshal(data, &said); {
	case err != nil:
		return piece{warning: show("this cannot be read", data)}, nil //nolint:nilerr // it is shown, and the answer goes on
	case len(said.Error) > 0 && string(said.Error) != "null":
		return piece{}, within(said.Error)
	case len(said.Choices) == 0 && said.Usage == nil:
		return piece{warning: show("this is unknown", data)}, nil
	}
	if u := said.Usage; u != nil {
		cached := min(max(0, u.Details.Cached), max(0, u.Input))
		a.usage = messages.Usage{InputTokens: max(0, u.Input) - cached, OutputTokens: max(0, u.Output), CachedTokens: cached}
	}
	var p piece
	for _, c := range said.Choices[:min(len(said.Choices), 1)] {
		for _, d := range []delta{c.Delta, c.Message} {
			p.text += d.Content
			a.say(d.Content)
			a.think(d.Reasoning + d.Thinking)
			for _, call := range d.Calls {
				a.call(call.Index, call.ID, call.Function.Name, call.Function.Arguments)
			}
			if d.Refusal != "" {
				a.say(d.Refusal)
				a.censor = true
			}
		}
		a.ended = a.ended || c.Reason != ""
		a.cut = a.cut || c.Reason == "length"
		a.censor = a.censor || c.Reason == "content_filter"
	}
	return p, nil
}

// known are the lines of a stream of events that say nothing to us.
func known(line []byte) bool {
	name, _, ok := bytes.Cut(line, []byte(":"))
	return ok && (string(name) == "event" || string(name) == "id" || string(name) == "retry")
}

// within is an error in the middle of an answer, which has no status.
func within(raw json.RawMessage) *failure {
	code, text := worded(raw)
	f := failed(messages.ClassServer, "%s", messages.Cut(text, longestReason))
	switch code {
	case "rate_limit_exceeded":
		f.class = messages.ClassRate
	case "insufficient_quota", "invalid_api_key":
		f.class = messages.ClassAuth
	case "context_length_exceeded", "model_not_found", "invalid_request_error":
		f.class = messages.ClassInvalid
	}
	if f.text == "" {
		f.text = "the model's service fell within its answer"
	}
	return f
}
