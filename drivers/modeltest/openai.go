package modeltest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// responses answers POST /v1/responses of OpenAI.
func (s *Server) responses(w http.ResponseWriter, r *http.Request, req Request, n int, step Step) {
	st := &responseStream{events: events{w}, n: n, tools: req.namespaces}
	st.begin(req.Model)
	if step.Hang {
		st.flush()
		s.hang(r)
		return
	}
	st.say(step)
}

// parseResponses reads the request. Its input is a list of items where
// Anthropic's is one of messages: what the model said and did in one answer is
// put together into one message again, and so are the answers of tools.
func parseResponses(body []byte) (Request, error) {
	var wire struct {
		Model        string `json:"model"`
		Stream       bool   `json:"stream"`
		Instructions string `json:"instructions"`
		Input        items  `json:"input"`
		Tools        []struct {
			Name  string `json:"name"`
			Type  string `json:"type"`
			Tools []struct {
				Name string `json:"name"`
			} `json:"tools"`
		} `json:"tools"`
		Text struct {
			Format struct {
				Schema json.RawMessage `json:"schema"`
			} `json:"format"`
		} `json:"text"`
	}
	if err := json.Unmarshal(body, &wire); err != nil {
		return Request{}, fmt.Errorf("decode request: %w", err)
	}
	req := Request{
		Model: wire.Model, Body: body, Whole: !wire.Stream, Schema: wire.Text.Format.Schema, namespaces: map[string][2]string{},
	}
	system := []string{wire.Instructions}
	for _, i := range wire.Input {
		if i.Role == "developer" || i.Role == "system" {
			system = append(system, i.Content.texts()...)
			continue
		}
		req.hear(i)
	}
	req.System = strings.Join(system, "\n")
	for _, t := range wire.Tools {
		if t.Type != "namespace" && t.Name != "" { // some are of the service itself
			req.Tools = append(req.Tools, t.Name)
		}
		for _, in := range t.Tools {
			whole := strings.TrimSuffix(t.Name, "__") + "__" + in.Name
			req.Tools = append(req.Tools, whole)
			req.namespaces[whole] = [2]string{t.Name, in.Name}
		}
	}
	return req, nil
}

// An item is one of a response's input.
type item struct {
	Type      string `json:"type"`
	Role      string `json:"role"`
	Content   blocks `json:"content"`
	Name      string `json:"name"`
	Namespace string `json:"namespace"`
	Output    blocks `json:"output"`
}

type items []item

// UnmarshalJSON implements json.Unmarshaler: the input may be one text.
func (i *items) UnmarshalJSON(raw []byte) error {
	if len(raw) > 0 && raw[0] == '"' {
		*i = items{{Role: "user"}}
		return json.Unmarshal(raw, &(*i)[0].Content)
	}
	return json.Unmarshal(raw, (*[]item)(i))
}

// hear adds an item to the conversation.
func (r *Request) hear(i item) {
	switch {
	case i.Type == "function_call_output" || i.Type == "custom_tool_call_output":
		m := r.last("user", func(m Message) bool { return len(m.Results) > 0 })
		m.Results = append(m.Results, strings.Join(i.Output.texts(), "\n"))
	case i.Role == "user":
		r.Messages = append(r.Messages, Message{Role: "user", Texts: i.Content.texts()})
	case i.Role == "assistant":
		m := r.last("assistant", func(Message) bool { return true })
		m.Texts = append(m.Texts, i.Content.texts()...)
	case i.Type == "function_call" || i.Type == "custom_tool_call":
		m := r.last("assistant", func(Message) bool { return true })
		name := i.Name
		if i.Namespace != "" {
			name = strings.TrimSuffix(i.Namespace, "__") + "__" + name
		}
		m.Calls = append(m.Calls, name)
	}
}

// last is the last message if it is of this role and fits, else a new one.
func (r *Request) last(role string, fits func(Message) bool) *Message {
	if n := len(r.Messages); n > 0 && r.Messages[n-1].Role == role && fits(r.Messages[n-1]) {
		return &r.Messages[n-1]
	}
	r.Messages = append(r.Messages, Message{Role: role})
	return &r.Messages[len(r.Messages)-1]
}

// failResponses answers with an error as the service words it.
func failResponses(w http.ResponseWriter, s Step) {
	kinds := map[int]string{400: "invalid_request_error", 401: "invalid_api_key", 429: "rate_limit_exceeded"}
	kind, ok := kinds[s.Status]
	if !ok {
		kind = "server_error"
	}
	refuse(w, s, map[string]any{"error": map[string]any{
		"type": kind, "code": kind, "message": s.message(), "param": nil,
	}})
}
