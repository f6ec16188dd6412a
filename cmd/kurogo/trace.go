package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kurogo/messages"
)

func (p *program) trace() *cobra.Command {
	return &cobra.Command{
		Use:   "trace RUN",
		Short: "Show all that happened in a run, with how long it took",
		Long: `Trace shows a run as a tree: its plan, its steps, each use of a tool, each command
that was to prove it. With --json every entry is one line: task, plan, step,
tool_call, tool_result, verify, diff, final, each with its trace_id. What the file
gateway did for it is in kurogo audit --trace.`,
		Example: "  kurogo trace 0199…\n  kurogo trace 0199… --json",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			d, err := running.entire(c.Context(), p, messages.JobID(args[0]))
			if err != nil {
				return err
			}
			if p.flags.json {
				return p.traceLines(d)
			}
			return p.traceTree(d)
		},
	}
}

// traceLines prints each entry as one object.
func (p *program) traceLines(d messages.JobDetail) error {
	for _, e := range d.Entries {
		line, err := traceLine(e)
		if err != nil {
			return fmt.Errorf("read entry %d of %s: %w", e.Seq, d.ID, err)
		}
		if err := p.print(line); err != nil {
			return err
		}
	}
	return nil
}

// traceLine is an entry with its body spread out, under its trace.
func traceLine(e messages.JobEntry) (map[string]any, error) {
	line := map[string]any{}
	if len(e.Body) > 0 {
		if err := json.Unmarshal(e.Body, &line); err != nil {
			return nil, err
		}
	}
	line["trace_id"], line["seq"], line["at"], line["kind"] = e.Job, e.Seq, e.At, e.Kind
	return line, nil
}

// A branch is one thing of a run, and what belongs to it.
type branch struct {
	text   string
	below  []*branch
	begun  time.Time
	ended  time.Time
	colour string
}

func (p *program) traceTree(d messages.JobDetail) error {
	until := d.EndedAt
	if until.IsZero() {
		until = time.Now()
	}
	top := &branch{text: fmt.Sprintf("%s  %s  %s", d.ID, d.Status, clean(d.Title)), begun: d.CreatedAt, ended: until}
	t := &traceTree{top: top, steps: map[string]*branch{}, calls: map[string]*branch{}, now: top}
	for _, e := range d.Entries {
		if err := t.add(e); err != nil {
			return fmt.Errorf("read entry %d of %s: %w", e.Seq, d.ID, err)
		}
	}
	paint := (&printer{program: p, colour: p.colours(p.out)}).paint
	fmt.Fprintf(p.out, "%s %s\n", paint(bold, top.text), paint(dim, took(top)))
	var draw func(b *branch, trunk string) error
	draw = func(b *branch, trunk string) error {
		for i, one := range b.below {
			mark, more := "├─ ", "│  "
			if i == len(b.below)-1 {
				mark, more = "└─ ", "   "
			}
			if _, err := fmt.Fprintf(p.out, "%s%s%s %s\n", trunk, mark, paint(one.colour, one.text), paint(dim, took(one))); err != nil {
				return err
			}
			if err := draw(one, trunk+more); err != nil {
				return err
			}
		}
		return nil
	}
	return draw(top, "")
}

func took(b *branch) string {
	if b.begun.IsZero() || b.ended.IsZero() {
		return ""
	}
	return b.ended.Sub(b.begun).Round(time.Millisecond).String()
}

// A traceTree grows by the entries of a run.
type traceTree struct {
	top, now *branch
	steps    map[string]*branch
	calls    map[string]*branch
}

func (t *traceTree) grow(at *branch, b *branch) *branch {
	at.below = append(at.below, b)
	return b
}

func (t *traceTree) add(e messages.JobEntry) error {
	switch e.Kind {
	case messages.TracePlan:
		return entryAs(e, func(r messages.RunPlan) { t.plan(r, e.At) })
	case messages.TraceStep:
		return entryAs(e, func(s messages.StepResult) { t.step(s, e.At) })
	case messages.TraceToolCall:
		return entryAs(e, func(c messages.RunCall) {
			t.calls[string(c.Agent)+c.Call] = t.grow(t.now, &branch{text: clean(c.Name) + " " + short(clean(c.Input), 120), begun: e.At})
		})
	case messages.TraceToolResult:
		return entryAs(e, func(c messages.RunCall) {
			b := t.calls[string(c.Agent)+c.Call]
			if b == nil {
				return
			}
			b.ended = b.begun.Add(time.Duration(c.Time) * time.Millisecond)
			if c.Code != "" {
				b.text, b.colour = b.text+"  "+short(clean(c.Text), 160), red
			}
		})
	case messages.TraceVerify:
		return entryAs(e, func(v messages.RunVerify) {
			b := &branch{text: "$ " + short(clean(strings.Join(v.Command, " ")), 160), begun: e.At.Add(-time.Duration(v.Time) * time.Millisecond), ended: e.At, colour: green}
			if !v.OK() {
				b.text, b.colour = fmt.Sprintf("%s  exit %d %s", b.text, v.Exit, clean(v.Error)), red
			}
			t.grow(t.now, b)
		})
	case messages.TraceDiff:
		return entryAs(e, func(r messages.RunDiff) {
			t.grow(t.top, &branch{text: "diff " + clean(strings.Join(r.Files, ", "))})
		})
	case messages.TraceFinal:
		return entryAs(e, func(r messages.RunOutput) {
			t.grow(t.top, &branch{text: strings.TrimSpace(r.Status + " " + clean(r.Reason))})
		})
	}
	return nil
}

func (t *traceTree) plan(r messages.RunPlan, at time.Time) {
	b := &branch{text: fmt.Sprintf("plan, steps: %d %s", len(r.Plan.Steps), r.Source), begun: t.top.begun, ended: at}
	if r.Error != "" {
		b.text, b.colour = "plan: "+clean(r.Error), red
	}
	t.grow(t.top, b)
}

// step goes on with the branch of a step, or begins it.
func (t *traceTree) step(s messages.StepResult, at time.Time) {
	b := t.steps[s.ID]
	if b == nil {
		b = t.grow(t.top, &branch{begun: at})
		t.steps[s.ID] = b
	}
	b.text, b.ended, t.now = fmt.Sprintf("%s %s", clean(s.ID), s.State), at, b
	if s.Attempt > 1 {
		b.text += fmt.Sprintf(" (attempt %d)", s.Attempt)
	}
	switch s.State {
	case messages.StepDone:
		b.colour, t.now = green, t.top
	case messages.StepFailed, messages.StepSkipped:
		b.colour, t.now = red, t.top
		b.text += "  " + short(clean(s.Error), 200)
	case messages.StepRunning, messages.StepExecuted:
	}
}
