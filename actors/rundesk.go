package actors

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"kurogo/messages"
)

// A RunDesk accepts tasks to be planned, executed and verified. Everything is
// decided before the job is opened.
type RunDesk struct {
	Journal Journal
	Ledger  Ledger
	Clock   Clock
	Limits  messages.Limits
	Keys    *Keys // of callers, for the agents of their runs; nil: nobody lends any
	Terms   RunTerms

	// Place says which directory is meant. Errors: invalid, denied.
	Place func(dir string) (string, error)
	// Undo puts the files back. Errors: conflict for files that changed since.
	Undo func(ctx context.Context, root string, job messages.JobID, force bool) (messages.FilesChanged, error)
	// Stats reads the figures.
	Stats func(ctx context.Context, q messages.GetStats) (messages.Stats, error)
}

// RunTerms are what the configuration says of runs.
type RunTerms struct {
	Root     string // where nobody names one
	Planner  string // roles
	Executor string
	Approve  messages.Consent
}

// Ask answers one request; ok is false when it is nobody's here. Errors are
// *messages.Error.
func (d *RunDesk) Ask(ctx context.Context, m messages.Message) (answer messages.Message, ok bool, err error) {
	switch m := m.(type) {
	case messages.StartRun:
		answer, err = d.start(ctx, m)
	case messages.UndoRun:
		answer, err = d.undo(ctx, m)
	case messages.GetStats:
		answer, err = d.Stats(ctx, m)
	default:
		return nil, false, nil
	}
	return answer, true, err
}

func (d *RunDesk) start(ctx context.Context, m messages.StartRun) (messages.Message, error) {
	if err := ownerOnly(m.By, "start a run"); err != nil {
		return nil, err
	}
	if err := checkText("task", m.Task, d.Limits.MessageBytes); err != nil {
		return nil, err
	}
	root, err := d.Place(cmp.Or(m.Root, d.Terms.Root))
	if err != nil {
		e := messages.AsError(err)
		e.Field = "root"
		return nil, e
	}
	in := messages.RunInput{
		Task: m.Task, Root: root, DryRun: m.DryRun, Replan: m.Replan, Plan: m.Plan, Approve: cmp.Or(m.Approve, d.Terms.Approve),
		Planner: d.Terms.Planner, Executor: d.Terms.Executor,
	}
	if in.Approve != messages.ConsentAsk && in.Approve != messages.ConsentAuto {
		return nil, messages.Invalid("approve", "%q is neither ask nor auto", in.Approve).Try("use ask, auto, or leave it out")
	}
	if in.Plan != nil {
		if in.Replan {
			return nil, messages.Invalid("replan", "a plan is given, too").Try("leave one of the two out")
		}
		if err := in.Plan.Check(); err != nil {
			e := messages.AsError(err)
			e.Field = "plan." + e.Field
			return nil, e
		}
	}
	return openJob(ctx, d.Journal, d.Keys, messages.Job{
		Kind: messages.JobRun, Title: messages.Cut(m.Task, titleBytes), Session: m.By.Session, State: "accepted", Input: Encode(in),
	}, m.By, d.Clock.Now())
}

// titleBytes is how much of a task its run is called by.
const titleBytes = 200

func (d *RunDesk) undo(ctx context.Context, m messages.UndoRun) (messages.Message, error) {
	job, err := d.Ledger.Job(ctx, messages.GetJob{Job: m.Job, Limit: 1})
	if err != nil {
		return nil, err
	}
	var in messages.RunInput
	switch {
	case job.Kind != messages.JobRun:
		return nil, messages.Invalid("job_id", "%s is no run", m.Job).Try("see kurogo runs")
	case job.Status == messages.JobRunning:
		return nil, messages.Errorf(messages.CodeConflict, "the run %s has not ended", m.Job).Try("wait for it, or cancel it first")
	}
	if err := json.Unmarshal(job.Input, &in); err != nil {
		return nil, fmt.Errorf("read run %s: %w", m.Job, err)
	}
	return d.Undo(ctx, in.Root, m.Job, m.Force)
}
