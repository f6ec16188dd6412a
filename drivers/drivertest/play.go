package drivertest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"kurogo/drivers/process"
	"kurogo/messages"
)

// Patience is how long a story waits for what must happen: never reached by a
// driver that is right, however slow the machine is.
const Patience = 2 * time.Minute

// A Play is one life as a story of a driver's own sees it.
type Play struct {
	Session messages.Session
	Heard   []messages.DriverEvent                      // of the last turn
	Calls   []messages.ToolCall                         // of our tools, of all turns
	Tool    func(messages.ToolCall) messages.ToolResult // answers them
	t       *testing.T
	turns   int
}

// Hurry ends a life without any grace.
func Hurry(s messages.Session) messages.Exit {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return s.Stop(ctx)
}

// Begin starts a life and sees to it that nothing of it outlives the story. What
// the brief leaves out the exam fills in, too.
func Begin(t *testing.T, d messages.Driver, spec messages.Spec) *Play {
	t.Helper()
	if spec.Life == "" {
		spec.Life = "drivertest-" + messages.NewID() + ":1:actor"
	}
	if spec.Dir == "" {
		spec.Dir = t.TempDir()
	}
	if spec.Home == "" {
		spec.Home = t.TempDir()
	}
	if spec.Grace == 0 {
		spec.Grace = Patience
	}
	spec.StartTimeout = Patience
	s, err := d.Start(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		Hurry(s)
		if left := process.Find(spec.Life); len(left) > 0 {
			t.Errorf("left alive: %v", left)
		}
	})
	accepts := func(messages.ToolCall) messages.ToolResult { return messages.ToolResult{Text: "accepted"} }
	return &Play{Session: s, t: t, Tool: accepts}
}

// Send begins a turn.
func (p *Play) Send(text string) {
	p.t.Helper()
	p.turns++
	p.Heard = nil
	err := p.Session.Send(p.t.Context(), messages.Turn{ID: fmt.Sprintf("turn-%d", p.turns), Attempt: 1, Text: text})
	if err != nil {
		p.t.Fatal(err)
	}
}

// next is the next event; there must be one.
func (p *Play) next(what messages.DriverKind) messages.DriverEvent {
	p.t.Helper()
	select {
	case e, ok := <-p.Session.Events():
		if !ok {
			p.t.Fatalf("the events ended before %q: %+v", what, p.Heard)
		}
		p.Heard = append(p.Heard, e)
		if e.Kind == messages.DriverExited && what != messages.DriverExited {
			p.t.Fatalf("it ended before %q: %+v, heard %+v", what, e.Exit, p.Heard)
		}
		return e
	case <-time.After(Patience):
		p.t.Fatalf("no %q comes: %+v", what, p.Heard)
		return messages.DriverEvent{}
	}
}

// Until hears up to the first event of a kind, and answers nothing.
func (p *Play) Until(kind messages.DriverKind) messages.DriverEvent {
	p.t.Helper()
	for {
		if e := p.next(kind); e.Kind == kind {
			return e
		}
	}
}

// Turn is a whole turn; our tools are answered.
func (p *Play) Turn(text string) messages.TurnEnd {
	p.t.Helper()
	p.Send(text)
	return p.Finish()
}

// Finish hears a turn to its end; our tools are answered.
func (p *Play) Finish() messages.TurnEnd {
	p.t.Helper()
	for {
		e := p.next(messages.DriverTurnEnded)
		if e.Kind == messages.DriverTurnEnded {
			return e.End
		}
		if e.Kind == messages.DriverToolAsked {
			p.Calls = append(p.Calls, e.Tool)
			r := p.Tool(e.Tool)
			r.ID = e.Tool.ID
			if err := p.Session.Answer(p.t.Context(), r); err != nil {
				p.t.Fatal(err)
			}
		}
	}
}

// Last is the last event of a kind in this turn; the zero value if there is none.
func (p *Play) Last(kind messages.DriverKind) messages.DriverEvent {
	for i := len(p.Heard) - 1; i >= 0; i-- {
		if p.Heard[i].Kind == kind {
			return p.Heard[i]
		}
	}
	return messages.DriverEvent{}
}

// All are the texts of one kind in this turn.
func (p *Play) All(kind messages.DriverKind) []string {
	var out []string
	for _, e := range p.Heard {
		if e.Kind == kind {
			out = append(out, e.Text)
		}
	}
	return out
}

// Gone hears the life out.
func (p *Play) Gone() messages.Exit {
	p.t.Helper()
	return p.Until(messages.DriverExited).Exit
}
