package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"slices"

	"kurogo/messages"
)

type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// view runs a read beside the writer; in memory there is only one connection, so
// the read waits for its turn there.
func (s *Store) view(ctx context.Context, read func(querier) error) error {
	if s.readers != nil {
		return read(s.readers)
	}
	done := make(chan error, 1)
	if err := s.enqueue(ctx, op{run: func(w *writer) {
		w.commit()
		done <- read(s.conn)
	}}); err != nil {
		return err
	}
	return <-done
}

func each(ctx context.Context, c querier, query string, args []any, scan func(*sql.Rows) error) error {
	rows, err := c.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	return scanEach(rows, scan)
}

func scanEach(rows *sql.Rows, scan func(*sql.Rows) error) error {
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

const messageColumns = `m.id, m.from_agent, m.to_agent, m.type, m.content, m.thinking, m.priority, ifnull(m.task_id, ''), m.correlation_id, m.reply_to, m.ttl, m.sent_at`

func scanMessage(scan func(...any) error) (m messages.CCMessage, err error) {
	var at int64
	err = scan(&m.ID, &m.From, &m.To, &m.Type, &m.Content, &m.Thinking, &m.Metadata.Priority, &m.Metadata.TaskID, &m.Metadata.CorrelationID, &m.ReplyTo, &m.Metadata.TTL, &at)
	m.Timestamp = fromMS(at)
	m.Metadata.Timestamp = m.Timestamp
	return m, err
}

func (s *Store) tasks(ctx context.Context, where string, args ...any) (out []messages.Task, err error) {
	err = s.view(ctx, func(c querier) error {
		return each(ctx, c, `SELECT `+taskColumns+taskTables+where, args, func(r *sql.Rows) error {
			t, err := scanTask(r.Scan)
			out = append(out, t)
			return err
		})
	})
	return out, err
}

// Task returns a task, whole, with everything below it, in brief. Errors: not_found.
func (s *Store) Task(ctx context.Context, id messages.TaskID) (messages.TaskTree, error) {
	all, err := s.tasks(ctx, `WHERE t.root_id = (SELECT root_id FROM tasks WHERE id = ?) ORDER BY t.depth, t.num`, id)
	if err != nil {
		return messages.TaskTree{}, err
	}
	below := map[messages.TaskID]bool{id: true}
	var tree messages.TaskTree
	for _, t := range all {
		switch {
		case t.ID == id:
			tree.Task = t
		case below[t.Parent]:
			below[t.ID] = true
			tree.Below = append(tree.Below, brief(t))
		}
	}
	if tree.Task.ID == "" {
		return tree, noTask(id)
	}
	return tree, nil
}

// Tasks returns root tasks in brief, the newest first, at most 500.
func (s *Store) Tasks(ctx context.Context, q messages.ListTasks) ([]messages.Task, error) {
	whose := ""
	switch q.Of {
	case messages.CrewTasks:
		whose = ` AND t.owner NOT LIKE 'agent:%'`
	case messages.AgentTasks:
		whose = ` AND t.owner LIKE 'agent:%'`
	case "":
	default:
		return nil, messages.Invalid("of", "%q says nobody's tasks", q.Of).Try("use crew or agents, or leave it out")
	}
	list, err := s.tasks(ctx, `WHERE t.parent_id IS NULL AND (?1 = '' OR t.status = ?1)`+whose+` ORDER BY t.num DESC LIMIT ?2`, q.Status, min(most(q.Limit, 50), 500))
	for i, t := range list {
		list[i] = brief(t)
	}
	return list, err
}

// OpenTasks counts the tasks that are not final.
func (s *Store) OpenTasks(ctx context.Context) (n int, err error) {
	err = s.scanOne(ctx, &n, `SELECT count(*) FROM tasks WHERE status IN('queued','running','waiting')`)
	return n, err
}

// Inbox counts the rows that wait for a persona.
func (s *Store) Inbox(ctx context.Context, who messages.Address) (n int, err error) {
	err = s.scanOne(ctx, &n, `SELECT count(*) FROM deliveries WHERE to_agent = ? AND state = 'pending'`, who)
	return n, err
}

func (s *Store) scanOne(ctx context.Context, into any, query string, args ...any) error {
	return s.view(ctx, func(c querier) error {
		return each(ctx, c, query, args, func(r *sql.Rows) error { return r.Scan(into) })
	})
}

// pageBytes bounds the texts of one page of messages, so that it fits into one
// answer. A page holds at least one message.
const pageBytes = 2 << 20

var errPageFull = errors.New("the page is full")

// Messages returns messages in the order of acceptance, and the cursor behind
// the last of them: a page may be shorter than was asked, more follows there.
func (s *Store) Messages(ctx context.Context, q messages.ListMessages) (out messages.Conversation, err error) {
	out.Next = q.Since
	size := 0
	err = s.view(ctx, func(c querier) error {
		return each(ctx, c, `SELECT m.seq, `+messageColumns+` FROM messages m
			WHERE m.seq > ?1 AND (?2 = '' OR m.root_id = (SELECT root_id FROM tasks WHERE id = ?2))
				AND (?4 = '' OR m.root_id IN(SELECT task_id FROM agents WHERE group_id = ?4)) ORDER BY m.seq LIMIT ?3`,
			[]any{q.Since, q.Task, most(q.Limit, 200), q.Group}, func(r *sql.Rows) error {
				var seq int64
				m, err := scanMessage(func(into ...any) error { return r.Scan(append([]any{&seq}, into...)...) })
				if size += m.Size(); len(out.Messages) > 0 && size > pageBytes {
					return errPageFull
				}
				out.Next = seq
				out.Messages = append(out.Messages, m)
				return err
			})
	})
	if errors.Is(err, errPageFull) {
		err = nil
	}
	return out, err
}

// Message returns one message, whole. Errors: not_found.
func (s *Store) Message(ctx context.Context, id messages.MessageID) (m messages.CCMessage, err error) {
	err = s.view(ctx, func(c querier) error {
		return each(ctx, c, `SELECT `+messageColumns+` FROM messages m WHERE m.id = ?`, []any{id}, func(r *sql.Rows) (err error) {
			m, err = scanMessage(r.Scan)
			return err
		})
	})
	if err == nil && m.ID == "" {
		err = messages.Errorf(messages.CodeNotFound, "there is no message %s", id)
	}
	return m, err
}

// Log returns the newest rows at the level or louder, the oldest of them first.
func (s *Store) Log(ctx context.Context, q messages.ListLog) (out []messages.LogRow, err error) {
	var levels []any
	for _, l := range []messages.Level{messages.Debug, messages.LogInfo, messages.Warn, messages.LogErr} {
		if !l.AtLeast(q.Level) {
			l = messages.LogErr
		}
		levels = append(levels, l)
	}
	err = s.view(ctx, func(c querier) error {
		return each(ctx, c, `SELECT at, from_agent, to_agent, message_type, message_size, duration_ms, success, error, level FROM comm_log
			WHERE level IN(?,?,?,?) ORDER BY seq DESC LIMIT ?`, append(levels, most(q.Limit, 200)), func(r *sql.Rows) error {
			var l messages.LogRow
			var at int64
			err := r.Scan(&at, &l.From, &l.To, &l.Type, &l.Size, &l.DurationMS, &l.Success, &l.Error, &l.Level)
			l.Timestamp = fromMS(at)
			out = append(out, l)
			return err
		})
	})
	slices.Reverse(out)
	return out, err
}

// most is the asked-for page size, bounded.
func most(asked, usual int) int {
	if asked <= 0 {
		return usual
	}
	return min(asked, 10_000)
}
