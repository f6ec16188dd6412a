package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"kurogo/messages"
)

func (s *step) keepHealth(c messages.KeepHealth) (out messages.Outcome, err error) {
	b, err := json.Marshal(c.Check)
	if err != nil {
		return out, fmt.Errorf("encode health check: %w", err)
	}
	return out, s.exec(`INSERT INTO health(key, found) VALUES(?1, ?2) ON CONFLICT(key) DO UPDATE SET found = ?2`, c.Key, string(b))
}

// Health returns what the last check under this key found; the zero value if
// there was none.
func (s *Store) Health(ctx context.Context, key string) (h messages.HealthCheck, err error) {
	err = s.view(ctx, func(c querier) error {
		return each(ctx, c, `SELECT found FROM health WHERE key = ?`, []any{key}, func(r *sql.Rows) error {
			var found []byte
			if err := r.Scan(&found); err != nil {
				return err
			}
			return json.Unmarshal(found, &h)
		})
	})
	return h, err
}
