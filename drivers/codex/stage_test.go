package codex_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"kurogo/drivers/process"
	"kurogo/messages"
)

// patience is how long a story waits for what must happen.
const patience = 2 * time.Minute

// A life is one session as a story sees it.
type life struct {
	t     *testing.T
	s     messages.Session
	turns int
	heard []messages.DriverEvent // of the last turn
}

// begin starts a life and sees to it that nothing of it outlives the story.
func begin(t *testing.T, d messages.Driver, spec messages.Spec) *life {
	t.Helper()
	if spec.Life == "" {
		spec.Life = "codex-test-" + messages.NewID() + ":1:actor"
	}
	if spec.Dir == "" {
		spec.Dir = t.TempDir()
	}
	if spec.Home == "" {
		spec.Home = t.TempDir()
	}
	if spec.Grace == 0 {
		spec.Grace = patience
	}
	spec.StartTimeout = patience
	s, err := d.Start(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		s.Stop(ctx)
		if left := process.Find(spec.Life); len(left) > 0 {
			t.Errorf("left alive: %v", left)
		}
	})
	return &life{t: t, s: s}
}

func (l *life) send(text string) {
	l.t.Helper()
	l.turns++
	l.heard = nil
	err := l.s.Send(l.t.Context(), messages.Turn{ID: fmt.Sprintf("turn-%d", l.turns), Attempt: 1, Text: text})
	if err != nil {
		l.t.Fatal(err)
	}
}

// until hears up to the first event of a kind.
func (l *life) until(kind messages.DriverKind) messages.DriverEvent {
	l.t.Helper()
	late := time.After(patience)
	for {
		select {
		case e, ok := <-l.s.Events():
			if !ok {
				l.t.Fatalf("the events ended before %q: %+v", kind, l.heard)
			}
			l.heard = append(l.heard, e)
			if e.Kind == kind {
				return e
			}
			if e.Kind == messages.DriverExited {
				l.t.Fatalf("it ended before %q: %+v, heard %+v", kind, e.Exit, l.heard)
			}
		case <-late:
			l.t.Fatalf("no %q comes: %+v", kind, l.heard)
		}
	}
}

// turn is a whole turn; our tool is answered as accepted.
func (l *life) turn(text string) messages.TurnEnd {
	l.t.Helper()
	l.send(text)
	return l.finish()
}

func (l *life) finish() messages.TurnEnd {
	l.t.Helper()
	late := time.After(patience)
	for {
		select {
		case e, ok := <-l.s.Events():
			if !ok {
				l.t.Fatalf("the events ended within the turn: %+v", l.heard)
			}
			l.heard = append(l.heard, e)
			switch e.Kind {
			case messages.DriverToolAsked:
				if err := l.s.Answer(l.t.Context(), messages.ToolResult{ID: e.Tool.ID, Text: "accepted"}); err != nil {
					l.t.Fatal(err)
				}
			case messages.DriverTurnEnded:
				return e.End
			case messages.DriverExited:
				l.t.Fatalf("it ended within the turn: %+v", e.Exit)
			default:
			}
		case <-late:
			l.t.Fatalf("the turn does not end: %+v", l.heard)
		}
	}
}

// last is the last event of a kind in this turn; the zero value if there is none.
func (l *life) last(kind messages.DriverKind) messages.DriverEvent {
	for i := len(l.heard) - 1; i >= 0; i-- {
		if l.heard[i].Kind == kind {
			return l.heard[i]
		}
	}
	return messages.DriverEvent{}
}

// gone hears the life out.
func (l *life) gone() messages.Exit {
	l.t.Helper()
	return l.until(messages.DriverExited).Exit
}
