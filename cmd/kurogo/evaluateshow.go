package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"kurogo/messages"
)

// A lectern shows how an evaluation goes: each round with a bar for each criterion
// and what comes next. On a terminal what is being done stands below, and changes.
type lectern struct {
	*program
	in    messages.EvaluationInput
	to    io.Writer
	alive bool // a line can be taken back
	now   bool // one is there that will be
	last  string
}

func (p *program) lectern(in messages.EvaluationInput) *lectern {
	l := &lectern{program: p, in: in, to: p.err, alive: isTerminal(p.err) && p.getenv("TERM") != "dumb"}
	if p.flags.json {
		l.to, l.alive = io.Discard, false
	}
	return l
}

// state says what is being done.
func (l *lectern) state(state string) {
	if state == l.last || state == "done" {
		return
	}
	l.last = state
	if !l.alive {
		return // what comes of it is told
	}
	l.clear()
	fmt.Fprint(l.to, dim+"… "+l.sayOf(state)+plainC)
	l.now = true
}

// clear takes the line back.
func (l *lectern) clear() {
	if l.now {
		fmt.Fprint(l.to, "\r\x1b[K")
		l.now = false
	}
}

// entry tells what has become true.
func (l *lectern) entry(e messages.JobEntry) error {
	l.clear()
	switch e.Kind {
	case messages.EntryTry:
		var t messages.EvaluationTry
		if err := json.Unmarshal(e.Body, &t); err != nil {
			return err
		}
		if t.Counted {
			fmt.Fprintf(l.to, l.sayOf("fails")+"\n", clean(t.Error))
		}
	case messages.EntryVersion:
		var v messages.EvaluationVersion
		if err := json.Unmarshal(e.Body, &v); err != nil {
			return err
		}
		fmt.Fprintf(l.to, l.sayOf("rewritten")+"\n", v.Version, short(clean(v.Summary), 200))
	case messages.EntryRound:
		var r messages.EvaluationRound
		if err := json.Unmarshal(e.Body, &r); err != nil {
			return err
		}
		if l.in.Improve { // of a single round the verdict is enough
			l.round(r)
		}
	}
	return nil
}

func (l *lectern) round(r messages.EvaluationRound) {
	v := r.Verdict
	if !l.alive {
		var parts []string
		for _, c := range messages.Criteria() {
			parts = append(parts, fmt.Sprintf("%s %.1f", l.sayOf(string(c)), v.Scores.Of(c)))
		}
		fmt.Fprintf(l.to, l.sayOf("round")+": %.1f (%s)\n", r.Number, v.Score, strings.Join(parts, ", "))
	} else {
		fmt.Fprintf(l.to, l.sayOf("round")+"  %.1f\n", r.Number, v.Score)
		_ = l.bars(l.to, v.Scores, l.in.Weights, l.in.Target) // the terminal has gone
	}
	if len(v.Suggestions) > 0 && !v.Passes(l.in.Target) {
		fmt.Fprintf(l.to, "%s: %s\n", l.sayOf("next"), short(clean(v.Suggestions[0].String()), 200))
	}
}

// bars draws the criteria below one another.
func (p *program) bars(to io.Writer, scores, weights messages.Rubric, target float64) error {
	t := p.table()
	for _, c := range messages.Criteria() {
		score := scores.Of(c)
		full := int(math.Round(score))
		colour := green
		if score < target {
			colour = yellow
		}
		if score < target/2 {
			colour = red
		}
		t.rows = append(t.rows, []cell{
			{"  " + p.sayOf(string(c)), ""},
			{strings.Repeat("█", full) + strings.Repeat("░", 10-full), colour},
			{fmt.Sprintf("%4.1f", score), bold},
			{fmt.Sprintf("× %.2f", weights.Of(c)), dim},
		})
	}
	return t.print(to)
}

// verdict prints what came of an evaluation, and makes an exit status of it.
func (p *program) verdict(d messages.JobDetail, r reading) error {
	if d.Status != messages.JobCompleted {
		e := messages.Errorf(d.Code, "%s", d.Error)
		if len(d.Output) > 0 {
			_ = e.Try("what it came to: kurogo evaluations " + string(d.ID))
		}
		return e
	}
	var in messages.EvaluationInput
	if err := json.Unmarshal(d.Input, &in); err != nil {
		return fmt.Errorf("read evaluation %s: %w", d.ID, err)
	}
	pass, err := p.showOutput(d, in, r.standardInput)
	if err != nil {
		return err
	}
	if !pass {
		return silent{1}
	}
	return nil
}

// showOutput prints the answer of an evaluation. A document that came by standard
// input leaves by standard output, with its verdict beside it.
func (p *program) showOutput(d messages.JobDetail, in messages.EvaluationInput, filter bool) (pass bool, err error) {
	if !in.Improve {
		var out messages.Evaluated
		if err := json.Unmarshal(d.Output, &out); err != nil {
			return false, fmt.Errorf("read answer of evaluation %s: %w", d.ID, err)
		}
		if p.flags.json {
			return out.Pass, p.print(out)
		}
		return out.Pass, p.showEvaluated(p.out, out, in)
	}
	var out messages.Improved
	if err := json.Unmarshal(d.Output, &out); err != nil {
		return false, fmt.Errorf("read answer of evaluation %s: %w", d.ID, err)
	}
	switch {
	case p.flags.json:
		return out.Best.Pass, p.print(out)
	case filter:
		_, err := io.WriteString(p.out, out.Document)
		return out.Best.Pass, errors.Join(err, p.showImproved(p.err, out, in, false))
	}
	return out.Best.Pass, p.showImproved(p.out, out, in, true)
}

func (p *program) showEvaluated(to io.Writer, out messages.Evaluated, in messages.EvaluationInput) error {
	paint := (&printer{program: p, colour: p.colours(to)}).paint
	sentence, colour := fmt.Sprintf(p.sayOf("below"), in.Target), yellow
	if out.Pass {
		sentence, colour = fmt.Sprintf(p.sayOf("passes"), in.Target), green
	}
	fmt.Fprintf(to, "%s  %s  %s  %s\n", paint(bold, clean(in.Name)), paint(bold, fmt.Sprintf("%.1f / 10", out.Score)), paint(colour, sentence),
		paint(dim, fmt.Sprintf(p.sayOf("by"), out.Metadata.Model)))
	if err := p.bars(to, out.Scores, in.Weights, in.Target); err != nil {
		return err
	}
	if out.Metadata.Note != "" {
		fmt.Fprintln(to, clean(out.Metadata.Note))
	}
	if len(out.Suggestions) == 0 {
		_, err := fmt.Fprintln(to, p.sayOf("no tips"))
		return err
	}
	fmt.Fprintln(to, p.sayOf("tips"))
	for i, s := range out.Suggestions {
		if _, err := fmt.Fprintf(to, "%3d. %s\n", i+1, clean(s)); err != nil {
			return err
		}
	}
	return nil
}

func (p *program) showImproved(to io.Writer, out messages.Improved, in messages.EvaluationInput, diff bool) error {
	if err := p.showEvaluated(to, out.Best, in); err != nil {
		return err
	}
	line := fmt.Sprintf(p.sayOf("completed"), len(out.Rounds), out.Version)
	if out.Version == 0 {
		line = fmt.Sprintf(p.sayOf("as it was"), len(out.Rounds))
	}
	fmt.Fprintf(to, "\n%s; %s\n", line, p.sayOf(string(out.Stop)))
	if diff && out.Diff != "" {
		fmt.Fprintln(to)
		p.difference(to, out.Diff)
	}
	if in.Path == "" {
		return nil
	}
	last := p.sayOf("kept")
	if out.Written {
		last = fmt.Sprintf(p.sayOf("written"), in.Path)
	}
	_, err := fmt.Fprintln(to, last)
	return err
}

// difference prints a diff in its colours.
func (p *program) difference(to io.Writer, diff string) {
	paint := (&printer{program: p, colour: p.colours(to)}).paint
	for line := range strings.Lines(harmless(diff)) {
		colour := ""
		switch line[0] {
		case '+':
			colour = green
		case '-':
			colour = red
		case '@':
			colour = cyan
		}
		line = strings.TrimSuffix(line, "\n")
		if colour != "" {
			line = paint(colour, line)
		}
		fmt.Fprintln(to, line)
	}
}
