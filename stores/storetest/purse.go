package storetest

import (
	"context"
	"testing"
	"time"

	"kurogo/messages"
)

// purseLimits: a task may cost 100, a day 250.
var purseLimits = func() messages.Limits {
	l := stageLimits
	l.TaskMicros, l.DayMicros = 100, 250
	return l
}()

var purseStories = map[string]func(*testing.T, *stage){
	"a task whose money is spent asks before it goes on": taskAsks,
	"a day whose money is spent goes on tomorrow":        dayComesBack,
	"what a turn may cost is set aside while it is on":   turnReserves,
	"a rate limit waits and costs no attempt":            rateWaits,
	"what was spent is known by whom and for what":       billAddsUp,
	"who costs nothing needs no money":                   freeGoesOn,
}

// pay ends a turn that cost something.
func (s *stage) pay(w *messages.Work, micros int64, sends ...messages.CCMessage) {
	s.t.Helper()
	s.must(messages.EndTurn{
		Fence: s.lives[w.Messages[0].To], Rows: w.Rows, Text: "done", Sends: sends, Now: s.now,
		Bill: messages.Bill{Driver: "fake", Model: "m", Micros: micros, InputTokens: 10, OutputTokens: 1},
	})
}

func (s *stage) approvals(want int) []messages.Approval {
	s.t.Helper()
	list, err := s.j.Approvals(context.Background())
	if err != nil || len(list) != want {
		s.t.Fatalf("approvals: %+v, %v; want %d", list, err, want)
	}
	return list
}

func taskAsks(t *testing.T, s *stage) {
	s.reserve = 10
	root := s.submit("build it")
	s.pay(s.turn("boss", messages.TaskRequest), 120, s.ask("left", "a part"))
	s.same("left has a turn", s.pull("left"), (*messages.Work)(nil))
	ask := s.approvals(1)[0]
	s.same("asked for", []any{ask.Kind, ask.Task, ask.Spent, ask.Limit, ask.Waiting}, []any{messages.ParkedTask, root, int64(120), int64(100), 1})
	s.bell.answered("left")
	out := s.must(messages.Resume{Task: root, Now: s.now})
	s.same("granted and released", []any{out.Resumed.Granted, out.Resumed.Released}, []any{int64(100), 1})
	s.same("left was woken", s.bell.isWoken("left"), true)
	s.approvals(0)
	s.pay(s.turn("left", messages.TaskRequest), 10)
	s.pay(s.turn("boss", messages.TaskComplete), 10)
	s.status(root, messages.Completed)
	if _, err := s.commit(messages.Resume{Task: "nothing", Now: s.now}); !messages.IsCode(err, messages.CodeNotFound) {
		t.Fatalf("resume of nothing: %v", err)
	}
}

func dayComesBack(_ *testing.T, s *stage) {
	s.reserve = 10
	for range 3 {
		s.submit("expensive")
		s.pay(s.turn("boss", messages.TaskRequest), 90)
	}
	root := s.submit("one too many")
	s.same("boss has a turn", s.pull("boss"), (*messages.Work)(nil))
	s.same("asked for", s.approvals(1)[0].Kind, messages.ParkedDay)
	s.pass(25 * time.Hour)
	s.pay(s.turn("boss", messages.TaskRequest), 10)
	s.status(root, messages.Completed)
}

func turnReserves(_ *testing.T, s *stage) {
	s.reserve = 60
	root := s.submit("build it")
	s.pay(s.turn("boss", messages.TaskRequest), 0, s.ask("left", "one"), s.ask("right", "two"))
	left := s.turn("left", messages.TaskRequest) // sets 60 of 100 aside
	right := s.turn("right", messages.TaskRequest)
	s.same("right set aside", right.Reserved, int64(40))
	s.rise("right") // it falls: what it had set aside comes back
	s.reserve = 100
	right = s.turn("right", messages.TaskRequest)
	s.same("right set aside", right.Reserved, int64(40))
	s.submit("another")
	s.same("another tree has its own money", s.turn("boss", messages.TaskRequest).Reserved, int64(100))
	s.rise("boss")
	s.pay(left, 5)
	s.pay(right, 5)
	s.pay(s.turn("boss", messages.TaskComplete), 1)
	s.pay(s.turn("boss", messages.TaskRequest), 0)
	s.status(root, messages.Completed)
	s.approvals(0)
}

func rateWaits(_ *testing.T, s *stage) {
	root := s.submit("build it")
	for range stageLimits.Attempts + 2 {
		w := s.turn("boss", messages.TaskRequest)
		s.must(messages.FailTurn{Fence: s.lives["boss"], Rows: w.Rows, Reason: "429", Retry: true, Park: true, RetryAt: s.now.Add(time.Minute), Now: s.now})
		s.same("boss has a turn", s.pull("boss"), (*messages.Work)(nil))
		s.pass(time.Minute)
	}
	s.fail(s.turn("boss", messages.TaskRequest), s.now) // its first attempt that counts
	s.end(s.turn("boss", messages.TaskRequest), "done")
	s.status(root, messages.Completed)
}

func billAddsUp(t *testing.T, s *stage) {
	s.submit("build it")
	s.pay(s.turn("boss", messages.TaskRequest), 30, s.ask("left", "a part"))
	w := s.turn("left", messages.TaskRequest)
	s.must(messages.FailTurn{Fence: s.lives["left"], Rows: w.Rows, Reason: "it fell", Retry: true, Now: s.now, Bill: messages.Bill{Driver: "fake", Model: "m", Micros: 7}})
	s.pay(s.turn("left", messages.TaskRequest), 8)
	s.pay(s.turn("boss", messages.TaskComplete), 2)
	for by, want := range map[string]string{
		"persona": "[{boss 2 32 20 2 0} {left 2 15 10 1 0}]", "model": "[{fake m 4 47 30 3 0}]",
	} {
		c, err := s.j.Cost(context.Background(), messages.GetCost{By: by})
		if err != nil {
			t.Fatal(err)
		}
		s.same("cost by "+by, c.Rows, want)
	}
	if _, err := s.j.Cost(context.Background(), messages.GetCost{By: "moon"}); !messages.IsCode(err, messages.CodeInvalid) {
		t.Fatalf("cost by moon: %v", err)
	}
}

func freeGoesOn(_ *testing.T, s *stage) {
	root := s.submit("build it")
	s.pay(s.turn("boss", messages.TaskRequest), 1000, s.ask("left", "a part"))
	s.end(s.turn("left", messages.TaskRequest), "for nothing")
	s.end(s.turn("boss", messages.TaskComplete), "done")
	s.status(root, messages.Completed)
}
