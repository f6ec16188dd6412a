package hermes

import (
	"bytes"
	"encoding/json"

	"kurogo/messages"
)

// chat is Ollama's POST /api/chat: a line of JSON for each piece of an answer.
type chat struct{}

func (chat) path() string { return "/api/chat" }

type chatCall struct {
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"function"`
}

type chatMessage struct {
	Role     string     `json:"role"`
	Content  string     `json:"content"`
	Thinking string     `json:"thinking,omitempty"`
	Calls    []chatCall `json:"tool_calls,omitempty"`
	Tool     string     `json:"tool_name,omitempty"`
}

func (chat) encode(r request) ([]byte, error) {
	options := map[string]any{"num_ctx": r.context}
	if r.temperature != nil && !r.quirks.has(noWarmth) {
		options["temperature"] = *r.temperature
	}
	if r.maxTokens > 0 {
		options["num_predict"] = r.maxTokens
	}
	wire := struct {
		Model    string          `json:"model"`
		Messages []chatMessage   `json:"messages"`
		Stream   bool            `json:"stream"`
		Tools    []function      `json:"tools,omitempty"`
		Format   json.RawMessage `json:"format,omitempty"`
		Options  map[string]any  `json:"options"`
	}{
		r.model, []chatMessage{{Role: "system", Content: r.system}}, true, functions(r.tools), r.format(), options,
	}
	for _, m := range r.history {
		said := chatMessage{Role: m.Role, Content: m.Text, Tool: m.Tool}
		for _, c := range m.Calls {
			var call chatCall
			call.Function.Name, call.Function.Arguments = c.Name, c.Input
			said.Calls = append(said.Calls, call)
		}
		wire.Messages = append(wire.Messages, said)
	}
	return json.Marshal(wire)
}

func (chat) hear(line []byte, a *answer) (piece, error) {
	if len(bytes.TrimSpace(line)) == 0 {
		return piece{}, nil
	}
	var said struct {
		Message *chatMessage    `json:"message"`
		Done    *bool           `json:"done"`
		Reason  string          `json:"done_reason"`
		Input   int64           `json:"prompt_eval_count"`
		Output  int64           `json:"eval_count"`
		Error   json.RawMessage `json:"error"`
	}
	switch err := json.Unmarshal(line, &said); {
	case err != nil:
		return piece{warning: show("this cannot be read", line)}, nil //nolint:nilerr // it is shown, and the answer goes on
	case len(said.Error) > 0:
		_, text := worded(said.Error)
		return piece{}, failed(messages.ClassServer, "%s", messages.Cut(text, longestReason))
	case said.Message == nil && said.Done == nil:
		return piece{warning: show("this is unknown", line)}, nil
	}
	if m := said.Message; m != nil {
		a.say(m.Content)
		a.think(m.Thinking)
		for _, c := range m.Calls {
			if name := c.Function.Name; name != "" {
				a.call(nil, "", name, string(c.Function.Arguments))
			}
		}
	}
	if said.Done != nil && *said.Done {
		a.ended, a.done, a.cut = true, true, said.Reason == "length"
		a.usage = messages.Usage{InputTokens: max(0, said.Input), OutputTokens: max(0, said.Output)}
	}
	if said.Message == nil {
		return piece{}, nil
	}
	return piece{text: said.Message.Content}, nil
}
