package modeltest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// anthropic answers POST /v1/messages.
func (s *Server) anthropic(w http.ResponseWriter, r *http.Request, req Request, n int, step Step) {
	if req.Whole && !step.Hang && !step.Cut {
		whole(w, req.Model, n, step)
		return
	}
	st := &stream{events: events{w}, n: n}
	st.begin(req.Model, step)
	if step.Hang {
		st.flush()
		s.hang(r)
		return
	}
	st.say(step)
}

// parse reads the request. Content, and the system prompt, is a text or a list
// of blocks.
func parse(body []byte) (Request, error) {
	var wire struct {
		Model    string `json:"model"`
		Stream   bool   `json:"stream"`
		System   blocks `json:"system"`
		Messages []struct {
			Role    string `json:"role"`
			Content blocks `json:"content"`
		} `json:"messages"`
		Tools []struct {
			Name string `json:"name"`
		} `json:"tools"`
	}
	if err := json.Unmarshal(body, &wire); err != nil {
		return Request{}, fmt.Errorf("decode request: %w", err)
	}
	req := Request{Model: wire.Model, System: strings.Join(wire.System.texts(), "\n"), Body: body, Whole: !wire.Stream}
	for _, m := range wire.Messages {
		req.Messages = append(req.Messages, Message{
			Role: m.Role, Texts: m.Content.texts(), Calls: m.Content.calls(), Results: m.Content.results(),
		})
	}
	for _, t := range wire.Tools {
		req.Tools = append(req.Tools, t.Name)
	}
	return req, nil
}

type blocks []struct {
	Type    string `json:"type"`
	Text    string `json:"text"`
	Name    string `json:"name"`
	Content blocks `json:"content"`
}

// UnmarshalJSON implements json.Unmarshaler.
func (b *blocks) UnmarshalJSON(raw []byte) error {
	if len(raw) > 0 && raw[0] == '"' {
		*b = make(blocks, 1)
		(*b)[0].Type = "text"
		return json.Unmarshal(raw, &(*b)[0].Text)
	}
	type list blocks
	return json.Unmarshal(raw, (*list)(b))
}

func (b blocks) texts() []string {
	var texts []string
	for _, x := range b {
		switch x.Type {
		case "text", "input_text", "output_text":
			texts = append(texts, x.Text)
		}
	}
	return texts
}

func (b blocks) calls() []string {
	var names []string
	for _, x := range b {
		if x.Type == "tool_use" {
			names = append(names, x.Name)
		}
	}
	return names
}

func (b blocks) results() []string {
	var out []string
	for _, x := range b {
		if x.Type == "tool_result" {
			out = append(out, strings.Join(x.Content.texts(), "\n"))
		}
	}
	return out
}

// fail answers with an error as the service words it.
func fail(w http.ResponseWriter, s Step) {
	kinds := map[int]string{
		400: "invalid_request_error", 401: "authentication_error", 403: "permission_error",
		404: "not_found_error", 429: "rate_limit_error", 529: "overloaded_error",
	}
	kind, ok := kinds[s.Status]
	if !ok {
		kind = "api_error"
	}
	refuse(w, s, map[string]any{"type": "error", "error": map[string]string{"type": kind, "message": s.message()}})
}
