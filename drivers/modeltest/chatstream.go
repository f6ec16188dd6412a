package modeltest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"unicode/utf8"
)

// A chatStream writes one answer to a chat, in pieces or whole.
type chatStream struct {
	server  *Server
	r       *http.Request
	w       http.ResponseWriter
	dialect dialect
	n       int // of the answer
	model   string
	whole   bool
}

// piece is how many bytes, at most, are said at a time.
const piece = 24

func (c *chatStream) say(step Step) {
	kind := map[dialect]string{ollama: "application/x-ndjson", completions: "text/event-stream"}[c.dialect]
	if c.whole {
		kind = "application/json"
	}
	c.w.Header().Set("Content-Type", cmp.Or(step.Type, kind))
	_, _ = fmt.Fprint(c.w, step.Noise)
	switch {
	case step.Hang:
		c.flush()
		c.server.hang(c.r)
	case c.whole:
		c.line(c.last(step, map[string]any{"role": "assistant", "content": step.Text, "tool_calls": c.calls(step)}))
	case c.pieces(step):
		c.end(step)
	}
}

// pieces says what there is to say; false when nobody listens any more.
func (c *chatStream) pieces(step Step) bool {
	if step.Thinking != "" {
		c.delta(map[string]any{c.thinking(): step.Thinking})
	}
	for i := 0; step.Repeat < 0 || i < max(1, step.Repeat); i++ {
		for text := step.Text; text != ""; {
			n := min(piece, len(text))
			for n < len(text) && !utf8.RuneStart(text[n]) {
				n++
			}
			c.delta(map[string]any{"content": text[:n]})
			text = text[n:]
			if step.Cut {
				c.flush()
				panic(http.ErrAbortHandler) // the way to break off a connection
			}
			if step.Drip > 0 {
				c.flush()
			}
			if !c.server.wait(c.r, step.Drip) || c.server.ended(c.r) {
				return false
			}
		}
	}
	if calls := c.calls(step); len(calls) > 0 {
		c.delta(map[string]any{"tool_calls": calls})
	}
	return true
}

// thinking is the field in which a model's thoughts come.
func (c *chatStream) thinking() string {
	if c.dialect == completions {
		return "reasoning_content"
	}
	return "thinking"
}

// calls are the uses of tools. Ollama's arguments are an object, OpenAI's JSON
// within a text. A text of the test's own is given as it is.
func (c *chatStream) calls(step Step) []any {
	var out []any
	for i, tool := range step.Tools {
		arguments := tool.Input
		if text, ok := tool.Input.(string); ok && c.dialect == ollama {
			arguments = json.RawMessage(text)
		} else if !ok && c.dialect == completions {
			b, _ := json.Marshal(tool.Input) // a test's own values
			arguments = string(b)
		}
		out = append(out, map[string]any{
			"index": i, "id": toolID(c.n, i), "type": "function",
			"function": map[string]any{"name": tool.Name, "arguments": arguments},
		})
	}
	return out
}

func (c *chatStream) delta(message map[string]any) {
	if c.dialect == completions {
		c.line(map[string]any{"id": messageID(c.n), "model": c.model, "choices": []any{map[string]any{"index": 0, "delta": message}}})
		return
	}
	message["role"] = "assistant"
	if _, ok := message["content"]; !ok {
		message["content"] = ""
	}
	c.line(map[string]any{"model": c.model, "created_at": "2026-01-01T00:00:00Z", "message": message, "done": false})
}

func (c *chatStream) end(step Step) {
	if step.Failure != "" {
		if c.dialect == completions {
			c.line(map[string]any{"error": map[string]string{"code": step.Failure, "message": step.message()}})
			return
		}
		c.line(map[string]string{"error": step.message()})
		return
	}
	if c.dialect == ollama {
		c.line(c.last(step, map[string]any{"role": "assistant", "content": ""}))
		return
	}
	c.line(map[string]any{"choices": []any{map[string]any{"index": 0, "delta": map[string]any{}, "finish_reason": step.finish()}}})
	c.line(map[string]any{"choices": []any{}, "usage": c.usage(step)})
	_, _ = fmt.Fprint(c.w, "data: [DONE]\n\n")
}

// last is what ends an answer, or is all of one that comes whole.
func (c *chatStream) last(step Step, message map[string]any) map[string]any {
	if c.dialect == completions {
		return map[string]any{
			"id": messageID(c.n), "model": c.model, "usage": c.usage(step),
			"choices": []any{map[string]any{"index": 0, "message": message, "finish_reason": step.finish()}},
		}
	}
	return map[string]any{
		"model": c.model, "message": message, "done": true, "done_reason": "stop",
		"prompt_eval_count": cmp.Or(step.Input, 100), "eval_count": cmp.Or(step.Output, 20),
	}
}

func (c *chatStream) usage(step Step) map[string]any {
	in, out := cmp.Or(step.Input, 100), cmp.Or(step.Output, 20)
	return map[string]any{
		"prompt_tokens": in, "completion_tokens": out, "total_tokens": in + out,
		"prompt_tokens_details": map[string]int{"cached_tokens": step.Cached},
	}
}

func (s Step) finish() string {
	if len(s.Tools) > 0 {
		return "tool_calls"
	}
	return "stop"
}

func (c *chatStream) line(value any) {
	data, _ := json.Marshal(value) // maps of plain values, and a test's own
	if c.dialect == completions && !c.whole {
		_, _ = fmt.Fprintf(c.w, "data: %s\n\n", data)
		return
	}
	_, _ = fmt.Fprintf(c.w, "%s\n", data)
}

func (c *chatStream) flush() { _ = http.NewResponseController(c.w).Flush() }
