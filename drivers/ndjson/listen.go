package ndjson

import (
	"context"
	"time"

	"kurogo/drivers/process"
	"kurogo/messages"
)

// lingering is how long an agent may live on after the end of its output.
const lingering = 2 * time.Second

// listen turns the agent's lines into events until there are no more, and says
// how the life ended.
func (s *Session) listen() {
	defer close(s.events)
	for line := range s.process.Lines() {
		if !s.hear(line) {
			break
		}
	}
	if s.late != nil {
		s.late.Stop()
	}
	if s.once != nil {
		s.listenOnce()
		return
	}
	s.await()
	s.exit = s.verdict(s.process.Kill())
	close(s.gone)
	s.begin.Do(func() { close(s.begun) })
	s.tellLast(messages.DriverEvent{Kind: messages.DriverExited, Exit: s.exit})
}

// await waits for the process's own end, which must not look like our doing.
func (s *Session) await() {
	select {
	case <-s.process.Done():
	case <-time.After(lingering):
		s.end(messages.ClassProtocol, "it closed its output and lived on")
	}
}

// hear reports whether the life goes on.
func (s *Session) hear(line process.Line) bool {
	s.mu.Lock()
	heard, err := s.protocol.Hear(line)
	turn := s.turn
	s.mu.Unlock()
	for _, r := range heard.Replies {
		select {
		case s.replies <- r:
		default:
			s.end(messages.ClassProtocol, "it asks and does not listen to the answers")
			return false
		}
	}
	for _, e := range heard.Events {
		if e.Turn == "" {
			e.Turn = turn
		}
		s.happen(e)
	}
	if err != nil {
		s.end(messages.ClassProtocol, err.Error())
		return false
	}
	return true
}

// reply writes answers beside the reading: an agent that is held back by its own
// output cannot read, and would wait for us as we for it.
func (s *Session) reply() {
	for {
		select {
		case line := <-s.replies:
			_ = s.process.Write(context.Background(), line) // it fails with the life, which says so itself
		case <-s.gone:
			return
		}
	}
}

func (s *Session) happen(e messages.DriverEvent) {
	switch e.Kind {
	case messages.DriverReady:
		if s.late != nil {
			s.late.Stop()
		}
		s.mu.Lock()
		s.ready = true
		s.mu.Unlock()
		e.Turn = ""
		s.tell(e)
		s.begin.Do(func() { close(s.begun) })
	case messages.DriverTurnEnded:
		if s.once != nil {
			s.endOnce(e)
			return
		}
		s.endTurn(e)
	default:
		s.tell(e)
	}
}

// endTurn closes the turn before anybody hears of it, so that who hears of it
// can send the next. A turn of whose end nobody heard has not ended.
func (s *Session) endTurn(e messages.DriverEvent) {
	if !s.closeTurn(e.Turn) {
		s.tell(messages.DriverEvent{Kind: messages.DriverWarned, Turn: e.Turn, Text: "the end of a turn that is not on"})
		return
	}
	if !s.tell(e) {
		s.mu.Lock()
		s.turn = e.Turn
		s.mu.Unlock()
	}
}
