package live

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"sync"

	"kurogo/messages"
)

// A hub reads the journal once for all clients and keeps the newest events as
// they are sent. It has no list of its clients: they come to it with a cursor.
type hub struct {
	events int // most that are kept
	size   int // most bytes of them

	mu    sync.Mutex
	ring  []entry // the oldest first
	bytes int
	floor int64         // what is behind it is in the ring, or still to come
	wake  chan struct{} // closed when there is more, or will be no more
	fault error         // why there will be no more
}

// An entry is one event, encoded.
type entry struct {
	seq   int64
	frame []byte
	lazy  string           // a later event with the same one says all that this one does; "" = none does
	agent messages.AgentID // that may have said more by now
}

func newHub(since int64, events, size int) *hub {
	return &hub{events: events, size: size, floor: since, wake: make(chan struct{})}
}

// watch fills the ring until ctx ends or the journal breaks.
func (h *hub) watch(ctx context.Context, port Port, log *slog.Logger) {
	fault := error(messages.Errorf(messages.CodeUnavailable, "the journal has ended"))
	for e, err := range port.Watch(ctx, messages.Topic{}, h.floor) {
		if err != nil {
			fault = err
			break
		}
		h.add(encode(e, log))
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.fault = fault
	close(h.wake)
}

func (h *hub) add(e entry) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ring = append(h.ring, e)
	h.bytes += len(e.frame)
	drop := 0
	for len(h.ring)-drop > h.events || h.bytes > h.size {
		h.bytes -= len(h.ring[drop].frame)
		h.floor = h.ring[drop].seq
		drop++
	}
	clear(h.ring[:drop]) // their bytes must go now; their places go when append moves the rest
	h.ring = h.ring[drop:]
	close(h.wake)
	h.wake = make(chan struct{})
}

// after returns the events behind the cursor, as many as fit into one frame. ok is
// false when the ring no longer reaches back so far. Where there are none, more is
// closed when there are.
func (h *hub) after(cursor int64) (list []entry, ok bool, more <-chan struct{}, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if cursor < h.floor {
		return nil, false, h.wake, nil
	}
	from, _ := slices.BinarySearchFunc(h.ring, cursor+1, func(e entry, seq int64) int { return int(e.seq - seq) })
	to, bytes := from, 0
	for to < len(h.ring) && to-from < batchEvents && (to == from || bytes+len(h.ring[to].frame) <= batchBytes) {
		bytes += len(h.ring[to].frame)
		to++
	}
	if to == from {
		return nil, true, h.wake, h.fault
	}
	return slices.Clone(h.ring[from:to]), true, h.wake, nil
}

// reaches says whether a client with this cursor misses nothing.
func (h *hub) reaches(cursor int64) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return cursor >= h.floor
}

func (h *hub) over() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.fault != nil
}

// encode makes the one form in which every client gets an event.
func encode(e messages.Event, log *slog.Logger) entry {
	out := entry{seq: e.Seq}
	switch e.Kind { //nolint:exhaustive // the others are facts of their own
	case messages.AgentUpdated:
		out.lazy, out.agent = "a"+e.ID, messages.AgentID(e.ID)
	case messages.AgentEnded, messages.ResultReported:
		out.agent = messages.AgentID(e.ID)
	case messages.PersonaUpdated:
		out.lazy = "p" + e.ID
	}
	if len(e.Data) == 0 {
		e.Data = nil
	}
	told := struct {
		Seq  int64              `json:"seq"`
		Type messages.EventKind `json:"type"`
		TS   int64              `json:"ts"`
		ID   string             `json:"id"`
		Task messages.TaskID    `json:"task,omitempty"`
		Root messages.TaskID    `json:"root,omitempty"`
		Data json.RawMessage    `json:"data"`
	}{e.Seq, e.Kind, e.At.UnixMilli(), e.ID, e.Task, e.Root, e.Data}
	var err error
	if out.frame, err = json.Marshal(told); err != nil {
		log.Error("encode event", "seq", e.Seq, "kind", e.Kind, "err", err)
		told.Data = nil
		out.frame, _ = json.Marshal(told) // numbers and texts
	}
	return out
}

// batch is the frame of some events. Of several that only say how one thing
// stands, the last is told.
func batch(list []entry) []byte {
	last := map[string]int64{}
	size := 0
	for _, e := range list {
		if e.lazy != "" {
			last[e.lazy] = e.seq
		}
		size += len(e.frame) + 1
	}
	const head, tail = `{"type":"batch","ev":[`, `]}`
	out := append(make([]byte, 0, len(head)+size+len(tail)), head...)
	for _, e := range list {
		if e.lazy != "" && last[e.lazy] != e.seq {
			continue
		}
		if out[len(out)-1] != '[' {
			out = append(out, ',')
		}
		out = append(out, e.frame...)
	}
	return append(out, tail...)
}
