package api

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"kurogo/messages"
)

// A said is the body of POST /api/chat. What the query says counts where the body
// does not; null and blanks are nobody's id.
type said struct {
	Input   *string `json:"user_input"`
	Session *string `json:"session_id"`
}

// A chatTurn is what a turn of a chat is answered with: ChatTurnPayload.
type chatTurn struct {
	Session messages.JobID       `json:"session_id"`
	Message messages.ChatMessage `json:"message"`
}

// chat says something and waits for the answer. The answer comes even if nobody
// waits any more: the same request with the same Idempotency-Key finds it.
func (s *server) chat(w http.ResponseWriter, r *http.Request) error {
	if err := s.owner(r); err != nil {
		return err
	}
	m, err := s.said(r)
	if err != nil {
		return err
	}
	answer, err := s.port.Ask(r.Context(), m)
	if err != nil {
		return explain(err, r)
	}
	accepted, ok := answer.(messages.ChatAccepted)
	if !ok {
		return messages.Errorf(messages.CodeInternal, "send_chat was answered with %T", answer)
	}
	if strings.Contains(r.Header.Get("Accept"), "text/event-stream") {
		return s.tellChat(r.Context(), w, accepted)
	}
	for p, err := range Hear(r.Context(), s.port, accepted) {
		if err != nil {
			return explain(err, r)
		}
		if p.Answer != nil {
			return s.answer(w, chatTurn{accepted.Session.ID, *p.Answer})
		}
	}
	return messages.Errorf(messages.CodeCancelled, "nobody waits for the answer any more").Try("read the session: the answer is written there")
}

func (s *server) said(r *http.Request) (m messages.SendChat, err error) {
	q := queryOf(r)
	session := ""
	if q.values.Has("session_id") {
		if q.known = append(q.known, "session_id"); len(q.values["session_id"]) > 1 {
			q.blame(messages.Invalid("session_id", "it is said %d times", len(q.values["session_id"])).Try("say it once"))
		}
		session = q.values.Get("session_id")
	}
	if err := q.fault(); err != nil {
		return m, err
	}
	raw, err := bodyOf(r)
	if err != nil {
		return m, err
	}
	var body said
	if err := decode(raw, &body); err != nil {
		return m, err
	}
	if body.Session != nil && strings.TrimSpace(*body.Session) != "" {
		session = *body.Session
	}
	if session = strings.TrimSpace(session); session == "null" {
		session = ""
	}
	if len(session) > 200 {
		return m, messages.Invalid("session_id", "%d bytes are more than 200", len(session)).Try("give the id of a session, or leave it out for a new one")
	}
	if body.Input == nil {
		return m, messages.Invalid("user_input", "it is missing").Try("say something")
	}
	return messages.SendChat{Session: messages.JobID(session), Content: *body.Input, Key: r.Header.Get("Idempotency-Key"), By: s.o.Caller(r)}, nil
}

// tellChat tells the answer as server-sent events: accepted, then each piece as a
// delta to append (reset takes back what was told), then done with the whole.
func (s *server) tellChat(ctx context.Context, w http.ResponseWriter, accepted messages.ChatAccepted) error {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	t := teller{s: s, w: w}
	tell := func(event string, data any) {
		text, err := json.Marshal(data)
		if err != nil {
			s.o.Log.Error("encode chat", "event", event, "err", err)
			return
		}
		t.say("event: %s\ndata: %s\n\n", event, text)
	}
	tell("accepted", chatTurn{accepted.Session.ID, accepted.Message})
	for p, err := range s.withBeats(ctx, accepted, &t) {
		switch {
		case err != nil:
			e := messages.AsError(err)
			tell("fault", reason{e.Code, e.Message, e.Field, e.Remedy})
		case p.Reset:
			tell("reset", struct{}{})
		case p.Answer != nil:
			tell("done", chatTurn{accepted.Session.ID, *p.Answer})
		default:
			tell("delta", struct {
				Text string `json:"text"`
			}{p.Text})
		}
		if t.err != nil {
			return nil // the client has gone, or does not read
		}
	}
	return nil
}

func listSessions(_ *http.Request, q *query) messages.Message {
	return messages.ListSessions{Offset: int(q.number("offset", 1<<31)), Limit: int(q.number("limit", 500))}
}

func getSession(r *http.Request, q *query) messages.Message {
	return messages.GetSession{Session: sessionOf(r), Before: messages.MessageID(q.text("before")), Limit: int(q.number("limit", 500))}
}

func dropSession(r *http.Request, _ *query) messages.Message {
	return messages.DropSession{Session: sessionOf(r)}
}

func getSessionLog(r *http.Request, q *query) messages.Message {
	return messages.GetSessionLog{Session: sessionOf(r), Limit: int(q.number("limit", 500))}
}

func sessionOf(r *http.Request) messages.JobID { return messages.JobID(r.PathValue("id")) }

// A name is the body of PATCH /api/sessions/{id}/title.
type name struct {
	Title string `json:"title"`
}

func nameSession(n name, id string) (messages.Message, error) {
	return messages.NameSession{Session: messages.JobID(id), Title: n.Title}, nil
}

func (s *server) openSession(w http.ResponseWriter, r *http.Request) error {
	return order(s.spoken(), func(struct{}, string) (messages.Message, error) {
		return messages.OpenSession{Key: r.Header.Get("Idempotency-Key"), By: s.o.Caller(r)}, nil
	})(w, r)
}

// talk is a word of sessions: it is answered as the chat's document has it, the
// sessions as a bare list.
func (s *server) talk(of func(*http.Request, *query) messages.Message) handler {
	return s.spoken().word(of)
}

func (s *server) spoken() *server {
	plain := *s
	plain.face = func(m messages.Message) any {
		switch m := m.(type) {
		case messages.ChatSessions:
			return m.Sessions
		case messages.SessionLog:
			return m.Records
		case messages.Done:
			return struct {
				Deleted bool `json:"deleted"`
			}{true}
		}
		return m
	}
	return &plain
}
