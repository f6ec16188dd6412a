package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"kurogo/messages"
	"kurogo/transport/tools"
)

// events tells the journal as server-sent events, from behind since (or where
// Last-Event-ID left off; without either, from now on) until the client goes. What
// ends it from our side is said as an event of the name fault.
func (s *server) events(w http.ResponseWriter, r *http.Request) error {
	if err := s.owner(r); err != nil {
		return err
	}
	topic, since, err := s.wants(r)
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	t := teller{s: s, w: w}
	if r.Method == http.MethodHead {
		return nil
	}
	// The cursor first: a client that is cut off before the first event resumes there.
	t.say("retry: 2000\nid: %d\n\n", since)
	ctx, cancel := context.WithCancel(r.Context())
	heard := tools.Follow(ctx, s.port, topic, since)
	defer func() {
		cancel() // the client may be there still, and not read
		for range heard {
		}
	}()
	beat := time.NewTicker(s.o.Beat)
	defer beat.Stop()
	for t.err == nil {
		select {
		case <-beat.C:
			t.say(": still here\n\n")
		case h, ok := <-heard:
			if !ok || ctx.Err() != nil {
				return nil
			}
			t.tell(h)
		}
	}
	return nil // the client has gone, or does not read
}

func (s *server) wants(r *http.Request) (messages.Topic, int64, error) {
	q := queryOf(r)
	topic := messages.Topic{Task: messages.TaskID(q.text("task")), IDs: q.list("ids")}
	for _, kind := range q.list("kinds") {
		topic.Kinds = append(topic.Kinds, messages.EventKind(kind))
	}
	since := q.number("since", 1<<62)
	if err := q.fault(); err != nil {
		return topic, 0, err
	}
	if err := noBody(r); err != nil {
		return topic, 0, err
	}
	if last := r.Header.Get("Last-Event-ID"); last != "" {
		n, err := strconv.ParseInt(last, 10, 64)
		if err != nil || n < 0 {
			return topic, 0, messages.Invalid("Last-Event-ID", "%q is no cursor of ours", messages.Cut(last, 64)).Try("send the id of the last event you saw")
		}
		return topic, n, nil
	}
	if q.values.Has("since") {
		return topic, since, nil
	}
	answer, err := s.port.Ask(r.Context(), messages.GetStatus{})
	if err != nil {
		return topic, 0, err
	}
	now, _ := answer.(messages.Status)
	return topic, now.LastEvent, nil
}

// A teller writes a stream until the client no longer takes it.
type teller struct {
	s   *server
	w   http.ResponseWriter
	err error
}

func (t *teller) say(format string, args ...any) {
	t.s.hurry(t.w)
	if _, t.err = fmt.Fprintf(t.w, format, args...); t.err == nil { //nolint:gosec // G705: no browser renders text/event-stream, and sniffing is off
		t.err = http.NewResponseController(t.w).Flush()
	}
}

func (t *teller) tell(h tools.Happening) {
	if h.Err != nil {
		e := messages.AsError(h.Err)
		text, _ := json.Marshal(reason{e.Code, e.Message, e.Field, e.Remedy}) // four texts
		t.say("event: fault\ndata: %s\n\n", text)
		return
	}
	text, err := json.Marshal(h.Event)
	if err != nil {
		t.s.o.Log.Error("encode event", "seq", h.Event.Seq, "err", err)
		return
	}
	t.say("id: %d\nevent: %s\ndata: %s\n\n", h.Event.Seq, h.Event.Kind, text)
}
