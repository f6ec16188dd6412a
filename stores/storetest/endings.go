package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"kurogo/messages"
)

func cancelsBelow(t *testing.T, s *stage) {
	root := s.submit("build it")
	s.end(s.turn("boss", messages.TaskRequest), "waiting", s.ask("left", "on"), s.ask("right", "pending"))
	on := s.turn("left", messages.TaskRequest)
	s.must(messages.Cancel{Task: root, Reason: "enough", Now: s.now})
	s.same("interrupted", s.bell.interrupted(), []messages.Interrupt{{To: "left", Task: on.Task.ID}})
	for _, below := range s.status(root, messages.Cancelled).Below {
		s.same("status below", below.Status, messages.Cancelled)
	}
	s.same("right has more", s.pull("right"), (*messages.Work)(nil))
	s.bell.answered("boss")
	s.end(on, "too late", s.ask("right", "more"))
	s.same("boss woken", s.bell.isWoken("boss"), false)
	s.same("right has more", s.pull("right"), (*messages.Work)(nil))
	s.same("the user heard", s.heard(messages.TaskFailed), []string{"cancelled: enough"})
	s.must(messages.Cancel{Task: root, Now: s.now})
	s.same("the user heard", len(s.heard(messages.TaskFailed)), 1)
	if _, err := s.commit(messages.Cancel{Task: "nothing", Now: s.now}); !messages.IsCode(err, messages.CodeNotFound) {
		t.Fatalf("cancel of nothing: %v", err)
	}
}

func cancelledPartIsHeard(t *testing.T, s *stage) {
	root := s.submit("build it")
	s.end(s.turn("boss", messages.TaskRequest), "waiting", s.ask("left", "a part"))
	part := s.status(root, messages.Waiting).Below[0]
	s.must(messages.Cancel{Task: part.ID, Now: s.now})
	s.end(s.turn("boss", messages.TaskFailed), "without it")
	s.status(root, messages.Completed)
}

func deadlineShrinks(t *testing.T, s *stage) {
	m := s.message(messages.User, "boss", messages.TaskRequest, "in a minute")
	root := s.must(messages.Accept{Message: m, Deadline: s.now.Add(time.Minute), Now: s.now}).Accepted.Task
	s.end(s.turn("boss", messages.TaskRequest), "waiting", s.ask("left", "a part"))
	s.turn("left", messages.TaskRequest)
	s.pass(56 * time.Second)
	s.same("interrupted", len(s.bell.interrupted()), 1)
	s.end(s.turn("boss", messages.TaskFailed), "in time")
	s.status(root, messages.Completed)

	late := s.must(messages.Accept{Message: s.message(messages.User, "boss", messages.TaskRequest, "now"), Deadline: s.now.Add(time.Minute), Now: s.now}).Accepted.Task
	s.turn("boss", messages.TaskRequest)
	s.pass(time.Minute)
	s.status(late, messages.TimedOut)
}

func floodDoesNotStarve(t *testing.T, s *stage) {
	s.must(messages.Accept{Message: s.message(messages.User, "boss", messages.Info, "old"), Now: s.now})
	for range 100 {
		s.now = s.now.Add(time.Minute)
		m := s.message(messages.User, "boss", messages.Info, "flood")
		m.Metadata.Priority = messages.Urgent
		s.must(messages.Accept{Message: m, Now: s.now})
		w := s.turn("boss", messages.Info)
		s.end(w, "read")
		if w.Messages[0].Content == "old" {
			return
		}
	}
	t.Fatal("the old message starves")
}

func urgentOvertakes(t *testing.T, s *stage) {
	for _, p := range []messages.Priority{messages.Low, messages.Normal, messages.High, messages.Urgent} {
		m := s.message(messages.User, "boss", messages.Info, string(p))
		m.Metadata.Priority = p
		s.must(messages.Accept{Message: m, Now: s.now})
	}
	var order []string
	for range 4 {
		w := s.turn("boss", messages.Info)
		order = append(order, w.Messages[0].Content)
		s.end(w, "read")
	}
	s.same("order", order, []string{"urgent", "high", "normal", "low"})
}

func answersEarly(t *testing.T, s *stage) {
	root := s.submit("build it")
	s.end(s.turn("boss", messages.TaskRequest), "ignored", s.ask("left", "a part"), s.message("", messages.User, messages.TaskComplete, "enough"))
	tree := s.status(root, messages.Completed)
	s.same("result", tree.Task.Result, "enough")
	s.same("the part", tree.Below[0].Status, messages.Cancelled)
	s.same("left has more", s.pull("left"), (*messages.Work)(nil))
}

func limitsHold(t *testing.T, s *stage) {
	root := s.submit("fan out")
	w := s.turn("boss", messages.TaskRequest)
	s.end(w, "waiting", s.ask("left", "1"), s.ask("right", "2"), s.ask("left", "3"), s.ask("right", "4"))
	tree := s.status(root, messages.Waiting)
	s.same("the fourth", tree.Below[3].Result, "busy: 3 sub-tasks are open, the limit is open_subtasks = 3. Remedy: end the turn and wait for their answers")

	one := s.turn("left", messages.TaskRequest)
	s.end(one, "waiting", s.ask("right", "deep"))
	s.end(s.turn("right", messages.TaskRequest), "two done")
	deep := s.turn("right", messages.TaskRequest)
	s.same("depth", deep.Task.Depth, 2)
	s.end(deep, "waiting", s.ask("left", "too deep"))
	tooDeep := s.turn("right", messages.TaskFailed)
	if !strings.Contains(tooDeep.Messages[0].Content, "depth = 2") {
		t.Fatalf("right hears %q", tooDeep.Messages[0].Content)
	}
	s.end(tooDeep, "deep done")
}

func stoppedKeepsInbox(t *testing.T, s *stage) {
	root := s.submit("build it")
	s.must(messages.SetStopped{Persona: "boss", Stopped: true, Now: s.now})
	s.same("boss has a turn", s.pull("boss"), (*messages.Work)(nil))
	s.rise("boss") // even in its next life
	s.same("boss has a turn", s.pull("boss"), (*messages.Work)(nil))
	s.bell.answered("boss")
	s.must(messages.SetStopped{Persona: "boss", Now: s.now})
	s.same("woken", s.bell.isWoken("boss"), true)
	s.end(s.turn("boss", messages.TaskRequest), "done")
	s.status(root, messages.Completed)
}

func formerLife(t *testing.T, s *stage) {
	root := s.submit("build it")
	old, fence := s.turn("boss", messages.TaskRequest), s.lives["boss"]
	s.rise("boss")
	for _, c := range []messages.Change{
		messages.Lease{Fence: fence, Now: s.now},
		messages.EndTurn{Fence: fence, Rows: old.Rows, Text: "late", Now: s.now},
		messages.FailTurn{Fence: fence, Rows: old.Rows, Now: s.now},
		messages.EndTurn{Fence: s.lives["boss"], Rows: old.Rows, Text: "wrong attempt", Now: s.now},
	} {
		if out := s.must(c); !out.Stale {
			t.Errorf("%T of a former life counted", c)
		}
	}
	s.end(s.turn("boss", messages.TaskRequest), "done")
	s.same("result", s.status(root, messages.Completed).Task.Result, "done")
}

func watcherMissesNothing(t *testing.T, s *stage) {
	since := s.j.Last()
	root := s.submit("build it")
	s.end(s.turn("boss", messages.TaskRequest), "done")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var kinds []messages.EventKind
	var last int64
	for e, err := range s.j.Watch(ctx, messages.Topic{Task: root}, since) {
		if errors.Is(err, context.Canceled) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if e.Seq <= last {
			t.Fatalf("event %d after %d", e.Seq, last)
		}
		last = e.Seq
		kinds = append(kinds, e.Kind)
		if e.Seq == s.j.Last() {
			cancel()
		}
	}
	for _, want := range []messages.EventKind{messages.MessageAccepted, messages.MessageDelivered, messages.MessageAcked, messages.TaskUpdated} {
		if !slices.Contains(kinds, want) {
			t.Errorf("no %s among %v", want, kinds)
		}
	}
}

func logHoldsAttempts(t *testing.T, s *stage) {
	s.submit("a secret content")
	s.fail(s.turn("boss", messages.TaskRequest), s.now)
	s.end(s.turn("boss", messages.TaskRequest), "done")
	rows, err := s.j.Log(context.Background(), messages.ListLog{Level: messages.Debug})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range rows {
		got = append(got, fmt.Sprintf("%s>%s %s %v %s", r.From, r.To, r.Type, r.Success, r.Level))
		if strings.Contains(fmt.Sprint(r), "secret") {
			t.Errorf("the log holds content: %+v", r)
		}
	}
	s.same("log", got, []string{"user>boss task_request false warn", "user>boss task_request true info", "boss>user task_complete true info"})
	rows, err = s.j.Log(context.Background(), messages.ListLog{Level: messages.Warn})
	if err != nil || len(rows) != 1 {
		t.Fatalf("warnings: %v, %v", rows, err)
	}
}

func lazyIsWritten(t *testing.T, s *stage) {
	since := s.j.Last()
	s.must(messages.Observe{
		Events: []messages.Event{{At: s.now, Kind: messages.PersonaThought, ID: "boss", Data: []byte(`{"from_agent":"boss","text":"hm"}`)}},
		Log:    []messages.LogRow{{Timestamp: s.now, From: "boss", To: "left", Type: messages.Ping, Success: true, Level: messages.Debug}},
	})
	s.submit("build it") // durable, so what came before it is too
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	for e, err := range s.j.Watch(ctx, messages.Topic{}, since) {
		if err != nil || e.Kind != messages.PersonaThought {
			t.Fatalf("first event %v, %v", e, err)
		}
		break
	}
}

// enqueuedHearsTruth cancels the caller's context while its commit is on: the
// answer is the truth all the same, because the row exists.
func enqueuedHearsTruth(t *testing.T, s *stage) {
	ctx, cancel := context.WithCancel(context.Background())
	s.bell.Hook = func() {
		cancel()
		<-time.After(time.Second) // virtual: a caller that gives up hears now
	}
	out, err := s.j.Commit(ctx, messages.Accept{Message: s.message(messages.User, "boss", messages.TaskRequest, "x"), Now: s.now})
	s.bell.Hook = nil
	if err != nil || out.Accepted.Task == "" {
		t.Fatalf("the commit is durable but its caller heard %v", err)
	}
	if _, err := s.j.Commit(ctx, messages.Due{Now: s.now}); !errors.Is(err, context.Canceled) {
		t.Fatalf("a caller that is gone before the queue: %v", err)
	}
}

func responseReaches(t *testing.T, s *stage) {
	root := s.submit("build it")
	s.end(s.turn("boss", messages.TaskRequest), "waiting", s.ask("left", "a part"))
	s.end(s.turn("left", messages.TaskRequest), "I wait for right", s.message("", "boss", messages.TaskResponse, "half way"), s.ask("right", "a piece"))
	w := s.turn("boss", messages.TaskResponse)
	s.same("bound to", w.Task.ID, root)
	s.end(w, "good")
	s.status(root, messages.Waiting)
	s.end(s.turn("right", messages.TaskRequest), "piece")
	s.end(s.turn("left", messages.TaskComplete), "part")
	s.end(s.turn("boss", messages.TaskComplete), "done")
	s.status(root, messages.Completed)
}

func absentFails(t *testing.T, s *stage) {
	root := s.submit("build it")
	s.end(s.turn("boss", messages.TaskRequest), "waiting", s.ask("left", "a part"), s.ask("right", "another"))
	s.end(s.turn("left", messages.TaskRequest), "waiting", s.ask("right", "a piece"))
	s.enlist(messages.All, "right") // left is gone
	s.end(s.turn("right", messages.TaskRequest), "done")
	w := s.turn("boss", messages.TaskFailed)
	s.same("boss hears", w.Messages[0].Content, "left is no longer in the crew")
	s.end(w, "without left")
	s.status(root, messages.Completed)
	s.same("right has more", s.pull("right"), (*messages.Work)(nil))
	if _, err := s.commit(messages.Reclaim{Persona: "left", Now: s.now}); !messages.IsCode(err, messages.CodeNotFound) {
		t.Fatalf("left rises again: %v", err)
	}
}

// ttlAfterTorn: the row was in flight when its ttl passed; the turn was torn, so
// it waits again and its ttl counts again.
func ttlAfterTorn(_ *testing.T, s *stage) {
	root := s.submit("build it")
	m := s.ask("left", "quickly")
	m.Metadata.TTL = 5
	s.end(s.turn("boss", messages.TaskRequest), "waiting", m)
	s.turn("left", messages.TaskRequest)
	s.pass(6 * time.Second)
	s.rise("left")
	s.pass(0)
	s.end(s.turn("boss", messages.TaskFailed), "without left")
	s.status(root, messages.Completed)
}

// answersWait: boss has an answer that it has not read when it asks for more, in
// a turn on a task_response.
func answersWait(_ *testing.T, s *stage) {
	root := s.submit("build it")
	s.end(s.turn("boss", messages.TaskRequest), "waiting", s.ask("left", "a part"), s.ask("right", "another"))
	response := s.message("", "boss", messages.TaskResponse, "half way")
	response.Metadata.Priority = messages.Urgent
	left := s.turn("left", messages.TaskRequest)
	s.end(left, "I wait for right", response, s.ask("right", "a piece"))
	w := s.turn("boss", messages.TaskResponse) // on while the answers come in
	s.end(s.turn("right", messages.TaskRequest), "another done")
	s.end(s.turn("right", messages.TaskRequest), "piece done")
	s.end(s.turn("left", messages.TaskComplete), "part done")
	s.end(w, "one more thing", s.ask("left", "one more"))
	s.same("boss has a turn", s.pull("boss"), (*messages.Work)(nil))
	s.end(s.turn("left", messages.TaskRequest), "one more done")
	last := s.turn("boss", messages.TaskComplete)
	s.same("answers in one turn", len(last.Messages), 3)
	s.end(last, "done")
	s.status(root, messages.Completed)
}

// talkEnds: every turn on an info sends another one. Whoever pays for the turns
// wants this to end.
func talkEnds(t *testing.T, s *stage) {
	for name, begin := range map[string]func(){
		"below a task": func() {
			s.submit("say hello to left")
			s.end(s.turn("boss", messages.TaskRequest), "done", s.message("", "left", messages.Info, "hello"))
		},
		"without a task": func() {
			s.must(messages.Accept{Message: s.message(messages.User, "left", messages.Info, "say hello to boss"), Now: s.now})
		},
	} {
		begin()
		for turns := 0; ; turns++ {
			if turns > 4*stageLimits.MessagesPerRoot {
				t.Fatalf("%s: they talk for ever", name)
			}
			w := s.pull("left")
			to := messages.Address("boss")
			if w == nil {
				w, to = s.pull("boss"), "left"
			}
			if w == nil {
				break
			}
			s.end(w, "", s.message("", to, messages.Info, "and hello again"))
		}
	}
}
