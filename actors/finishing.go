package actors

import (
	"context"

	"github.com/asynkron/protoactor-go/actor"

	"kurogo/messages"
)

// finish looks what the run has changed, and then ends it.
func (r *PlannedRun) finish(c actor.Context) {
	r.Keep([]string{"comparing"})
	r.beside(c, func(ctx context.Context) any {
		diff, files, err := r.Diff(ctx, r.in.Root, r.Job.ID)
		return compared{diff, files, err}
	})
}

func (r *PlannedRun) compared(c actor.Context, m compared) {
	if m.err != nil {
		r.Log.Warn("compare files of run", "job", r.Job.ID, "err", m.err)
	}
	r.Keep(nil, Entry(messages.TraceDiff, messages.RunDiff{Diff: messages.Cut(m.diff, diffBytes), Files: m.files}))
	out := messages.RunOutput{Plan: r.plan, Files: m.files, Diff: messages.Cut(m.diff, diffBytes), Exit: r.exit}
	done := 0
	for _, i := range r.order {
		s := r.steps[r.plan.Steps[i].ID].StepResult
		out.Steps = append(out.Steps, s)
		switch {
		case s.State == messages.StepDone:
			done++
			out.Text = s.Text
		case out.Reason == "" && s.State == messages.StepFailed:
			out.Reason = s.ID + ": " + s.Error
		}
	}
	switch done {
	case len(r.order):
		out.Status, out.Exit = "done", 0
	case 0:
		out.Status = "failed"
	default:
		out.Status = "partial"
	}
	r.close(c, out)
}

// fail ends a run that has not come to its steps.
func (r *PlannedRun) fail(c actor.Context, exit int, code messages.Code, reason string, entries ...messages.JobEntry) {
	out := messages.RunOutput{Status: "failed", Exit: exit, Reason: reason, Plan: r.plan}
	r.conclude(c, out, messages.CloseJob{Status: messages.JobFailed, States: []string{"failed"}, Entries: entries, Code: code, Error: reason})
}

func (r *PlannedRun) close(c actor.Context, out messages.RunOutput) {
	end := messages.CloseJob{Status: messages.JobCompleted, States: []string{out.Status}}
	if out.Exit != 0 {
		end.Status, end.Code, end.Error = messages.JobFailed, messages.CodeInternal, out.Reason
		if out.Exit == exitPolicy {
			end.Code = messages.CodeDenied
		}
	}
	r.conclude(c, out, end)
}

func (r *PlannedRun) conclude(c actor.Context, out messages.RunOutput, end messages.CloseJob) {
	if out.Files == nil {
		out.Files = []string{}
	}
	brief := out
	brief.Plan, brief.Diff = nil, ""
	end.Entries, end.Output = append(end.Entries, Entry(messages.TraceFinal, brief)), Encode(out)
	r.Close(end)
	c.Stop(c.Self())
}
