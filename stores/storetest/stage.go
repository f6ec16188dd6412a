package storetest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"kurogo/messages"
)

// A stage is a journal with a small crew: boss, left, right, all gathering.
type stage struct {
	t    *testing.T
	j    Journal
	bell *Bell
	now  time.Time
	n    int

	reserve int64 // micro-dollars that each turn asks for
	lives   map[messages.Address]messages.Fence
}

var stageLimits = messages.Limits{MessageBytes: 1 << 10, ThinkingBytes: 1 << 10, Depth: 2, OpenSubtasks: 3, MessagesPerRoot: 20, InboxDepth: 4, Attempts: 3}

func newStage(t *testing.T, open Open, limits messages.Limits) *stage {
	s := &stage{t: t, bell: &Bell{}, now: time.UnixMilli(1_000_000_000), lives: map[messages.Address]messages.Fence{}}
	s.j = open(t, limits, s.bell)
	s.enlist(messages.All, "left", "right")
	for _, who := range []messages.Address{"boss", "left", "right"} {
		s.rise(who)
	}
	return s
}

// enlist makes a crew of a boss and those who report to it.
func (s *stage) enlist(gather messages.Gather, below ...messages.Address) {
	s.t.Helper()
	crew := []messages.Enlisted{{Name: "boss", ReportsTo: messages.User, Gather: gather}}
	for _, b := range below {
		crew = append(crew, messages.Enlisted{Name: b, ReportsTo: "boss"})
	}
	s.must(messages.Enlist{Crew: crew, Now: s.now})
}

func (s *stage) rise(who messages.Address) {
	s.t.Helper()
	out := s.must(messages.Reclaim{Persona: who, Now: s.now})
	s.lives[who] = messages.Fence{Persona: who, Epoch: out.Epoch}
}

func (s *stage) commit(c messages.Change) (messages.Outcome, error) {
	return s.j.Commit(context.Background(), c)
}

func (s *stage) must(c messages.Change) messages.Outcome {
	s.t.Helper()
	out, err := s.commit(c)
	if err != nil {
		s.t.Fatalf("%T: %v", c, err)
	}
	return out
}

func (s *stage) message(from, to messages.Address, typ messages.Type, content string) messages.CCMessage {
	s.n++
	return messages.CCMessage{ID: messages.MessageID(fmt.Sprintf("m%d", s.n)), From: from, To: to, Type: typ, Content: content}
}

// submit asks boss for something and returns the task.
func (s *stage) submit(content string) messages.TaskID {
	s.t.Helper()
	return s.must(messages.Accept{Message: s.message(messages.User, "boss", messages.TaskRequest, content), Now: s.now}).Accepted.Task
}

// turn leases the next turn of who, which must begin with a message of the type.
func (s *stage) turn(who messages.Address, typ messages.Type) *messages.Work {
	s.t.Helper()
	w := s.pull(who)
	if w == nil {
		s.t.Fatalf("%s has nothing to do, want a %s", who, typ)
	}
	if w.Messages[0].Type != typ {
		s.t.Fatalf("%s got a %s %q, want a %s", who, w.Messages[0].Type, w.Messages[0].Content, typ)
	}
	return w
}

func (s *stage) pull(who messages.Address) *messages.Work {
	s.t.Helper()
	return s.must(messages.Lease{Fence: s.lives[who], Reserve: s.reserve, Now: s.now}).Turn
}

// end ends a turn with a text and sends.
func (s *stage) end(w *messages.Work, text string, sends ...messages.CCMessage) {
	s.t.Helper()
	out := s.must(messages.EndTurn{Fence: s.lives[w.Messages[0].To], Rows: w.Rows, Text: text, Sends: sends, Now: s.now})
	if out.Stale {
		s.t.Fatal("the turn was stale")
	}
}

// fail ends a turn that is given again at at.
func (s *stage) fail(w *messages.Work, at time.Time) {
	s.t.Helper()
	s.must(messages.FailTurn{Fence: s.lives[w.Messages[0].To], Rows: w.Rows, Reason: "it fell", Code: messages.CodeInternal, Retry: true, RetryAt: at, Now: s.now})
}

func (s *stage) ask(to messages.Address, content string) messages.CCMessage {
	return s.message("", to, messages.TaskRequest, content)
}

// pass moves the clock and lets the timekeeper act if it was told to.
func (s *stage) pass(d time.Duration) {
	s.t.Helper()
	s.now = s.now.Add(d)
	if s.bell.takeDue(s.now) {
		out := s.must(messages.Due{Now: s.now})
		s.bell.Ring(nil, nil, out.Next)
	}
}

func (s *stage) status(id messages.TaskID, want messages.TaskStatus) messages.TaskTree {
	s.t.Helper()
	tree, err := s.j.Task(context.Background(), id)
	if err != nil {
		s.t.Fatal(err)
	}
	if tree.Task.Status != want {
		s.t.Fatalf("task %s is %s (%s), want %s", id, tree.Task.Status, tree.Task.Result, want)
	}
	return tree
}

func (s *stage) sound() {
	s.t.Helper()
	report, err := s.j.Check(context.Background())
	if err != nil {
		s.t.Fatal(err)
	}
	for _, v := range report.Violations {
		s.t.Errorf("invariant broken: %s: %s", v.Invariant, v.Subject)
	}
	if len(report.Checked) < 10 {
		s.t.Errorf("only %d invariants were checked", len(report.Checked))
	}
}

func (s *stage) heard(typ messages.Type) (out []string) {
	s.t.Helper()
	all, err := s.j.Messages(context.Background(), messages.ListMessages{})
	if err != nil {
		s.t.Fatal(err)
	}
	for _, m := range all.Messages {
		if m.To == messages.User && m.Type == typ {
			out = append(out, m.Content)
		}
	}
	return out
}

func (s *stage) same(what string, got, want any) {
	s.t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		s.t.Fatalf("%s: got %v, want %v", what, got, want)
	}
}
