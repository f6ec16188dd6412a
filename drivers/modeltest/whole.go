package modeltest

import (
	"cmp"
	"encoding/json"
	"net/http"
)

// whole is the same answer in one piece, for a client that wants no stream.
func whole(w http.ResponseWriter, model string, n int, step Step) {
	content := []any{}
	if step.Thinking != "" {
		content = append(content, map[string]string{"type": "thinking", "thinking": step.Thinking, "signature": "c2ln"})
	}
	if step.Text != "" {
		content = append(content, map[string]string{"type": "text", "text": step.Text})
	}
	for i, tool := range step.Tools {
		content = append(content, map[string]any{"type": "tool_use", "id": toolID(n, i), "name": tool.Name, "input": tool.Input})
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{
		"id": messageID(n), "type": "message", "role": "assistant", "model": model, "content": content,
		"stop_reason": step.stop(), "stop_sequence": nil,
		"usage": map[string]int{"input_tokens": cmp.Or(step.Input, 100), "output_tokens": cmp.Or(step.Output, 20)},
	})
}
