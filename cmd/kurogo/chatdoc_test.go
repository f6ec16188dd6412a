package main_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kurogo/drivers/modeltest"
	"kurogo/messages"
)

// A parlour is a project whose chat is answered by a scripted model, and talked to
// over HTTP.
type parlour struct {
	*theatre
	model          *modeltest.Server
	address, token string
}

const parlourConfig = `language = %q
driver = "rehearsal"
health_check = "off"
[server]
listen = "127.0.0.1:0"
mcp_websocket_listen = ""
[drivers.ollama]
kind = "hermes"
endpoint = %q
model = "scripted"
[roles.research]
driver = "ollama"
system_prompt = "You know the house."
[chat]
role = "research"
evaluator = "ollama"
`

// newParlour opens a parlour in a language; the model judges every answer alike,
// and knows what else its rules say.
func newParlour(t *testing.T, language string, rules ...modeltest.Rule) *parlour {
	t.Helper()
	p := &parlour{theatre: newTheatre(t), model: modeltest.New(t)}
	p.model.Add(rules...)
	p.model.Add(modeltest.Turn(judges, modeltest.Step{Text: `{"score": 9, "feedback": "to the point"}`}))
	if err := os.WriteFile(filepath.Join(p.project, "kurogo.toml"), fmt.Appendf(nil, parlourConfig, language, p.model.URL), 0o600); err != nil {
		t.Fatal(err)
	}
	return p
}

// judges matches who is to judge an answer, asked who is asked a question.
func judges(r modeltest.Request) bool { return len(r.Schema) > 0 }

func asked(question string) modeltest.Match {
	return func(r modeltest.Request) bool { return !judges(r) && strings.HasSuffix(r.Turn(), question) }
}

func says(question string, steps ...modeltest.Step) modeltest.Rule {
	return modeltest.Turn(asked(question), steps...)
}

// opens begins an owner, which is stopped at the end.
func (p *parlour) opens() *owner {
	p.Helper()
	o := p.serve()
	p.Cleanup(func() {
		o.kill()
		eventually(p.T, "every process is gone", func() bool { return len(traces(p.home)) == 0 })
	})
	p.address, p.token = "http://"+must[messages.Status](p.theatre, messages.GetStatus{}).HTTP, strings.TrimSpace(p.run("token"))
	return o
}

func (p *parlour) request(line string, headers ...string) *http.Request {
	p.Helper()
	method, rest, _ := strings.Cut(line, " ")
	path, body, _ := strings.Cut(rest, " ")
	r, err := http.NewRequestWithContext(p.Context(), method, p.address+path, nil)
	if body != "" {
		r, err = http.NewRequestWithContext(p.Context(), method, p.address+path, strings.NewReader(body))
	}
	if err != nil {
		p.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return r
}

// replies asks "METHOD /path body" and wants the data of a good envelope.
func replies[T any](p *parlour, line string, headers ...string) (data T) {
	p.Helper()
	raw, header, err := send(p.request(line, headers...), p.token)
	if err != nil {
		p.Fatalf("%s: %v", line, err)
	}
	var e struct {
		OK    bool
		Data  *T
		Error json.RawMessage
	}
	if err := json.Unmarshal(raw, &e); err != nil || !e.OK || e.Data == nil || string(e.Error) != "null" || header.Get("Status") != "200 OK" {
		p.Fatalf("%s: %s %s, %v", line, header.Get("Status"), raw, err)
	}
	return *e.Data
}

type turnPayload struct {
	Session messages.JobID       `json:"session_id"`
	Message messages.ChatMessage `json:"message"`
}

func body(input string, session messages.JobID) string {
	b, _ := json.Marshal(map[string]any{"user_input": input, "session_id": session})
	return string(b)
}

// The chat's document, from its first step to its last, over HTTP against the real
// program.
func TestTheChatDocumentStepByStep(t *testing.T) {
	t.Parallel()
	question := "鍵はどこにありますか?\n教えてください。"
	p := newParlour(t, "ja",
		says(question, modeltest.Step{Text: "状態ディレクトリの kurogo.lock です。"}),
		says("続きは?", modeltest.Step{Text: "以上です。"}),
		says("答えられる?", modeltest.Step{}),
		says("落ちる?", modeltest.Step{Status: 500, Message: "it has fallen"}),
	)
	p.opens()
	var session messages.ChatSession
	var payload turnPayload
	var detail messages.ChatDetail
	next := func(well bool) {
		if !well {
			t.FailNow() // the next steps go on from it
		}
	}
	same := func(t *testing.T, what string, got, want any) {
		t.Helper()
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	next(t.Run("01 a person opens /chat", func(t *testing.T) {
		page, header, err := send(p.request("GET /chat", "Accept", "text/html"), p.token)
		if err != nil || header.Get("Status") != "200 OK" || !strings.Contains(string(page), "<html") {
			t.Errorf("%s %.200s, %v", header.Get("Status"), page, err)
		}
	}))
	next(t.Run("02 GET /api/sessions", func(t *testing.T) {
		same(t, "sessions", len(replies[[]messages.ChatSession](p, "GET /api/sessions")), 0)
	}))
	next(t.Run("04 POST /api/sessions where there is none", func(t *testing.T) {
		session = replies[messages.ChatSession](p, "POST /api/sessions {}")
		same(t, "title", session.Title, (*string)(nil))
		same(t, "times", session.UpdatedAt.Equal(session.CreatedAt) && session.LastActivity.Equal(session.CreatedAt) && !session.CreatedAt.IsZero(), true)
	}))
	next(t.Run("03 the first of the list is where to go", func(t *testing.T) {
		list := replies[[]messages.ChatSession](p, "GET /api/sessions")
		same(t, "sessions", len(list), 1)
		same(t, "the first", list[0].ID, session.ID)
	}))
	next(t.Run("05-06 /chat/[id] reads its messages", func(t *testing.T) {
		detail = replies[messages.ChatDetail](p, "GET /api/sessions/"+string(session.ID))
		same(t, "messages", fmt.Sprint(detail.Messages), "[]")
	}))
	next(t.Run("07-08 POST /api/chat", func(*testing.T) {
		payload = replies[turnPayload](p, "POST /api/chat "+body(question, session.ID))
	}))
	next(t.Run("09-11 the session is the one that was named", func(t *testing.T) {
		same(t, "session", payload.Session, session.ID)
		again := replies[turnPayload](p, "POST /api/chat?session_id=%20"+string(session.ID)+"%20 "+`{"user_input":"続きは?","session_id":null}`)
		same(t, "by the query", again.Session, session.ID)
		fresh := replies[turnPayload](p, "POST /api/chat "+body("続きは?", "there-is-none"))
		same(t, "an unknown one is a new one", fresh.Session != session.ID && fresh.Session != "there-is-none" && fresh.Session != "", true)
		blank := replies[turnPayload](p, "POST /api/chat "+body("続きは?", "  "))
		same(t, "a blank is none", blank.Session != session.ID && blank.Session != fresh.Session, true)
	}))
	next(t.Run("12 the user's message is stored", func(t *testing.T) {
		detail = replies[messages.ChatDetail](p, "GET /api/sessions/"+string(session.ID))
		same(t, "what was said", detail.Messages[0].Role+": "+messages.ChatRole(detail.Messages[0].Content), "user: "+question)
		same(t, "activity", detail.LastActivity.After(session.LastActivity) && detail.UpdatedAt.Equal(detail.LastActivity), true)
	}))
	next(t.Run("13-15 the cycle answers", func(t *testing.T) {
		same(t, "the answer", payload.Message.Content, "状態ディレクトリの kurogo.lock です。")
		r, _ := p.model.Await(t.Context().Done(), asked("続きは?"))
		for _, want := range []string{"You know the house.", "path#L10-L20"} {
			same(t, want, strings.Contains(r.System, want), true)
		}
		same(t, "it remembers the talk", strings.Contains(r.Turn(), "人: 鍵はどこにありますか?\n教えてください。\nあなた: 状態ディレクトリの kurogo.lock です。"), true)
	}))
	next(t.Run("16 an empty answer, or none, falls back", func(t *testing.T) {
		for _, bad := range []string{"答えられる?", "落ちる?"} {
			fell := replies[turnPayload](p, "POST /api/chat "+body(bad, ""))
			same(t, bad, fell.Message.Fallback && strings.HasPrefix(fell.Message.Content, "すみません、「"+bad+"」"), true)
		}
	}))
	next(t.Run("17 the answer is stored, and the session named", func(t *testing.T) {
		same(t, "role", payload.Message.Role, "assistant")
		stored := detail.Messages[1]
		same(t, "the stored one", stored.ID == payload.Message.ID && stored.Content == payload.Message.Content && stored.ReplyTo == detail.Messages[0].ID, true)
		same(t, "title", *detail.Title, "鍵はどこにありますか?")
	}))
	next(t.Run("18 the turn is in session_logs", func(t *testing.T) {
		var log []messages.ChatRecord
		eventually(t, "it is logged", func() bool {
			log = replies[[]messages.ChatRecord](p, "GET /api/sessions/"+string(session.ID)+"/logs")
			return len(log) == 2
		})
		first := log[1]
		same(t, "the log", []any{first.UserInput, first.Output, *first.Score, first.Feedback}, []any{question, payload.Message.Content, 9, "to the point"})
		same(t, "its workflow", strings.Count(string(first.Workflow), `"step"`) >= 4 && strings.Contains(string(first.Workflow), `"generate"`), true)
	}))
	next(t.Run("19 the payload", func(t *testing.T) {
		raw, _, err := send(p.request("POST /api/chat "+body("続きは?", session.ID)), p.token)
		var e struct {
			OK   bool
			Data struct {
				Session *string        `json:"session_id"`
				Message map[string]any `json:"message"`
			}
		}
		if err != nil || json.Unmarshal(raw, &e) != nil || !e.OK || e.Data.Session == nil {
			t.Fatalf("%s, %v", raw, err)
		}
		for _, field := range []string{"id", "session_id", "role", "content", "created_at", "fallback"} {
			_, ok := e.Data.Message[field]
			same(t, field, ok, true)
		}
	}))
	next(t.Run("20 what was said is read again", func(t *testing.T) {
		detail = replies[messages.ChatDetail](p, "GET /api/sessions/"+string(payload.Session))
		list := replies[[]messages.ChatSession](p, "GET /api/sessions")
		same(t, "the newest activity comes first", list[0].ID, payload.Session)
		same(t, "sessions", len(list), 5)
	}))
	next(t.Run("21 PATCH /api/sessions/{id}/title", func(t *testing.T) {
		named := replies[messages.ChatSession](p, "PATCH /api/sessions/"+string(session.ID)+`/title {"title":"鍵の話"}`)
		same(t, "title", *named.Title, "鍵の話")
		replies[turnPayload](p, "POST /api/chat "+body("続きは?", session.ID))
		same(t, "it stays", *replies[messages.ChatDetail](p, "GET /api/sessions/"+string(session.ID)).Title, "鍵の話")
	}))
	next(t.Run("22 both are there", func(t *testing.T) {
		last := detail.Messages[len(detail.Messages)-2:]
		same(t, "the last two", []any{last[0].Role, last[0].Content, last[1].Role, last[1].Content}, []any{"user", "続きは?", "assistant", "以上です。"})
	}))
	next(t.Run("and a session can be deleted", func(t *testing.T) {
		replies[map[string]bool](p, "DELETE /api/sessions/"+string(session.ID))
		_, header, err := send(p.request("GET /api/sessions/"+string(session.ID)), p.token)
		same(t, "then", header.Get("Status"), "404 Not Found")
		if err != nil {
			t.Error(err)
		}
	}))
	p.run("doctor", "--journal")
}
