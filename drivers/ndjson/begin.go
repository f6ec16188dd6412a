package ndjson

import (
	"context"
	"fmt"
	"slices"

	"kurogo/drivers/process"
	"kurogo/messages"
)

// sendOnce begins the process of a life of one turn. When that fails the life is
// over: its owner may hear only events.
func (s *Session) sendOnce(ctx context.Context, t messages.Turn) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.spent != "":
		return messages.Errorf(messages.CodeConflict, "this life takes one turn, and %s was it", s.spent).Try("start another life")
	case s.isStopping():
		return messages.Errorf(messages.CodeConflict, "this life is over").Try("start another life")
	}
	s.spent = t.ID
	input, err := s.launch(ctx, t)
	if err != nil {
		s.stillborn(t.ID, messages.AsError(err))
		return fmt.Errorf("send turn %s: %w", t.ID, err)
	}
	s.turn = t.ID
	go feed(s.process, input) //nolint:contextcheck,gosec // the life outlives its start
	go s.listen()             //nolint:contextcheck // the same
	return nil
}

// launch starts the process.
func (s *Session) launch(ctx context.Context, t messages.Turn) ([]byte, error) {
	args, input, err := s.once.Turn(t)
	if err != nil {
		return nil, err
	}
	c := s.once.command
	c.Args = slices.Concat(c.Args, args)
	child, err := process.Start(ctx, c)
	if err != nil {
		return nil, err
	}
	s.began(child)
	return input, nil
}

// began keeps the process, and what it was called with for the next event.
func (s *Session) began(child *process.Process) {
	s.process = child
	argv := child.Argv()
	s.argv.Store(&argv)
}

// feed writes the whole prompt beside the reading: an agent that talks before it
// has read everything waits for us as we for it. Who leaves without reading says
// why by its end.
func feed(p *process.Process, input []byte) {
	if len(input) > 0 {
		_ = p.Write(context.Background(), input)
	}
	p.CloseInput()
}

// stillborn ends a life whose process could not begin. There is room for both
// words: nothing but ready was told before.
func (s *Session) stillborn(turn string, e *messages.Error) {
	s.process = nil
	class := messages.ClassCrash
	switch e.Code { //nolint:exhaustive // everything else is a fall like any other
	case messages.CodeUnavailable:
		class = messages.ClassMissing
	case messages.CodeInvalid:
		class = messages.ClassInvalid
	case messages.CodeDeadline:
		class = messages.ClassTimeout
	}
	s.exit = messages.Exit{Code: -1, Class: class, Reason: e.Error()}
	close(s.gone)
	s.events <- messages.DriverEvent{
		Kind: messages.DriverTurnEnded, Turn: turn, End: messages.TurnEnd{Class: class, Text: e.Error()},
	}
	s.events <- messages.DriverEvent{Kind: messages.DriverExited, Exit: s.exit}
	close(s.events)
}

// unborn ends a life that was never given its turn.
func (s *Session) unborn() {
	close(s.gone)
	s.events <- messages.DriverEvent{Kind: messages.DriverExited, Exit: s.exit}
	close(s.events)
}
