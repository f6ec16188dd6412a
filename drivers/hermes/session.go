package hermes

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"kurogo/messages"
)

// credits is how many events may wait for the reader; then the model waits.
const credits = 64

// A session is one life; it implements messages.Session.
type session struct {
	driver *driver
	client *client
	spec   messages.Spec
	form   *form
	memory *memory
	border string // of the last turn that went well

	events   chan messages.DriverEvent
	turns    chan begun
	stopping chan struct{} // nobody needs to read events any more
	gone     chan struct{}
	exit     messages.Exit // may be read once gone is closed
	stop     sync.Once

	mu    sync.Mutex
	turn  string // the open one, "" if none is
	spent string // the only one of a life that has one
	torn  string // the one that Stop broke off
	halt  context.CancelCauseFunc
	waits map[string]chan messages.ToolResult // the tools that are asked for, by call
	over  bool
}

// begun is a turn that was given.
type begun struct {
	messages.Turn
	ctx context.Context // what ends it early
}

func begin(d *driver, c *client, spec messages.Spec, f *form, m *memory, loss string) *session {
	s := &session{
		driver: d, client: c, spec: spec, form: f, memory: m, border: spec.Border,
		events: make(chan messages.DriverEvent, credits), turns: make(chan begun, 1),
		stopping: make(chan struct{}), gone: make(chan struct{}), waits: map[string]chan messages.ToolResult{},
	}
	s.events <- messages.DriverEvent{Kind: messages.DriverReady}
	if loss != "" {
		s.border = ""
		s.events <- messages.DriverEvent{Kind: messages.DriverWarned, Text: loss}
	}
	go s.live()
	return s
}

// Events implements messages.Session.
func (s *session) Events() <-chan messages.DriverEvent { return s.events }

// Pid implements messages.Session: a conversation is no process.
func (*session) Pid() int { return 0 }

// Send implements messages.Session.
func (s *session) Send(ctx context.Context, t messages.Turn) error {
	if t.ID == "" {
		return errors.New("send turn: it has no id")
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("send turn %s: %w", t.ID, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.over || s.torn != "":
		return messages.Errorf(messages.CodeConflict, "this life is over").Try("start another life")
	case s.spec.OneShot && s.spent != "":
		return messages.Errorf(messages.CodeConflict, "this life takes one turn, and %s was it", s.spent).Try("start another life")
	case s.turn != "":
		return fmt.Errorf("send turn %s: turn %s is still on", t.ID, s.turn)
	}
	turn, halt := context.WithCancelCause(context.Background())
	s.turn, s.spent, s.halt = t.ID, t.ID, halt
	s.turns <- begun{t, turn} // there is room: no other is on
	return nil
}

// Answer implements messages.Session.
func (s *session) Answer(_ context.Context, r messages.ToolResult) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	wait, ok := s.waits[r.ID]
	if !ok {
		return fmt.Errorf("answer tool %s: %w", r.ID, messages.Errorf(messages.CodeConflict, "nobody waits for it"))
	}
	delete(s.waits, r.ID)
	wait <- r // there is room for one
	return nil
}

// Interrupt implements messages.Session.
func (s *session) Interrupt(context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.turn != "" {
		s.halt(errInterrupted)
	}
	return nil
}

// Stop implements messages.Session. There is nothing to wait for but our own
// breaking off.
func (s *session) Stop(context.Context) messages.Exit {
	s.stop.Do(func() {
		s.mu.Lock()
		s.torn = s.turn
		s.over = true
		close(s.stopping)
		if s.turn != "" {
			s.halt(errStopped)
		}
		s.mu.Unlock()
	})
	<-s.gone
	return s.exit
}

// live takes turns until the life is over.
func (s *session) live() {
	defer close(s.events)
	defer s.client.close()
	for {
		select {
		case t := <-s.turns:
			if s.last(t.ID, s.play(t)) {
				return
			}
		case <-s.stopping:
			select {
			case t := <-s.turns: // given at the last moment
				s.last(t.ID, s.play(t))
			default:
				s.leave(messages.Exit{})
			}
			return
		}
	}
}

// last closes a turn before anybody hears of its end, so that who hears of it can
// send the next, and reports whether the life ends with it.
func (s *session) last(turn string, end messages.TurnEnd) bool {
	s.mu.Lock()
	torn := s.torn != ""
	s.turn = ""
	s.halt(nil)
	clear(s.waits) // nobody waits any more
	s.over = s.over || s.spec.OneShot
	s.mu.Unlock()
	exit := messages.Exit{Class: end.Class, Reason: end.Text}
	if torn {
		exit = messages.Exit{Code: -1, Class: messages.ClassKilled, Reason: "it was stopped within turn " + turn}
		end = messages.TurnEnd{Class: exit.Class, Text: exit.Reason, Session: end.Session, Border: end.Border}
	}
	switch {
	case end.Class == messages.ClassNone:
		exit.Reason = ""
	case !torn:
		exit.Code = 1
	}
	if !torn || s.spec.OneShot {
		s.tell(messages.DriverEvent{Kind: messages.DriverTurnEnded, Turn: turn, End: end})
	}
	if torn || s.spec.OneShot {
		s.leave(exit)
		return true
	}
	return false
}

// leave says how the life ended.
func (s *session) leave(exit messages.Exit) {
	s.exit = exit
	close(s.gone)
	last := messages.DriverEvent{Kind: messages.DriverExited, Exit: exit}
	for {
		select {
		case s.events <- last:
			return
		default:
		}
		select {
		case s.events <- last:
			return
		case <-s.stopping: // nobody reads: an older event goes
			select {
			case <-s.events:
			default:
			}
		}
	}
}

// tell waits for the reader, who holds the model back by that, unless the life is
// being stopped: then what does not fit is lost.
func (s *session) tell(e messages.DriverEvent) {
	select {
	case s.events <- e:
		return
	default:
	}
	select {
	case s.events <- e:
	case <-s.stopping:
	}
}
