package sqlite

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"kurogo/messages"
	"kurogo/stores/storetest"
)

func openAudit(tb testing.TB, path string) *Store {
	tb.Helper()
	s, err := Open(tb.Context(), path, Options{})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := s.Close(); err != nil {
			tb.Error(err)
		}
	})
	return s
}

func TestAudit(t *testing.T) {
	storetest.Audit(t, func(tb testing.TB) storetest.Auditor {
		tb.Helper()
		return openAudit(tb, "")
	})
	t.Run("in a file", func(t *testing.T) {
		storetest.Audit(t, func(tb testing.TB) storetest.Auditor {
			tb.Helper()
			return openAudit(tb, filepath.Join(tb.TempDir(), "k.db"))
		})
	})
}

const loosen = `DROP TRIGGER audit_no_update; DROP TRIGGER audit_no_delete; `

// Whoever changes the trail in the file, and knows SQL, is found out; the last
// story tells what is not.
func TestPlantedChangesOfTheAuditTrail(t *testing.T) {
	for _, c := range []struct{ what, sql, found string }{
		{"a reason", `UPDATE audit SET reason = 'x' WHERE seq = 3`, "3: it was changed"},
		{"a status", `UPDATE audit SET status = 403 WHERE seq = 1`, "1: it was changed"},
		{"a moment", `UPDATE audit SET at = at + 1 WHERE seq = 6`, "6: it was changed"},
		{"a letter that moves to the next column", `UPDATE audit SET method = 'write_filed', path = substr(path, 2) WHERE seq = 2`, "2: it was changed"},
		{"a row in the middle", `DELETE FROM audit WHERE seq = 3`, "4: 1 rows before it are missing"},
		{"the first row", `DELETE FROM audit WHERE seq = 1`, "2: 1 rows before it are missing"},
		{"the tail", `DELETE FROM audit WHERE seq > 4`, "6: 2 rows are missing at the end"},
		{"everything", `DELETE FROM audit`, "6: 6 rows are missing at the end"},
		{"the tail, and a head without a hash", `DELETE FROM audit WHERE seq > 4; UPDATE audit_head SET seq = 4`, "4: the head does not belong"},
		{"the head", `DELETE FROM audit_head`, "the head does not belong"},
		{"two rows in another order", `UPDATE audit SET seq = 100 WHERE seq = 2; UPDATE audit SET seq = 2 WHERE seq = 3; UPDATE audit SET seq = 3 WHERE seq = 100`, "2: it does not follow"},
		{"a row more", `INSERT INTO audit SELECT 7, at, trace_id, task, actor, method, path, size, status, reason, hash_before, hash_after, hash, hash FROM audit WHERE seq = 6`, "7: it was changed"},
	} {
		t.Run(c.what, func(t *testing.T) {
			j := openAudit(t, "")
			for n := range 6 {
				if _, err := j.Commit(t.Context(), messages.Audit{Rows: []messages.AuditRow{storetest.AuditRow(n)}}); err != nil {
					t.Fatal(err)
				}
			}
			if touches := strings.HasPrefix(c.sql, "UPDATE audit SET") || strings.HasPrefix(c.sql, "DELETE FROM audit WHERE"); touches {
				if err := j.Exec(c.sql); err == nil || !strings.Contains(err.Error(), "append-only") {
					t.Errorf("the table lets it pass: %v", err)
				}
			}
			if err := j.Exec(loosen + c.sql); err != nil {
				t.Fatal(err)
			}
			v, err := j.VerifyAudit(t.Context(), messages.VerifyAudit{})
			if err != nil {
				t.Fatal(err)
			}
			var found []string
			for _, f := range v.Faults {
				found = append(found, fmt.Sprintf("%d: %s", f.Seq, f.What))
			}
			if !strings.Contains(strings.Join(found, "\n"), c.found) {
				t.Errorf("found %q, want %q", found, c.found)
			}
		})
	}
	t.Run("a tail that is cut with its head sealed again is found only by who noted it", func(t *testing.T) {
		j := openAudit(t, "")
		for n := range 6 {
			if _, err := j.Commit(t.Context(), messages.Audit{Rows: []messages.AuditRow{storetest.AuditRow(n)}}); err != nil {
				t.Fatal(err)
			}
		}
		noted, err := j.VerifyAudit(t.Context(), messages.VerifyAudit{})
		if err != nil {
			t.Fatal(err)
		}
		if err := j.Exec(loosen + `DELETE FROM audit WHERE seq > 4; UPDATE audit_head SET seq = 4, hash = (SELECT hash FROM audit WHERE seq = 4)`); err != nil {
			t.Fatal(err)
		}
		if v, err := j.VerifyAudit(t.Context(), messages.VerifyAudit{}); err != nil || len(v.Faults) > 0 {
			t.Errorf("it is found without a note: %+v, %v; then say so in README", v, err)
		}
		if v, err := j.VerifyAudit(t.Context(), messages.VerifyAudit{Seq: noted.Seq, Hash: noted.Hash}); err != nil || len(v.Faults) != 1 {
			t.Errorf("it is not found with a note: %+v, %v", v, err)
		}
	})
}
