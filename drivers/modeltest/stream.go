package modeltest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
)

// A stream writes one answer of Anthropic's Messages.
type stream struct {
	events
	n     int // of the answer
	index int // of the block
}

func (s *stream) begin(model string, step Step) {
	s.w.Header().Set("Content-Type", "text/event-stream")
	s.event("message_start", map[string]any{"message": map[string]any{
		"id": messageID(s.n), "type": "message", "role": "assistant", "model": model,
		"content": []any{}, "stop_reason": nil, "stop_sequence": nil,
		"usage": map[string]int{"input_tokens": cmp.Or(step.Input, 100), "output_tokens": 1},
	}})
}

func (s *stream) say(step Step) {
	if step.Thinking != "" {
		s.block(map[string]any{"type": "thinking", "thinking": "", "signature": ""}, step.Cut,
			map[string]any{"type": "thinking_delta", "thinking": step.Thinking},
			map[string]any{"type": "signature_delta", "signature": "c2ln"})
	}
	if step.Text != "" {
		s.block(map[string]any{"type": "text", "text": ""}, step.Cut, map[string]any{"type": "text_delta", "text": step.Text})
	}
	for i, tool := range step.Tools {
		input, _ := json.Marshal(tool.Input) // a test's own values
		s.block(map[string]any{"type": "tool_use", "id": toolID(s.n, i), "name": tool.Name, "input": struct{}{}}, step.Cut,
			map[string]any{"type": "input_json_delta", "partial_json": string(input)})
	}
	s.event("message_delta", map[string]any{
		"delta": map[string]any{"stop_reason": step.stop(), "stop_sequence": nil},
		"usage": map[string]int{"output_tokens": cmp.Or(step.Output, 20)},
	})
	s.event("message_stop", map[string]any{})
}

func (s *stream) block(start map[string]any, cut bool, deltas ...map[string]any) {
	s.event("content_block_start", map[string]any{"index": s.index, "content_block": start})
	for _, delta := range deltas {
		s.event("content_block_delta", map[string]any{"index": s.index, "delta": delta})
	}
	if cut {
		s.flush()
		panic(http.ErrAbortHandler) // the way to break off a connection
	}
	s.event("content_block_stop", map[string]any{"index": s.index})
	s.index++
}

func messageID(n int) string { return fmt.Sprintf("msg_%06d", n) }

func toolID(n, i int) string { return fmt.Sprintf("toolu_%d_%d", n, i) }

func (s Step) stop() string {
	if len(s.Tools) > 0 {
		return "tool_use"
	}
	return "end_turn"
}
