package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kurogo/messages"
)

// Exam tells one story for each rule of the protocol. A newcomer learns the
// journal by reading them.
func Exam(t *testing.T, open Open) {
	t.Helper()
	for name, story := range map[string]func(*testing.T, *stage){
		"a task travels down and up":                            travels,
		"submitting twice is submitting once":                   submitsTwice,
		"a key names one task":                                  keyNamesOne,
		"a turn that fell is given again":                       fallsAndRises,
		"a row whose wait is over wakes its reader":             waitsAndWakes,
		"a message expires though its reader is away":           expiresUnread,
		"answers are handed over together":                      gathersAll,
		"or one by one":                                         gathersEach,
		"a note has no answer":                                  noteHasNoAnswer,
		"a refused send comes back and the turn counts":         refusedSendComesBack,
		"an answer passes a full inbox":                         answerPassesFullInbox,
		"a row that always falls is given up":                   poisonIsGivenUp,
		"an unreadable answer fails its reader's task":          deadAnswerFailsParent,
		"cancelling ends everything below":                      cancelsBelow,
		"a cancelled sub-task is heard by its parent":           cancelledPartIsHeard,
		"a sub-task is due before its parent":                   deadlineShrinks,
		"no flood of urgent messages starves an old one":        floodDoesNotStarve,
		"an urgent message overtakes":                           urgentOvertakes,
		"an answer of its own cancels what is open":             answersEarly,
		"depth, fan-out and the whole tree are limited":         limitsHold,
		"a stopped persona keeps its inbox":                     stoppedKeepsInbox,
		"a former life changes nothing":                         formerLife,
		"a watcher misses nothing":                              watcherMissesNothing,
		"every attempt is in the log, without content":          logHoldsAttempts,
		"what nobody waits for is written in order":             lazyIsWritten,
		"whoever was enqueued hears the truth":                  enqueuedHearsTruth,
		"a task_response reaches the requester while both work": responseReaches,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newStage(t, open)
				story(t, s)
				s.sound()
			})
		})
	}
}

// A stage is a journal with a small crew: boss, left, right, all gathering.
type stage struct {
	t     *testing.T
	j     Journal
	bell  *Bell
	now   time.Time
	n     int
	lives map[messages.Address]messages.Fence
}

var stageLimits = messages.Limits{MessageBytes: 1 << 10, ThinkingBytes: 1 << 10, Depth: 2, OpenSubtasks: 3, MessagesPerRoot: 20, InboxDepth: 4, Attempts: 3}

func newStage(t *testing.T, open Open) *stage {
	s := &stage{t: t, bell: &Bell{}, now: time.UnixMilli(1_000_000_000), lives: map[messages.Address]messages.Fence{}}
	s.j = open(t, stageLimits, s.bell)
	s.rise("boss", messages.User, messages.All)
	s.rise("left", "boss", messages.All)
	s.rise("right", "boss", messages.All)
	return s
}

func (s *stage) rise(who, superior messages.Address, gather messages.Gather) {
	s.t.Helper()
	out := s.must(messages.Reclaim{Persona: who, ReportsTo: superior, Gather: gather, Now: s.now})
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
	return s.must(messages.Lease{Fence: s.lives[who], Now: s.now}).Turn
}

// end ends a turn with a text and sends.
func (s *stage) end(w *messages.Work, text string, sends ...messages.CCMessage) messages.Outcome {
	s.t.Helper()
	out := s.must(messages.EndTurn{Fence: s.lives[w.Messages[0].To], Rows: w.Rows, Text: text, Sends: sends, Now: s.now})
	if out.Stale {
		s.t.Fatal("the turn was stale")
	}
	return out
}

// fail ends a turn without an answer.
func (s *stage) fail(w *messages.Work, retry bool, at time.Time) messages.Outcome {
	s.t.Helper()
	return s.must(messages.FailTurn{Fence: s.lives[w.Messages[0].To], Rows: w.Rows, Reason: "it fell", Code: messages.CodeInternal, Retry: retry, RetryAt: at, Now: s.now})
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

func travels(t *testing.T, s *stage) {
	root := s.submit("build it")
	s.status(root, messages.Queued)
	w := s.turn("boss", messages.TaskRequest)
	s.status(root, messages.Running)
	s.end(w, "I wait for left", s.ask("left", "a part"))
	s.status(root, messages.Waiting)
	s.same("left was woken", s.bell.isWoken("left"), true)
	part := s.turn("left", messages.TaskRequest)
	s.same("the part's requester", part.Task.Requester, "boss")
	s.end(part, "the part is done")
	w = s.turn("boss", messages.TaskComplete)
	s.same("bound to", w.Task.ID, root)
	s.same("the part", w.Messages[0].Content, "the part is done")
	s.end(w, "all is done")
	tree := s.status(root, messages.Completed)
	s.same("result", tree.Task.Result, "all is done")
	s.same("the user heard", s.heard(messages.TaskComplete), []string{"all is done"})
}

func submitsTwice(t *testing.T, s *stage) {
	m := s.message(messages.User, "boss", messages.TaskRequest, "once")
	first := s.must(messages.Accept{Message: m, Now: s.now}).Accepted
	again := s.must(messages.Accept{Message: m, Now: s.now.Add(time.Minute)}).Accepted
	s.same("task", again.Task, first.Task)
	s.same("again", again.Again, true)
	m.Content = "something else"
	if _, err := s.commit(messages.Accept{Message: m, Now: s.now}); !messages.IsCode(err, messages.CodeConflict) {
		t.Fatalf("another content under the same id: got %v, want conflict", err)
	}
	s.end(s.turn("boss", messages.TaskRequest), "ok")
	s.same("more work", s.pull("boss"), (*messages.Work)(nil))
}

func keyNamesOne(t *testing.T, s *stage) {
	a := s.must(messages.Accept{Message: s.message(messages.User, "boss", messages.TaskRequest, "x"), Key: "k", Now: s.now}).Accepted
	b := s.must(messages.Accept{Message: s.message(messages.User, "boss", messages.TaskRequest, "x"), Key: "k", Now: s.now}).Accepted
	s.same("task", b.Task, a.Task)
}

func fallsAndRises(t *testing.T, s *stage) {
	root := s.submit("build it")
	s.turn("boss", messages.TaskRequest)
	s.rise("boss", messages.User, messages.All) // the persona fell with its turn
	w := s.turn("boss", messages.TaskRequest)
	s.same("attempt", w.Rows[0].Attempt, 2)
	s.same("retry_count", w.Messages[0].Metadata.RetryCount, 1)
	s.end(w, "done")
	s.status(root, messages.Completed)
}

func waitsAndWakes(t *testing.T, s *stage) {
	s.submit("build it")
	w := s.turn("boss", messages.TaskRequest)
	s.bell.answered("boss")
	s.fail(w, true, s.now.Add(10*time.Second))
	s.same("woken at once", s.bell.isWoken("boss"), false)
	s.same("ready at once", s.pull("boss"), (*messages.Work)(nil))
	s.pass(10 * time.Second)
	s.same("woken in time", s.bell.isWoken("boss"), true)
	s.end(s.turn("boss", messages.TaskRequest), "done")
}

func expiresUnread(t *testing.T, s *stage) {
	root := s.submit("build it")
	s.must(messages.SetStopped{Persona: "left", Stopped: true, Now: s.now})
	m := s.ask("left", "quickly")
	m.Metadata.TTL = 5
	s.end(s.turn("boss", messages.TaskRequest), "waiting", m)
	s.pass(6 * time.Second)
	w := s.turn("boss", messages.TaskFailed)
	if !strings.Contains(w.Messages[0].Content, "ttl of 5 s") {
		t.Fatalf("boss hears %q", w.Messages[0].Content)
	}
	s.end(w, "without left")
	s.status(root, messages.Completed)
}

func gathersAll(t *testing.T, s *stage) {
	root := s.submit("build it")
	s.end(s.turn("boss", messages.TaskRequest), "waiting", s.ask("left", "one"), s.ask("right", "two"))
	s.bell.answered("boss")
	s.end(s.turn("left", messages.TaskRequest), "one done")
	s.same("boss woken by the first answer", s.bell.isWoken("boss"), false)
	s.same("boss has a turn", s.pull("boss"), (*messages.Work)(nil))
	s.end(s.turn("right", messages.TaskRequest), "two done")
	s.same("boss woken by the last answer", s.bell.isWoken("boss"), true)
	w := s.turn("boss", messages.TaskComplete)
	s.same("answers in one turn", len(w.Messages), 2)
	s.end(w, "all done")
	s.status(root, messages.Completed)
}

func gathersEach(t *testing.T, s *stage) {
	s.rise("boss", messages.User, messages.Each)
	root := s.submit("build it")
	s.end(s.turn("boss", messages.TaskRequest), "waiting", s.ask("left", "one"), s.ask("right", "two"))
	left, right := s.turn("left", messages.TaskRequest), s.turn("right", messages.TaskRequest)
	s.end(left, "one done")
	w := s.turn("boss", messages.TaskComplete)
	s.same("answers in one turn", len(w.Messages), 1)
	s.end(right, "two done") // its answer is pending while the turn is on
	s.end(w, "I have one")
	s.status(root, messages.Waiting)
	s.end(s.turn("boss", messages.TaskComplete), "I have both")
	s.status(root, messages.Completed)
}

func noteHasNoAnswer(t *testing.T, s *stage) {
	s.submit("build it")
	s.end(s.turn("boss", messages.TaskRequest), "done", s.message("", "left", messages.Info, "by the way"))
	w := s.turn("left", messages.Info)
	s.same("bound to", w.Task.ID, "")
	s.end(w, "thank you", s.message("", "boss", messages.Info, "welcome"))
	s.end(s.turn("boss", messages.Info), "indeed")
	s.same("left has more", s.pull("left"), (*messages.Work)(nil))
	s.same("boss has more", s.pull("boss"), (*messages.Work)(nil))
}

func refusedSendComesBack(t *testing.T, s *stage) {
	root := s.submit("build it")
	w := s.turn("boss", messages.TaskRequest)
	s.fill("left")
	s.end(w, "waiting", s.ask("left", "no room"), s.ask("right", "room"))
	s.end(s.turn("right", messages.TaskRequest), "done")
	w = s.turn("boss", messages.TaskFailed)
	s.same("answers", len(w.Messages), 2)
	if !strings.Contains(w.Messages[0].Content, "inbox_depth = 4") {
		t.Fatalf("boss hears %q", w.Messages[0].Content)
	}
	s.end(w, "half done", s.message("", "left", messages.Info, "pity"))
	s.status(root, messages.Completed)
	note := s.turn("boss", messages.TypeError)
	s.same("the note's way back", note.Messages[0].From, messages.System)
	s.end(note, "so be it")
}

// fill puts as many messages into an inbox as it takes.
func (s *stage) fill(who messages.Address) {
	s.t.Helper()
	for range stageLimits.InboxDepth {
		s.must(messages.Accept{Message: s.message(messages.User, who, messages.Info, "filler"), Now: s.now})
	}
	if _, err := s.commit(messages.Accept{Message: s.message(messages.User, who, messages.Info, "one more"), Now: s.now}); !messages.IsCode(err, messages.CodeBusy) {
		s.t.Fatalf("a full inbox: got %v, want busy", err)
	}
}

func answerPassesFullInbox(t *testing.T, s *stage) {
	root := s.submit("build it")
	s.end(s.turn("boss", messages.TaskRequest), "waiting", s.ask("left", "a part"))
	s.fill("boss")
	s.end(s.turn("left", messages.TaskRequest), "done")
	s.end(s.turn("boss", messages.TaskComplete), "done") // and it overtakes the fillers
	s.status(root, messages.Completed)
}

func poisonIsGivenUp(t *testing.T, s *stage) {
	root := s.submit("build it")
	s.end(s.turn("boss", messages.TaskRequest), "waiting", s.ask("left", "poison"))
	for range stageLimits.Attempts {
		s.turn("left", messages.TaskRequest)
		s.rise("left", "boss", messages.All)
	}
	s.same("left has more", s.pull("left"), (*messages.Work)(nil))
	s.end(s.turn("boss", messages.TaskFailed), "without left")
	s.status(root, messages.Completed)

	second := s.submit("poison for the boss")
	for range stageLimits.Attempts {
		s.fail(s.turn("boss", messages.TaskRequest), true, s.now)
	}
	s.status(second, messages.Failed)
	s.same("the user heard", s.heard(messages.TaskFailed), []string{"it fell"})
}

func deadAnswerFailsParent(t *testing.T, s *stage) {
	root := s.submit("build it")
	s.end(s.turn("boss", messages.TaskRequest), "waiting", s.ask("left", "a part"))
	s.end(s.turn("left", messages.TaskRequest), "done")
	for range stageLimits.Attempts {
		s.fail(s.turn("boss", messages.TaskComplete), true, s.now)
	}
	s.status(root, messages.Failed)
	s.same("the user heard", s.heard(messages.TaskFailed), []string{"it fell"})
}

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
	s.rise("boss", messages.User, messages.All) // even in its next life
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
	s.rise("boss", messages.User, messages.All)
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
	s.fail(s.turn("boss", messages.TaskRequest), true, s.now)
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
	s.must(messages.Observe{Events: []messages.Event{{At: s.now, Kind: messages.PersonaThought, ID: "boss", Data: []byte(`{"from_agent":"boss","text":"hm"}`)}},
		Log: []messages.LogRow{{Timestamp: s.now, From: "boss", To: "left", Type: messages.Ping, Success: true, Level: messages.Debug}}})
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
		time.Sleep(time.Second) // virtual: a caller that gives up hears now
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
