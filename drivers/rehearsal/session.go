package rehearsal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"kurogo/drivers/process"
	"kurogo/messages"
)

// credits is how many events may wait for the reader; then the pipe fills.
const credits = 64

// lingering is how long a player may live on after the end of its output.
const lingering = 2 * time.Second

type session struct {
	process *process.Process
	events  chan messages.DriverEvent
	late    *time.Timer

	stop     sync.Once
	stopping chan struct{} // nobody needs to read events any more
	gone     chan struct{}
	exit     messages.Exit // may be read once gone is closed

	mu    sync.Mutex
	ready bool
	turn  string         // the open one, "" if none is
	fault *messages.Exit // why we ended the life ourselves, if we did
}

func begin(p *process.Process, start time.Duration) *session {
	if start <= 0 {
		start = defaultStart
	}
	s := &session{
		process:  p,
		events:   make(chan messages.DriverEvent, credits),
		stopping: make(chan struct{}),
		gone:     make(chan struct{}),
	}
	s.late = time.AfterFunc(start, func() {
		s.end(messages.ClassTimeout, fmt.Sprintf("the player was not ready within %s", start))
	})
	go s.listen()
	return s
}

func (s *session) Events() <-chan messages.DriverEvent { return s.events }

func (s *session) Pid() int { return s.process.Pid() }

func (s *session) Send(ctx context.Context, t messages.Turn) error {
	if t.ID == "" {
		return errors.New("send turn: it has no id")
	}
	s.mu.Lock()
	open := s.turn
	if open == "" {
		s.turn = t.ID
	}
	s.mu.Unlock()
	if open != "" {
		return fmt.Errorf("send turn %s: turn %s is still on", t.ID, open)
	}
	err := s.say(ctx, cue{Type: turn, ID: t.ID, Attempt: t.Attempt, Task: t.Task, Messages: t.Messages, Text: t.Text})
	if err != nil {
		s.closeTurn(t.ID)
		return fmt.Errorf("send turn %s: %w", t.ID, err)
	}
	return nil
}

func (s *session) Answer(ctx context.Context, r messages.ToolResult) error {
	if err := s.say(ctx, cue{Type: toolResult, ID: r.ID, Text: r.Text, IsError: r.IsError}); err != nil {
		return fmt.Errorf("answer tool %s: %w", r.ID, err)
	}
	return nil
}

// Interrupt names the turn: one that ends meanwhile must not end the next.
func (s *session) Interrupt(ctx context.Context) error {
	open := s.open()
	if open == "" {
		return nil
	}
	if err := s.say(ctx, cue{Type: interrupt, ID: open}); err != nil {
		return fmt.Errorf("interrupt turn %s: %w", open, err)
	}
	return nil
}

func (s *session) Stop(ctx context.Context) messages.Exit {
	s.stop.Do(func() { close(s.stopping) })
	s.process.Stop(ctx)
	<-s.gone
	return s.exit
}

func (s *session) say(ctx context.Context, c cue) error {
	line, err := json.Marshal(c)
	if err != nil {
		return fmt.Errorf("encode %s: %w", c.Type, err)
	}
	return s.process.Write(ctx, line)
}

func (s *session) open() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.turn
}

// closeTurn reports whether the turn was the open one.
func (s *session) closeTurn(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	was := s.turn == id && id != ""
	if was {
		s.turn = ""
	}
	return was
}

// end ends the life for a reason of ours; the first reason stays.
func (s *session) end(class messages.Class, reason string) {
	s.mu.Lock()
	if s.fault == nil {
		s.fault = &messages.Exit{Class: class, Reason: reason}
	}
	s.mu.Unlock()
	s.process.Kill()
}
