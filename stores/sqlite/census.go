package sqlite

import (
	"context"
	"database/sql"
)

// Census counts the tasks and the agents by their states.
func (s *Store) Census(ctx context.Context) (tasks, agents map[string]int, err error) {
	tasks, agents = map[string]int{}, map[string]int{}
	count := func(into map[string]int) func(*sql.Rows) error {
		return func(r *sql.Rows) error {
			var state string
			var n int
			err := r.Scan(&state, &n)
			into[state] = n
			return err
		}
	}
	err = s.view(ctx, func(c querier) error {
		if err := each(ctx, c, `SELECT status, count(*) FROM tasks GROUP BY status`, nil, count(tasks)); err != nil {
			return err
		}
		return each(ctx, c, `SELECT `+shown+` AS state, count(*) FROM agents GROUP BY state`, nil, count(agents))
	})
	return tasks, agents, err
}
