package storetest

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"kurogo/messages"
)

// An Auditor is what the exam asks of the keeper of an audit trail.
type Auditor interface {
	Commit(ctx context.Context, c messages.Change) (messages.Outcome, error)
	AuditTrail(ctx context.Context, q messages.ListAudit) (messages.AuditTrail, error)
	VerifyAudit(ctx context.Context, q messages.VerifyAudit) (messages.AuditVerdict, error)
}

// AuditRow is a row for examples: the nth thing that was asked.
func AuditRow(n int) messages.AuditRow {
	return messages.AuditRow{
		At: time.UnixMilli(int64(1_000_000 + n)).UTC(), Trace: fmt.Sprintf("trace-%d", n%3), Task: fmt.Sprintf("t%d", n%2), Actor: messages.User,
		Method: "write_file", Path: fmt.Sprintf("d/%d.md", n), Size: int64(n), Status: 200, Reason: "", Before: "b", After: fmt.Sprintf("a%d", n),
	}
}

// Audit examines the audit trail of a journal.
func Audit(t *testing.T, open func(testing.TB) Auditor) {
	t.Helper()
	t.Run("what is written is read, in order", func(t *testing.T) {
		j := open(t)
		sound(t, j, 0)
		for n := 1; n <= 9; n += 3 { // 1, 3 and 5 of them at a time
			var c messages.Audit
			for i := range n {
				c.Rows = append(c.Rows, AuditRow(n+i))
			}
			c.Lazy = n == 4
			appendAudit(t, j, c)
		}
		all := auditTrail(t, j, messages.ListAudit{})
		if len(all.Rows) != 1+4+7 || all.Next != 12 {
			t.Fatalf("there are %d rows up to %d", len(all.Rows), all.Next)
		}
		for i, r := range all.Rows {
			want := r
			want.Seq, want.Prev = int64(i+1), ""
			if i > 0 {
				want.Prev = all.Rows[i-1].Hash
			}
			if want.Hash = want.Seal(); r != want {
				t.Errorf("row %d is %+v, want %+v", i, r, want)
			}
		}
		first := AuditRow(1)
		first.Seq, first.Hash = 1, all.Rows[0].Hash
		if all.Rows[0] != first {
			t.Errorf("the first row came back as %+v, was %+v", all.Rows[0], first)
		}
		sound(t, j, 12)
	})
	t.Run("a trace and a task are found, page by page", func(t *testing.T) {
		j := open(t)
		for n := range 12 {
			appendAudit(t, j, messages.Audit{Rows: []messages.AuditRow{AuditRow(n)}})
		}
		var got []string
		q := messages.ListAudit{Trace: "trace-1", Limit: 3}
		for {
			page := auditTrail(t, j, q)
			if len(page.Rows) == 0 {
				break
			}
			for _, r := range page.Rows {
				got = append(got, r.Path)
			}
			q.Since = page.Next
		}
		if fmt.Sprint(got) != "[d/1.md d/4.md d/7.md d/10.md]" {
			t.Errorf("the trace is %v", got)
		}
		if both := auditTrail(t, j, messages.ListAudit{Trace: "trace-1", Task: "t0"}); len(both.Rows) != 2 {
			t.Errorf("trace and task have %+v", both.Rows)
		}
	})
	t.Run("many at once make one chain", func(t *testing.T) {
		j := open(t)
		var all sync.WaitGroup
		for n := range 50 {
			all.Go(func() {
				if _, err := j.Commit(context.Background(), messages.Audit{Rows: []messages.AuditRow{AuditRow(n), AuditRow(n)}, Lazy: n%2 == 0}); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		sound(t, j, 100)
	})
	t.Run("a head that was noted is in it for ever", func(t *testing.T) {
		j := open(t)
		appendAudit(t, j, messages.Audit{Rows: []messages.AuditRow{AuditRow(1), AuditRow(2)}})
		head := sound(t, j, 2)
		appendAudit(t, j, messages.Audit{Rows: []messages.AuditRow{AuditRow(3)}})
		for q, faults := range map[messages.VerifyAudit]int{
			{Seq: head.Seq, Hash: head.Hash}: 0, {Seq: head.Seq, Hash: "other"}: 1, {Seq: 4, Hash: head.Hash}: 1,
		} {
			if v, err := j.VerifyAudit(t.Context(), q); err != nil || len(v.Faults) != faults {
				t.Errorf("%+v: %+v, %v; want %d faults", q, v, err, faults)
			}
		}
	})
}

func appendAudit(t *testing.T, j Auditor, c messages.Audit) {
	t.Helper()
	if _, err := j.Commit(t.Context(), c); err != nil {
		t.Fatal(err)
	}
}

func auditTrail(t *testing.T, j Auditor, q messages.ListAudit) messages.AuditTrail {
	t.Helper()
	out, err := j.AuditTrail(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func sound(t *testing.T, j Auditor, rows int64) messages.AuditVerdict {
	t.Helper()
	v, err := j.VerifyAudit(t.Context(), messages.VerifyAudit{})
	if err != nil || len(v.Faults) > 0 || v.Rows != rows || v.Seq != rows {
		t.Fatalf("the trail is %+v, %v; want %d sound rows", v, err, rows)
	}
	return v
}
