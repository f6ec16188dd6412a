package actors_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"kurogo/actors"
	"kurogo/messages"
)

// A salon is a troupe that chats. What a person says is what the agents do that
// are asked: the tries are parted by "|". Verdicts and summaries are the salon's.
type salon struct {
	*troupe
	chats     *actors.ChatDesk
	companion actors.Companion
	verdict   string
	summary   string
	fails     func(messages.Change) error // what the journal refuses

	mu      sync.Mutex
	prompts map[string]string // by key
	queries []string
}

// A salonList is what may differ between two salons.
type salonList struct {
	castList
	companion func(*actors.Companion)
	fails     func(messages.Change) error
}

func playSalon(t *testing.T, l salonList, story func(s *salon)) {
	t.Helper()
	s := &salon{verdict: `say {"score": 8, "feedback": "good"}`, summary: "say they spoke of many things", prompts: map[string]string{}, fails: l.fails}
	veil := l.veil
	l.veil = func(j actors.Journal) actors.Journal {
		j = scripts{j, s}
		if veil != nil {
			j = veil(j)
		}
		return j
	}
	playTroupe(t, l.castList, func(tr *troupe) {
		s.open(tr, l.companion)
		story(s)
	})
}

func (s *salon) open(tr *troupe, change func(*actors.Companion)) {
	s.troupe = tr
	s.chats = &actors.ChatDesk{Journal: tr.store, Archive: tr.store, Clock: actors.SystemClock{}, Limits: limits}
	s.companion = actors.Companion{
		Sessions: tr.store, NewID: func() messages.MessageID { return messages.MessageID(messages.NewID()) },
		Recall: func(_ context.Context, query string, _ int) ([]messages.ChatSource, error) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.queries = append(s.queries, query)
			return []messages.ChatSource{{Path: "lock.go", Span: "L1-L2", Text: "func Lock() {\n}", Score: 2}}, nil
		},
		Offline: func(driver string) bool { return driver != "fake" },
		Role:    "code", Evaluator: "review", Dir: "/work", HistoryTokens: 400, ContextTokens: 300, Timeout: time.Minute, Patience: 5 * time.Minute,
	}
	if change != nil {
		change(&s.companion)
	}
	if err := tr.tree.StartJobs(tr.company, tr.store, map[messages.JobKind]actors.Leader{messages.JobChat: s.companion.Lead}); err != nil {
		tr.t.Fatal(err)
	}
}

// scripts is the journal as the salon's actors see it: it makes a script of what
// their agents are asked, and keeps what that was.
type scripts struct {
	actors.Journal
	*salon
}

func (s scripts) Commit(ctx context.Context, c messages.Change) (messages.Outcome, error) {
	if s.fails != nil {
		if err := s.fails(c); err != nil {
			return messages.Outcome{}, err
		}
	}
	order, ok := c.(messages.OrderAgents)
	if !ok {
		return s.Journal.Commit(ctx, c)
	}
	words := strings.Fields(order.Key) // job, what, of what, how often
	draft := order.Stages[0][0]
	s.mu.Lock()
	s.prompts[strings.Join(words[1:], " ")] = draft.Prompt
	s.mu.Unlock()
	switch words[1] {
	case "verdict":
		draft.Prompt = s.verdict
	case "summary":
		draft.Prompt = s.summary
	default:
		_, said, _ := strings.Cut(draft.Prompt, "[The question]\n")
		n, _ := strconv.Atoi(words[3])
		tries := strings.Split(said, "|")
		draft.Prompt = tries[min(n, len(tries))-1]
	}
	order.Stages = [][]messages.Draft{{draft}}
	return s.Journal.Commit(ctx, order)
}

// prompt is what the nth agent was asked for an answer to a message.
func (s *salon) prompt(m messages.ChatMessage, n int) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.prompts[fmt.Sprintf("answer %s %d", m.ID, n)]
}

func chat[M messages.Message](s *salon, m messages.Message) M {
	s.t.Helper()
	answer, ok, err := s.chats.Ask(context.Background(), m)
	if err != nil || !ok {
		s.t.Fatalf("%T: %v", m, err)
	}
	return answer.(M)
}

func (s *salon) say(session messages.JobID, content string) messages.ChatAccepted {
	s.t.Helper()
	return chat[messages.ChatAccepted](s, messages.SendChat{Session: session, Content: content})
}

// answer is the answer to a message, if there is one.
func (s *salon) answer(m messages.ChatMessage) *messages.ChatMessage {
	s.t.Helper()
	all := chat[messages.ChatDetail](s, messages.GetSession{Session: m.Session}).Messages
	i := slices.IndexFunc(all, func(a messages.ChatMessage) bool { return a.ReplyTo == m.ID })
	if i < 0 {
		return nil
	}
	return &all[i]
}

// hears wants a message to have been answered.
func (s *salon) hears(m messages.ChatMessage) messages.ChatMessage {
	s.t.Helper()
	a := s.answer(m)
	if a == nil {
		s.t.Fatalf("%q has no answer", m.Content)
	}
	return *a
}

func (s *salon) log(id messages.JobID) []messages.ChatRecord {
	s.t.Helper()
	return chat[messages.SessionLog](s, messages.GetSessionLog{Session: id}).Records
}

// steps words what a workflow came to: "retrieve ok, generate fallback".
func steps(t *testing.T, r messages.ChatRecord) string {
	t.Helper()
	var out []string
	for _, s := range read[[]messages.ChatStep](t, r.Workflow) {
		out = append(out, s.Step+" "+s.Status)
	}
	return strings.Join(out, ", ")
}

func TestAChatAnswersAndRemembers(t *testing.T) {
	playSalon(t, salonList{}, func(s *salon) {
		first := s.say("", "wait 2s; say it locks the file\nplease")
		id := first.Session.ID
		if first.Session.Title != nil || first.Message.Status != messages.ChatPending {
			s.t.Errorf("accepted %+v", first)
		}
		<-time.After(time.Minute)
		a := s.hears(first.Message)
		if a.Content != "it locks the file\nplease" || a.Fallback || a.Model != "rehearsal" || len(a.Sources) != 1 || a.Sources[0].Ref() != "lock.go#L1-L2" {
			s.t.Errorf("the answer: %+v", a)
		}
		if title := chat[messages.ChatDetail](s, messages.GetSession{Session: id}).Title; title == nil || *title != "wait 2s; say it locks the file" {
			s.t.Errorf("title %v", title)
		}
		records := s.log(id)
		if len(records) != 1 || *records[0].Score != 8 || records[0].Feedback != "good" || records[0].UserInput != first.Message.Content || records[0].Output != a.Content ||
			!strings.Contains(records[0].RAGContext, "lock.go#L1-L2\nfunc Lock()") {
			s.t.Errorf("the log: %+v", records)
		}
		if got, want := steps(s.t, records[0]), "remember ok, retrieve ok, recall ok, generate ok, evaluate ok"; got != want {
			s.t.Errorf("the turn was %s, want %s", got, want)
		}
		spec := s.player.specs[0]
		if !spec.Deltas || !spec.ReadOnly || spec.Schema != nil || !strings.Contains(spec.SystemPrompt, "You write code.") || !strings.Contains(spec.SystemPrompt, "path#L10-L20") {
			s.t.Errorf("who answers: %+v", spec)
		}
		if judge := s.player.specs[1]; judge.Deltas || judge.Schema == nil {
			s.t.Errorf("who judges: %+v", judge)
		}
		second := s.say(id, "say the lock, as I said")
		<-time.After(time.Minute)
		prompt := s.prompt(second.Message, 1)
		for _, want := range []string{"Person: wait 2s; say it locks the file", "You: it locks the file", "--- lock.go#L1-L2\nfunc Lock()", "[The question]\nsay the lock, as I said"} {
			if !strings.Contains(prompt, want) {
				s.t.Errorf("the second prompt is without %q:\n%s", want, prompt)
			}
		}
		third := s.say("", "say what did I ask of the lock and the file?")
		<-time.After(time.Minute)
		if prompt := s.prompt(third.Message, 1); strings.Contains(prompt, "Person:") || !strings.Contains(prompt, "--- chat:"+string(id)) {
			s.t.Errorf("another session does not know what was said in the first:\n%s", prompt)
		}
	})
}

// Each thing that can go wrong inside goes wrong alone; there is always an answer,
// and the log tells what happened.
func TestWhateverFailsInsideThereIsAnAnswer(t *testing.T) {
	sorry := "Sorry, I could not answer"
	recalls := func(f func(context.Context) ([]messages.ChatSource, error)) func(*actors.Companion) {
		return func(p *actors.Companion) {
			p.Recall = func(ctx context.Context, _ string, _ int) ([]messages.ChatSource, error) { return f(ctx) }
		}
	}
	refuses := func(which func(messages.Change) bool) func(messages.Change) error {
		return func(c messages.Change) error {
			if which(c) {
				return messages.Errorf(messages.CodeUnavailable, "planted")
			}
			return nil
		}
	}
	for name, c := range map[string]struct {
		said      string
		companion func(*actors.Companion)
		fails     func(messages.Change) error
		verdict   string
		answer    string // it begins so
		fallback  bool
		steps     string // "" = there is no log
	}{
		"nothing":                    {said: "say fine", answer: "fine", steps: "remember ok, retrieve ok, recall ok, generate ok, evaluate ok"},
		"the index":                  {said: "say fine", companion: recalls(func(context.Context) ([]messages.ChatSource, error) { return nil, errors.New("planted") }), answer: "fine", steps: "remember ok, retrieve fallback, recall ok, generate ok, evaluate ok"},
		"the index, badly":           {said: "say fine", companion: recalls(func(context.Context) ([]messages.ChatSource, error) { panic("planted") }), answer: "fine", steps: "remember ok, retrieve fallback, recall ok, generate ok, evaluate ok"},
		"the index, for ever":        {said: "say fine", companion: recalls(func(ctx context.Context) ([]messages.ChatSource, error) { <-ctx.Done(); return nil, ctx.Err() }), answer: "fine", steps: "remember ok, retrieve fallback, recall ok, generate ok, evaluate ok"},
		"the index, deaf":            {said: "say fine", companion: recalls(func(context.Context) ([]messages.ChatSource, error) { <-time.After(10 * time.Minute); return nil, nil }), answer: sorry, fallback: true, steps: "generate fallback, evaluate skipped"},
		"there is no index":          {said: "say fine", companion: func(p *actors.Companion) { p.Recall = nil }, answer: "fine", steps: "remember ok, retrieve ok, recall ok, generate ok, evaluate ok"},
		"memory":                     {said: "say fine", companion: func(p *actors.Companion) { p.Sessions = forgetful{p.Sessions} }, answer: "fine", steps: "remember fallback, retrieve ok, recall fallback, generate ok, evaluate ok"},
		"an empty answer":            {said: "wait 1s|say fine", answer: "fine", steps: "remember ok, retrieve ok, recall ok, generate fallback, generate ok, evaluate ok"},
		"two empty answers":          {said: "wait 1s|wait 1s|say late", answer: sorry, fallback: true, steps: "remember ok, retrieve ok, recall ok, generate fallback, generate fallback, generate fallback, evaluate skipped"},
		"one crash":                  {said: "crash|say fine", answer: "fine", steps: "remember ok, retrieve ok, recall ok, generate fallback, generate ok, evaluate ok"},
		"two crashes":                {said: "say half; crash", answer: sorry, fallback: true, steps: "remember ok, retrieve ok, recall ok, generate fallback, generate fallback, generate fallback, evaluate skipped"},
		"a login":                    {said: "fail auth log in|say fine", answer: sorry, fallback: true, steps: "remember ok, retrieve ok, recall ok, generate fallback, generate fallback, evaluate skipped"},
		"a rate limit":               {said: "fail rate slow down|say fine", answer: "fine", steps: "remember ok, retrieve ok, recall ok, generate fallback, generate ok, evaluate ok"},
		"whoever answers, too long":  {said: "hang|say fine", answer: "fine", steps: "remember ok, retrieve ok, recall ok, generate fallback, generate ok, evaluate ok"},
		"whoever answers, for ever":  {said: "hang", companion: func(p *actors.Companion) { p.Timeout = time.Hour }, answer: sorry, fallback: true, steps: "remember ok, retrieve ok, recall ok, generate fallback, evaluate skipped"},
		"there is no role":           {said: "say fine", companion: func(p *actors.Companion) { p.Role = "nobody" }, answer: "[rehearsal · no model]", steps: "remember ok, retrieve ok, recall ok, generate ok, evaluate skipped"},
		"no role, nothing found":     {said: "say fine", companion: func(p *actors.Companion) { p.Role, p.Recall = "nobody", nil }, answer: "[rehearsal · no model] Nothing", fallback: true, steps: "remember ok, retrieve ok, recall ok, generate fallback, evaluate skipped"},
		"agents cannot be ordered":   {said: "say fine", fails: refuses(func(c messages.Change) bool { _, is := c.(messages.OrderAgents); return is }), answer: sorry, fallback: true, steps: "remember ok, retrieve ok, recall ok, generate fallback, evaluate skipped"},
		"a verdict that is none":     {said: "say fine", verdict: "say nice", answer: "fine", steps: "remember ok, retrieve ok, recall ok, generate ok, evaluate fallback"},
		"a verdict beyond the scale": {said: "say fine", verdict: `say {"score": 11}`, answer: "fine", steps: "remember ok, retrieve ok, recall ok, generate ok, evaluate fallback"},
		"a verdict without a score":  {said: "say fine", verdict: `say {"feedback": "nice"}`, answer: "fine", steps: "remember ok, retrieve ok, recall ok, generate ok, evaluate fallback"},
		"whoever judges":             {said: "say fine", verdict: "crash", answer: "fine", steps: "remember ok, retrieve ok, recall ok, generate ok, evaluate fallback"},
		"whoever judges, for ever":   {said: "say fine", verdict: "hang", answer: "fine", steps: "remember ok, retrieve ok, recall ok, generate ok, evaluate fallback"},
		"there is no judge":          {said: "say fine", companion: func(p *actors.Companion) { p.Evaluator = "nobody" }, answer: "fine", steps: "remember ok, retrieve ok, recall ok, generate ok, evaluate fallback"},
		"nobody is to judge":         {said: "say fine", companion: func(p *actors.Companion) { p.Evaluator = "" }, answer: "fine", steps: "remember ok, retrieve ok, recall ok, generate ok, evaluate skipped"},
		"the log":                    {said: "say fine", fails: refuses(func(c messages.Change) bool { _, is := c.(messages.RecordChat); return is }), answer: "fine"},
		"no passages are wanted":     {said: "say fine", companion: func(p *actors.Companion) { p.ContextTokens = 0 }, answer: "fine", steps: "remember ok, generate ok, evaluate ok"},
		"the judge cannot be ordered": {said: "say fine", fails: refuses(func(c messages.Change) bool {
			o, is := c.(messages.OrderAgents)
			return is && strings.Contains(o.Key, "verdict")
		}), answer: "fine", steps: "remember ok, retrieve ok, recall ok, generate ok, evaluate fallback"},
		"there are too many agents":    {said: "say fine", fails: onceBusy(), answer: "fine", steps: "remember ok, retrieve ok, recall ok, generate ok, evaluate ok"},
		"it speaks, and then it falls": {said: "say half; fail server broken|say whole", answer: "whole", steps: "remember ok, retrieve ok, recall ok, generate fallback, generate ok, evaluate ok"},
	} {
		t.Run(name, func(t *testing.T) {
			playSalon(t, salonList{companion: c.companion, fails: c.fails}, func(s *salon) {
				s.verdict = cmp.Or(c.verdict, s.verdict)
				said := s.say("", c.said)
				<-time.After(time.Hour)
				a := s.hears(said.Message)
				if !strings.HasPrefix(a.Content, c.answer) || a.Fallback != c.fallback {
					s.t.Errorf("the answer is %q, fallback %t", a.Content, a.Fallback)
				}
				got, records := "", s.log(said.Session.ID)
				if len(records) == 1 {
					got = steps(s.t, records[0])
					if r := records[0]; r.Score == nil || *r.Score < 0 || *r.Score > 10 || r.Feedback == "" && !strings.Contains(got, "evaluate ok") {
						s.t.Errorf("the verdict: %v %q", r.Score, r.Feedback)
					}
				}
				if got != c.steps {
					s.t.Errorf("the turn was\n%s, want\n%s", got, c.steps)
				}
				again := s.say(said.Session.ID, "say still here")
				<-time.After(time.Hour)
				s.hears(again.Message)
			})
		})
	}
}

// onceBusy refuses the first two orders: there are too many agents.
func onceBusy() func(messages.Change) error {
	var mu sync.Mutex
	left := 2
	return func(c messages.Change) error {
		mu.Lock()
		defer mu.Unlock()
		if _, order := c.(messages.OrderAgents); order && left > 0 {
			left--
			return messages.Errorf(messages.CodeBusy, "planted")
		}
		return nil
	}
}

// forgetful is a ledger that knows nothing of what was said.
type forgetful struct{ actors.Sessions }

func (forgetful) ChatTurns(context.Context, messages.JobID, int64, int) ([]messages.ChatTurn, error) {
	return nil, errors.New("planted")
}

func (forgetful) PastTurns(context.Context, int) ([]messages.ChatTurn, error) {
	return nil, errors.New("planted")
}

func TestTurnsOfASessionQueue(t *testing.T) {
	playSalon(t, salonList{}, func(s *salon) {
		first := s.say("", "wait 10s; say one")
		id := first.Session.ID
		second, third := s.say(id, "wait 10s; say two"), s.say(id, "say three")
		other := s.say("", "wait 1s; say elsewhere")
		<-time.After(5 * time.Second)
		if s.answer(other.Message) == nil || s.answer(first.Message) != nil {
			s.t.Error("a session waits for another one")
		}
		<-time.After(10 * time.Second)
		if s.answer(first.Message) == nil || s.answer(second.Message) != nil || s.answer(third.Message) != nil {
			s.t.Error("the second turn did not wait for the first")
		}
		<-time.After(time.Minute)
		if prompt := s.prompt(third.Message, 1); !strings.Contains(prompt, "You: one\nPerson: wait 10s; say two\nYou: two\n") {
			s.t.Errorf("the third does not know the two before it:\n%s", prompt)
		}
		if a := s.hears(third.Message); a.Content != "three" {
			s.t.Errorf("the third answer is %q", a.Content)
		}
	})
}

// The next answer does not wait until the one before is judged.
func TestNoAnswerWaitsForAVerdict(t *testing.T) {
	playSalon(t, salonList{}, func(s *salon) {
		s.verdict = `wait 40s; say {"score": 3, "feedback": "slow"}`
		first := s.say("", "say one")
		second := s.say(first.Session.ID, "wait 1s; say two")
		<-time.After(10 * time.Second)
		s.hears(second.Message)
		if n := len(s.log(first.Session.ID)); n != 0 {
			s.t.Errorf("%d turns are judged", n)
		}
		<-time.After(5 * time.Minute)
		if log := s.log(first.Session.ID); len(log) != 2 || *log[0].Score != 3 || *log[1].Score != 3 {
			s.t.Errorf("the log: %+v", log)
		}
	})
}
