package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"kurogo/messages"
)

// runView is what came of a run, as JSON.
type runView struct {
	Job    messages.JobID     `json:"job_id"`
	State  messages.JobStatus `json:"job_status"`
	Code   messages.Code      `json:"code,omitempty"`
	Error  string             `json:"error,omitempty"`
	Micros int64              `json:"cost_micros"`
	messages.RunOutput
}

// outcome prints what came of a run, and makes an exit status of it. gone: it was
// us who called it off.
func (p *program) outcome(ctx context.Context, d messages.JobDetail, gone bool) error {
	if gone {
		return ctx.Err()
	}
	var in messages.RunInput
	if err := json.Unmarshal(d.Input, &in); err != nil {
		return fmt.Errorf("read run %s: %w", d.ID, err)
	}
	if d.Status == messages.JobCancelled {
		if p.flags.json {
			if err := p.print(viewOf(d, messages.RunOutput{Status: "cancelled", Exit: messages.CodeCancelled.Exit(), Files: []string{}})); err != nil {
				return err
			}
		} else {
			p.tell("%s", p.sayRun("ended off"))
		}
		return silent{messages.CodeCancelled.Exit()}
	}
	var out messages.RunOutput
	if err := json.Unmarshal(d.Output, &out); err != nil {
		return fmt.Errorf("read outcome of run %s: %w", d.ID, err)
	}
	out.Exit = exitOf(d, out)
	if err := p.showRun(d, in, out); err != nil {
		return err
	}
	if out.Exit != 0 {
		return silent{out.Exit}
	}
	return nil
}

// exitOf is the status of the verb. What never came to a step says by its code what
// was in the way.
func exitOf(d messages.JobDetail, out messages.RunOutput) int {
	if out.Exit == 1 && len(out.Steps) == 0 {
		switch d.Code { //nolint:exhaustive // the rest is failure
		case messages.CodeUnavailable, messages.CodeDeadline:
			return d.Code.Exit()
		}
	}
	return out.Exit
}

func viewOf(d messages.JobDetail, out messages.RunOutput) runView {
	return runView{d.ID, d.Status, d.Code, d.Error, d.Cost, out}
}

func (p *program) showRun(d messages.JobDetail, in messages.RunInput, out messages.RunOutput) error {
	switch {
	case p.flags.json && in.DryRun && out.Exit == 0:
		return p.print(out.Plan)
	case p.flags.json:
		return p.print(viewOf(d, out))
	case in.DryRun && out.Exit == 0:
		return p.showPlan(*out.Plan)
	}
	if out.Diff != "" {
		p.difference(p.out, out.Diff)
	}
	done := 0
	for _, s := range out.Steps {
		if s.State == messages.StepDone {
			done++
		}
	}
	if out.Text != "" {
		p.tell("%s", strings.TrimSpace(harmless(out.Text)))
	}
	switch out.Status {
	case "done":
		p.tell(p.sayRun("ended done"), done)
	case "partial":
		p.tell(p.sayRun("ended part"), done, len(out.Steps), clean(out.Reason))
	default:
		p.tell(p.sayRun("ended fail"), clean(out.Reason))
	}
	if len(out.Files) == 0 {
		p.tell("%s", p.sayRun("unchanged"))
		return nil
	}
	p.tell(p.sayRun("changed"), len(out.Files), clean(strings.Join(out.Files, ", ")), d.ID)
	return nil
}

// showPlan draws a plan as a tree: each step with what it needs, leaves behind and
// is verified by.
func (p *program) showPlan(plan messages.Plan) error {
	paint := (&printer{program: p, colour: p.colours(p.out)}).paint
	order, err := plan.Order()
	if err != nil {
		return err
	}
	fmt.Fprintln(p.out, paint(bold, clean(plan.Summary)))
	for n, i := range order {
		s := plan.Steps[i]
		branch, trunk := "├─ ", "│  "
		if n == len(order)-1 {
			branch, trunk = "└─ ", "   "
		}
		fmt.Fprintf(p.out, "%s%s  %s\n", branch, paint(bold, clean(s.ID)), clean(s.Title))
		leaf := func(mark, text string) {
			if text != "" {
				fmt.Fprintf(p.out, "%s   %s %s\n", trunk, paint(dim, mark), short(clean(text), 300))
			}
		}
		leaf("←", strings.Join(s.Needs, ", "))
		leaf("·", s.Work)
		leaf("+", strings.Join(s.Files, ", "))
		leaf("?", s.Acceptance)
		for _, v := range s.Verify {
			leaf("$", strings.Join(v, " "))
		}
	}
	return nil
}
