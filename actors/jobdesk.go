package actors

import (
	"context"
	"time"

	"kurogo/messages"
)

// A JobDesk answers what the edge asks of jobs of every kind.
type JobDesk struct {
	Journal Journal
	Ledger  Ledger
	Clock   Clock
}

// Ask answers one request; ok is false when it is nobody's here. Errors are
// *messages.Error.
func (d *JobDesk) Ask(ctx context.Context, m messages.Message) (answer messages.Message, ok bool, err error) {
	switch m := m.(type) {
	case messages.GetJob:
		answer, err = d.Ledger.Job(ctx, m)
	case messages.ListJobs:
		answer, err = d.list(ctx, m)
	case messages.CancelJob:
		answer, err = d.cancel(ctx, m)
	case messages.AnswerApproval:
		_, err = d.Journal.Commit(ctx, messages.GiveApproval{ID: m.ID, Allow: m.Allow, Now: d.Clock.Now()})
		answer = messages.Done{}
	default:
		return nil, false, nil
	}
	return answer, true, err
}

func (d *JobDesk) list(ctx context.Context, m messages.ListJobs) (messages.Message, error) {
	switch m.Kind {
	case "", messages.JobEvaluation, messages.JobRun, messages.JobChat:
	default:
		return nil, messages.Invalid("kind", "%q is no kind of job", m.Kind).Try("use eval, run or chat, or leave it out")
	}
	switch m.Status {
	case "", messages.JobRunning, messages.JobCompleted, messages.JobFailed, messages.JobCancelled:
	default:
		return nil, messages.Invalid("status", "%q is no status of a job", m.Status).Try("use running, completed, failed or cancelled, or leave it out")
	}
	return d.Ledger.Jobs(ctx, m)
}

// cancel ends a job, unless it has ended; either way it is told how it stands.
func (d *JobDesk) cancel(ctx context.Context, m messages.CancelJob) (messages.Message, error) {
	reason := "cancelled"
	if m.Reason != "" {
		reason += ": " + m.Reason
	}
	out, err := d.Journal.Commit(ctx, messages.CloseJob{
		Job: m.Job, Status: messages.JobCancelled, States: []string{"cancelled"}, Code: messages.CodeCancelled, Error: reason, Now: d.Clock.Now(),
	})
	return out.Job, err
}

// openJob writes a job down, and keeps the keys of whoever orders it for its agents.
func openJob(ctx context.Context, j Journal, k *Keys, job messages.Job, by messages.Caller, now time.Time) (messages.Job, error) {
	job.ID, job.CreatedBy = messages.JobID(messages.NewID()), by.Address()
	k.lend(job.Address(), by.Env) // before anybody leads it
	out, err := j.Commit(ctx, messages.OpenJob{Job: job, Now: now})
	if err != nil {
		k.forget(job.Address())
	}
	return out.Job, err
}
