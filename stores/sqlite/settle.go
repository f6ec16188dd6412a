package sqlite

import (
	"database/sql"
	"slices"

	"kurogo/messages"
)

// A verdict is how a task ends.
type verdict struct {
	status   messages.TaskStatus
	code     messages.Code // of what went wrong
	text     string
	thinking string
	alone    bool // nothing is open below it
	lost     bool // an agent's owner fell while it ran
	at       int64
}

// finish gives a task its one final status, ends everything below it and sends
// the answer to its requester. Whoever comes second changes nothing and sends
// nothing.
func (s *step) finish(id messages.TaskID, v verdict) error {
	n, err := s.changed(`UPDATE tasks SET status = ?, code = ?, result = ?, finished_at = ? WHERE id = ? AND status NOT IN('completed','failed','cancelled','timed_out')`,
		v.status, v.code, v.text, v.at, id)
	if err != nil || n == 0 {
		return err
	}
	if err := s.silence(id, v.at); err != nil {
		return err
	}
	if !v.alone {
		if err := s.cancelBelow(id, v.at); err != nil {
			return err
		}
	}
	t, _, err := s.task(id)
	if err != nil {
		return err
	}
	if err := s.answer(t, v); err != nil {
		return err
	}
	if err := s.ends(t, v); err != nil {
		return err
	}
	return s.announce(t, v.at) // last: whoever watches the task has then heard it all
}

// answer sends what a task came to. Its parent cannot be over: a task that ends
// takes everything below it along.
func (s *step) answer(t messages.Task, v verdict) error {
	kind := messages.TaskComplete
	if v.status != messages.Completed {
		kind = messages.TaskFailed
	}
	m := messages.CCMessage{ID: messages.MessageID(s.newID()), From: t.Owner, To: t.Requester, Type: kind, Content: v.text, Thinking: v.thinking, ReplyTo: t.Request}
	m.Metadata.TaskID = t.ID
	m.Metadata.Priority, m.Metadata.CorrelationID = t.Priority, t.Correlation
	l := letter{CCMessage: m, kind: reply, bound: string(t.Parent), answers: string(t.ID), root: string(t.Root)}
	if t.Parent == "" {
		return s.post(l, v.at)
	}
	var err error
	if l.held, err = s.incomplete(t.Parent); err != nil {
		return err
	}
	if err := s.post(l, v.at); err != nil || l.held {
		return err
	}
	return s.exec(`UPDATE deliveries SET held = 0 WHERE task_id = ? AND held = 1`, t.Parent)
}

// incomplete reports whether an answer to parent must wait for its siblings.
func (s *step) incomplete(parent messages.TaskID) (bool, error) {
	var one int
	return s.one(`SELECT 1 FROM tasks t JOIN personas p ON p.name = t.requester
		WHERE t.parent_id = ? AND p.gather = 'all' AND t.status NOT IN('completed','failed','cancelled','timed_out') LIMIT 1`, []any{parent}, &one)
}

// silence turns the pending rows of a final task cancelled and interrupts the
// turns that are on.
func (s *step) silence(id messages.TaskID, now int64) error {
	var waiting []int64
	err := s.each(`SELECT seq, to_agent, state FROM deliveries WHERE task_id = ? AND state IN('pending','inflight','parked')`, []any{id}, func(r *sql.Rows) error {
		var seq int64
		var who messages.Address
		var state string
		err := r.Scan(&seq, &who, &state)
		if i := (messages.Interrupt{To: who, Task: id}); state != "inflight" {
			waiting = append(waiting, seq)
		} else if !slices.Contains(s.interrupts, i) {
			s.interrupts = append(s.interrupts, i)
		}
		return err
	})
	for _, seq := range waiting {
		if err == nil {
			err = s.exec(`UPDATE deliveries SET state = 'cancelled', ended_at = ? WHERE seq = ?`, now, seq)
		}
	}
	return err
}

// cancelBelow ends every descendant. Nobody answers: there is nobody to hear it.
// CROSS JOIN keeps SQLite from reading all tasks in order to spare itself the sort.
func (s *step) cancelBelow(id messages.TaskID, now int64) error {
	below, err := s.strings(`WITH RECURSIVE below(id) AS (
			SELECT id FROM tasks WHERE parent_id = ?1 UNION ALL SELECT t.id FROM tasks t JOIN below b ON t.parent_id = b.id)
		SELECT t.id FROM below b CROSS JOIN tasks t ON t.id = b.id WHERE t.status NOT IN('completed','failed','cancelled','timed_out') ORDER BY t.num`, id)
	if err != nil {
		return err
	}
	for _, b := range below {
		child := messages.TaskID(b)
		if err := s.exec(`UPDATE tasks SET status = 'cancelled', code = 'cancelled', consumed = 1, finished_at = ? WHERE id = ?`, now, child); err != nil {
			return err
		}
		if err := s.told(child, now); err != nil {
			return err
		}
		if err := s.silence(child, now); err != nil {
			return err
		}
	}
	return nil
}

// A parcel is a delivery that comes to its end without having been read.
type parcel struct {
	seq      int64
	kind     string
	task     messages.TaskID
	answers  messages.TaskID
	attempts int
	rests    int // of those attempts
	leased   int64
	due      int64
	root     string // of the message's tree or talk
	message  messages.CCMessage
}

const parcelColumns = `d.seq, d.kind, ifnull(d.task_id, ''), ifnull(d.answers, ''), d.attempts, d.rests, d.leased_at, d.due_at, m.root_id, ` + messageColumns

const parcelTables = ` FROM deliveries d JOIN messages m ON m.seq = d.seq `

func (s *step) parcels(where string, args ...any) (out []parcel, err error) {
	err = s.each(`SELECT `+parcelColumns+parcelTables+where, args, func(r *sql.Rows) error {
		var p parcel
		m, err := scanMessage(func(into ...any) error {
			return r.Scan(append([]any{&p.seq, &p.kind, &p.task, &p.answers, &p.attempts, &p.rests, &p.leased, &p.due, &p.root}, into...)...)
		})
		p.message = m
		out = append(out, p)
		return err
	})
	return out, err
}

// bury ends a row that nobody will read: dead after its last attempt, expired
// after its ttl. The task it is bound to fails, whatever kind of row it was, and
// the superior hears of it.
func (s *step) bury(p parcel, state string, v verdict) error {
	if err := s.exec(`UPDATE deliveries SET state = ?, ended_at = ?, error = ? WHERE seq = ?`, state, v.at, v.text, p.seq); err != nil {
		return err
	}
	kind := messages.MessageDead
	if state == "expired" {
		kind = messages.MessageExpired
	}
	if err := s.delivered(kind, p, v.at, v.text); err != nil {
		return err
	}
	s.log(v.at, p.message, 0, messages.LogErr, v.text)
	if p.kind == reply {
		if err := s.exec(`UPDATE tasks SET consumed = 1 WHERE id = ?`, p.answers); err != nil {
			return err
		}
	}
	t, ok, err := s.task(p.task)
	if err != nil {
		return err
	}
	if ok {
		if err := s.finish(t.ID, v); err != nil {
			return err
		}
	}
	return s.report(p, t, v)
}

// report tells the superior of the recipient, unless it hears as the requester.
func (s *step) report(p parcel, t messages.Task, v verdict) error {
	var superior messages.Address
	ok, err := s.one(`SELECT reports_to FROM personas WHERE name = ?`, []any{p.message.To}, &superior)
	if err != nil || !ok || superior == t.Requester {
		return err
	}
	return s.post(letter{CCMessage: messages.CCMessage{
		ID: messages.MessageID(s.newID()), From: messages.System, To: superior, Type: messages.Info, ReplyTo: p.message.ID,
		Content: "a " + string(p.message.Type) + " from " + string(p.message.From) + " to " + string(p.message.To) + " was given up: " + v.text,
	}, kind: note, root: p.root}, v.at)
}

func (s *step) delivered(kind messages.EventKind, p parcel, at int64, fault string) error {
	return s.emit(at, kind, string(p.message.ID), p.task, messages.TaskID(p.root),
		messages.Delivery{Message: p.message.ID, To: p.message.To, Attempt: p.attempts, Error: fault})
}
