package sqlite

import (
	"database/sql"

	"kurogo/messages"
)

func (s *step) askApproval(c messages.AskApproval) (out messages.Outcome, err error) {
	j, num, err := s.openJobRow(c.Job)
	if err != nil || num == 0 {
		return messages.Outcome{Stale: true}, err
	}
	n, err := s.changed(`INSERT INTO approvals(id, job_num, kind, content, asked_at) VALUES(?,?,?,?,?) ON CONFLICT(id) DO NOTHING`, c.ID, num, c.Kind, c.Content, ms(c.Now))
	if err != nil || n == 0 {
		return out, err
	}
	return out, s.emit(ms(c.Now), messages.ApprovalAsked, c.ID, "", "", messages.Approval{ID: c.ID, Job: j.ID, Kind: c.Kind, Content: c.Content, Waiting: 1, Since: c.Now.UTC()})
}

// withdraw answers what a job has asked for and does not need any more: nobody is to
// be asked for nothing.
func (s *step) withdraw(j messages.Job, num, now int64) error {
	var open []messages.Approval
	err := s.each(`UPDATE approvals SET allowed = 0, answered_at = ? WHERE job_num = ? AND allowed IS NULL RETURNING id, kind, content`, []any{now, num}, func(r *sql.Rows) error {
		a := messages.Approval{Job: j.ID}
		err := r.Scan(&a.ID, &a.Kind, &a.Content)
		open = append(open, a)
		return err
	})
	for _, a := range open {
		if err == nil {
			err = s.emit(now, messages.ApprovalAnswered, a.ID, "", "", a)
		}
	}
	return err
}

func (s *step) giveApproval(c messages.GiveApproval) (out messages.Outcome, err error) {
	var job messages.JobID
	var kind messages.JobKind
	var before *bool
	var a messages.Approval
	ok, err := s.one(`SELECT j.id, j.kind, p.kind, p.content, p.allowed FROM approvals p JOIN jobs j ON j.num = p.job_num WHERE p.id = ?`, []any{c.ID},
		&job, &kind, &a.Kind, &a.Content, &before)
	switch {
	case err != nil:
		return out, err
	case !ok:
		e := messages.Errorf(messages.CodeNotFound, "nobody asked for the approval %q", c.ID).Try("see kurogo approvals")
		e.Field = "id"
		return out, e
	case before != nil && *before == c.Allow:
		return out, nil
	case before != nil:
		return out, messages.Errorf(messages.CodeConflict, "the approval %s was answered before, the other way", c.ID)
	}
	if err := s.exec(`UPDATE approvals SET allowed = ?, answered_at = ? WHERE id = ?`, c.Allow, ms(c.Now), c.ID); err != nil {
		return out, err
	}
	s.wake(messages.Job{ID: job, Kind: kind}.Address())
	a.ID, a.Job = c.ID, job
	return out, s.emit(ms(c.Now), messages.ApprovalAnswered, c.ID, "", "", a)
}
