package drivertest

import (
	"encoding/json"
	"testing"

	"kurogo/messages"
)

func probe(t *testing.T, l *life) {
	caps, err := l.driver.Probe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if l.driver.Name() == "" || caps.Version == "" {
		t.Errorf("name %q, version %q", l.driver.Name(), caps.Version)
	}
}

func missing(t *testing.T, l *life) {
	if _, err := l.driver.Probe(t.Context()); !messages.IsCode(err, messages.CodeUnavailable) {
		t.Errorf("probe: %v", err)
	}
	if s, err := l.driver.Start(t.Context(), l.spec); !messages.IsCode(err, messages.CodeUnavailable) {
		t.Errorf("start: %v, %v", s, err)
	}
}

func readyFirst(_ *testing.T, l *life) {
	l.start().send() // who is told something early keeps it until it is ready
	l.next(messages.DriverReady)
	l.spoken("turn-1")
}

// spoken is a whole turn of Speaks, up to and with its end.
func (l *life) spoken(turn string) messages.TurnEnd {
	l.t.Helper()
	var got []string
	for _, e := range l.until(messages.DriverTurnEnded) {
		if e.Turn != "" && e.Turn != turn {
			l.t.Errorf("an event of another turn: %+v", e)
		}
		switch e.Kind { //nolint:exhaustive // the rest only passes
		case messages.DriverThought, messages.DriverSaid:
			got = append(got, string(e.Kind)+" "+e.Text)
		case messages.DriverTurnEnded:
			got = append(got, string(e.Kind)+" "+e.End.Text)
			if e.End.Class != messages.ClassNone {
				l.t.Errorf("the turn failed: %+v", e.End)
			}
			l.is(got, "thought "+Thought, "said "+First, "said "+Last, "turn_ended "+Last)
			return e.End
		}
	}
	return messages.TurnEnd{}
}

func (l *life) is(got []string, want ...string) {
	l.t.Helper()
	if len(got) != len(want) {
		l.t.Fatalf("got %q, want %q", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			l.t.Errorf("got %q, want %q", got[i], want[i])
		}
	}
}

func oneTurn(t *testing.T, l *life) {
	end := l.ready().spoken(l.send())
	caps, err := l.driver.Probe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if caps.Resume && (end.Session == "" || end.Border == "") {
		t.Errorf("a session that can go on has no border: %+v", end)
	}
}

func manyTurns(_ *testing.T, l *life) {
	l.needs(func(messages.Caps) bool { return !l.once() }, "second turn")
	pid := l.ready().session.Pid()
	borders := map[string]bool{}
	for range 3 {
		borders[l.spoken(l.send()).Border] = true
	}
	if l.session.Pid() != pid || len(borders) != 3 {
		l.t.Errorf("pid %d became %d, borders %v", pid, l.session.Pid(), borders)
	}
}

func oneAtATime(t *testing.T, l *life) {
	l.ready().send()
	l.until(messages.DriverSaid)
	if err := l.session.Send(t.Context(), l.turn()); err == nil {
		t.Error("a second turn began within the first")
	}
}

func failedTurn(_ *testing.T, l *life) {
	l.onlyLong().ready()
	for range 2 {
		l.send()
		all := l.until(messages.DriverTurnEnded)
		if end := all[len(all)-1].End; end.Class != messages.ClassInvalid || end.Text != Last {
			l.t.Errorf("end %+v", end)
		}
	}
}

func resume(_ *testing.T, l *life) {
	l.needs(func(c messages.Caps) bool { return c.Resume }, "resumption")
	first := l.ready().spoken(l.send())
	l.hurry()
	next := l.again()
	next.spec.Session, next.spec.Border = first.Session, first.Border
	got := next.ready().spoken(next.send()) // some agents go on under a new name, so that the old border stays
	if got.Session == "" || got.Border == "" {
		l.t.Errorf("%+v went on as %+v, which cannot go on", first, got)
	}
}

// asked is the turn up to the moment when the agent waits for its tool.
func (l *life) asked() messages.ToolCall {
	l.t.Helper()
	l.needs(func(c messages.Caps) bool { return c.InBandTools && !l.once() }, "tool")
	l.ready().send()
	all := l.until(messages.DriverToolAsked)
	call := all[len(all)-1].Tool
	if call.ID == "" || call.Name != "send_message" || !json.Valid(call.Input) {
		l.t.Errorf("asked for %+v", call)
	}
	return call
}

func (l *life) answered(r messages.ToolResult) {
	l.t.Helper()
	if err := l.session.Answer(l.t.Context(), r); err != nil {
		l.t.Fatal(err)
	}
	all := l.until(messages.DriverTurnEnded)
	if end := all[len(all)-1].End; end.Class != messages.ClassNone || end.Text != Last {
		l.t.Errorf("end %+v", end)
	}
}

func askTool(_ *testing.T, l *life) {
	l.answered(messages.ToolResult{ID: l.asked().ID, Text: "accepted"})
}

func refuseTool(_ *testing.T, l *life) {
	l.answered(messages.ToolResult{ID: l.asked().ID, Text: "denied: not in your talks_to", IsError: true})
}

func interrupt(t *testing.T, l *life) {
	l.needs(func(c messages.Caps) bool { return c.Interrupt && !l.once() }, "interrupt")
	l.ready()
	for range 2 {
		id := l.send()
		l.until(messages.DriverSaid)
		if err := l.session.Interrupt(t.Context()); err != nil {
			t.Fatal(err)
		}
		all := l.until(messages.DriverTurnEnded)
		if e := all[len(all)-1]; e.End.Class != messages.ClassInterrupted || e.Turn != id {
			t.Errorf("end %+v", e)
		}
	}
}

func idleInterrupt(t *testing.T, l *life) {
	l.needs(func(c messages.Caps) bool { return c.Interrupt && !l.once() }, "interrupt")
	if err := l.ready().session.Interrupt(t.Context()); err != nil {
		t.Fatal(err)
	}
	l.spoken(l.send())
}

func flood(t *testing.T, l *life) {
	l.ready().send()
	l.full()
	n := 0
	for _, e := range l.until(messages.DriverTurnEnded) {
		if e.Kind == messages.DriverSaid && e.Text == First {
			n++
		}
	}
	if n != Many {
		t.Errorf("%d of %d texts arrived", n, Many)
	}
}
