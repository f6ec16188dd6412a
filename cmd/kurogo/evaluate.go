package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kurogo/actors"
	"kurogo/evaluate"
	"kurogo/messages"
	"kurogo/transport/local"
)

// A reading is what the flags of evaluate say.
type reading struct {
	improve, dry  bool
	target        float64
	targeted      bool
	most          int
	rubric        map[string]string
	evaluator     string
	timeout       time.Duration
	standardInput bool
}

func (p *program) evaluate() *cobra.Command {
	var r reading
	c := &cobra.Command{
		Use:   "evaluate FILE",
		Short: "Have a document judged, and improved until it is good",
		Long: `Evaluate has a document judged by completeness, accuracy, clarity and usability,
and prints its score with what would make it better, line by line. With --improve
an agent rewrites it by that, and it is judged again, until it reaches the target,
gets no better, or --max rounds are over. The file changes only when the target is
reached, all at once; the difference is shown. With - as FILE the text is read
from standard input, and the improved one is written to standard output.

It ends with 0 when the document passes, 1 when it does not, 64 when it cannot be
judged, 69 without an evaluator, 124 when the time is over, 130 after Ctrl-C and
131 when somebody else called it off.`,
		Example: `  kurogo evaluate README.md
  kurogo evaluate docs/api.md --improve --target 8.5 --max 3
  kurogo evaluate - --evaluator heuristic --json < draft.md`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			r.targeted, r.standardInput = c.Flags().Changed("target"), args[0] == "-"
			return p.evaluateDocument(c.Context(), args[0], r)
		},
	}
	f := c.Flags()
	f.BoolVar(&r.improve, "improve", false, "have it rewritten until it is good")
	f.BoolVar(&r.dry, "dry-run", false, "change no file")
	f.Float64Var(&r.target, "target", 8, "the score from 0 to 10 that is good enough (default: evaluation.target_score)")
	f.IntVar(&r.most, "max", 0, "at most so many rounds (default: evaluation.max_iterations)")
	f.StringToStringVar(&r.rubric, "rubric", nil, "what the criteria count, for example completeness=2,accuracy=1")
	f.StringVar(&r.evaluator, "evaluator", "", "heuristic judges without a model (default: the configured one)")
	f.DurationVar(&r.timeout, "timeout", 0, "how long all of it may take, for example 10m")
	f.Lookup("target").DefValue = ""
	return c
}

func (p *program) evaluateDocument(ctx context.Context, file string, r reading) error {
	word, err := p.question(file, r)
	if err != nil {
		return err
	}
	if r.timeout < 0 {
		return messages.Invalid("timeout", "%s is no time to work in", r.timeout).Try("give for example 10m")
	}
	client, err := p.connect(ctx)
	if err != nil {
		return err
	}
	defer client.Close()
	patient, end := ctx, context.CancelFunc(func() {})
	if r.timeout > 0 {
		patient, end = context.WithTimeout(ctx, r.timeout)
	}
	defer end()
	d, err := p.followEvaluation(patient, client, word)
	if err != nil && patient.Err() != nil && ctx.Err() == nil {
		return messages.Errorf(messages.CodeDeadline, "the evaluation was not over within %s, and was called off", r.timeout).Try("give it a longer --timeout")
	}
	if err != nil {
		return err
	}
	return p.verdict(d, r)
}

// question is what the owner is asked. What cannot travel is refused here, in the
// owner's words.
func (p *program) question(file string, r reading) (word messages.Evaluate, err error) {
	word = messages.Evaluate{Maximum: r.most, Improve: r.improve, Evaluator: r.evaluator, By: p.caller()}
	word.By.Env = p.lentKeys()
	if p.cfg.Evaluation.Mock != nil && *p.cfg.Evaluation.Mock {
		word.Evaluator = actors.HeuristicEvaluator
	}
	if word.Rubric, err = rubricOf(r.rubric); err != nil {
		return word, err
	}
	if r.targeted {
		if err := evaluate.CheckTarget(r.target); err != nil {
			return word, err
		}
		word.Target = &r.target
	}
	if r.most < 0 {
		return word, messages.Invalid("max_iterations", "%d is out of range", r.most).Try("give 1 or more, or leave it out")
	}
	if !r.standardInput {
		word.Path, word.Write = file, r.improve && !r.dry
		if word.By.Dir == "" && !filepath.IsAbs(file) { // the owner would count from elsewhere
			word.Path, err = filepath.Abs(file)
		}
		return word, err
	}
	papers := documents{limit: p.cfg.Evaluation.DocumentBytes}
	text, err := io.ReadAll(io.LimitReader(os.Stdin, int64(papers.limit)+1))
	if err != nil {
		return word, fmt.Errorf("read document: %w", err)
	}
	if err := papers.check(text); err != nil {
		e := messages.AsError(err)
		e.Field = "content"
		return word, e
	}
	word.Content = string(text)
	return word, nil
}

// rubricOf reads weights; nil where there are none.
func rubricOf(said map[string]string) (*messages.Rubric, error) {
	if len(said) == 0 {
		return nil, nil //nolint:nilnil // none is an answer
	}
	var known []string
	for _, c := range messages.Criteria() {
		known = append(known, string(c))
	}
	var out messages.Rubric
	for _, name := range slices.Sorted(maps.Keys(said)) {
		if !slices.Contains(known, name) {
			return nil, messages.Invalid("rubric."+name, "there is no such argument").Try("leave it out; there are " + strings.Join(known, ", "))
		}
		weight, err := strconv.ParseFloat(said[name], 64)
		if err != nil && !errors.Is(err, strconv.ErrRange) {
			return nil, messages.Invalid("rubric."+name, "%q is no weight", said[name]).Try("write a number, 0 or more")
		}
		out = out.With(messages.Criterion(name), weight)
	}
	_, err := evaluate.CheckRubric(out) // NaN would not get as far as the owner
	return &out, err
}

// followEvaluation orders an evaluation, shows how it goes, and gives it when it is
// over. Who stops waiting calls it off.
func (p *program) followEvaluation(ctx context.Context, h local.House, word messages.Evaluate) (none messages.JobDetail, err error) {
	status, err := askOn[messages.Status](ctx, h, messages.GetStatus{})
	if err != nil {
		return none, err
	}
	job, err := askOn[messages.Job](ctx, h, word)
	if err != nil {
		return none, err
	}
	if job.Status == messages.JobRunning {
		if err = p.watchEvaluation(ctx, h, job, status.LastEvent); ctx.Err() != nil {
			calling, end := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
			defer end()
			_, gone := askOn[messages.Job](calling, h, messages.CancelJob{Job: job.ID, Reason: "nobody waits for it any more"})
			return none, errors.Join(ctx.Err(), gone)
		}
		if err != nil {
			return none, err
		}
	}
	return askOn[messages.JobDetail](ctx, h, messages.GetJob{Job: job.ID, After: math.MaxInt32})
}

// watchEvaluation shows an evaluation until it is over. The cursor since was taken
// before it was ordered.
func (p *program) watchEvaluation(ctx context.Context, h local.House, job messages.Job, since int64) error {
	var in messages.EvaluationInput
	if err := json.Unmarshal(job.Input, &in); err != nil {
		return fmt.Errorf("read evaluation %s: %w", job.ID, err)
	}
	show := p.lectern(in)
	defer show.clear()
	topic := messages.Topic{IDs: []string{string(job.ID)}}
	for _, what := range []string{messages.JobUpdated, messages.JobEntered, messages.JobConcluded} {
		topic.Kinds = append(topic.Kinds, job.Kind.Event(what))
	}
	for e, err := range h.Watch(ctx, topic, since) {
		if err != nil {
			return err
		}
		switch e.Kind {
		case job.Kind.Event(messages.JobConcluded):
			return nil
		case job.Kind.Event(messages.JobUpdated):
			now, err := read[messages.Job](e)
			if err != nil {
				return fmt.Errorf("read event %d: %w", e.Seq, err)
			}
			show.state(now.State)
		default:
			entry, err := read[messages.JobEntry](e)
			if err == nil && len(entry.Body) == 0 { // it was too long to be told
				entry, err = entryOf(ctx, h, entry)
			}
			if err == nil {
				err = show.entry(entry)
			}
			if err != nil {
				return fmt.Errorf("read event %d: %w", e.Seq, err)
			}
		}
	}
	return ctx.Err()
}

// entryOf is an entry with its body.
func entryOf(ctx context.Context, h local.House, e messages.JobEntry) (messages.JobEntry, error) {
	d, err := askOn[messages.JobDetail](ctx, h, messages.GetJob{Job: e.Job, After: e.Seq - 1, Limit: 1})
	if err == nil && len(d.Entries) > 0 {
		e = d.Entries[0]
	}
	return e, err
}
