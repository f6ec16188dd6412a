package modeltest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// Model is the model that there is to chat with where a test names none.
const Model = "scripted"

// A dialect is one of the two ways in which models are chatted with.
type dialect int

const (
	ollama      dialect = iota // lines of JSON
	completions                // OpenAI's chat completions: server-sent events
)

// chat serves POST /api/chat or /v1/chat/completions.
func (s *Server) chat(d dialect) http.HandlerFunc {
	return s.serve(
		func(body []byte) (Request, error) { return parseChat(body, d) },
		func(w http.ResponseWriter, step Step) { failChat(w, d, step) },
		func(w http.ResponseWriter, r *http.Request, req Request, n int, step Step) {
			(&chatStream{server: s, r: r, w: w, dialect: d, n: n, model: req.Model, whole: req.Whole}).say(step)
		},
	)
}

// parseChat reads the request. What a tool answered is a message of its own there,
// and among the others one of the user's with results.
func parseChat(body []byte, d dialect) (Request, error) {
	var wire struct {
		Model    string `json:"model"`
		Stream   *bool  `json:"stream"`
		Messages []struct {
			Role    string `json:"role"`
			Content blocks `json:"content"`
			Calls   []struct {
				Function struct {
					Name string `json:"name"`
				} `json:"function"`
			} `json:"tool_calls"`
		} `json:"messages"`
		Tools []struct {
			Function struct {
				Name string `json:"name"`
			} `json:"function"`
		} `json:"tools"`
		Format   json.RawMessage `json:"format"`
		Response struct {
			Type   string `json:"type"`
			Schema struct {
				Schema json.RawMessage `json:"schema"`
			} `json:"json_schema"`
		} `json:"response_format"`
	}
	if err := json.Unmarshal(body, &wire); err != nil {
		return Request{}, fmt.Errorf("decode request: %w", err)
	}
	// Without a word of it Ollama streams, and OpenAI does not.
	streams := d == ollama
	if wire.Stream != nil {
		streams = *wire.Stream
	}
	req := Request{Model: wire.Model, Body: body, Whole: !streams, Schema: wire.Format}
	if d == completions {
		req.Schema = wire.Response.Schema.Schema
		if wire.Response.Type == "json_object" {
			req.Schema = json.RawMessage(`"json"`)
		}
	}
	var system []string
	for _, m := range wire.Messages {
		text := strings.Join(m.Content.texts(), "\n")
		switch {
		case m.Role == "system" || m.Role == "developer":
			system = append(system, text)
		case m.Role == "tool" || m.Role == "user" && strings.HasPrefix(text, Loop):
			last := req.last("user", func(m Message) bool { return len(m.Results) > 0 })
			last.Results = append(last.Results, text)
		default:
			said := Message{Role: m.Role}
			if text != "" {
				said.Texts = []string{text}
			}
			for _, c := range m.Calls {
				said.Calls = append(said.Calls, c.Function.Name)
			}
			req.Messages = append(req.Messages, said)
		}
	}
	req.System = strings.Join(system, "\n")
	for _, t := range wire.Tools {
		req.Tools = append(req.Tools, t.Function.Name)
	}
	return req, nil
}

// failChat answers with an error as the service words it.
func failChat(w http.ResponseWriter, d dialect, s Step) {
	var body any = map[string]string{"error": s.message()}
	if d == completions {
		body = map[string]any{"error": map[string]any{"message": s.message(), "type": "scripted", "code": nil}}
	}
	refuse(w, s, body)
}

// catalogue lists the models.
func (s *Server) catalogue(d dialect) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		list, key, name := []map[string]string{}, "models", "name"
		if d == completions {
			key, name = "data", "id"
		}
		for _, m := range s.models {
			list = append(list, map[string]string{name: m})
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{key: list})
	}
}

func version(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]string{"version": "0.0.0-scripted"})
}

// Hermes is an answer in the words of our own loop: what the model thinks, the
// tools that it uses, and its answer where it has one.
func Hermes(thought, final string, calls ...Tool) Step {
	type call struct {
		Name       string `json:"name"`
		Parameters any    `json:"parameters"`
	}
	said := struct {
		Thought string `json:"thought,omitempty"`
		Calls   []call `json:"tool_calls,omitempty"`
		Final   string `json:"final_answer,omitempty"`
	}{Thought: thought, Final: final}
	for _, c := range calls {
		said.Calls = append(said.Calls, call{c.Name, c.Input})
	}
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	_ = e.Encode(said) // a test's own values
	return Step{Text: strings.TrimSpace(text.String())}
}
