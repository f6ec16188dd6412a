package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"

	"kurogo/messages"
)

const sessionColumns = `c.id, c.title, c.created_at, c.updated_at, c.last_activity_at`

func scanSession(scan func(...any) error, more ...any) (c messages.ChatSession, err error) {
	var title sql.NullString
	var created, updated, active int64
	err = scan(append([]any{&c.ID, &title, &created, &updated, &active}, more...)...)
	if title.Valid {
		c.Title = &title.String
	}
	c.CreatedAt, c.UpdatedAt, c.LastActivity = fromMS(created), fromMS(updated), fromMS(active)
	return c, err
}

func (s *step) session(id messages.JobID) (c messages.ChatSession, num int64, ok bool, err error) {
	err = s.each(`SELECT `+sessionColumns+`, c.num FROM sessions c WHERE c.id = ?`, []any{id}, func(r *sql.Rows) (err error) {
		ok = true
		c, err = scanSession(r.Scan, &num)
		return err
	})
	return c, num, ok, err
}

const chatColumns = `m.id, c.id, m.role, m.content, m.status, m.fallback, m.sources, m.model, ifnull(m.reply_to, ''), m.created_at`

const chatTables = ` FROM chat_messages m JOIN sessions c ON c.num = m.session_num `

func scanChat(scan func(...any) error, more ...any) (m messages.ChatMessage, err error) {
	var sources string
	var created int64
	err = scan(append([]any{&m.ID, &m.Session, &m.Role, &m.Content, &m.Status, &m.Fallback, &sources, &m.Model, &m.ReplyTo, &created}, more...)...)
	m.CreatedAt = fromMS(created)
	if err == nil {
		err = unpack(sources, &m.Sources)
	}
	return m, err
}

func (s *step) chatMessage(id messages.MessageID) (m messages.ChatMessage, err error) {
	err = s.each(`SELECT `+chatColumns+chatTables+`WHERE m.id = ?`, []any{id}, func(r *sql.Rows) (err error) {
		m, err = scanChat(r.Scan)
		return err
	})
	return m, err
}

// Sessions returns sessions, the one with the newest activity first.
func (s *Store) Sessions(ctx context.Context, q messages.ListSessions) (out messages.ChatSessions, err error) {
	if err := s.scanOne(ctx, &out.Total, `SELECT count(*) FROM sessions`); err != nil {
		return out, err
	}
	out.Sessions = []messages.ChatSession{}
	err = s.view(ctx, func(c querier) error {
		return each(ctx, c, `SELECT `+sessionColumns+` FROM sessions c ORDER BY c.last_activity_at DESC, c.num DESC LIMIT ? OFFSET ?`,
			[]any{min(most(q.Limit, 100), 500), max(0, q.Offset)}, func(r *sql.Rows) error {
				session, err := scanSession(r.Scan)
				out.Sessions = append(out.Sessions, session)
				return err
			})
	})
	return out, err
}

// readSession finds a session. Errors: not_found.
func (s *Store) readSession(ctx context.Context, id messages.JobID, more string, into ...any) (out messages.ChatSession, err error) {
	found := false
	err = s.view(ctx, func(c querier) error {
		return each(ctx, c, `SELECT `+sessionColumns+more+` FROM sessions c WHERE c.id = ?`, []any{id}, func(r *sql.Rows) (err error) {
			found = true
			out, err = scanSession(r.Scan, into...)
			return err
		})
	})
	if err == nil && !found {
		err = noSession(id)
	}
	return out, err
}

// Session returns a session with the newest of what was said, or the newest before
// a message. Errors: not_found.
func (s *Store) Session(ctx context.Context, q messages.GetSession) (out messages.ChatDetail, err error) {
	var num int64
	if out.ChatSession, err = s.readSession(ctx, q.Session, `, c.num`, &num); err != nil {
		return out, err
	}
	before := int64(1) << 62
	if q.Before != "" {
		before = 0
		if err := s.scanOne(ctx, &before, `SELECT num FROM chat_messages WHERE id = ? AND session_num = ?`, q.Before, num); err != nil {
			return out, err
		}
		if before == 0 {
			return out, messages.Invalid("before", "there is no message %q in the session", q.Before).Try("give the id of one of its messages, or leave it out")
		}
	}
	out.Messages = []messages.ChatMessage{}
	limit, size := min(most(q.Limit, 500), 500), 0
	err = s.view(ctx, func(c querier) error {
		return each(ctx, c, `SELECT `+chatColumns+chatTables+`WHERE m.session_num = ? AND m.num < ? ORDER BY m.num DESC LIMIT ?`, []any{num, before, limit + 1}, func(r *sql.Rows) error {
			m, err := scanChat(r.Scan)
			size += len(m.Content)
			if out.More = out.More || len(out.Messages) == limit || size > pageBytes && len(out.Messages) > 0; !out.More {
				out.Messages = append(out.Messages, m)
			}
			return err
		})
	})
	slices.Reverse(out.Messages)
	return out, err
}

// ChatState returns what is to be done in a session. Errors: not_found.
func (s *Store) ChatState(ctx context.Context, id messages.JobID) (out messages.ChatState, err error) {
	var num int64
	if out.Session, err = s.readSession(ctx, id, `, c.num, c.summary, c.summarised`, &num, &out.Summary, &out.Summarised); err != nil {
		return out, err
	}
	err = s.view(ctx, func(c querier) error {
		return each(ctx, c, `SELECT `+chatColumns+`, m.plan`+chatTables+`WHERE m.session_num = ? AND m.status = 'pending' ORDER BY m.num LIMIT 1`, []any{num}, func(r *sql.Rows) error {
			var plan string
			m, err := scanChat(r.Scan, &plan)
			out.Pending = &m
			if err == nil && plan != "" {
				out.Plan = new(messages.ChatPlan)
				err = json.Unmarshal([]byte(plan), out.Plan)
			}
			return err
		})
	})
	if err != nil {
		return out, err
	}
	unlogged, err := s.turns(ctx, `WHERE q.session_num = ? AND a.status = 'stored' ORDER BY a.num LIMIT 1`, 1<<30, num)
	if err != nil {
		return out, err
	}
	if len(unlogged) > 0 {
		out.Unlogged = &unlogged[0]
	}
	err = s.scanOne(ctx, &out.Waiting, `SELECT 2 * count(*) FROM chat_messages WHERE session_num = ? AND num > ? AND role = 'user' AND status = 'answered'`, num, out.Summarised)
	return out, err
}

// turnChars is how much of a question, and of an answer, one who remembers gets.
const turnChars = 32 << 10

// ChatTurns returns the newest whole turns of a session behind one, in their
// order, their texts cut.
func (s *Store) ChatTurns(ctx context.Context, id messages.JobID, after int64, limit int) ([]messages.ChatTurn, error) {
	out, err := s.turns(ctx, `WHERE q.session_num = (SELECT num FROM sessions WHERE id = ?) AND q.num > ? AND q.status = 'answered' ORDER BY q.num DESC LIMIT ?`,
		turnChars, id, after, most(limit, 100))
	slices.Reverse(out)
	return out, err
}

// PastTurns returns the newest whole turns of all sessions, the newest first, with
// the beginnings of their texts.
func (s *Store) PastTurns(ctx context.Context, limit int) ([]messages.ChatTurn, error) {
	return s.turns(ctx, `WHERE q.status = 'answered' AND a.fallback = 0 ORDER BY q.num DESC LIMIT ?`, 2<<10, most(limit, 100))
}

func (s *Store) turns(ctx context.Context, where string, chars int, args ...any) (out []messages.ChatTurn, err error) {
	query := fmt.Sprintf(`SELECT q.num, c.id, q.id, substr(q.content, 1, %[1]d), q.created_at, a.id, substr(a.content, 1, %[1]d), a.created_at, a.fallback, a.sources, a.model, a.plan
		FROM chat_messages q JOIN chat_messages a ON a.reply_to = q.id JOIN sessions c ON c.num = q.session_num `, chars)
	err = s.view(ctx, func(c querier) error {
		return each(ctx, c, query+where, args, func(r *sql.Rows) error {
			var t messages.ChatTurn
			var asked, answered int64
			var sources, workflow string
			if err := r.Scan(&t.Number, &t.Question.Session, &t.Question.ID, &t.Question.Content, &asked, &t.Answer.ID, &t.Answer.Content, &answered,
				&t.Answer.Fallback, &sources, &t.Answer.Model, &workflow); err != nil {
				return err
			}
			t.Question.Role, t.Answer.Role = messages.ChatUser, messages.ChatAssistant
			t.Question.CreatedAt, t.Answer.CreatedAt = fromMS(asked), fromMS(answered)
			t.Answer.Session, t.Answer.ReplyTo = t.Question.Session, t.Question.ID
			out = append(out, t)
			turn := &out[len(out)-1]
			if err := unpack(sources, &turn.Answer.Sources); err != nil {
				return fmt.Errorf("read sources of %s: %w", t.Answer.ID, err)
			}
			if err := unpack(workflow, &turn.Workflow); err != nil {
				return fmt.Errorf("read workflow of %s: %w", t.Answer.ID, err)
			}
			return nil
		})
	})
	return out, err
}

// unpack reads a column of JSON that may be empty.
func unpack(text string, into any) error {
	if text == "" {
		return nil
	}
	return json.Unmarshal([]byte(text), into)
}

// SessionLog returns the newest rows of a session's log. Errors: not_found.
func (s *Store) SessionLog(ctx context.Context, q messages.GetSessionLog) (out messages.SessionLog, err error) {
	var num int64
	if _, err = s.readSession(ctx, q.Session, `, c.num`, &num); err != nil {
		return out, err
	}
	out.Records = []messages.ChatRecord{}
	size := 0
	err = s.view(ctx, func(c querier) error {
		return each(ctx, c, `SELECT message_id, user_input, output, rag_context, evaluation_score, evaluation_feedback, workflow, created_at
			FROM session_logs WHERE session_num = ? ORDER BY num DESC LIMIT ?`, []any{num, min(most(q.Limit, 50), 500)}, func(r *sql.Rows) error {
			var m messages.ChatRecord
			var score sql.NullFloat64
			var workflow string
			var at int64
			err := r.Scan(&m.Message, &m.UserInput, &m.Output, &m.RAGContext, &score, &m.Feedback, &workflow, &at)
			if score.Valid {
				m.Score = &score.Float64
			}
			m.Workflow, m.CreatedAt = json.RawMessage(workflow), fromMS(at)
			if size += len(m.UserInput) + len(m.Output) + len(m.RAGContext); size <= pageBytes || len(out.Records) == 0 {
				out.Records = append(out.Records, m)
			}
			return err
		})
	})
	return out, err
}
