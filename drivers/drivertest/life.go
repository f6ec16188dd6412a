package drivertest

import (
	"fmt"
	"testing"
	"time"
	"unicode/utf8"

	"kurogo/drivers/process"
	"kurogo/messages"
)

// A life is one session as a story sees it.
type life struct {
	t       *testing.T
	driver  messages.Driver
	spec    messages.Spec
	session messages.Session

	turns    int
	warnings int
	known    bool // whether its lives are of one turn
	single   bool
	judged   bool // the only turn has ended
}

func newLife(t *testing.T, d messages.Driver, spec messages.Spec) *life {
	spec.Life = "drivertest-" + messages.NewID() + ":1:actor"
	if spec.Agent == "" {
		spec.Agent = "actor"
	}
	if spec.Dir == "" {
		spec.Dir = t.TempDir()
	}
	spec.StartTimeout, spec.Grace = Patience, Patience
	return &life{t: t, driver: d, spec: spec}
}

// needs skips the story when the driver says that it cannot do this.
func (l *life) needs(can func(messages.Caps) bool, what string) {
	l.t.Helper()
	caps, err := l.driver.Probe(l.t.Context())
	if err != nil {
		l.t.Fatal(err)
	}
	if !can(caps) {
		l.t.Skip("this driver has no " + what)
	}
}

// start begins the life and sees to it that nothing of it outlives the story.
func (l *life) start() *life {
	l.t.Helper()
	l.once()
	s, err := l.driver.Start(l.t.Context(), l.spec)
	if err != nil {
		l.t.Fatal(err)
	}
	l.session = s
	l.t.Cleanup(func() {
		l.hurry()
		l.nobodyLeft()
	})
	return l
}

func (l *life) ready() *life {
	l.t.Helper()
	l.start().next(messages.DriverReady)
	return l
}

// again is another life of the same brief.
func (l *life) again() *life {
	l.t.Helper()
	return &life{t: l.t, driver: l.driver, spec: l.spec}
}

func (l *life) hurry() messages.Exit { return Hurry(l.session) }

func (l *life) nobodyLeft() {
	l.t.Helper()
	if left := process.Find(l.spec.Life); len(left) > 0 {
		l.t.Errorf("left alive: %v", left)
	}
}

func (l *life) turn() messages.Turn {
	l.turns++
	return messages.Turn{
		ID:      fmt.Sprintf("turn-%d", l.turns),
		Attempt: 1,
		Task:    "task-1",
		Text:    "[from user task=task-1]\nDo it. やってください。",
		Messages: []messages.CCMessage{{
			ID: "m1", From: messages.User, To: l.spec.Agent, Type: messages.TaskRequest, Content: "Do it. やってください。",
		}},
	}
}

func (l *life) send() string {
	l.t.Helper()
	turn := l.turn()
	if err := l.session.Send(l.t.Context(), turn); err != nil {
		l.t.Fatal(err)
	}
	return turn.ID
}

// event is the next one, whatever it is; ok is false when there are no more.
func (l *life) event() (e messages.DriverEvent, ok bool) {
	l.t.Helper()
	select {
	case e, ok = <-l.session.Events():
		if !utf8.ValidString(e.Text) || !utf8.ValidString(e.End.Text) {
			l.t.Errorf("an event is not UTF-8: %+v", e)
		}
		if l.judged && e.Kind != messages.DriverExited && ok {
			l.t.Errorf("%+v came after the end of the only turn", e)
		}
		l.judged = l.judged || l.single && e.Kind == messages.DriverTurnEnded
		if e.Kind == messages.DriverWarned {
			if l.warnings++; len(e.Text) > longestWarning {
				l.t.Errorf("a warning of %d bytes", len(e.Text))
			}
		}
		return e, ok
	case <-time.After(Patience):
		l.t.Fatal("nothing happens")
		return e, false
	}
}

// next is the next event that is not about usage; it must be of this kind.
func (l *life) next(kind messages.DriverKind) {
	l.t.Helper()
	for {
		e, ok := l.event()
		switch {
		case !ok:
			l.t.Fatalf("the events ended before %q", kind)
		case e.Kind == messages.DriverUsed && kind != messages.DriverUsed:
			continue
		case e.Kind != kind:
			l.t.Fatalf("%q came instead of %q: %+v", e.Kind, kind, e)
		}
		return
	}
}

// until passes over events up to the first of this kind and returns all, that
// one included.
func (l *life) until(kind messages.DriverKind) []messages.DriverEvent {
	l.t.Helper()
	var all []messages.DriverEvent
	for {
		e, ok := l.event()
		if !ok {
			l.t.Fatalf("the events ended before %q: %+v", kind, all)
		}
		if all = append(all, e); e.Kind == kind {
			return all
		}
	}
}

// full waits until the agent is held back, because nobody reads.
func (l *life) full() {
	l.t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	events := l.session.Events()
	for deadline := time.Now().Add(Patience); len(events) < cap(events); <-tick.C {
		if time.Now().After(deadline) {
			l.t.Fatalf("%d events of %d wait", len(events), cap(events))
		}
	}
}

// ended reads to the end of the life, which must come once, and after which
// Stop must give the same answer.
func (l *life) ended() messages.Exit {
	l.t.Helper()
	all := l.until(messages.DriverExited)
	exit := all[len(all)-1].Exit
	if e, ok := l.event(); ok {
		l.t.Errorf("something happened after the end: %+v", e)
	}
	if again := l.session.Stop(l.t.Context()); again != exit {
		l.t.Errorf("Stop says %+v, the event said %+v", again, exit)
	}
	if exit.Class != messages.ClassNone && exit.Reason == "" {
		l.t.Errorf("no reason: %+v", exit)
	}
	l.nobodyLeft()
	return exit
}

// wants says which class the life must have ended with.
func (l *life) wants(e messages.Exit, c messages.Class) {
	l.t.Helper()
	if e.Class != c {
		l.t.Errorf("the life ended with %q, want %q: %+v", e.Class, c, e)
	}
}
