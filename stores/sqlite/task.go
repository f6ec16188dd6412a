package sqlite

import (
	"database/sql"

	"kurogo/messages"
)

// A task as the writer needs it. Depth and limits are checked by the caller.
type task struct {
	id, parent, root messages.TaskID
	requester, owner messages.Address
	request          messages.MessageID
	key              string
	depth            int
	status           messages.TaskStatus
	deadline         int64
}

// newTask mints the id: it is never taken from a model.
func (s *step) newTask(t task, now int64) (messages.TaskID, error) {
	t.id = messages.TaskID(s.newID())
	if t.root == "" {
		t.root = t.id
	}
	if t.status == "" {
		t.status = messages.Queued
	}
	s.dueAt(t.deadline)
	return t.id, s.exec(`INSERT INTO tasks(id, parent_id, root_id, depth, requester, owner, request_id, idem_key, status, deadline_at, created_at) VALUES(?,?,?,?,?,?,?,?,?,?,?)`,
		t.id, null(string(t.parent)), t.root, t.depth, t.requester, t.owner, t.request, null(t.key), t.status, t.deadline, now)
}

const taskColumns = `t.id, ifnull(t.parent_id, ''), t.root_id, t.depth, t.requester, t.owner, t.request_id, m.priority, t.status, m.content, t.result, t.code,
	(SELECT count(*) FROM tasks c WHERE c.parent_id = t.id AND c.consumed = 0), t.deadline_at, t.created_at, t.started_at, t.finished_at, m.correlation_id`

const taskTables = ` FROM tasks t JOIN messages m ON m.id = t.request_id `

func scanTask(scan func(...any) error) (t messages.Task, err error) {
	var deadline, created, started, finished int64
	err = scan(&t.ID, &t.Parent, &t.Root, &t.Depth, &t.Requester, &t.Owner, &t.Request, &t.Priority, &t.Status, &t.Content, &t.Result, &t.Code,
		&t.Open, &deadline, &created, &started, &finished, &t.Correlation)
	t.Deadline, t.CreatedAt, t.StartedAt, t.FinishedAt = fromMS(deadline), fromMS(created), fromMS(started), fromMS(finished)
	return t, err
}

// task reads one task; ok is false when there is none.
func (s *step) task(id messages.TaskID) (t messages.Task, ok bool, err error) {
	if id == "" {
		return t, false, nil
	}
	err = s.each(`SELECT `+taskColumns+taskTables+`WHERE t.id = ?`, []any{id}, func(r *sql.Rows) (err error) {
		t, err = scanTask(r.Scan)
		ok = err == nil
		return err
	})
	return t, ok, err
}

// told reads a task and announces it.
func (s *step) told(id messages.TaskID, now int64) error {
	t, ok, err := s.task(id)
	if err != nil || !ok {
		return err
	}
	return s.announce(t, now)
}

// announce emits where a task stands now.
func (s *step) announce(t messages.Task, now int64) error {
	return s.emit(now, messages.TaskUpdated, string(t.ID), t.ID, t.Root, brief(t))
}

// brief cuts the texts of a task that is one of many: together they must fit
// into an event, or into one answer.
func brief(t messages.Task) messages.Task {
	t.Content, t.Result = messages.Cut(t.Content, taskPreview), messages.Cut(t.Result, taskPreview)
	return t
}

// taskPreview is how much of each text a brief task carries.
const taskPreview = 2 << 10

// open counts the sub-tasks whose answer the parent has not consumed, whatever
// their own status.
func (s *step) open(id messages.TaskID) (n int, err error) {
	_, err = s.one(`SELECT count(*) FROM tasks WHERE parent_id = ? AND consumed = 0`, []any{id}, &n)
	return n, err
}

// setStatus moves a task on, unless it is over, and reads it.
func (s *step) setStatus(id messages.TaskID, status messages.TaskStatus, now int64) (messages.Task, error) {
	n, err := s.changed(`UPDATE tasks SET status = ?1, started_at = CASE WHEN started_at = 0 THEN ?2 ELSE started_at END
		WHERE id = ?3 AND status <> ?1 AND status NOT IN('completed','failed','cancelled','timed_out')`, status, now, id)
	if err != nil {
		return messages.Task{}, err
	}
	t, _, err := s.task(id)
	if err != nil || n == 0 {
		return t, err
	}
	return t, s.announce(t, now)
}
