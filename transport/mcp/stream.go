package mcp

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

// A stream is the answer to one POST: a JSON object, or from the first thing
// that is said before the answer on, a stream of events.
type stream struct {
	w    http.ResponseWriter
	able bool // the client takes a stream

	mu    sync.Mutex
	begun bool
}

func newStream(w http.ResponseWriter, r *http.Request) *stream {
	accept := strings.Join(r.Header.Values("Accept"), ",")
	return &stream{w: w, able: strings.Contains(accept, "text/event-stream") || strings.Contains(accept, "*/*")}
}

// say implements voice.
func (s *stream) say(message any) error {
	raw, err := encode(nil, message)
	if err != nil {
		return fmt.Errorf("encode message: %w", err)
	}
	return s.event(fmt.Sprintf("event: message\ndata: %s\n\n", raw))
}

// alive implements keeper. The comment also sends the headers, for which some
// clients wait no longer than a minute.
func (s *stream) alive() { _ = s.event(": it is still running\n\n") }

func (s *stream) event(text string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.able {
		return nil // the answer is all that it takes
	}
	if !s.begun {
		s.begun = true
		s.w.Header().Set("Content-Type", "text/event-stream")
		s.w.WriteHeader(http.StatusOK)
	}
	if _, err := s.w.Write([]byte(text)); err != nil { //nolint:gosec // events of JSON, and called so
		return fmt.Errorf("write event: %w", err)
	}
	return http.NewResponseController(s.w).Flush()
}

// end gives the answer, with the status if it is not too late for one.
func (s *stream) end(status int, answer any) error {
	s.mu.Lock()
	begun := s.begun
	s.mu.Unlock()
	if begun {
		return s.say(answer)
	}
	raw, err := encode(nil, answer)
	if err != nil {
		return fmt.Errorf("encode answer: %w", err)
	}
	s.w.Header().Set("Content-Type", "application/json")
	s.w.Header().Set("Content-Length", strconv.Itoa(len(raw))) // or it goes out in pieces
	s.w.WriteHeader(status)
	_, err = s.w.Write(raw) //nolint:gosec // JSON, and called so
	return err
}
