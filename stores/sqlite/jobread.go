package sqlite

import (
	"context"
	"database/sql"

	"kurogo/messages"
)

// rowOf scans one job.
func rowOf(j *messages.Job, ok *bool) func(*sql.Rows) error {
	return func(r *sql.Rows) (err error) {
		*j, err = scanJob(r.Scan)
		*ok = err == nil
		return err
	}
}

// Job returns a job with its entries. Errors: not_found.
func (s *Store) Job(ctx context.Context, q messages.GetJob) (d messages.JobDetail, err error) {
	found := false
	err = s.view(ctx, func(c querier) error {
		if err := each(ctx, c, `SELECT `+jobColumns+` FROM jobs j WHERE j.id = ?`, []any{q.Job}, rowOf(&d.Job, &found)); err != nil || !found {
			return err
		}
		return approved(ctx, c, &d)
	})
	if err == nil && !found {
		err = noJob(q.Job)
	}
	if err != nil {
		return d, err
	}
	d.Entries, d.More, err = s.entries(ctx, q)
	return d, err
}

// approved adds what a job was allowed and refused.
func approved(ctx context.Context, c querier, d *messages.JobDetail) error {
	return each(ctx, c, `SELECT p.id, p.allowed FROM approvals p JOIN jobs j ON j.num = p.job_num WHERE j.id = ? AND p.allowed IS NOT NULL`, []any{d.ID}, func(r *sql.Rows) error {
		var id string
		var allowed bool
		err := r.Scan(&id, &allowed)
		if d.Approvals == nil {
			d.Approvals = map[string]bool{}
		}
		d.Approvals[id] = allowed
		return err
	})
}

func (s *Store) entries(ctx context.Context, q messages.GetJob) (out []messages.JobEntry, more bool, err error) {
	out = []messages.JobEntry{}
	limit, size := min(most(q.Limit, 1000), 1000), 0
	err = s.view(ctx, func(c querier) error {
		return each(ctx, c, `SELECT e.seq, e.at, e.kind, e.body FROM job_entries e JOIN jobs j ON j.num = e.job_num WHERE j.id = ? AND e.seq > ? ORDER BY e.seq LIMIT ?`,
			[]any{q.Job, q.After, limit + 1}, func(r *sql.Rows) error {
				e := messages.JobEntry{Job: q.Job}
				var at int64
				var body string
				err := r.Scan(&e.Seq, &at, &e.Kind, &body)
				e.At = fromMS(at)
				if body != "" {
					e.Body = []byte(body)
				}
				size += len(body)
				if more = more || len(out) == limit || size > pageBytes && len(out) > 0; !more {
					out = append(out, e)
				}
				return err
			})
	})
	return out, more, err
}

// Jobs returns jobs in brief, the newest first. Errors: not_found for Before.
func (s *Store) Jobs(ctx context.Context, q messages.ListJobs) (out messages.Jobs, err error) {
	before := int64(1) << 62
	if q.Before != "" {
		found := false
		err := s.view(ctx, func(c querier) error {
			return each(ctx, c, `SELECT num FROM jobs WHERE id = ?`, []any{q.Before}, func(r *sql.Rows) error {
				found = true
				return r.Scan(&before)
			})
		})
		if err == nil && !found {
			err = noJob(q.Before)
		}
		if err != nil {
			return out, err
		}
	}
	where := `WHERE (?1 = '' OR j.kind = ?1) AND (?2 = '' OR j.status = ?2) AND (?3 = '' OR j.session = ?3)`
	args := []any{q.Kind, q.Status, q.Session}
	if err := s.scanOne(ctx, &out.Total, `SELECT count(*) FROM jobs j `+where, args...); err != nil {
		return out, err
	}
	out.Jobs = []messages.Job{}
	err = s.view(ctx, func(c querier) error {
		return each(ctx, c, `SELECT `+jobColumns+` FROM jobs j `+where+` AND j.num < ?4 ORDER BY j.num DESC LIMIT ?5`, append(args, before, min(most(q.Limit, 50), 500)), func(r *sql.Rows) error {
			j, err := scanJob(r.Scan)
			out.Jobs = append(out.Jobs, outline(j))
			return err
		})
	})
	return out, err
}

// BusyJobs returns the jobs that have not ended, in the order of their opening; of
// chats those in which something is to be done.
func (s *Store) BusyJobs(ctx context.Context) (out []messages.Job, err error) {
	err = s.view(ctx, func(c querier) error {
		return each(ctx, c, `SELECT `+jobColumns+` FROM jobs j WHERE j.status = 'running' AND (j.kind <> 'chat' OR EXISTS(
			SELECT 1 FROM sessions c JOIN chat_messages m ON m.session_num = c.num WHERE c.id = j.id AND m.status IN('pending','stored'))) ORDER BY j.num`, nil, func(r *sql.Rows) error {
			j, err := scanJob(r.Scan)
			out = append(out, j)
			return err
		})
	})
	return out, err
}
