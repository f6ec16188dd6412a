package api_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kurogo/messages"
	"kurogo/transport/api"
)

var (
	session  = messages.ChatSession{ID: "s", CreatedAt: noon, UpdatedAt: noon, LastActivity: noon}
	question = messages.ChatMessage{ID: "q", Session: "s", Role: messages.ChatUser, Content: "why?", CreatedAt: noon, Status: messages.ChatPending}
	answer   = messages.ChatMessage{ID: "a", Session: "s", Role: messages.ChatAssistant, Content: "that is\n why", CreatedAt: noon, ReplyTo: "q", Model: "m", Status: messages.ChatStored}
)

const (
	sessionJSON = `{"id":"s","title":null,"created_at":"2026-02-13T12:00:00Z","updated_at":"2026-02-13T12:00:00Z","last_activity_at":"2026-02-13T12:00:00Z"}`
	answerJSON  = `{"id":"a","session_id":"s","role":"assistant","content":"that is\n why","created_at":"2026-02-13T12:00:00Z","fallback":false,"model_used":"m","reply_to":"q","status":"stored"}`
)

var chatStories = []story{
	{
		line: "GET /api/sessions?offset=2&limit=5", asks: messages.ListSessions{Offset: 2, Limit: 5},
		house: messages.ChatSessions{Sessions: []messages.ChatSession{session}, Total: 3}, data: `[` + sessionJSON + `]`,
	},
	{line: "GET /api/sessions", asks: messages.ListSessions{}, house: messages.ChatSessions{Sessions: []messages.ChatSession{}}, data: `[]`},
	{line: "POST /api/sessions {}", asks: messages.OpenSession{By: owner}, house: session, data: sessionJSON},
	{
		line: "GET /api/sessions/s?before=m&limit=9", route: "GET /api/sessions/{id}", asks: messages.GetSession{Session: "s", Before: "m", Limit: 9},
		house: messages.ChatDetail{ChatSession: session, Messages: []messages.ChatMessage{answer}},
		data:  strings.TrimSuffix(sessionJSON, "}") + `,"messages":[` + answerJSON + `],"more":false}`,
	},
	{line: "DELETE /api/sessions/s", route: "DELETE /api/sessions/{id}", asks: messages.DropSession{Session: "s"}, house: messages.Done{}, data: `{"deleted":true}`},
	{line: `PATCH /api/sessions/s/title {"title":"t"}`, route: "PATCH /api/sessions/{id}/title", asks: messages.NameSession{Session: "s", Title: "t"}, house: session, data: sessionJSON},
	{
		line: "GET /api/sessions/s/logs?limit=2", route: "GET /api/sessions/{id}/logs", asks: messages.GetSessionLog{Session: "s", Limit: 2},
		house: messages.SessionLog{Records: []messages.ChatRecord{{Message: "a", UserInput: "u", Output: "o", RAGContext: "r", Score: new(7.5), Feedback: "f", Workflow: json.RawMessage(`[]`), CreatedAt: noon}}},
		data:  `[{"message_id":"a","user_input":"u","output":"o","rag_context":"r","evaluation_score":7.5,"evaluation_feedback":"f","workflow":[],"created_at":"2026-02-13T12:00:00Z"}]`,
	},
}

// A parlour is a house in which one question is answered.
type parlour struct {
	*house
	said map[messages.AgentID][]string // what an agent has said, piece by piece
}

func newParlour() *parlour {
	p := &parlour{house: &house{events: make(chan messages.Event, 100), fault: errors.New("the house has fallen")}, said: map[messages.AgentID][]string{}}
	p.answer = func(m messages.Message) (messages.Message, error) {
		switch m := m.(type) {
		case messages.SendChat:
			return messages.ChatAccepted{Session: session, Message: question, Since: 5}, nil
		case messages.GetSession:
			return messages.ChatDetail{ChatSession: session, Messages: []messages.ChatMessage{question, answer}}, nil
		case messages.ReadStream:
			whole := strings.Join(p.said[m.Agent], "")
			if m.Offset >= int64(len(whole)) || m.Stream != "said" {
				return messages.StreamChunk{Next: m.Offset, Size: int64(len(whole))}, nil
			}
			piece := whole[m.Offset:min(int64(len(whole)), m.Offset+7)] // letters are torn
			return messages.StreamChunk{Data: []byte(piece), Next: m.Offset + int64(len(piece)), Size: int64(len(whole))}, nil
		}
		return nil, errors.New("nobody asks that")
	}
	return p
}

func (p *parlour) tells(kind messages.EventKind, id string, body any) {
	b, err := json.Marshal(body)
	if err != nil {
		panic(err)
	}
	p.events <- messages.Event{Kind: kind, ID: id, Data: b, Seq: int64(6 + len(p.events))}
}

func (p *parlour) tried(m messages.MessageID, agent messages.AgentID) {
	body, _ := json.Marshal(messages.ChatTried{Message: m, Agent: agent})
	p.tells("chat:entry", "s", messages.JobEntry{Kind: messages.EntryTried, Body: body})
}

func (p *parlour) answers(m messages.ChatMessage) {
	m.Sources = nil
	p.tells(messages.ChatMessageAdded, "s", messages.ChatNews{Session: "s", Message: &m})
}

// ask says something over HTTP, with a token of the owner.
func (p *parlour) ask(line string, headers ...string) *httptest.ResponseRecorder {
	r := request(line)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return do(api.New(catalogue(p.house), p, api.Options{Caller: func(*http.Request) messages.Caller { return owner }}), r)
}

func TestAQuestionIsAnswered(t *testing.T) {
	for line, want := range map[string]messages.SendChat{
		`POST /api/chat {"user_input":"why?"}`:                                   {Content: "why?"},
		`POST /api/chat {"user_input":"why?","session_id":null}`:                 {Content: "why?"},
		`POST /api/chat {"user_input":"why?","session_id":"  "}`:                 {Content: "why?"},
		`POST /api/chat {"user_input":"why?","session_id":" s "}`:                {Content: "why?", Session: "s"},
		`POST /api/chat?session_id=s {"user_input":"why?"}`:                      {Content: "why?", Session: "s"},
		`POST /api/chat?session_id=s {"user_input":"why?","session_id":"other"}`: {Content: "why?", Session: "other"},
		`POST /api/chat?session_id=s {"user_input":"why?","session_id":null}`:    {Content: "why?", Session: "s"},
		`POST /api/chat?session_id= {"user_input":"why?"}`:                       {Content: "why?"},
		`POST /api/chat?session_id=null {"user_input":"why?"}`:                   {Content: "why?"},
	} {
		p := newParlour()
		p.answers(messages.ChatMessage{ID: "b", ReplyTo: "another", Content: "not ours"})
		p.answers(answer)
		w := p.ask(line, "Idempotency-Key", "k")
		if w.Code != http.StatusOK || w.Body.String() != `{"ok":true,"data":{"session_id":"s","message":`+answerJSON+`},"error":null}` {
			t.Errorf("%s: %d %s", line, w.Code, w.Body)
		}
		want.Key, want.By = "k", owner
		if diff := cmp.Diff(messages.Message(want), p.questions()[0]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", line, diff)
		}
		if p.since != 5 {
			t.Errorf("it listens behind %d", p.since)
		}
	}
}

func TestAnAnswerThatIsThereIsNotWaitedFor(t *testing.T) {
	p := newParlour()
	p.answer = func(messages.Message) (messages.Message, error) {
		return messages.ChatAccepted{Session: session, Message: question, Answer: &answer}, nil
	}
	if w := p.ask(`POST /api/chat {"user_input":"why?"}`); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), answerJSON) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := p.ask(`POST /api/chat {"user_input":"why?"}`, "Accept", "text/event-stream"); events(w) != `accepted delta:that is|n| why done` {
		t.Errorf("%s", events(w))
	}
}

// events words a stream: the names, and the texts of the deltas.
func events(w *httptest.ResponseRecorder) string {
	var out []string
	for block := range strings.SplitSeq(strings.TrimSpace(w.Body.String()), "\n\n") {
		name, rest, _ := strings.Cut(strings.TrimPrefix(block, "event: "), "\n")
		var d struct{ Text string }
		if name == "delta" {
			_ = json.Unmarshal([]byte(strings.TrimPrefix(rest, "data: ")), &d) // else it is empty
			name += ":" + strings.ReplaceAll(d.Text, "\n", "|n|")
		}
		out = append(out, name)
	}
	return strings.Join(out, " ")
}

func TestAnAnswerIsHeardAsItComes(t *testing.T) {
	stream := []string{"Accept", "text/event-stream"}
	long := answer
	long.Content = "鍵はここ です"
	for name, c := range map[string]struct {
		happens func(p *parlour)
		want    string
	}{
		"in pieces": {func(p *parlour) {
			p.said["x"] = []string{" that", " is\n", " why\n"}
			p.tried("q", "x")
			p.tells(messages.AgentUpdated, "x", struct{}{})
			p.answers(answer)
		}, "accepted delta:that i delta:s|n| why done"},
		"at once": {func(p *parlour) { p.answers(answer) }, "accepted delta:that is|n| why done"},
		"what is another's is not ours": {func(p *parlour) {
			p.said["x"] = []string{"another"}
			p.tried("another", "x")
			p.answers(answer)
		}, "accepted delta:that is|n| why done"},
		"by the second": {func(p *parlour) {
			p.said["x"], p.said["y"] = []string{"wrong"}, []string{"that is"}
			p.tried("q", "x")
			p.tried("q", "y")
			p.answers(answer)
		}, "accepted delta:wrong reset delta:that is delta:|n| why done"},
		"in other words": {func(p *parlour) {
			p.said["x"] = []string{"wrong"}
			p.tried("q", "x")
			p.answers(answer)
		}, "accepted delta:wrong reset delta:that is|n| why done"},
		"it breaks": {func(p *parlour) { close(p.events) }, "accepted fault"},
		"deleted":   {func(p *parlour) { p.tells(messages.ChatDeleted, "s", messages.ChatNews{Session: "s"}) }, "accepted fault"},
		"cancelled": {func(p *parlour) { p.tells("chat:completed", "s", messages.Job{}) }, "accepted fault"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newParlour()
			c.happens(p)
			w := p.ask(`POST /api/chat {"user_input":"why?"}`, stream...)
			if got := events(w); got != c.want || w.Header().Get("Content-Type") != "text/event-stream" || w.Code != http.StatusOK {
				t.Errorf("%d %q\n%s, want\n%s", w.Code, w.Header().Get("Content-Type"), got, c.want)
			}
		})
	}
	t.Run("letters that are torn", func(t *testing.T) {
		p := newParlour()
		p.answer = swap(p.answer, messages.ChatDetail{Messages: []messages.ChatMessage{long}})
		p.said["x"] = []string{long.Content}
		p.tried("q", "x")
		p.answers(long)
		text := ""
		for piece, err := range api.Hear(t.Context(), p, messages.ChatAccepted{Session: session, Message: question, Since: 5}) {
			if err != nil {
				t.Fatal(err)
			}
			if strings.ContainsRune(piece.Text, '\uFFFD') {
				t.Errorf("a torn letter in %q", piece.Text)
			}
			text += piece.Text
		}
		if text != long.Content {
			t.Errorf("%q, want %q", text, long.Content)
		}
	})
}

// swap answers get_session otherwise.
func swap(answer func(messages.Message) (messages.Message, error), d messages.ChatDetail) func(messages.Message) (messages.Message, error) {
	return func(m messages.Message) (messages.Message, error) {
		if _, ok := m.(messages.GetSession); ok {
			return d, nil
		}
		return answer(m)
	}
}

// Whoever leaves is not waited for, and leaves nothing behind.
func TestWhoLeavesHearsNoMore(t *testing.T) {
	p := newParlour()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for piece, err := range api.Hear(ctx, p, messages.ChatAccepted{Session: session, Message: question}) {
		t.Errorf("it hears %+v, %v", piece, err)
	}
	r := request(`POST /api/chat {"user_input":"why?"}`).WithContext(ctx)
	r.Header.Set("Accept", "text/event-stream")
	w := do(api.New(catalogue(p.house), p, api.Options{Caller: func(*http.Request) messages.Caller { return owner }}), r)
	if got := events(w); got != "accepted" {
		t.Errorf("it hears %s", got)
	}
}

func TestWhatCannotBeSaid(t *testing.T) {
	for line, field := range map[string]string{
		`POST /api/chat {}`:                                                             "user_input",
		`POST /api/chat`:                                                                "user_input",
		`POST /api/chat {"user_input":null}`:                                            "user_input",
		`POST /api/chat {"user_input":7}`:                                               "user_input",
		`POST /api/chat {"user_input":"x","session_id":7}`:                              "session_id",
		`POST /api/chat {"user_input":"x","model":"m"}`:                                 "model",
		`POST /api/chat {"user_input":"x"} {}`:                                          "body",
		`POST /api/chat [1]`:                                                            "body",
		`POST /api/chat {"user_input`:                                                   "body",
		`POST /api/chat?color=red {"user_input":"x"}`:                                   "color",
		`POST /api/chat?session_id=a&session_id=b {"user_input":"x"}`:                   "session_id",
		`POST /api/chat {"user_input":"x","session_id":"` + long + `"}`:                 "session_id",
		`POST /api/sessions {"title":"x"}`:                                              "title",
		`PATCH /api/sessions/s/title {"name":"x"}`:                                      "name",
		`PATCH /api/sessions/s/title {"title":7}`:                                       "title",
		`GET /api/sessions?limit=501`:                                                   "limit",
		`GET /api/sessions?limit=x`:                                                     "limit",
		`GET /api/sessions/s?before=`:                                                   "before",
		`DELETE /api/sessions/s?force=true`:                                             "force",
		`GET /api/sessions/s/logs?limit=-1`:                                             "limit",
		`DELETE /api/sessions/s {"x":1}`:                                                "body",
		`GET /api/sessions {"x":1}`:                                                     "body",
		`PATCH /api/sessions/s {"title":"x"}`:                                           "method",
		`GET /api/chat`:                                                                 "method",
		`PUT /api/sessions/s/title {"title":"x"}`:                                       "method",
		`POST /api/sessions/s/logs {}`:                                                  "method",
		`POST /api/chat?session_id=` + strings.Repeat("x", 201) + ` {"user_input":"x"}`: "session_id",
	} {
		p := newParlour()
		w := p.ask(line)
		if e := refused(t, w); e.Code != messages.CodeInvalid || e.Field != field || e.Remedy == "" || w.Code < 400 || w.Code > 499 || len(p.questions()) > 0 {
			t.Errorf("%.80s: %d %+v after %v, want %s", line, w.Code, e, p.questions(), field)
		}
	}
	p := newParlour()
	r := request(`POST /api/chat {"user_input":"x"}`)
	r.Header.Set("Content-Type", "text/plain")
	if w := do(serve(p.house, owner), r); w.Code != http.StatusUnsupportedMediaType {
		t.Errorf("plain text: %d", w.Code)
	}
	if w := do(serve(p.house, actor), request(`POST /api/chat {"user_input":"x"}`)); w.Code != http.StatusForbidden || len(p.questions()) > 0 {
		t.Errorf("an agent: %d", w.Code)
	}
	p.answer = func(messages.Message) (messages.Message, error) {
		return nil, messages.Errorf(messages.CodeNotFound, "there is no session")
	}
	if w := do(serve(p.house, owner), request(`GET /api/sessions/x`)); w.Code != http.StatusNotFound || refused(t, w).Remedy != "GET /api/sessions lists what there is" {
		t.Errorf("an unknown session: %d %s", w.Code, w.Body)
	}
}

var long = strings.Repeat("x", 201)
