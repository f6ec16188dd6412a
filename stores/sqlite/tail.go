package sqlite

import (
	"context"
	"database/sql"
	"iter"
	"sync"

	"kurogo/messages"
)

const (
	ringEvents = 8192
	ringBytes  = 8 << 20
)

// A tail keeps the newest events in memory. Readers hold a cursor; whoever has
// fallen behind the ring reads the table. Nothing polls: an append closes the
// channel that the waiting readers hold.
type tail struct {
	mu     sync.Mutex
	ring   []messages.Event
	bytes  int
	last   int64 // seq of the newest event
	wake   chan struct{}
	closed bool
}

func newTail(last int64) *tail { return &tail{last: last, wake: make(chan struct{})} }

func (t *tail) append(events []messages.Event) {
	if len(events) == 0 {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, e := range events {
		t.ring = append(t.ring, e)
		t.bytes += len(e.Data)
		t.last = e.Seq
	}
	drop := 0
	for len(t.ring)-drop > ringEvents || t.bytes > ringBytes {
		t.bytes -= len(t.ring[drop].Data)
		drop++
	}
	clear(t.ring[:drop]) // their data must go now; their places go when append moves the rest
	t.ring = t.ring[drop:]
	close(t.wake)
	t.wake = make(chan struct{})
}

func (t *tail) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.closed {
		t.closed = true
		close(t.wake)
	}
}

// after returns the events behind since. ok is false when the ring no longer
// reaches back so far. more is closed when there is more.
func (t *tail) after(since int64) (events []messages.Event, ok bool, more <-chan struct{}, closed bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if since >= t.last {
		return nil, true, t.wake, t.closed
	}
	if len(t.ring) == 0 || t.ring[0].Seq > since+1 {
		return nil, false, t.wake, t.closed
	}
	i := len(t.ring) - int(t.last-since)
	return append([]messages.Event(nil), t.ring[i:]...), true, t.wake, t.closed
}

// Last is the seq of the newest event: the cursor of a watcher that wants only
// what comes.
func (s *Store) Last() int64 {
	s.tail.mu.Lock()
	defer s.tail.mu.Unlock()
	return s.tail.last
}

// Watch yields every event behind since that is on the topic, and then waits for
// more until ctx ends, whose error is the last thing it yields. The order is the
// journal's and nothing is left out, however slow the reader.
func (s *Store) Watch(ctx context.Context, topic messages.Topic, since int64) iter.Seq2[messages.Event, error] {
	return func(yield func(messages.Event, error) bool) {
		for {
			events, ok, more, closed := s.tail.after(since)
			if !ok {
				var err error
				if events, err = s.events(ctx, since); err != nil {
					yield(messages.Event{}, err)
					return
				}
			}
			for _, e := range events {
				since = e.Seq
				if topic.Wants(e) && !yield(e, nil) {
					return
				}
			}
			if len(events) > 0 {
				continue
			}
			if closed {
				yield(messages.Event{}, messages.Errorf(messages.CodeUnavailable, "the journal is closed"))
				return
			}
			select {
			case <-more:
			case <-ctx.Done():
				yield(messages.Event{}, ctx.Err())
				return
			}
		}
	}
}

// eventsPage bounds what a reader who fell behind the ring takes at once.
const eventsPage = 512

func (s *Store) events(ctx context.Context, since int64) (out []messages.Event, err error) {
	err = s.view(ctx, func(c querier) error {
		return each(ctx, c, `SELECT seq, at, kind, id, ifnull(task_id, ''), ifnull(root_id, ''), data FROM events WHERE seq > ? ORDER BY seq LIMIT ?`,
			[]any{since, eventsPage}, func(r *sql.Rows) error {
				var e messages.Event
				var at int64
				var data string
				err := r.Scan(&e.Seq, &at, &e.Kind, &e.ID, &e.Task, &e.Root, &data)
				e.At, e.Data = fromMS(at), []byte(data)
				out = append(out, e)
				return err
			})
	})
	return out, err
}
