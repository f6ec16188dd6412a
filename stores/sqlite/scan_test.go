package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"

	"kurogo/messages"
	"kurogo/stores/storetest"
)

// scans is a plan that reads a growing table from end to end: every turn would
// be slower than the one before.
var scans = regexp.MustCompile(`^SCAN (tasks|messages|deliveries|events|comm_log|spending|agents|orders|groups|me|[acdgmqt])( |$)`)

// rare are the statements that may: they run when the crew changes.
var rare = regexp.MustCompile(`FROM tasks WHERE owner = \?|no longer in the crew`)

// TestNoScan asks SQLite how it answers every statement that the schedules make
// the writer prepare.
func TestNoScan(t *testing.T) {
	var mu sync.Mutex
	seen := map[string]bool{}
	open := func(tb testing.TB, limits messages.Limits, bell *storetest.Bell) storetest.Journal {
		tb.Helper()
		n := 0
		s, err := Open(tb.Context(), "", Options{
			Limits: limits,
			NewID:  func() string { n++; return fmt.Sprintf("k%d", n) },
			Notify: func(n Notice) { bell.Ring(n.Wakes, n.Interrupts, n.Due) },
		})
		if err != nil {
			tb.Fatal(err)
		}
		tb.Cleanup(func() {
			s.between(func(w *writer) {
				w.commit()
				mu.Lock()
				defer mu.Unlock()
				for query := range w.stmts {
					if !seen[query] && !rare.MatchString(query) {
						seen[query] = true
						noScan(tb, s.conn, query)
					}
				}
			})
			if err := s.Close(); err != nil {
				tb.Error(err)
			}
		})
		return s
	}
	t.Run("schedules", func(t *testing.T) { storetest.Schedules(t, open, 0, 50) }) // its journals are closed at its end
	t.Run("exam", func(t *testing.T) { storetest.Exam(t, open) })
	if len(seen) < 30 {
		t.Errorf("only %d statements were looked at", len(seen))
	}
}

func noScan(tb testing.TB, conn *sql.Conn, query string) {
	tb.Helper()
	if !strings.Contains(query, "FROM") && !strings.HasPrefix(query, "UPDATE") {
		return
	}
	args := make([]any, 16)
	err := each(context.Background(), conn, "EXPLAIN QUERY PLAN "+query, args[:parameters(query)], func(r *sql.Rows) error {
		var id, parent, unused int
		var step string
		err := r.Scan(&id, &parent, &unused, &step)
		if scans.MatchString(step) && !strings.Contains(step, " INDEX ") {
			tb.Errorf("%s\n\t%s", step, query)
		}
		return err
	})
	if err != nil {
		tb.Errorf("%v: %s", err, query)
	}
}

var numbered = regexp.MustCompile(`\?(\d*)`)

// parameters counts the values that a statement wants: ?, ?, or ?1, ?2.
func parameters(query string) (n int) {
	for _, m := range numbered.FindAllStringSubmatch(query, -1) {
		number := n + 1
		if m[1] != "" {
			_, _ = fmt.Sscan(m[1], &number) // digits
		}
		n = max(n, number)
	}
	return n
}
