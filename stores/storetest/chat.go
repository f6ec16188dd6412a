package storetest

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"kurogo/messages"
)

var chatStories = map[string]func(*testing.T, *stage){
	"a session is a job, opened once for a key":       chatOpens,
	"what is said waits for its answer":               chatWaits,
	"an unknown session is opened by what is said":    chatUnknown,
	"what is said twice with a key is said once":      chatKey,
	"nothing is answered twice":                       chatAnswersOnce,
	"the first answer gives a title, a person wins":   chatTitles,
	"a turn is in the log once":                       chatLogs,
	"a plan stays until the answer":                   chatPlans,
	"a summary stands for what is older":              chatSummarises,
	"sessions are found by their newest activity":     chatsAreFound,
	"a session is read from its end, page by page":    chatPages,
	"a session that is deleted leaves nothing said":   chatDrops,
	"a session whose job was ended goes on when used": chatGoesOn,
	"only so much waits in a session":                 chatIsBounded,
	"of chats only those with work are busy":          chatsAreBusy,
	"whole turns are remembered across sessions":      chatPast,
}

// say says something in a session, which is opened where there is none.
func (s *stage) say(session messages.JobID, content string) messages.ChatAccepted {
	s.t.Helper()
	s.n++
	return s.must(messages.SayChat{
		Session: session, New: messages.JobID(fmt.Sprint("c", s.n)), Message: messages.MessageID(fmt.Sprint("q", s.n)), Content: content, By: messages.User, Now: s.now,
	}).Chat
}

// answer answers a message, a second later.
func (s *stage) answer(m messages.ChatMessage, content string) messages.ChatMessage {
	s.t.Helper()
	s.now = s.now.Add(time.Second)
	return s.must(messages.AnswerChat{
		Answer:   messages.ChatMessage{ID: "a" + m.ID, Content: content, ReplyTo: m.ID, Model: "fake", Sources: []messages.ChatSource{{Path: "a.go", Span: "L1-L3", Text: "text", Score: 2}}},
		Workflow: []messages.ChatStep{{Step: "generate", Status: messages.ChatOK}}, Title: messages.ChatTitle(m.Content), Now: s.now,
	}).Chat.Message
}

func (s *stage) chatState(id messages.JobID) messages.ChatState {
	s.t.Helper()
	st, err := s.j.ChatState(context.Background(), id)
	if err != nil {
		s.t.Fatal(err)
	}
	return st
}

func (s *stage) chat(q messages.GetSession) messages.ChatDetail {
	s.t.Helper()
	d, err := s.j.Session(context.Background(), q)
	if err != nil {
		s.t.Fatal(err)
	}
	return d
}

func chatOpens(t *testing.T, s *stage) {
	c := messages.OpenChat{Session: "c1", By: messages.User, Key: "k", Now: s.now}
	first := s.must(c).Chat.Session
	s.same("title", first.Title, (*string)(nil))
	s.same("times", []time.Time{first.CreatedAt, first.UpdatedAt, first.LastActivity}, []time.Time{first.CreatedAt, first.CreatedAt, first.CreatedAt})
	job := s.detail(messages.GetJob{Job: "c1"})
	s.same("its job", []any{job.Kind, job.Status}, []any{messages.JobChat, messages.JobRunning})
	c.Session, c.Now = "c2", s.now.Add(time.Hour)
	s.same("again", s.must(c).Chat.Session, first)
	if _, err := s.j.Session(context.Background(), messages.GetSession{Session: "c2"}); !messages.IsCode(err, messages.CodeNotFound) {
		t.Errorf("an unknown session: %v", err)
	}
	if _, err := s.j.ChatState(context.Background(), "c2"); !messages.IsCode(err, messages.CodeNotFound) {
		t.Errorf("the state of an unknown session: %v", err)
	}
}

func chatWaits(_ *testing.T, s *stage) {
	said := s.say("", "what is it?")
	id := said.Session.ID
	s.same("its leader was woken", s.bell.isWoken(messages.Address("chat:"+id)), true)
	s.same("what was said", []any{said.Message.Role, said.Message.Status, said.Message.Session, said.Answer}, []any{messages.ChatUser, messages.ChatPending, id, (*messages.ChatMessage)(nil)})
	second := s.say(id, "and why?")
	s.same("the oldest comes first", s.chatState(id).Pending.ID, said.Message.ID)
	a := s.answer(said.Message, "a stage")
	s.same("the answer", []any{a.Role, a.Status, a.ReplyTo, a.Sources[0].Ref(), a.Fallback}, []any{messages.ChatAssistant, messages.ChatStored, said.Message.ID, "a.go#L1-L3", false})
	st := s.chatState(id)
	s.same("then the next", []any{st.Pending.ID, st.Unlogged.Answer.ID, st.Unlogged.Workflow[0].Step, st.Waiting}, []any{second.Message.ID, a.ID, "generate", 2})
	s.same("its activity", st.Session.LastActivity, s.now.UTC())
	var order []string
	for _, m := range s.chat(messages.GetSession{Session: id}).Messages {
		order = append(order, m.Content)
	}
	s.same("the talk", order, []string{"what is it?", "and why?", "a stage"})
	s.same("the world hears", s.heardOf(id), []string{"user: what is it?", "user: and why?", "assistant: a stage"})
}

// heardOf lists the messages of a session that events tell.
func (s *stage) heardOf(id messages.JobID) (out []string) {
	s.t.Helper()
	last := s.j.Last()
	for e, err := range s.j.Watch(context.Background(), messages.Topic{}, 0) {
		var n messages.ChatNews
		if err != nil {
			s.t.Fatal(err)
		}
		if e.Kind == messages.ChatMessageAdded && e.ID == string(id) {
			if err := json.Unmarshal(e.Data, &n); err != nil {
				s.t.Fatal(err)
			}
			out = append(out, fmt.Sprintf("%s: %s", n.Message.Role, n.Message.Content))
		}
		if e.Seq == last {
			break
		}
	}
	return out
}

func chatUnknown(_ *testing.T, s *stage) {
	said := s.say("never heard of", "hello")
	if said.Session.ID == "never heard of" {
		s.t.Error("a client chose the id of a session")
	}
	s.same("the same session", s.say(said.Session.ID, "again").Session.ID, said.Session.ID)
}

func chatKey(_ *testing.T, s *stage) {
	c := messages.SayChat{New: "c1", Message: "q1", Content: "once", By: messages.User, Key: "k", Now: s.now}
	first := s.must(c).Chat
	c.New, c.Message = "c2", "q2"
	s.same("the second", s.must(c).Chat.Message, first.Message)
	s.answer(first.Message, "done")
	again := s.must(c).Chat
	s.same("with its answer", []any{again.Session.ID, again.Answer.Content}, []any{first.Session.ID, "done"})
	c.Content = "twice"
	s.refused(c, messages.CodeConflict, "idempotency_key")
}

func chatAnswersOnce(_ *testing.T, s *stage) {
	said := s.say("", "hello")
	s.answer(said.Message, "first")
	out := s.must(messages.AnswerChat{Answer: messages.ChatMessage{ID: "late", Content: "second", ReplyTo: said.Message.ID}, Now: s.now})
	s.same("the second", out.Stale, true)
	s.same("messages", len(s.chat(messages.GetSession{Session: said.Session.ID}).Messages), 2)
	s.same("an answer to nothing", s.must(messages.AnswerChat{Answer: messages.ChatMessage{ID: "x", ReplyTo: "nothing"}, Now: s.now}).Stale, true)
}

func chatTitles(_ *testing.T, s *stage) {
	said := s.say("", "\n  How do   I build it?\nPlease.")
	s.answer(said.Message, "make")
	s.same("title", *s.chatState(said.Session.ID).Session.Title, "How do I build it?")
	s.same("named", *s.must(messages.NameChat{Session: said.Session.ID, Title: "Building", Now: s.now}).Chat.Session.Title, "Building")
	s.answer(s.say(said.Session.ID, "something else").Message, "well")
	s.same("it stays", *s.chatState(said.Session.ID).Session.Title, "Building")
	s.refused(messages.NameChat{Session: "nobody", Title: "x", Now: s.now}, messages.CodeNotFound, "nobody")
}

func chatLogs(_ *testing.T, s *stage) {
	said := s.say("", "hello")
	a := s.answer(said.Message, "hi")
	score := 7.5
	c := messages.RecordChat{Record: messages.ChatRecord{
		Message: a.ID, UserInput: "hello", Output: "hi", RAGContext: "a.go#L1-L3", Score: &score, Feedback: "fine", Workflow: json.RawMessage(`[]`),
	}, Now: s.now}
	s.must(c)
	s.same("again", s.must(c).Stale, true)
	s.same("nothing is left to do", s.chatState(said.Session.ID).Unlogged, (*messages.ChatTurn)(nil))
	second := s.answer(s.say(said.Session.ID, "and?").Message, "so")
	s.must(messages.RecordChat{Record: messages.ChatRecord{Message: second.ID, Output: "so", Workflow: json.RawMessage(`[]`)}, Now: s.now})
	log, err := s.j.SessionLog(context.Background(), messages.GetSessionLog{Session: said.Session.ID})
	if err != nil || len(log.Records) != 2 {
		s.t.Fatalf("%+v, %v", log, err)
	}
	s.same("nobody could say", log.Records[0].Score, (*float64)(nil))
	s.same("the first", []any{log.Records[1].UserInput, *log.Records[1].Score, log.Records[1].RAGContext}, []any{"hello", 7.5, "a.go#L1-L3"})
}

func chatPlans(_ *testing.T, s *stage) {
	said := s.say("", "hello")
	s.same("no plan", s.chatState(said.Session.ID).Plan, (*messages.ChatPlan)(nil))
	plan := messages.ChatPlan{Prompt: "say hello", Sources: []messages.ChatSource{{Path: "a.go"}}, Workflow: []messages.ChatStep{{Step: "retrieve", Status: messages.ChatOK}}}
	s.must(messages.PlanChat{Message: said.Message.ID, Plan: plan, Now: s.now})
	s.same("the plan", *s.chatState(said.Session.ID).Plan, plan)
	s.answer(said.Message, "hi")
	s.same("too late", s.must(messages.PlanChat{Message: said.Message.ID, Plan: plan, Now: s.now}).Stale, true)
}

func chatSummarises(_ *testing.T, s *stage) {
	id := s.say("", "0").Session.ID
	s.answer(*s.chatState(id).Pending, "a0")
	for i := range 4 {
		s.answer(s.say(id, fmt.Sprint(i+1)).Message, fmt.Sprint("a", i+1))
	}
	s.say(id, "unanswered")
	turns, err := s.j.ChatTurns(context.Background(), id, 0, 3)
	if err != nil || len(turns) != 3 {
		s.t.Fatalf("%v, %v", turns, err)
	}
	s.same("the newest, in order", []string{turns[0].Question.Content, turns[2].Answer.Content}, []string{"2", "a4"})
	s.must(messages.SummariseChat{Session: id, Upto: turns[1].Number, Summary: "numbers", Now: s.now})
	st := s.chatState(id)
	s.same("behind the summary", []any{st.Summary, st.Summarised, st.Waiting}, []any{"numbers", turns[1].Number, 2})
	s.same("an older one", s.must(messages.SummariseChat{Session: id, Upto: turns[0].Number, Summary: "old", Now: s.now}).Stale, true)
	s.same("the whole text stays", len(s.chat(messages.GetSession{Session: id}).Messages), 11)
}

func chatsAreFound(t *testing.T, s *stage) {
	a := s.say("", "a")
	s.now = s.now.Add(time.Minute)
	b := s.say("", "b")
	s.now = s.now.Add(time.Minute)
	s.answer(a.Message, "answered")
	list, err := s.j.Sessions(context.Background(), messages.ListSessions{})
	if err != nil || list.Total != 2 || list.Sessions[0].ID != a.Session.ID || list.Sessions[1].ID != b.Session.ID {
		t.Errorf("%+v, %v", list, err)
	}
	list, err = s.j.Sessions(context.Background(), messages.ListSessions{Offset: 1, Limit: 1})
	if err != nil || list.Total != 2 || len(list.Sessions) != 1 || list.Sessions[0].ID != b.Session.ID {
		t.Errorf("the second page: %+v, %v", list, err)
	}
}

func chatPages(t *testing.T, s *stage) {
	id := s.say("", "0").Session.ID
	for i := range 4 {
		s.say(id, fmt.Sprint(i+1))
	}
	d := s.chat(messages.GetSession{Session: id, Limit: 2})
	s.same("the end", []any{d.Messages[0].Content, d.Messages[1].Content, d.More}, []any{"3", "4", true})
	d = s.chat(messages.GetSession{Session: id, Limit: 3, Before: d.Messages[0].ID})
	s.same("before that", []any{d.Messages[0].Content, len(d.Messages), d.More}, []any{"0", 3, false})
	if _, err := s.j.Session(context.Background(), messages.GetSession{Session: id, Before: "nothing"}); !messages.IsCode(err, messages.CodeInvalid) {
		t.Errorf("before nothing: %v", err)
	}
	s.say(id, strings.Repeat("x", 3<<20))
	d = s.chat(messages.GetSession{Session: id})
	s.same("a page holds no more than fits", []any{len(d.Messages), d.More}, []any{1, true})
}

func chatDrops(t *testing.T, s *stage) {
	said := s.say("", "hello")
	s.answer(s.say(said.Session.ID, "more").Message, "hi")
	j := s.detail(messages.GetJob{Job: said.Session.ID}).Job
	a := s.works(j, "answer", messages.Terms{})
	s.begin(a.ID)
	s.must(messages.DropChat{Session: j.ID, Now: s.now})
	s.agent(a.ID, messages.AgentCancelled)
	s.same("its job", s.detail(messages.GetJob{Job: j.ID}).Status, messages.JobCancelled)
	if _, err := s.j.Session(context.Background(), messages.GetSession{Session: j.ID}); !messages.IsCode(err, messages.CodeNotFound) {
		t.Errorf("the session: %v", err)
	}
	if past, err := s.j.PastTurns(context.Background(), 10); err != nil || len(past) != 0 {
		t.Errorf("what was said: %v, %v", past, err)
	}
	s.refused(messages.DropChat{Session: j.ID, Now: s.now}, messages.CodeNotFound, string(j.ID))
}

func chatGoesOn(_ *testing.T, s *stage) {
	said := s.say("", "hello")
	j := s.detail(messages.GetJob{Job: said.Session.ID}).Job
	keyed := messages.SayChat{Session: j.ID, Message: "k1", Content: "and you?", By: messages.User, Key: "k", Now: s.now}
	s.must(keyed)
	s.must(messages.CloseJob{Job: j.ID, Status: messages.JobCancelled, Now: s.now})
	s.must(keyed)
	s.same("its job, when it is asked for what was said", s.detail(messages.GetJob{Job: j.ID}).Status, messages.JobRunning)
	s.must(messages.CloseJob{Job: j.ID, Status: messages.JobCancelled, Now: s.now})
	s.bell.answered(j.Address())
	s.say(j.ID, "are you there?")
	s.same("its leader was woken", s.bell.isWoken(j.Address()), true)
	s.same("its job", s.detail(messages.GetJob{Job: j.ID}).Status, messages.JobRunning)
	s.works(j, "answer", messages.Terms{})
}

func chatIsBounded(_ *testing.T, s *stage) {
	id := s.say("", "1").Session.ID
	c := messages.SayChat{Session: id, Message: "q", Content: "2", By: messages.User, Most: 1, Now: s.now}
	s.refused(c, messages.CodeBusy, "wait")
	s.answer(*s.chatState(id).Pending, "one")
	s.must(c)
}

func chatsAreBusy(_ *testing.T, s *stage) {
	s.must(messages.OpenChat{Session: "idle", By: messages.User, Now: s.now})
	said := s.say("", "hello")
	busy := func() (ids []messages.JobID) {
		jobs, err := s.j.BusyJobs(context.Background())
		if err != nil {
			s.t.Fatal(err)
		}
		for _, j := range jobs {
			ids = append(ids, j.ID)
		}
		return ids
	}
	s.same("it waits for an answer", busy(), []messages.JobID{said.Session.ID})
	a := s.answer(said.Message, "hi")
	s.same("it waits for the log", busy(), []messages.JobID{said.Session.ID})
	s.must(messages.RecordChat{Record: messages.ChatRecord{Message: a.ID, Workflow: json.RawMessage(`[]`)}, Now: s.now})
	s.same("it rests", busy(), []messages.JobID(nil))
}

func chatPast(t *testing.T, s *stage) {
	a := s.say("", "where is the lock?")
	s.answer(a.Message, strings.Repeat("in the state directory ", 1000))
	s.answer(s.say("", "and the socket?").Message, "beside it")
	s.say("", "unanswered")
	past, err := s.j.PastTurns(context.Background(), 10)
	if err != nil || len(past) != 2 || past[0].Answer.Content != "beside it" || past[1].Question.Content != "where is the lock?" || len(past[1].Answer.Content) != 2<<10 {
		t.Errorf("%d turns, %v", len(past), err)
	}
}
