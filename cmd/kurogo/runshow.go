package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"kurogo/messages"
	"kurogo/transport/local"
)

// A runShow shows how a run goes: a line for each thing that has become true. On a
// terminal what is being done stands below, with the tool in hand and the time.
type runShow struct {
	*program
	job   messages.Job
	to    io.Writer
	alive bool   // a line can be taken back
	clerk *clerk // asks whoever sits at the terminal; nil: nobody does
	began time.Time
	state string
	tool  string
	drawn bool
}

func (p *program) runShow(job messages.Job) *runShow {
	s := &runShow{program: p, job: job, to: p.err, alive: isTerminal(p.err) && p.getenv("TERM") != "dumb", began: time.Now(), state: job.State}
	switch {
	case p.flags.json:
		s.to, s.alive = io.Discard, false
	case s.alive && isTerminal(os.Stdin):
		s.clerk = &clerk{}
	}
	return s
}

// event tells of an event, and whether it was the last one.
func (s *runShow) event(ctx context.Context, h local.House, e messages.Event) (over bool, err error) {
	switch e.Kind { //nolint:exhaustive // the topic is of these only
	case messages.ApprovalAsked:
		return false, s.asked(ctx, e)
	case messages.ApprovalAnswered:
		s.settled(e.ID)
		return false, nil
	}
	if e.ID != string(s.job.ID) {
		return false, nil
	}
	switch e.Kind { //nolint:exhaustive // likewise
	case messages.JobRun.Event(messages.JobConcluded):
		return true, nil
	case messages.JobRun.Event(messages.JobUpdated):
		now, err := read[messages.Job](e)
		if err != nil {
			return false, fmt.Errorf("read event %d: %w", e.Seq, err)
		}
		s.state, s.tool = now.State, ""
		s.draw()
		return false, nil
	}
	entry, err := read[messages.JobEntry](e)
	if err == nil && len(entry.Body) == 0 { // it was too long to be told
		entry, err = entryOf(ctx, h, entry)
	}
	if err == nil {
		err = s.entry(entry)
	}
	if err != nil {
		return false, fmt.Errorf("read event %d: %w", e.Seq, err)
	}
	return false, nil
}

// draw writes the line below anew.
func (s *runShow) draw() {
	if !s.alive || s.clerk.busy() {
		return
	}
	s.clear()
	what, rest, _ := strings.Cut(s.state, " ")
	line := strings.TrimSpace(s.sayRun(what) + " " + clean(rest))
	if word, ok := runWords[s.state]; ok {
		line = word.en
		if s.cfg.Language == "ja" {
			line = word.ja
		}
	}
	if s.tool != "" {
		line += " · " + clean(s.tool)
	}
	fmt.Fprintf(s.to, "%s… %s · %s%s", dim, short(line, 100), time.Since(s.began).Round(time.Second), plainC)
	s.drawn = true
}

// clear takes the line back.
func (s *runShow) clear() {
	if s.drawn {
		fmt.Fprint(s.to, "\r\x1b[K")
		s.drawn = false
	}
}

func (s *runShow) line(format string, args ...any) {
	s.clear()
	fmt.Fprintf(s.to, format+"\n", args...)
	s.draw()
}

// entry tells what has become true.
func (s *runShow) entry(e messages.JobEntry) error {
	switch e.Kind {
	case messages.TracePlan:
		return entryAs(e, s.plan)
	case messages.TraceStep:
		return entryAs(e, s.step)
	case messages.TraceToolCall:
		return entryAs(e, func(c messages.RunCall) { s.tool = c.Name; s.draw() })
	case messages.TraceToolResult:
		return entryAs(e, func(c messages.RunCall) {
			s.tool = ""
			if c.Code != "" {
				s.line("  "+s.sayRun("tool failed"), clean(c.Name), short(clean(c.Text), 160))
			}
		})
	case messages.TraceVerify:
		return entryAs(e, s.verified)
	}
	return nil
}

// entryAs reads what an entry is of.
func entryAs[T any](e messages.JobEntry, tell func(T)) error {
	var body T
	if err := json.Unmarshal(e.Body, &body); err != nil {
		return err
	}
	tell(body)
	return nil
}

func (s *runShow) plan(p messages.RunPlan) {
	switch {
	case p.Error != "":
		s.line(s.sayRun("no plan"), short(clean(p.Error), 200))
	case p.Source == "reused":
		s.line(s.sayRun("plan reused"), len(p.Plan.Steps))
	case p.Source == "given":
		s.line(s.sayRun("plan given"), len(p.Plan.Steps))
	default:
		s.line(s.sayRun("plan made"), len(p.Plan.Steps))
	}
}

func (s *runShow) step(r messages.StepResult) {
	id := clean(r.ID)
	switch r.State {
	case messages.StepRunning:
		if r.Attempt > 1 {
			s.line(s.sayRun("repair"), id, r.Attempt)
		} else {
			s.line(s.sayRun("step on"), id)
		}
	case messages.StepExecuted:
	case messages.StepDone:
		s.line(s.sayRun("step ok"), id)
	case messages.StepFailed:
		s.line(s.sayRun("step failed"), id, short(clean(r.Error), 300))
	case messages.StepSkipped:
		s.line(s.sayRun("step left"), id, short(clean(r.Error), 300))
	}
}

func (s *runShow) verified(v messages.RunVerify) {
	word := "proved"
	if !v.OK() {
		word = "not proved"
	}
	s.line("  "+s.sayRun(word), short(clean(strings.Join(v.Command, " ")), 160), v.Sandbox)
	if !v.OK() {
		last := strings.TrimSpace(harmless(v.Output + "\n" + v.Error))
		for line := range strings.Lines(last[max(0, len(last)-1000):]) {
			s.line("    %s", strings.TrimRight(line, "\n"))
		}
	}
}
