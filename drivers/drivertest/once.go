package drivertest

import (
	"context"
	"strings"
	"testing"
	"time"

	"kurogo/messages"
)

// once reports whether the lives of this story take one turn and end by
// themselves.
func (l *life) once() bool {
	l.t.Helper()
	if !l.known {
		l.known = true
		caps, err := l.driver.Probe(l.t.Context())
		if err != nil {
			l.t.Fatal(err)
		}
		l.single = l.spec.OneShot || !caps.LongLived
	}
	return l.single
}

func (l *life) onlyOnce() *life {
	l.t.Helper()
	if !l.once() {
		l.t.Skip("this driver's lives have many turns")
	}
	return l
}

func (l *life) onlyLong() *life {
	l.t.Helper()
	if l.once() {
		l.t.Skip("this driver's lives have one turn")
	}
	return l
}

// verdict hears the life out and returns its end and that of its turn, which
// must have come once, as the last but one.
func (l *life) verdict() (messages.TurnEnd, messages.Exit) {
	l.t.Helper()
	all := l.until(messages.DriverTurnEnded)
	end := all[len(all)-1]
	if end.Turn != "turn-1" || end.End.Class != messages.ClassNone && end.End.Text == "" {
		l.t.Errorf("the turn ended with %+v", end)
	}
	exit := l.ended()
	if exit.Class != end.End.Class {
		l.t.Errorf("the turn ended with %+v, the life with %+v", end.End, exit)
	}
	return end.End, exit
}

// fails is a whole life whose turn must fail with this class.
func (l *life) fails(c messages.Class, why string) messages.Exit {
	l.t.Helper()
	l.ready().send()
	end, exit := l.verdict()
	if end.Class != c || !strings.Contains(end.Text, why) {
		l.t.Errorf("the turn ended with %+v, want %q because of %q", end, c, why)
	}
	return exit
}

func wholeOnce(t *testing.T, l *life) {
	l.onlyOnce().ready().spoken(l.send())
	exit := l.ended()
	l.wants(exit, messages.ClassNone)
	if err := l.session.Send(t.Context(), l.turn()); !messages.IsCode(err, messages.CodeConflict) {
		t.Errorf("another turn: %v", err)
	}
}

func secondTurn(t *testing.T, l *life) {
	l.onlyOnce().ready().send()
	l.until(messages.DriverSaid)
	if err := l.session.Send(t.Context(), l.turn()); !messages.IsCode(err, messages.CodeConflict) {
		t.Errorf("a second turn within the first: %v", err)
	}
}

func failOnce(_ *testing.T, l *life) { l.onlyOnce().fails(messages.ClassInvalid, Last) }

func quitOnce(_ *testing.T, l *life) {
	l.onlyOnce().fails(messages.ClassProtocol, "without a result")
}

func crashOnce(_ *testing.T, l *life) {
	if exit := l.onlyOnce().fails(messages.ClassCrash, ""); exit.Code != Status {
		l.t.Errorf("exit %+v", exit)
	}
}

func belie(_ *testing.T, l *life) {
	if exit := l.onlyOnce().fails(messages.ClassCrash, ""); exit.Code != Status {
		l.t.Errorf("exit %+v", exit)
	}
}

func shut(_ *testing.T, l *life) { l.onlyOnce().fails(messages.ClassProtocol, "lived on") }

func linger(_ *testing.T, l *life) {
	l.onlyOnce().spec.Grace = 50 * time.Millisecond
	l.ready().spoken(l.send())
	exit := l.ended()
	l.wants(exit, messages.ClassNone)
	if exit.Signal == "" || exit.Reason == "" {
		l.t.Errorf("who lived on left by itself: %+v", exit)
	}
}

func breed(_ *testing.T, l *life) {
	l.onlyOnce().ready().spoken(l.send())
	l.wants(l.ended(), messages.ClassNone)
}

// tardy: what is said after Stop is too late, however well it is said.
func tardy(t *testing.T, l *life) {
	l.onlyOnce().ready().send()
	l.until(messages.DriverSaid)
	l.wants(l.session.Stop(t.Context()), messages.ClassKilled)
	for _, e := range l.until(messages.DriverExited) {
		if e.Kind == messages.DriverTurnEnded && e.End.Class != messages.ClassKilled {
			t.Errorf("the turn ended with %+v", e.End)
		}
	}
}

func stopUnborn(t *testing.T, l *life) {
	l.onlyOnce().ready()
	l.wants(l.session.Stop(t.Context()), messages.ClassNone)
	l.ended()
	if err := l.session.Send(t.Context(), l.turn()); !messages.IsCode(err, messages.CodeConflict) {
		t.Errorf("a turn after the end: %v", err)
	}
}

// stopAnytime stops at the moments between which a life of one turn can be. The
// turn may have its end, or its killing.
func stopAnytime(t *testing.T, l *life) {
	l.onlyOnce()
	for name, wait := range map[string]func(*life){
		"at once":              func(*life) {},
		"after the first word": func(l *life) { l.until(messages.DriverSaid) },
		"after the last word": func(l *life) {
			for all := l.until(messages.DriverSaid); all[len(all)-1].Text != Last; all = l.until(messages.DriverSaid) {
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			again := newLife(t, l.driver, l.spec)
			again.ready().send()
			wait(again)
			ctx, cancel := context.WithCancel(t.Context())
			if name != "after the last word" {
				cancel() // no grace
			}
			defer cancel()
			exit := again.session.Stop(ctx)
			again.wants(exit, messages.ClassKilled)
			for _, e := range again.until(messages.DriverExited) {
				if c := e.End.Class; c != messages.ClassNone && c != messages.ClassKilled {
					t.Errorf("the turn ended with %+v", e.End)
				}
			}
			again.nobodyLeft()
		})
	}
}

// missingDir: what cannot begin is refused by Start, not found out by the turn.
func missingDir(t *testing.T, l *life) {
	l.onlyOnce().spec.Dir = t.TempDir() + "/no-such-directory"
	if s, err := l.driver.Start(t.Context(), l.spec); !messages.IsCode(err, messages.CodeInvalid) {
		t.Errorf("%v, %v", s, err)
	}
}

// raw: a line comes before what it means.
func raw(t *testing.T, l *life) {
	l.spec.Raw = true
	l.start().send()
	told, early := 0, 0
	for _, e := range l.until(messages.DriverTurnEnded) {
		switch e.Kind { //nolint:exhaustive // the rest only passes
		case messages.DriverRaw:
			told++
			if strings.ContainsAny(e.Text, "\n\r") {
				t.Errorf("no line: %q", e.Text)
			}
		case messages.DriverThought, messages.DriverSaid:
			if told == 0 {
				early++
			}
		}
	}
	switch {
	case told == 0 && !l.single:
		t.Skip("this driver does not tell its lines") // ndjson.Raw makes it
	case told == 0 || early > 0:
		t.Errorf("%d lines were told, %d words came before the first", told, early)
	}
}

func hurryMute(_ *testing.T, l *life) {
	l.onlyOnce().ready().send()
	l.wants(l.hurry(), messages.ClassKilled)
	l.ended()
}
