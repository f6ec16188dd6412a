package actors_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"kurogo/actors"
	"kurogo/messages"
)

// tripping lets whoever leads a session fall: before the journal has heard what it
// writes, or right after.
type tripping struct {
	actors.Journal
	falls func(at string) bool
}

func (s tripping) Commit(ctx context.Context, c messages.Change) (messages.Outcome, error) {
	at := ""
	switch c := c.(type) {
	case messages.PlanChat, messages.AnswerChat, messages.RecordChat, messages.SummariseChat, messages.KeepJob:
		at = fmt.Sprintf("%T", c)
	case messages.OrderAgents:
		at = c.Key
	}
	if at != "" && s.falls("before "+at) {
		panic("a planted fall before " + at)
	}
	out, err := s.Journal.Commit(ctx, c)
	if at != "" && s.falls("after "+at) {
		panic("a planted fall after " + at)
	}
	return out, err
}

// A leader that falls at every write of its session answers each message once, and
// nobody is paid twice.
func TestAChatOutlivesItsLeader(t *testing.T) {
	fallen := newFalls()
	veil := func(j actors.Journal) actors.Journal { return tripping{j, fallen.once} }
	playSalon(t, salonList{castList: castList{veil: veil}, companion: func(p *actors.Companion) { p.SummariseAfter = 4 }}, func(s *salon) {
		said := []messages.ChatAccepted{s.say("", "wait 50s; say 0")}
		id := said[0].Session.ID
		for i := range 3 {
			said = append(said, s.say(id, fmt.Sprintf("wait 1s; say %d", i+1)))
		}
		<-time.After(3 * time.Hour)
		for i, m := range said {
			if a := s.hears(m.Message); a.Content != fmt.Sprint(i) || a.Fallback {
				s.t.Errorf("message %d was answered %q", i, a.Content)
			}
		}
		if all := chat[messages.ChatDetail](s, messages.GetSession{Session: id}).Messages; len(all) != 8 {
			s.t.Errorf("%d messages, want 8", len(all))
		}
		if log := s.log(id); len(log) != 4 {
			s.t.Errorf("%d turns are in the log", len(log))
		}
		if agents := must[messages.Agents](s.troupe, messages.ListAgents{}).Total; agents != 4+4+2 {
			s.t.Errorf("%d agents worked, want 4 who answered, 4 who judged and 2 who summarised", agents)
		}
		for _, at := range []string{"messages.PlanChat", "messages.AnswerChat", "messages.RecordChat", "messages.SummariseChat", "messages.KeepJob"} {
			if !fallen.had("before "+at) || !fallen.had("after "+at) {
				s.t.Errorf("it never fell at %s", at)
			}
		}
	})
}

// What was said before anybody led it is answered when somebody does.
func TestWhatWasSaidBeforeIsAnswered(t *testing.T) {
	playTroupe(t, castList{}, func(tr *troupe) {
		out, err := tr.store.Commit(context.Background(), messages.SayChat{New: "c1", Message: "q1", Content: "say at last", By: messages.User, Now: time.Now()})
		if err != nil {
			t.Fatal(err)
		}
		s := &salon{}
		s.open(tr, func(p *actors.Companion) { p.Role = "" })
		<-time.After(time.Minute)
		if a := s.hears(out.Chat.Message); a.Fallback || a.Model != actors.NoModel {
			t.Errorf("%+v", a)
		}
	})
}

// A leader rests after each answer; a message that comes in that very moment is
// heard all the same.
func TestNobodyIsForgottenAtRest(t *testing.T) {
	playSalon(t, salonList{companion: func(p *actors.Companion) { p.Role, p.Evaluator, p.ContextTokens = "", "", 0 }}, func(s *salon) {
		ids := make([]messages.JobID, 20)
		for round := range 10 {
			var said []messages.ChatMessage
			for i := range ids {
				m := s.say(ids[i], fmt.Sprint("hello ", round))
				ids[i] = m.Session.ID
				said = append(said, m.Message)
			}
			last := s.store.Last()
			for _, m := range said { // the next is said as soon as this one is answered
				s.awaits(m, last)
			}
		}
		<-time.After(time.Second)
		if busy, err := s.store.BusyJobs(context.Background()); err != nil || len(busy) != 0 {
			s.t.Errorf("%d are busy, %v", len(busy), err)
		}
	})
}

// awaits waits for the answer to a message.
func (s *salon) awaits(m messages.ChatMessage, since int64) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if s.answer(m) != nil {
		return
	}
	for e, err := range s.store.Watch(ctx, messages.Topic{Kinds: []messages.EventKind{messages.ChatMessageAdded}, IDs: []string{string(m.Session)}}, since) {
		if err != nil {
			s.t.Fatalf("%q is not answered: %v", m.Content, err)
		}
		if n := data[messages.ChatNews](e); n.Message.ReplyTo == m.ID {
			return
		}
	}
}

func TestAHundredSessionsAtOnce(t *testing.T) {
	playSalon(t, salonList{castList: castList{working: 10}}, func(s *salon) {
		var said []messages.ChatMessage
		for i := range 100 {
			first := s.say("", fmt.Sprintf("wait 1s; say first of %d", i))
			second := s.say(first.Session.ID, fmt.Sprintf("say second of %d", i))
			said = append(said, first.Message, second.Message)
		}
		<-time.After(time.Hour)
		for i, m := range said {
			want := fmt.Sprintf("%s of %d", []string{"first", "second"}[i%2], i/2)
			if a := s.answer(m); a == nil || a.Content != want {
				s.t.Errorf("%q was answered %+v", m.Content, a)
			}
		}
		if n := chat[messages.ChatSessions](s, messages.ListSessions{}).Total; n != 100 {
			s.t.Errorf("%d sessions", n)
		}
		if s.rooms.most > 10 {
			s.t.Errorf("%d worked at a time", s.rooms.most)
		}
	})
}

func TestALongTalkIsSummarised(t *testing.T) {
	for name, role := range map[string]string{"by an agent": "code", "without a model": ""} {
		t.Run(name, func(t *testing.T) {
			playSalon(t, salonList{companion: func(p *actors.Companion) { p.Role, p.SummariseAfter, p.HistoryTokens = role, 8, 100 }}, func(s *salon) {
				said := s.say("", "say turn 0")
				id := said.Session.ID
				for i := range 9 {
					<-time.After(time.Minute)
					said = s.say(id, fmt.Sprintf("say turn %d", i+1))
				}
				<-time.After(time.Minute)
				state, err := s.store.ChatState(context.Background(), id)
				if err != nil || state.Summary == "" || state.Waiting > 8 || len(state.Summary) > 120 {
					s.t.Fatalf("%+v, %v", state, err)
				}
				if role != "" && state.Summary != "they spoke of many things" || role == "" && !strings.Contains(state.Summary, "turn") {
					s.t.Errorf("the summary is %q", state.Summary)
				}
				if prompt := s.prompt(said.Message, 1); role != "" && !strings.Contains(prompt, "[Summary of what was said long ago]\nthey spoke of many things") {
					s.t.Errorf("the last prompt:\n%s", prompt)
				}
				if all := chat[messages.ChatDetail](s, messages.GetSession{Session: id}).Messages; len(all) != 20 {
					s.t.Errorf("%d messages are left of 20", len(all))
				}
			})
		})
	}
}

func TestASessionIsDeletedWhileItIsAnswered(t *testing.T) {
	playSalon(t, salonList{}, func(s *salon) {
		said := s.say("", "hang")
		<-time.After(2 * time.Second)
		chat[messages.Done](s, messages.DropSession{Session: said.Session.ID})
		<-time.After(time.Minute)
		for _, a := range must[messages.Agents](s.troupe, messages.ListAgents{}).Agents {
			if a.Outcome != messages.AgentCancelled {
				s.t.Errorf("%s is %s", a.ID, a.Status)
			}
		}
		if _, _, err := s.chats.Ask(context.Background(), messages.GetSession{Session: said.Session.ID}); !messages.IsCode(err, messages.CodeNotFound) {
			s.t.Errorf("the session: %v", err)
		}
		again := s.say(said.Session.ID, "say new")
		<-time.After(time.Minute)
		if again.Session.ID == said.Session.ID || s.hears(again.Message).Content != "new" {
			s.t.Error("a deleted session came back")
		}
	})
}

// Whoever cancels the job of a session ends its turn, not the session.
func TestASessionOutlivesItsCancelledJob(t *testing.T) {
	playSalon(t, salonList{}, func(s *salon) {
		said := s.say("", "hang|say late")
		<-time.After(2 * time.Second)
		jobs := &actors.JobDesk{Journal: s.store, Ledger: s.store, Clock: actors.SystemClock{}}
		if _, _, err := jobs.Ask(context.Background(), messages.CancelJob{Job: said.Session.ID}); err != nil {
			s.t.Fatal(err)
		}
		<-time.After(time.Minute)
		if a := s.answer(said.Message); a != nil {
			s.t.Errorf("a cancelled turn was answered: %+v", a)
		}
		again := s.say(said.Session.ID, "say here")
		<-time.After(time.Hour)
		if a := s.hears(again.Message); a.Content != "here" {
			s.t.Errorf("%+v", a)
		}
		s.hears(said.Message)
	})
}

func TestWhatADeskRefuses(t *testing.T) {
	playSalon(t, salonList{}, func(s *salon) {
		id := s.say("", "say x").Session.ID
		for name, c := range map[string]struct {
			asks  messages.Message
			code  messages.Code
			field string
		}{
			"nothing said":       {messages.SendChat{}, messages.CodeInvalid, "user_input"},
			"blanks":             {messages.SendChat{Content: " \n\t"}, messages.CodeInvalid, "user_input"},
			"no UTF-8":           {messages.SendChat{Content: "\xff"}, messages.CodeInvalid, "user_input"},
			"too much":           {messages.SendChat{Content: strings.Repeat("x", limits.MessageBytes+1)}, messages.CodeInvalid, "user_input"},
			"a key too long":     {messages.SendChat{Content: "x", Key: strings.Repeat("k", 201)}, messages.CodeInvalid, "idempotency_key"},
			"an empty title":     {messages.NameSession{Session: id, Title: " "}, messages.CodeInvalid, "title"},
			"a title too long":   {messages.NameSession{Session: id, Title: strings.Repeat("長", 201)}, messages.CodeInvalid, "title"},
			"a title, no UTF-8":  {messages.NameSession{Session: id, Title: "\xff"}, messages.CodeInvalid, "title"},
			"the name of nobody": {messages.NameSession{Session: "x", Title: "x"}, messages.CodeNotFound, "session_id"},
			"nobody":             {messages.GetSession{Session: "x"}, messages.CodeNotFound, "session_id"},
			"the log of nobody":  {messages.GetSessionLog{Session: "x"}, messages.CodeNotFound, "session_id"},
			"to delete nobody":   {messages.DropSession{Session: "x"}, messages.CodeNotFound, "session_id"},
		} {
			_, ok, err := s.chats.Ask(context.Background(), c.asks)
			if e := messages.AsError(err); !ok || e == nil || e.Code != c.code || e.Field != c.field || e.Remedy == "" {
				s.t.Errorf("%s: %v, want %s for %s with a remedy", name, err, c.code, c.field)
			}
		}
		if _, ok, _ := s.chats.Ask(context.Background(), messages.GetStatus{}); ok {
			s.t.Error("the desk answers what is for others")
		}
		<-time.After(time.Minute)
	})
}

// The passages answer by themselves: in both languages, with where they stand.
func TestPassagesAnswer(t *testing.T) {
	t.Parallel()
	var lines []string
	for i := range 40 {
		lines = append(lines, fmt.Sprintf("line %d", i+1))
	}
	lines[29] = "the flock is taken here"
	long := messages.ChatSource{Path: "a.go", Span: "L101-L140", Text: strings.Join(lines, "\n")}
	talk := messages.ChatSource{Session: "c1", Text: "Q: x\nA: y"}
	text, found := actors.Extract("en", "Where is the flock taken?", []messages.ChatSource{long, talk})
	if !found || !strings.HasPrefix(text, "[rehearsal · no model]") || !strings.Contains(text, "\na.go#L119-L130\n> line 19\n") || !strings.Contains(text, "> the flock is taken here") || !strings.Contains(text, "\nchat:c1\n> Q: x\n> A: y") {
		t.Errorf("%t\n%s", found, text)
	}
	if text, found := actors.Extract("ja", "鍵はどこ?", nil); found || !strings.HasPrefix(text, "[リハーサル · モデルなし] 「鍵はどこ?」") {
		t.Errorf("%t\n%s", found, text)
	}
	for language, want := range map[string]string{"ja": "すみません、「鍵はどこ?」", "en": "Sorry, I could not answer “鍵はどこ?”"} {
		if got := actors.Sorry(language, "鍵はどこ?\n二行目"); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s", language, got)
		}
	}
}

func TestEarlierTalkIsFound(t *testing.T) {
	t.Parallel()
	turn := func(id messages.MessageID, q, a string) messages.ChatTurn {
		return messages.ChatTurn{Question: messages.ChatMessage{Session: "s-" + messages.JobID(id), Content: q}, Answer: messages.ChatMessage{ID: id, Content: a}}
	}
	past := []messages.ChatTurn{
		turn("lock", "Where does kurogo keep its lock?", "In the state directory, beside the socket."),
		turn("cake", "How do I bake a cake?", "With flour and eggs."),
		turn("鍵", "ロックファイルはどこにありますか", "状態ディレクトリにあります"),
		turn("socket", "And the socket?", "In the state directory."),
	}
	for question, want := range map[string][]messages.MessageID{
		"in which directory is the lock of kurogo": {"lock"},
		"the state directory":                      {"lock", "socket"},
		"ロックファイルの場所":                               {"鍵"},
		"nothing of the kind":                      nil,
		"":                                         nil,
	} {
		var got []messages.MessageID
		for _, s := range actors.EarlierTalk(question, past, nil) {
			got = append(got, s.Message)
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%q finds %v, want %v", question, got, want)
		}
	}
	if got := actors.EarlierTalk("the state directory", past, past[:1]); len(got) != 1 || got[0].Message != "socket" {
		t.Errorf("what is remembered anyway is found again: %+v", got)
	}
}

func TestAnImpression(t *testing.T) {
	t.Parallel()
	source := []messages.ChatSource{{Path: "lock.go", Span: "L1-L2"}}
	turn := func(answer string, fallback bool, sources []messages.ChatSource) messages.ChatTurn {
		return messages.ChatTurn{Question: messages.ChatMessage{Content: "where is the lock file"}, Answer: messages.ChatMessage{Content: answer, Fallback: fallback, Sources: sources}}
	}
	last := -1.0
	for _, c := range []messages.ChatTurn{
		turn("Sorry, the lock file", true, source), turn("no idea", false, source), turn("the lock is there", false, source),
		turn("the lock file is there", false, source), turn("the lock file is in lock.go#L1-L2", false, source),
	} {
		score, feedback := actors.Impression(c)
		if score <= last || score > 10 || !strings.Contains(feedback, "heuristic") {
			t.Errorf("%q: %v after %v, %q", c.Answer.Content, score, last, feedback)
		}
		last = score
	}
}

// lingering is a ledger that takes its time to say that there is nothing to do, and
// meanwhile something is said.
type lingering struct {
	actors.Sessions
	once      *sync.Once
	meanwhile func(messages.JobID)
}

func (l lingering) ChatState(ctx context.Context, id messages.JobID) (messages.ChatState, error) {
	state, err := l.Sessions.ChatState(ctx, id)
	if err == nil && state.Pending == nil && state.Unlogged == nil {
		l.once.Do(func() {
			l.meanwhile(id)
			<-time.After(time.Second) // until its wake is in our mailbox
		})
	}
	return state, err
}

func TestWhatIsSaidAsItLeavesIsHeard(t *testing.T) {
	var s *salon
	late := func(p *actors.Companion) {
		p.Sessions = lingering{p.Sessions, new(sync.Once), func(id messages.JobID) { s.say(id, "say too late?") }}
	}
	playSalon(t, salonList{companion: func(p *actors.Companion) { late(p) }}, func(played *salon) {
		s = played
		said := s.say("", "say in time")
		<-time.After(time.Hour)
		all := chat[messages.ChatDetail](s, messages.GetSession{Session: said.Session.ID}).Messages
		if len(all) != 4 || all[3].Content != "too late?" {
			s.t.Errorf("%+v", all)
		}
	})
}
