package sqlite

import (
	"encoding/json"

	"kurogo/messages"
)

// openJob writes a job, and the group in which its agents will live.
func (s *step) openJob(c messages.OpenJob) (out messages.Outcome, err error) {
	j := c.Job
	if c.Key != "" {
		var id messages.JobID
		ok, err := s.one(`SELECT id FROM jobs WHERE created_by = ? AND idem_key = ?`, []any{j.CreatedBy, c.Key}, &id)
		if err != nil {
			return out, err
		}
		if ok {
			if out.Job, _, err = s.job(id); err == nil && (out.Job.Kind != j.Kind || string(out.Job.Input) != string(j.Input)) {
				err = otherwise(string(id))
			}
			return out, err
		}
	}
	now := ms(c.Now)
	if err := s.exec(`INSERT INTO jobs(id, kind, title, session, state, input, created_by, idem_key, created_at) VALUES(?,?,?,?,?,?,?,?,?)`,
		j.ID, j.Kind, j.Title, j.Session, j.State, string(j.Input), j.CreatedBy, null(c.Key), now); err != nil {
		return out, err
	}
	if err := s.exec(`INSERT INTO groups(id, description, created_by, created_at, kind) VALUES(?,?,?,?,?)`, j.Group(), j.Title, j.CreatedBy, now, j.Kind); err != nil {
		return out, err
	}
	if out.Job, _, err = s.job(j.ID); err != nil {
		return out, err
	}
	s.wake(j.Address())
	return out, s.emit(now, j.Kind.Event(messages.JobCreated), string(j.ID), "", "", outline(out.Job))
}

// outline cuts what a job is one of many needs.
func outline(j messages.Job) messages.Job {
	j.Input, j.Output = nil, nil
	j.Title, j.Error = messages.Cut(j.Title, taskPreview), messages.Cut(j.Error, taskPreview)
	return j
}

// keepJob writes what has become true of a job that goes on.
func (s *step) keepJob(c messages.KeepJob) (out messages.Outcome, err error) {
	j, num, err := s.openJobRow(c.Job)
	if err != nil || num == 0 {
		return messages.Outcome{Stale: true}, err
	}
	return out, s.enter(j, num, c.States, c.Entries, ms(c.Now))
}

// openJobRow reads a job that has not ended; num is 0 when it has.
func (s *step) openJobRow(id messages.JobID) (j messages.Job, num int64, err error) {
	j, ok, err := s.job(id)
	if err == nil && !ok {
		err = noJob(id)
	}
	if err != nil || j.Status != messages.JobRunning {
		return j, 0, err
	}
	_, err = s.one(`SELECT num FROM jobs WHERE id = ?`, []any{id}, &num)
	return j, num, err
}

// enter tells the states that a job went through, then its new entries.
func (s *step) enter(j messages.Job, num int64, states []string, entries []messages.JobEntry, now int64) error {
	for _, state := range states {
		j.State = state
		if err := s.emit(now, j.Kind.Event(messages.JobUpdated), string(j.ID), "", "", outline(j)); err != nil {
			return err
		}
	}
	if len(states) > 0 {
		if err := s.exec(`UPDATE jobs SET state = ? WHERE num = ?`, j.State, num); err != nil {
			return err
		}
	}
	if len(entries) == 0 {
		return nil
	}
	var last int
	if _, err := s.one(`SELECT ifnull(max(seq), 0) FROM job_entries WHERE job_num = ?`, []any{num}, &last); err != nil {
		return err
	}
	for i, e := range entries {
		e.Job, e.Seq, e.At = j.ID, last+1+i, fromMS(now)
		if err := s.exec(`INSERT INTO job_entries(job_num, seq, at, kind, body) VALUES(?,?,?,?,?)`, num, e.Seq, now, e.Kind, string(e.Body)); err != nil {
			return err
		}
		if len(e.Body) > entryPreview {
			e.Body = nil
		}
		if err := s.emit(now, j.Kind.Event(messages.JobEntered), string(j.ID), "", "", e); err != nil {
			return err
		}
	}
	return nil
}

// entryPreview bounds what of an entry travels with its event.
const entryPreview = 16 << 10

// closeJob ends a job: its agents first, so that nobody works for it any more.
func (s *step) closeJob(c messages.CloseJob) (out messages.Outcome, err error) {
	j, num, err := s.openJobRow(c.Job)
	if err != nil || num == 0 {
		return messages.Outcome{Job: j, Stale: true}, err
	}
	now := ms(c.Now)
	if err := s.enter(j, num, c.States, c.Entries, now); err != nil {
		return out, err
	}
	left, err := s.strings(`SELECT task_id FROM agents WHERE group_id = ? AND status IN('queued','running') ORDER BY num`, j.Group())
	if err != nil {
		return out, err
	}
	for _, task := range left {
		if err := s.finish(messages.TaskID(task), verdict{status: messages.Cancelled, code: messages.CodeCancelled, text: "its job has ended", at: now}); err != nil {
			return out, err
		}
	}
	if err := s.withdraw(j, num, now); err != nil {
		return out, err
	}
	if err := s.exec(`UPDATE groups SET status = 'deleted', deleted_at = ? WHERE id = ?`, now, j.Group()); err != nil {
		return out, err
	}
	if err := s.exec(`UPDATE jobs SET status = ?, output = ?, code = ?, error = ?, ended_at = ? WHERE num = ?`,
		c.Status, string(c.Output), c.Code, c.Error, now, num); err != nil {
		return out, err
	}
	if out.Job, _, err = s.job(c.Job); err != nil {
		return out, err
	}
	s.wake(j.Address()) // whoever leads it leaves
	return out, s.emit(now, j.Kind.Event(messages.JobConcluded), string(j.ID), "", "", outline(out.Job))
}

func noJob(id messages.JobID) error {
	e := messages.Errorf(messages.CodeNotFound, "there is no job %q", id).Try("list what there is")
	e.Field = "job_id"
	return e
}

const jobColumns = `j.id, j.kind, j.title, j.session, j.status, j.state, j.input, j.output, j.code, j.error, j.created_by, j.created_at, j.ended_at,
	(SELECT ifnull(sum(s.micros), 0) FROM agents a JOIN spending s ON s.root_id = a.task_id WHERE a.group_id = j.id)`

func scanJob(scan func(...any) error) (j messages.Job, err error) {
	var input, output string
	var created, ended int64
	err = scan(&j.ID, &j.Kind, &j.Title, &j.Session, &j.Status, &j.State, &input, &output, &j.Code, &j.Error, &j.CreatedBy, &created, &ended, &j.Cost)
	j.CreatedAt, j.EndedAt = fromMS(created), fromMS(ended)
	if input != "" {
		j.Input = json.RawMessage(input)
	}
	if output != "" {
		j.Output = json.RawMessage(output)
	}
	return j, err
}

func (s *step) job(id messages.JobID) (j messages.Job, ok bool, err error) {
	err = s.each(`SELECT `+jobColumns+` FROM jobs j WHERE j.id = ?`, []any{id}, rowOf(&j, &ok))
	return j, ok, err
}
