package storetest

import (
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
	tell(t, open, stageLimits, map[string]func(*testing.T, *stage){
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
		"a ttl counts again after a torn turn":                  ttlAfterTorn,
		"unread answers wait for what is asked while both work": answersWait,
		"two who only talk come to an end":                      talkEnds,
		"nobody waits for who is no longer in the crew":         absentFails,
	})
	tell(t, open, purseLimits, purseStories)
	tell(t, open, companyLimits, companyStories)
	tell(t, open, companyLimits, jobStories)
	tell(t, open, companyLimits, chatStories)
}

// tell tells stories, each on a stage and in a bubble of its own.
func tell(t *testing.T, open Open, limits messages.Limits, stories map[string]func(*testing.T, *stage)) {
	t.Helper()
	for name, story := range stories {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newStage(t, open, limits)
				story(t, s)
				s.sound()
			})
		})
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
	s.rise("boss") // the persona fell with its turn
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
	s.fail(w, s.now.Add(10*time.Second))
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
	s.enlist(messages.Each, "left", "right")
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
		s.rise("left")
	}
	s.same("left has more", s.pull("left"), (*messages.Work)(nil))
	s.end(s.turn("boss", messages.TaskFailed), "without left")
	s.status(root, messages.Completed)

	second := s.submit("poison for the boss")
	for range stageLimits.Attempts {
		s.fail(s.turn("boss", messages.TaskRequest), s.now)
	}
	s.status(second, messages.Failed)
	s.same("the user heard", s.heard(messages.TaskFailed), []string{"it fell"})
}

func deadAnswerFailsParent(t *testing.T, s *stage) {
	root := s.submit("build it")
	s.end(s.turn("boss", messages.TaskRequest), "waiting", s.ask("left", "a part"))
	s.end(s.turn("left", messages.TaskRequest), "done")
	for range stageLimits.Attempts {
		s.fail(s.turn("boss", messages.TaskComplete), s.now)
	}
	s.status(root, messages.Failed)
	s.same("the user heard", s.heard(messages.TaskFailed), []string{"it fell"})
}
