package sqlite

import (
	"context"
	"database/sql"

	"kurogo/messages"
)

// An invariant is a query for the rows that break it.
type invariant struct{ name, breaks string }

const (
	final = `('completed','failed','cancelled','timed_out')`
	alive = `('queued','running','waiting')`
)

// invariants are what the protocol promises, whatever crashed. They hold between
// any two transactions.
var invariants = []invariant{
	{"no task ends twice", `SELECT task_id FROM events WHERE kind = 'task:status_update'
		AND json_extract(data, '$.status') IN ` + final + ` GROUP BY task_id HAVING count(*) > 1`},
	{"one answer for a request", `SELECT task_id FROM messages WHERE type IN('task_complete','task_failed') GROUP BY task_id HAVING count(*) > 1`},
	{"a task that ended was answered", `SELECT t.id FROM tasks t LEFT JOIN tasks p ON p.id = t.parent_id
		WHERE t.status IN ` + final + ` AND (p.id IS NULL OR p.status IN ` + alive + `)
		AND NOT EXISTS(SELECT 1 FROM messages m WHERE m.reply_to = t.request_id AND m.type IN('task_complete','task_failed'))`},
	{"no task outlives its parent", `SELECT t.id FROM tasks t JOIN tasks p ON p.id = t.parent_id WHERE t.status IN ` + alive + ` AND p.status IN ` + final},
	{"nothing is in flight under an old epoch", `SELECT d.seq FROM deliveries d JOIN personas p ON p.name = d.to_agent WHERE d.state = 'inflight' AND d.epoch <> p.epoch`},
	{"one turn for one persona", `SELECT to_agent FROM deliveries WHERE state = 'inflight' GROUP BY to_agent HAVING count(DISTINCT ifnull(task_id, seq)) > 1`},
	{"a waiting task waits for something", `SELECT t.id FROM tasks t WHERE t.status = 'waiting' AND NOT EXISTS(
		SELECT 1 FROM tasks c WHERE c.parent_id = t.id AND c.consumed = 0 AND (c.status IN ` + alive + ` OR EXISTS(
			SELECT 1 FROM deliveries d WHERE d.answers = c.id AND d.state IN('pending','inflight','parked'))))`},
	{"a queued or running task has a row", `SELECT t.id FROM tasks t WHERE t.status IN('queued','running') AND NOT EXISTS(
		SELECT 1 FROM deliveries d WHERE d.task_id = t.id AND d.state IN('pending','inflight','parked'))`},
	{"a held answer has a sibling to wait for", `SELECT d.seq FROM deliveries d WHERE d.state = 'pending' AND d.held = 1 AND d.kind = 'reply' AND NOT EXISTS(
		SELECT 1 FROM tasks c WHERE c.parent_id = d.task_id AND c.status IN ` + alive + `)`},
	{"nothing waits for a task that ended", `SELECT d.seq FROM deliveries d JOIN tasks t ON t.id = d.task_id WHERE d.state IN('pending','parked') AND t.status IN ` + final},
	{"who waits for reserved money waits for a turn", `SELECT d.seq FROM deliveries d WHERE d.state = 'parked' AND (d.parked = '' OR d.parked = 'reserved'
		AND NOT EXISTS(SELECT 1 FROM deliveries r WHERE r.state = 'inflight' AND r.reserved > 0))`},
	{"nothing is reserved but by a turn", `SELECT seq FROM deliveries WHERE reserved > 0 AND state <> 'inflight'`},
	{"nothing waits for the user", `SELECT seq FROM deliveries WHERE to_agent = 'user' AND state NOT IN('acked')`},
	{"an answer never expires", `SELECT seq FROM deliveries WHERE kind = 'reply' AND (due_at > 0 OR state = 'expired')`},
	{"every message has its delivery", `SELECT m.id FROM messages m LEFT JOIN deliveries d ON d.seq = m.seq WHERE d.seq IS NULL`},
	{"an agent is where its task is", `SELECT a.id FROM agents a JOIN tasks t ON t.id = a.task_id
		WHERE (a.status IN('queued','running')) <> (t.status IN ` + alive + `) OR a.status = 'running' AND t.status <> 'running'`},
	{"an agent that ended has no inbox", `SELECT a.id FROM agents a JOIN personas p ON p.name = 'agent:' || a.id WHERE a.status NOT IN('queued','running')`},
	{"an agent that runs has a turn", `SELECT a.id FROM agents a WHERE a.status = 'running' AND NOT EXISTS(SELECT 1 FROM deliveries d WHERE d.task_id = a.task_id AND d.state = 'inflight')`},
	{"a held agent waits for an earlier stage", `SELECT a.id FROM agents a JOIN orders o ON o.num = a.order_num JOIN deliveries d ON d.task_id = a.task_id
		WHERE d.state = 'pending' AND d.kind = 'request' AND (d.held = 1) <> (a.stage > o.stage)`},
	{"a sequence whose stage is over goes on", `SELECT o.num FROM orders o WHERE o.stage + 1 < o.stages
		AND NOT EXISTS(SELECT 1 FROM agents a WHERE a.order_num = o.num AND a.stage = o.stage AND a.status IN('queued','running'))`},
	{"the entries of a job are numbered without gaps", `SELECT j.id FROM jobs j JOIN job_entries e ON e.job_num = j.num GROUP BY j.num HAVING max(e.seq) <> count(*)`},
	{"a job that has ended has no open agent", `SELECT a.id FROM agents a JOIN jobs j ON j.id = a.group_id WHERE j.status <> 'running' AND a.status IN('queued','running')`},
	{"a deleted group has no open agent", `SELECT a.id FROM agents a JOIN groups g ON g.id = a.group_id WHERE g.status = 'deleted' AND a.status IN('queued','running')`},
	{"a pending row has somebody to read it", `SELECT d.seq FROM deliveries d LEFT JOIN personas p ON p.name = d.to_agent WHERE d.state = 'pending' AND p.name IS NULL`},
}

// Check looks for rows that break an invariant of the protocol, and for damage
// of the file.
func (s *Store) Check(ctx context.Context) (r messages.JournalReport, err error) {
	err = s.view(ctx, func(c querier) error {
		for _, inv := range invariants {
			r.Checked = append(r.Checked, inv.name)
			err := each(ctx, c, inv.breaks+` LIMIT 20`, nil, func(rows *sql.Rows) error {
				v := messages.Violation{Invariant: inv.name}
				err := rows.Scan(&v.Subject)
				r.Violations = append(r.Violations, v)
				return err
			})
			if err != nil {
				return err
			}
		}
		const sound = "the file is sound"
		r.Checked = append(r.Checked, sound)
		return each(ctx, c, `PRAGMA quick_check(20)`, nil, func(rows *sql.Rows) error {
			v := messages.Violation{Invariant: sound}
			err := rows.Scan(&v.Subject)
			if v.Subject != "ok" {
				r.Violations = append(r.Violations, v)
			}
			return err
		})
	})
	return r, err
}
