package sqlite

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"kurogo/messages"
)

// openChat opens a session with its job, or finds the one that the key opened.
func (s *step) openChat(c messages.OpenChat) (out messages.Outcome, err error) {
	if c.Key != "" {
		var id messages.JobID
		ok, err := s.one(`SELECT id FROM sessions WHERE created_by = ? AND idem_key = ?`, []any{c.By, c.Key}, &id)
		if err != nil {
			return out, err
		}
		if ok {
			out.Chat.Session, _, _, err = s.session(id)
			return out, err
		}
	}
	if _, err := s.openJob(messages.OpenJob{Job: messages.Job{ID: c.Session, Kind: messages.JobChat, Title: "chat", State: "open", CreatedBy: c.By}, Now: c.Now}); err != nil {
		return out, err
	}
	now := ms(c.Now)
	if err := s.exec(`INSERT INTO sessions(id, created_by, idem_key, created_at, updated_at, last_activity_at) VALUES(?1,?2,?3,?4,?4,?4)`, c.Session, c.By, null(c.Key), now); err != nil {
		return out, err
	}
	if out.Chat.Session, _, _, err = s.session(c.Session); err != nil {
		return out, err
	}
	return out, s.tellSession(out.Chat.Session, now)
}

// sayChat writes what a person said, and wakes whoever leads the session.
func (s *step) sayChat(c messages.SayChat) (out messages.Outcome, err error) {
	if c.Key != "" {
		if out.Chat, err = s.said(c); err != nil {
			return out, err
		}
		if m := out.Chat.Message; m.ID != "" {
			if m.Status == messages.ChatPending { // it may be that nobody works at it any more
				err = s.reopen(m.Session)
			}
			return out, err
		}
	}
	now := ms(c.Now)
	session, num, ok, err := s.session(c.Session)
	switch {
	case err != nil:
		return out, err
	case !ok:
		if out, err = s.openChat(messages.OpenChat{Session: c.New, By: c.By, Now: c.Now}); err != nil {
			return out, err
		}
		if session, num, _, err = s.session(c.New); err != nil {
			return out, err
		}
	default:
		if err := s.patient(num, c.Most); err != nil {
			return out, err
		}
	}
	if err := s.exec(`INSERT INTO chat_messages(id, session_num, role, content, status, created_by, idem_key, created_at) VALUES(?,?,'user',?,'pending',?,?,?)`,
		c.Message, num, c.Content, c.By, null(c.Key), now); err != nil {
		return out, err
	}
	if out.Chat.Message, err = s.chatMessage(c.Message); err != nil {
		return out, err
	}
	if err := s.reopen(session.ID); err != nil {
		return out, err
	}
	out.Chat.Session, err = s.freshen(session.ID, out.Chat.Message, now)
	return out, err
}

// said finds what was said under the same key.
func (s *step) said(c messages.SayChat) (out messages.ChatAccepted, err error) {
	var id messages.MessageID
	ok, err := s.one(`SELECT id FROM chat_messages WHERE created_by = ? AND idem_key = ?`, []any{c.By, c.Key}, &id)
	if err != nil || !ok {
		return out, err
	}
	if out.Message, err = s.chatMessage(id); err != nil {
		return out, err
	}
	if out.Message.Content != c.Content {
		return out, otherwise(string(id))
	}
	if out.Session, _, _, err = s.session(out.Message.Session); err != nil {
		return out, err
	}
	var answer messages.MessageID
	if ok, err = s.one(`SELECT id FROM chat_messages WHERE reply_to = ?`, []any{id}, &answer); err != nil || !ok {
		return out, err
	}
	a, err := s.chatMessage(answer)
	out.Answer = &a
	return out, err
}

// patient refuses what would only wait with too much else.
func (s *step) patient(num int64, most int) error {
	var waiting int
	if _, err := s.one(`SELECT count(*) FROM chat_messages WHERE session_num = ? AND status = 'pending'`, []any{num}, &waiting); err != nil {
		return err
	}
	if most == 0 || waiting < most {
		return nil
	}
	e := messages.Errorf(messages.CodeBusy, "%d messages of the session wait for their answers", waiting).Try("wait for an answer, or open another session")
	e.RetryAfter = chatRetry
	return e
}

// reopen wakes whoever leads the session, and makes sure that somebody will: its
// job may have been ended.
func (s *step) reopen(id messages.JobID) error {
	s.wake(messages.Job{ID: id, Kind: messages.JobChat}.Address())
	n, err := s.changed(`UPDATE jobs SET status = 'running', code = '', error = '', ended_at = 0 WHERE id = ? AND status <> 'running'`, id)
	if err != nil || n == 0 {
		return err
	}
	return s.exec(`UPDATE groups SET status = 'active', deleted_at = 0 WHERE id = ?`, id)
}

const chatRetry = 5 * time.Second

// freshen tells that a message has come, which makes its session the newest.
func (s *step) freshen(id messages.JobID, m messages.ChatMessage, now int64) (session messages.ChatSession, err error) {
	if err := s.exec(`UPDATE sessions SET updated_at = ?1, last_activity_at = ?1 WHERE id = ?2`, now, id); err != nil {
		return session, err
	}
	short := m
	short.Content = messages.Cut(m.Content, preview)
	short.Sources = make([]messages.ChatSource, len(m.Sources))
	for i, source := range m.Sources {
		source.Text = ""
		short.Sources[i] = source
	}
	if err := s.emit(now, messages.ChatMessageAdded, string(id), "", "", messages.ChatNews{Session: id, Message: &short}); err != nil {
		return session, err
	}
	if session, _, _, err = s.session(id); err != nil {
		return session, err
	}
	return session, s.tellSession(session, now)
}

func (s *step) tellSession(session messages.ChatSession, now int64) error {
	return s.emit(now, messages.ChatUpdated, string(session.ID), "", "", messages.ChatNews{Session: session.ID, Chat: &session})
}

func (s *step) planChat(c messages.PlanChat) (out messages.Outcome, err error) {
	b, err := json.Marshal(c.Plan)
	if err != nil {
		return out, fmt.Errorf("encode plan: %w", err)
	}
	n, err := s.changed(`UPDATE chat_messages SET plan = ? WHERE id = ? AND status = 'pending'`, string(b), c.Message)
	return messages.Outcome{Stale: n == 0}, err
}

// answerChat writes an answer, unless there is one.
func (s *step) answerChat(c messages.AnswerChat) (out messages.Outcome, err error) {
	a := c.Answer
	n, err := s.changed(`UPDATE chat_messages SET status = 'answered', plan = '' WHERE id = ? AND status = 'pending'`, a.ReplyTo)
	if err != nil || n == 0 {
		return messages.Outcome{Stale: true}, err
	}
	var sources []byte
	if len(a.Sources) > 0 {
		if sources, err = json.Marshal(a.Sources); err != nil {
			return out, fmt.Errorf("encode sources: %w", err)
		}
	}
	workflow, err := json.Marshal(c.Workflow)
	if err != nil {
		return out, fmt.Errorf("encode workflow: %w", err)
	}
	now := ms(c.Now)
	if err := s.exec(`INSERT INTO chat_messages(id, session_num, role, content, status, fallback, sources, model, reply_to, plan, created_at)
		SELECT ?1, session_num, 'assistant', ?2, 'stored', ?3, ?4, ?5, id, ?6, ?7 FROM chat_messages WHERE id = ?8`,
		a.ID, a.Content, a.Fallback, string(sources), a.Model, string(workflow), now, a.ReplyTo); err != nil {
		return out, err
	}
	if out.Chat.Message, err = s.chatMessage(a.ID); err != nil {
		return out, err
	}
	id := out.Chat.Message.Session
	if c.Title != "" {
		if err := s.exec(`UPDATE sessions SET title = ? WHERE id = ? AND title IS NULL`, c.Title, id); err != nil {
			return out, err
		}
	}
	out.Chat.Session, err = s.freshen(id, out.Chat.Message, now)
	return out, err
}

// recordChat writes a turn into the log, once.
func (s *step) recordChat(c messages.RecordChat) (out messages.Outcome, err error) {
	r := c.Record
	n, err := s.changed(`UPDATE chat_messages SET status = 'logged', plan = '' WHERE id = ? AND status = 'stored'`, r.Message)
	if err != nil || n == 0 {
		return messages.Outcome{Stale: true}, err
	}
	score := sql.NullFloat64{}
	if r.Score != nil {
		score = sql.NullFloat64{Float64: *r.Score, Valid: true}
	}
	return out, s.exec(`INSERT INTO session_logs(session_num, message_id, user_input, output, rag_context, evaluation_score, evaluation_feedback, workflow, created_at)
		SELECT session_num, id, ?1, ?2, ?3, ?4, ?5, ?6, ?7 FROM chat_messages WHERE id = ?8`,
		r.UserInput, r.Output, r.RAGContext, score, r.Feedback, string(r.Workflow), ms(c.Now), r.Message)
}

func (s *step) summariseChat(c messages.SummariseChat) (out messages.Outcome, err error) {
	n, err := s.changed(`UPDATE sessions SET summary = ?1, summarised = ?2 WHERE id = ?3 AND summarised < ?2`, c.Summary, c.Upto, c.Session)
	return messages.Outcome{Stale: n == 0}, err
}

func (s *step) nameChat(c messages.NameChat) (out messages.Outcome, err error) {
	now := ms(c.Now)
	n, err := s.changed(`UPDATE sessions SET title = ?, updated_at = ? WHERE id = ?`, c.Title, now, c.Session)
	if err == nil && n == 0 {
		err = noSession(c.Session)
	}
	if err != nil {
		return out, err
	}
	if out.Chat.Session, _, _, err = s.session(c.Session); err != nil {
		return out, err
	}
	return out, s.tellSession(out.Chat.Session, now)
}

// dropChat deletes what was said. The job stays in the journal, ended, with what
// its agents cost.
func (s *step) dropChat(c messages.DropChat) (out messages.Outcome, err error) {
	_, num, ok, err := s.session(c.Session)
	if err == nil && !ok {
		err = noSession(c.Session)
	}
	if err != nil {
		return out, err
	}
	if _, err := s.closeJob(messages.CloseJob{Job: c.Session, Status: messages.JobCancelled, Code: messages.CodeCancelled, Error: "the session was deleted", Now: c.Now}); err != nil {
		return out, err
	}
	for _, table := range []string{"session_logs", "chat_messages"} {
		if err := s.exec(`DELETE FROM `+table+` WHERE session_num = ?`, num); err != nil {
			return out, err
		}
	}
	if err := s.exec(`DELETE FROM sessions WHERE num = ?`, num); err != nil {
		return out, err
	}
	return out, s.emit(ms(c.Now), messages.ChatDeleted, string(c.Session), "", "", messages.ChatNews{Session: c.Session})
}

func noSession(id messages.JobID) error {
	e := messages.Errorf(messages.CodeNotFound, "there is no session %q", id).Try("list the sessions, or open one")
	e.Field = "session_id"
	return e
}
