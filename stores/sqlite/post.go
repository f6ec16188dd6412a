package sqlite

import (
	"fmt"

	"kurogo/messages"
)

// The kinds of a delivery: what its turn is bound to follows from them.
const (
	request = "request" // bound to its own task
	reply   = "reply"   // bound to the parent of the task it answers
	note    = "note"    // bound to nothing, or (task_response) to the parent
)

// preview is how much of a message an event carries; the rest is in messages.
const preview = 32 << 10

// A letter is a message on its way into an inbox.
type letter struct {
	messages.CCMessage
	kind    string
	bound   string // task of the turn that it starts
	answers string // sub-task that it answers
	root    string // whose tree or talk it belongs to; "" = it begins one
	born    string // state of the delivery: pending, acked
	held    bool
}

// post writes a message and its delivery. The caller has checked that it may.
func (s *step) post(l letter, now int64) error {
	m := l.CCMessage
	if m.Metadata.Priority == "" {
		m.Metadata.Priority = messages.Normal
	}
	if m.Timestamp.IsZero() {
		m.Timestamp = fromMS(now)
	}
	m.Metadata.Timestamp = m.Timestamp
	if l.root == "" {
		l.root = string(m.ID)
	}
	r, err := s.w.result(`INSERT INTO messages(id, from_agent, to_agent, type, content, thinking, priority, task_id, root_id, correlation_id, reply_to, ttl, sent_at) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?)`,
		m.ID, m.From, m.To, m.Type, m.Content, m.Thinking, m.Metadata.Priority, null(string(m.Metadata.TaskID)), l.root,
		m.Metadata.CorrelationID, m.ReplyTo, m.Metadata.TTL, now)
	if err != nil {
		return fmt.Errorf("write message %s: %w", m.ID, err)
	}
	seq, err := r.LastInsertId()
	if err != nil {
		return err
	}
	boost, due := m.Metadata.Priority.Boost().Milliseconds(), int64(0)
	if l.kind == reply {
		boost += messages.ReplyBoost.Milliseconds()
	} else if m.Metadata.TTL > 0 { // an answer never expires
		due = now + int64(m.Metadata.TTL)*1000
	}
	state, ended := "pending", int64(0)
	if m.To == messages.User || l.born == "acked" {
		state, ended, due = "acked", now, 0
	}
	if err := s.exec(`INSERT INTO deliveries(seq, to_agent, kind, state, held, rank, due_at, task_id, answers, ended_at) VALUES(?,?,?,?,?,?,?,?,?,?)`,
		seq, m.To, l.kind, state, l.held, now-boost, due, null(l.bound), null(l.answers), ended); err != nil {
		return fmt.Errorf("write delivery of %s: %w", m.ID, err)
	}
	if state == "pending" {
		s.dueAt(due)
		if !l.held {
			s.wake(m.To)
		}
	} else {
		s.log(now, m, 0, messages.LogInfo, "")
	}
	short := messages.Truncated{CCMessage: m}
	short.Content, short.Thinking = messages.Cut(m.Content, preview), messages.Cut(m.Thinking, preview)
	short.Truncated = len(m.Content) > preview || len(m.Thinking) > preview
	return s.emit(now, messages.MessageAccepted, string(m.ID), m.Metadata.TaskID, messages.TaskID(l.root), short)
}

// spent counts the messages that followed the one with which a tree or a talk
// began.
func (s *step) spent(root string) (n int, err error) {
	_, err = s.one(`SELECT count(*) - 1 FROM messages WHERE root_id = ?`, []any{root}, &n)
	return n, err
}

// room says why another request or info may not enter the inbox of to. Answers
// never ask: a full inbox must not keep a task from ending.
func (s *step) room(to messages.Address) error {
	if to == messages.User {
		return nil
	}
	var full bool
	known, err := s.one(`SELECT EXISTS(SELECT 1 FROM deliveries WHERE to_agent = ?1 AND state = 'pending' AND held = 0 LIMIT 1 OFFSET ?2) FROM personas WHERE name = ?1`,
		[]any{to, s.limits.InboxDepth - 1}, &full)
	switch {
	case err != nil:
		return err
	case !known:
		return stranger(to)
	case full:
		e := messages.Errorf(messages.CodeBusy, "the inbox of %s holds inbox_depth = %d messages", to, s.limits.InboxDepth).Try("try again later, or raise limits.inbox_depth")
		e.RetryAfter = inboxRetry
		return e
	}
	return nil
}
