package tools_test

import (
	"context"
	"encoding/json"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"kurogo/messages"
	"kurogo/transport/tools"
)

var noon = time.Date(2026, 2, 13, 12, 0, 0, 0, time.UTC)

// A house answers as the test says, and remembers what it was asked.
type house struct {
	answer func(messages.Message) (messages.Message, error)

	mu    sync.Mutex
	asked []messages.Message
	topic messages.Topic
	since int64
	tape  []messages.Event
	more  chan struct{} // closed when the tape grows
	fault error         // ends every watch
}

func newHouse(answer func(messages.Message) (messages.Message, error)) *house {
	return &house{answer: answer, more: make(chan struct{})}
}

// gives answers every question with the same word, and the state with a cursor.
func gives(m messages.Message, err error) func(messages.Message) (messages.Message, error) {
	return func(messages.Message) (messages.Message, error) { return m, err }
}

func (h *house) Ask(ctx context.Context, m messages.Message) (messages.Message, error) {
	h.mu.Lock()
	h.asked = append(h.asked, m)
	h.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return h.answer(m)
}

func (h *house) questions() []messages.Message {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.asked)
}

func (h *house) forget() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.asked = nil
}

// tells appends to the tape; seq counts from 1.
func (h *house) tells(kind messages.EventKind, id string, data any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	text, err := json.Marshal(data)
	if err != nil {
		panic(err)
	}
	h.tape = append(h.tape, messages.Event{Seq: int64(len(h.tape) + 1), Kind: kind, ID: id, Data: text})
	close(h.more)
	h.more = make(chan struct{})
}

// breaks ends every watch with an error.
func (h *house) breaks(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.fault = err
	close(h.more)
	h.more = make(chan struct{})
}

func (h *house) Watch(ctx context.Context, topic messages.Topic, since int64) iter.Seq2[messages.Event, error] {
	h.mu.Lock()
	h.topic, h.since = topic, since
	h.mu.Unlock()
	return func(yield func(messages.Event, error) bool) {
		for {
			h.mu.Lock()
			tape, more, fault := h.tape[min(since, int64(len(h.tape))):], h.more, h.fault
			h.mu.Unlock()
			for _, e := range tape {
				since = e.Seq
				if topic.Wants(e) && !yield(e, nil) {
					return
				}
			}
			if fault != nil {
				yield(messages.Event{}, fault)
				return
			}
			if len(tape) > 0 {
				continue
			}
			select {
			case <-more:
			case <-ctx.Done():
				yield(messages.Event{}, context.Cause(ctx))
				return
			}
		}
	}
}

func catalogue(h *house) *tools.Catalogue {
	return tools.New(h, tools.Options{
		Now:   func() time.Time { return noon.Add(15 * time.Second) },
		NewID: func() messages.MessageID { return "m1" },
	})
}

func call(t *testing.T, c *tools.Catalogue, who messages.Caller, name, args string) (string, error) {
	t.Helper()
	out, err := c.Call(t.Context(), who, messages.ToolCall{Name: name, Input: json.RawMessage(args)}, nil)
	return string(out), err
}

// wantError wants a refusal with code, field and a remedy, that says these parts.
func wantError(t *testing.T, err error, code messages.Code, field string, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("nothing was refused, want %s at %q", code, field)
	}
	e := messages.AsError(err)
	if e.Code != code || e.Field != field || e.Remedy == "" {
		t.Errorf("refused with %s at %q (%v), want %s at %q and a remedy", e.Code, e.Field, e, code, field)
	}
	for _, part := range parts {
		if !strings.Contains(e.Error(), part) {
			t.Errorf("refusal %q does not say %q", e, part)
		}
	}
}
