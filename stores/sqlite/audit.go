package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"kurogo/messages"
)

var auditTable = table{`audit(seq, at, trace_id, task, actor, method, path, size, status, reason, hash_before, hash_after, prev, hash)`, 14}

// audit links its rows to the end of the chain.
func (s *step) audit(c messages.Audit) (out messages.Outcome, err error) {
	var head messages.AuditRow
	if ok, err := s.one(`SELECT seq, hash FROM audit_head WHERE id = 1`, nil, &head.Seq, &head.Hash); err != nil || !ok {
		return out, fmt.Errorf("read head of the audit trail (there: %v): %w", ok, err)
	}
	values := make([]any, 0, len(c.Rows)*auditTable.width)
	for _, r := range c.Rows {
		r.Seq, r.Prev = head.Seq+1, head.Hash
		r.Hash = r.Seal()
		head = r
		values = append(values, r.Seq, ms(r.At), r.Trace, r.Task, r.Actor, r.Method, r.Path, r.Size, r.Status, r.Reason, r.Before, r.After, r.Prev, r.Hash)
	}
	if _, err := s.w.insert(auditTable, values); err != nil {
		return out, fmt.Errorf("write audit trail: %w", err)
	}
	return out, s.exec(`UPDATE audit_head SET seq = ?, hash = ? WHERE id = 1`, head.Seq, head.Hash)
}

const auditColumns = `a.seq, a.at, a.trace_id, a.task, a.actor, a.method, a.path, a.size, a.status, a.reason, a.hash_before, a.hash_after, a.prev, a.hash`

func scanAudit(scan func(...any) error, more ...any) (r messages.AuditRow, err error) {
	var at int64
	err = scan(append([]any{&r.Seq, &at, &r.Trace, &r.Task, &r.Actor, &r.Method, &r.Path, &r.Size, &r.Status, &r.Reason, &r.Before, &r.After, &r.Prev, &r.Hash}, more...)...)
	r.At = fromMS(at)
	return r, err
}

// AuditTrail returns rows of the audit trail, oldest first, and the cursor behind
// the last of them.
func (s *Store) AuditTrail(ctx context.Context, q messages.ListAudit) (out messages.AuditTrail, err error) {
	out = messages.AuditTrail{Rows: []messages.AuditRow{}, Next: q.Since}
	query, args := `SELECT `+auditColumns+` FROM audit a WHERE a.seq > ?`, []any{q.Since}
	if q.Trace != "" {
		query, args = query+` AND a.trace_id = ?`, append(args, q.Trace)
	}
	if q.Task != "" {
		query, args = query+` AND a.task = ?`, append(args, q.Task)
	}
	err = s.view(ctx, func(c querier) error {
		return each(ctx, c, query+` ORDER BY a.seq LIMIT ?`, append(args, min(most(q.Limit, 200), 1000)), func(rows *sql.Rows) error {
			r, err := scanAudit(rows.Scan)
			out.Rows = append(out.Rows, r)
			out.Next = r.Seq
			return err
		})
	})
	return out, err
}

// mostFaults is how many are told: where one row is not as it was, the rest of a
// trail that was cut is not either.
const mostFaults = 20

// VerifyAudit reads the whole trail and looks for what is not as it was written.
// It finds a row that was changed, taken out or put in, and a tail that was cut
// off. It cannot find a trail that was written anew together with its head, unless
// q holds a head that was noted elsewhere.
func (s *Store) VerifyAudit(ctx context.Context, q messages.VerifyAudit) (v messages.AuditVerdict, err error) {
	fault := func(seq int64, format string, args ...any) {
		if len(v.Faults) < mostFaults {
			v.Faults = append(v.Faults, messages.AuditFault{Seq: seq, What: fmt.Sprintf(format, args...)})
		}
	}
	var last messages.AuditRow
	headed, noted := false, q.Seq == 0
	// One statement, so that rows and head are of one moment.
	err = s.view(ctx, func(c querier) error {
		return each(ctx, c, `SELECT `+auditColumns+`, h.seq, h.hash FROM audit a CROSS JOIN audit_head h ORDER BY a.seq`, nil, func(rows *sql.Rows) error {
			r, err := scanAudit(rows.Scan, &v.Seq, &v.Hash)
			if err != nil {
				return err
			}
			headed = true
			v.Rows++
			switch {
			case r.Seq != last.Seq+1:
				fault(r.Seq, "%d rows before it are missing", r.Seq-last.Seq-1)
			case r.Prev != last.Hash:
				fault(r.Seq, "it does not follow the row before it")
			}
			if r.Hash != r.Seal() {
				fault(r.Seq, "it was changed")
			}
			if r.Seq == q.Seq {
				noted = true
				if r.Hash != q.Hash {
					fault(r.Seq, "it is not the row that was noted")
				}
			}
			last = r
			return nil
		})
	})
	if err != nil {
		return v, err
	}
	if !headed {
		if v.Seq, v.Hash, err = s.auditHead(ctx); err != nil {
			return v, err
		}
	}
	switch {
	case last.Seq < v.Seq:
		fault(v.Seq, "%d rows are missing at the end", v.Seq-last.Seq)
	case last.Seq > v.Seq || last.Hash != v.Hash:
		fault(last.Seq, "the head does not belong to the last row")
	}
	if !noted {
		fault(q.Seq, "the row that was noted is missing")
	}
	return v, nil
}

// auditHead is for a trail without rows: there is nothing to join it with.
func (s *Store) auditHead(ctx context.Context) (seq int64, hash string, err error) {
	found := false
	err = s.view(ctx, func(c querier) error {
		return each(ctx, c, `SELECT seq, hash FROM audit_head WHERE id = 1`, nil, func(r *sql.Rows) error {
			found = true
			return r.Scan(&seq, &hash)
		})
	})
	if err == nil && !found {
		seq, hash = -1, "gone"
	}
	return seq, hash, err
}
