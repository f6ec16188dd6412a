package sqlite

import (
	"context"
	"database/sql"

	"kurogo/messages"
)

// Approvals returns what waits for a person's word, the oldest first.
func (s *Store) Approvals(ctx context.Context) (out []messages.Approval, err error) {
	err = s.view(ctx, func(c querier) error {
		return each(ctx, c, `SELECT 'task', '', '', t.id, m.content, (SELECT ifnull(sum(micros), 0) FROM spending WHERE root_id = t.id), t.granted + ?1, count(*), min(q.sent_at)
			FROM deliveries d JOIN messages q ON q.seq = d.seq JOIN tasks b ON b.id = d.task_id JOIN tasks t ON t.id = b.root_id JOIN messages m ON m.id = t.request_id
			WHERE d.state = 'parked' AND d.parked = 'task' GROUP BY t.id
			UNION ALL SELECT 'day', '', '', '', '', (SELECT ifnull(sum(micros), 0) FROM spending WHERE day = (SELECT max(day) FROM spending)),
				?2 + ifnull((SELECT micros FROM grants WHERE day = (SELECT max(day) FROM spending)), 0), count(*), min(q.sent_at)
			FROM deliveries d JOIN messages q ON q.seq = d.seq WHERE d.state = 'parked' AND d.parked = 'day' HAVING count(*) > 0
			UNION ALL SELECT p.kind, p.id, j.id, '', p.content, 0, 0, 1, p.asked_at FROM approvals p JOIN jobs j ON j.num = p.job_num WHERE p.allowed IS NULL AND j.status = 'running'
			ORDER BY 9`, []any{s.opt.Limits.TaskMicros, s.opt.Limits.DayMicros}, func(r *sql.Rows) error {
			var a messages.Approval
			var since int64
			err := r.Scan(&a.Kind, &a.ID, &a.Job, &a.Task, &a.Content, &a.Spent, &a.Limit, &a.Waiting, &since)
			a.Since = fromMS(since)
			a.Content = messages.Cut(a.Content, taskPreview)
			out = append(out, a)
			return err
		})
	})
	return out, err
}

// costKeys are what a bill can be read by. Agents of groups have a role and a
// group, personas are their own role and in none.
var costKeys = map[string]string{
	"persona": "s.persona", "task": "ifnull(s.root_id, '')", "model": "s.driver || ' ' || s.model", "driver": "s.driver", "day": "s.day",
	"role": "ifnull(a.role, s.persona)", "group": "ifnull(a.group_id, '')",
}

// Cost returns what was spent, the most expensive first. Errors: invalid.
func (s *Store) Cost(ctx context.Context, q messages.GetCost) (out messages.Cost, err error) {
	if q.By == "" {
		q.By = "day"
	}
	key, ok := costKeys[q.By]
	if !ok {
		return out, messages.Invalid("by", "%q is nothing a bill can be read by", q.By).Try("use persona, role, group, task, driver, model or day")
	}
	out.By = q.By
	err = s.view(ctx, func(c querier) error {
		return each(ctx, c, `SELECT `+key+` AS k, count(*), sum(micros), sum(input_tokens), sum(output_tokens), sum(cached_tokens)
			FROM spending s LEFT JOIN agents a ON a.id = substr(s.persona, length('agent:') + 1) GROUP BY k ORDER BY 3 DESC, k LIMIT 1000`, nil, func(r *sql.Rows) error {
			var row messages.CostRow
			err := r.Scan(&row.Key, &row.Turns, &row.Micros, &row.InputTokens, &row.OutputTokens, &row.CachedTokens)
			out.Rows = append(out.Rows, row)
			return err
		})
	})
	return out, err
}
