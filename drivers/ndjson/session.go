package ndjson

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"kurogo/drivers/process"
	"kurogo/messages"
)

// credits is how many events may wait for the reader; then the pipe fills.
const credits = 64

// lastWord is how long Stop tries to break off a turn before it goes on: an
// agent that does not read must not hold it.
const lastWord = 100 * time.Millisecond

// A Session is one life; it implements messages.Session.
type Session struct {
	process *process.Process // of a life of one turn: guarded, and nil before that
	events  chan messages.DriverEvent
	replies chan []byte
	late    *time.Timer // nil where readiness is not awaited
	once    *once       // nil where there are many turns

	begin    sync.Once
	begun    chan struct{} // it is ready, or gone
	stop     sync.Once
	stopping chan struct{} // nobody needs to read events any more
	gone     chan struct{}
	exit     messages.Exit            // may be read once gone is closed
	argv     atomic.Pointer[[]string] // of the process; nil once it was told

	mu       sync.Mutex
	protocol Protocol
	ready    bool
	turn     string         // the open one, "" if none is
	spent    string         // the only one, once it was sent
	torn     string         // the one that Stop broke off
	fault    *messages.Exit // why we ended the life ourselves, if we did
}

// Events implements messages.Session.
func (s *Session) Events() <-chan messages.DriverEvent { return s.events }

// Pid implements messages.Session.
func (s *Session) Pid() int {
	if p := s.child(); p != nil {
		return p.Pid()
	}
	return 0
}

// child is nil while a life of one turn waits for it.
func (s *Session) child() *process.Process {
	if s.once != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
	}
	return s.process
}

// Begun is closed when the agent is ready, or when its life is over without that.
func (s *Session) Begun() <-chan struct{} { return s.begun }

// Over is how the life ended; false while it has not.
func (s *Session) Over() (messages.Exit, bool) {
	select {
	case <-s.gone:
		return s.exit, true
	default:
		return messages.Exit{}, false
	}
}

// Send implements messages.Session.
func (s *Session) Send(ctx context.Context, t messages.Turn) error {
	if t.ID == "" {
		return errors.New("send turn: it has no id")
	}
	if s.once != nil {
		return s.sendOnce(ctx, t)
	}
	line, err := s.open(t)
	if err != nil {
		return fmt.Errorf("send turn %s: %w", t.ID, err)
	}
	if err := s.process.Write(ctx, line); err != nil {
		s.closeTurn(t.ID)
		return fmt.Errorf("send turn %s: %w", t.ID, err)
	}
	return nil
}

// open makes the turn the open one.
func (s *Session) open(t messages.Turn) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.turn != "" {
		return nil, fmt.Errorf("turn %s is still on", s.turn)
	}
	line, err := s.protocol.Turn(t)
	if err == nil {
		s.turn = t.ID
	}
	return line, err
}

// closeTurn reports whether the turn was the open one.
func (s *Session) closeTurn(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	was := s.turn == id && id != ""
	if was {
		s.turn = ""
	}
	return was
}

// Answer implements messages.Session.
func (s *Session) Answer(ctx context.Context, r messages.ToolResult) error {
	s.mu.Lock()
	line, err := s.protocol.Answer(r)
	s.mu.Unlock()
	if err == nil {
		err = s.process.Write(ctx, line)
	}
	if err != nil {
		return fmt.Errorf("answer tool %s: %w", r.ID, err)
	}
	return nil
}

// Interrupt implements messages.Session. It names the turn: one that ends
// meanwhile must not end the next.
func (s *Session) Interrupt(ctx context.Context) error {
	s.mu.Lock()
	turn := s.turn
	if turn == "" {
		s.mu.Unlock()
		return nil
	}
	line, err := s.protocol.Interrupt(turn)
	s.mu.Unlock()
	if err == nil {
		err = s.process.Write(ctx, line)
	}
	if err != nil {
		return fmt.Errorf("interrupt turn %s: %w", turn, err)
	}
	return nil
}

// Stop implements messages.Session. A turn that is on is broken off first, so
// that an agent that would finish it leaves within the grace.
func (s *Session) Stop(ctx context.Context) messages.Exit {
	s.stop.Do(func() {
		s.mu.Lock()
		s.torn = s.turn
		close(s.stopping)
		if s.once != nil && s.spent == "" {
			s.unborn()
		}
		s.mu.Unlock()
		if s.torn != "" {
			soon, cancel := context.WithTimeout(ctx, lastWord)
			_ = s.Interrupt(soon) // who does not hear it hears the rest
			cancel()
		}
	})
	if p := s.child(); p != nil {
		p.Stop(ctx)
	}
	<-s.gone
	return s.exit
}

// end ends the life for a reason of ours; the first reason stays.
func (s *Session) end(class messages.Class, reason string) {
	s.mu.Lock()
	if s.fault == nil {
		s.fault = &messages.Exit{Class: class, Reason: reason}
	}
	s.mu.Unlock()
	s.process.Kill()
}
