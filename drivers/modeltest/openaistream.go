package modeltest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
)

// A responseStream writes one answer of OpenAI's Responses.
type responseStream struct {
	events
	n     int                  // of the answer
	tools map[string][2]string // the namespace and the name of those that have one
	index int                  // of the item
}

func (s *responseStream) id() string { return fmt.Sprintf("resp_%06d", s.n) }

func (s *responseStream) begin(model string) {
	s.w.Header().Set("Content-Type", "text/event-stream")
	s.event("response.created", map[string]any{"response": map[string]any{"id": s.id(), "model": model, "status": "in_progress"}})
}

func (s *responseStream) say(step Step) {
	if step.Thinking != "" {
		s.item(step.Cut, map[string]any{
			"type": "reasoning", "id": fmt.Sprintf("rs_%06d", s.n), "encrypted_content": nil,
			"summary": []any{map[string]string{"type": "summary_text", "text": step.Thinking}},
		})
	}
	if step.Text != "" {
		s.item(step.Cut, map[string]any{
			"type": "message", "id": messageID(s.n), "role": "assistant", "status": "completed",
			"content": []any{map[string]any{"type": "output_text", "text": step.Text, "annotations": []any{}}},
		})
	}
	for i, tool := range step.Tools {
		s.item(step.Cut, s.call(toolID(s.n, i), tool))
	}
	if step.Failure != "" {
		s.event("response.failed", map[string]any{"response": map[string]any{
			"id": s.id(), "status": "failed", "error": map[string]string{"code": step.Failure, "message": step.message()},
		}})
		return
	}
	in, out := cmp.Or(step.Input, 100), cmp.Or(step.Output, 20)
	s.event("response.completed", map[string]any{"response": map[string]any{
		"id": s.id(), "status": "completed",
		"usage": map[string]any{
			"input_tokens": in, "input_tokens_details": map[string]int{"cached_tokens": step.Cached},
			"output_tokens": out, "output_tokens_details": map[string]int{"reasoning_tokens": 0}, "total_tokens": in + out,
		},
	}})
}

// call is the use of a tool. One of a namespace is named in two parts. Its input
// is JSON within a text, or a text as it is where that is what the test gives.
func (s *responseStream) call(id string, tool Tool) map[string]any {
	call := map[string]any{"type": "function_call", "id": "fc_" + id, "call_id": id, "name": tool.Name}
	if text, ok := tool.Input.(string); ok {
		call["type"], call["id"], call["input"] = "custom_tool_call", "ctc_"+id, text
	} else {
		input, _ := json.Marshal(tool.Input) // a test's own values
		call["arguments"] = string(input)
	}
	if parts, ok := s.tools[tool.Name]; ok {
		call["namespace"], call["name"] = parts[0], parts[1]
	}
	return call
}

func (s *responseStream) item(cut bool, item map[string]any) {
	s.event("response.output_item.added", map[string]any{"output_index": s.index, "item": item})
	if text, ok := item["content"].([]any); ok {
		s.event("response.output_text.delta", map[string]any{
			"item_id": item["id"], "output_index": s.index, "content_index": 0, "delta": text[0].(map[string]any)["text"],
		})
	}
	if cut {
		s.flush()
		panic(http.ErrAbortHandler) // the way to break off a connection
	}
	s.event("response.output_item.done", map[string]any{"output_index": s.index, "item": item})
	s.index++
}
