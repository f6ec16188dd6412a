package drivertest

import (
	"context"
	"strings"
	"testing"
	"time"

	"kurogo/messages"
)

// Stories that only some drivers tell, and so no exam asks for.

// AnswerLate is told of one who Asks: an answer that comes after its turn was
// interrupted is refused, and the next turn is a good one.
func AnswerLate(t *testing.T, asks messages.Driver) {
	t.Helper()
	p := Begin(t, asks, messages.Spec{Tools: []messages.Tool{SendMessage}})
	p.Send("[from user]\nDo it.")
	call := p.Until(messages.DriverToolAsked).Tool
	if err := p.Session.Interrupt(t.Context()); err != nil {
		t.Fatal(err)
	}
	if end := p.Until(messages.DriverTurnEnded).End; end.Class != messages.ClassInterrupted {
		t.Errorf("end %+v", end)
	}
	if err := p.Session.Answer(t.Context(), messages.ToolResult{ID: call.ID, Text: "accepted"}); err == nil {
		t.Error("somebody took it")
	}
	if end := p.Turn("[from user]\nOnce more."); end.Class != messages.ClassNone {
		t.Errorf("end %+v", end)
	}
}

// StartInTurn is told of one who is Mute and shares the user's configuration:
// such lives start one after another, and who waits for that can give it up.
func StartInTurn(t *testing.T, mute messages.Driver) {
	t.Helper()
	first := Begin(t, mute, messages.Spec{})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if s, err := mute.Start(ctx, messages.Spec{Dir: t.TempDir(), Home: t.TempDir()}); err == nil {
		s.Stop(ctx)
		t.Error("two started at once")
	}
	Hurry(first.Session)
	Begin(t, mute, messages.Spec{})
}

// BeginAnew is told of two whose sessions are gone, or cut short: their next life
// begins with what is left, and with a warning of it.
func BeginAnew(t *testing.T, forgets, shortens messages.Driver, border string) {
	t.Helper()
	for want, d := range map[string]messages.Driver{"without memory": forgets, "it goes on where it ends": shortens} {
		p := Begin(t, d, messages.Spec{Session: "s", Border: border})
		if end := p.Turn("[from user]\nDo it."); end.Class != messages.ClassNone || end.Session == "s" {
			t.Errorf("%s: end %+v", want, end)
		}
		if w := p.Last(messages.DriverWarned).Text; !strings.Contains(w, want) {
			t.Errorf("warned %q, want %q", w, want)
		}
	}
}
