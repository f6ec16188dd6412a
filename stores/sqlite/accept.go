package sqlite

import (
	"time"

	"kurogo/messages"
)

// inboxRetry is when a refused sender should try again.
const inboxRetry = 2 * time.Second

func (s *step) accept(c messages.Accept) (messages.Outcome, error) {
	if again, ok, err := s.accepted(c); ok || err != nil {
		return messages.Outcome{Accepted: again}, err
	}
	m, now := c.Message, ms(c.Now)
	if m.Type.Answers() || !m.Type.Turns() {
		return messages.Outcome{}, messages.Errorf(messages.CodeDenied, "a %s is only sent inside a turn", m.Type).Try("send a task_request or an info")
	}
	if m.To == messages.User {
		return messages.Outcome{}, messages.Errorf(messages.CodeDenied, "only an answer reaches the user").Try("name a persona")
	}
	if err := s.room(m.To); err != nil {
		return messages.Outcome{}, err
	}
	if m.Type != messages.TaskRequest {
		err := s.post(letter{CCMessage: m, kind: note}, now)
		return messages.Outcome{Accepted: messages.Accepted{Message: m.ID}}, err
	}
	if m.Metadata.Priority == "" {
		m.Metadata.Priority = messages.Normal
	}
	id, err := s.newTask(task{requester: m.From, owner: m.To, request: m.ID, key: c.Key, deadline: ms(c.Deadline)}, now)
	if err != nil {
		return messages.Outcome{}, err
	}
	m.Metadata.TaskID = id
	if err := s.post(letter{CCMessage: m, kind: request, bound: string(id), root: string(id)}, now); err != nil {
		return messages.Outcome{}, err
	}
	err = s.announce(messages.Task{
		ID: id, Root: id, Requester: m.From, Owner: m.To, Request: m.ID, Correlation: m.Metadata.CorrelationID, Priority: m.Metadata.Priority,
		Status: messages.Queued, Content: m.Content, Deadline: fromMS(ms(c.Deadline)), CreatedAt: fromMS(now),
	}, now)
	if err != nil {
		return messages.Outcome{}, err
	}
	return messages.Outcome{Accepted: messages.Accepted{Message: m.ID, Task: id, Status: messages.Queued}}, nil
}

// accepted looks for the same message, or the same key of the same sender.
func (s *step) accepted(c messages.Accept) (a messages.Accepted, ok bool, err error) {
	var content string
	find := func(where string, args ...any) (bool, error) {
		return s.one(`SELECT m.id, ifnull(m.task_id, ''), ifnull(t.status, ''), m.content FROM messages m LEFT JOIN tasks t ON t.id = m.task_id AND t.request_id = m.id WHERE `+where,
			args, &a.Message, &a.Task, &a.Status, &content)
	}
	if ok, err = find("m.id = ?", c.Message.ID); !ok && err == nil && c.Key != "" {
		ok, err = find("t.requester = ? AND t.idem_key = ?", c.Message.From, c.Key)
	}
	if ok && content != c.Message.Content {
		return a, true, messages.Errorf(messages.CodeConflict, "message %s was accepted before with another content", a.Message).Try("use a new id or idempotency_key")
	}
	a.Again = ok
	return a, ok, err
}
