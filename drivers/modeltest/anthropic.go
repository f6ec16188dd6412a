package modeltest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// anthropic serves POST /v1/messages.
func (s *Server) anthropic(w http.ResponseWriter, r *http.Request) {
	body, err := read(r)
	if err != nil {
		return // the client has left
	}
	req, err := parse(body)
	if err != nil {
		s.t.Errorf("the model was asked what it cannot read: %v", err)
		fail(w, Step{Status: http.StatusBadRequest, Message: err.Error()})
		return
	}
	req.Header = r.Header
	step, n := s.take(req)
	if !s.wait(r, step.Delay) {
		return
	}
	if step.Status != 0 {
		fail(w, step)
		return
	}
	if req.Whole && !step.Hang && !step.Cut {
		whole(w, req.Model, n, step)
		return
	}
	st := &stream{w: w, n: n}
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
	if s.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(s.RetryAfter))
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(s.Status)
	_ = json.NewEncoder(w).Encode(map[string]any{"type": "error", "error": map[string]string{"type": kind, "message": s.message()}})
}
