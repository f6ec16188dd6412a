package sqlite

import (
	"context"
	"database/sql"

	"kurogo/messages"
)

// ledgerMost is how many root tasks are told of.
const ledgerMost = 500

// Ledger returns what the tasks of a tree have taken, or the newest root tasks
// with all below them. Errors: not_found.
func (s *Store) Ledger(ctx context.Context, task messages.TaskID) (out messages.Ledger, err error) {
	out.Rows = []messages.LedgerRow{}
	err = s.view(ctx, func(c querier) error {
		query, args := `WITH wanted(id, num) AS (SELECT id, num FROM tasks WHERE root_id = (SELECT root_id FROM tasks WHERE id = ?1))
			SELECT w.id, ifnull(max(d.attempts), 0),`+spent(`task_id`)+` FROM wanted w LEFT JOIN deliveries d ON d.task_id = w.id GROUP BY w.id ORDER BY w.num`, []any{task}
		if task == "" {
			query, args = `WITH wanted(id, num) AS (SELECT id, num FROM tasks WHERE parent_id IS NULL ORDER BY num DESC LIMIT ?1)
				SELECT w.id, ifnull(max(d.attempts), 0),`+spent(`root_id`)+` FROM wanted w JOIN tasks t ON t.root_id = w.id LEFT JOIN deliveries d ON d.task_id = t.id
				GROUP BY w.id ORDER BY w.num DESC`, []any{ledgerMost}
		}
		return each(ctx, c, query, args, func(r *sql.Rows) error {
			var row messages.LedgerRow
			err := r.Scan(&row.Task, &row.Attempts, &row.Turns, &row.Micros, &row.InputTokens, &row.OutputTokens)
			out.Rows = append(out.Rows, row)
			return err
		})
	})
	if err == nil && task != "" && len(out.Rows) == 0 {
		err = noTask(task)
	}
	return out, err
}

// spent are the sums of a task's bills, or of its tree's.
func spent(by string) string {
	sum := func(what string) string {
		return ` (SELECT ifnull(` + what + `, 0) FROM spending s WHERE s.` + by + ` = w.id)`
	}
	return sum(`count(*)`) + `,` + sum(`sum(micros)`) + `,` + sum(`sum(input_tokens)`) + `,` + sum(`sum(output_tokens)`)
}
