package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"kurogo/messages"
)

// evaluation orders one, or joins it, and waits for its answer.
func evaluation[T any](ctx context.Context, c *Catalogue, u use, a evaluateDocument, improve bool) (out T, id messages.JobID, err error) {
	word, err := a.word(u.who, improve)
	if err != nil {
		return out, "", err
	}
	since, err := c.cursor(ctx)
	if err != nil {
		return out, "", err
	}
	job, err := ask[messages.Job](ctx, c.port, word)
	if err != nil {
		return out, "", err
	}
	done, err := c.concluded(ctx, u, job, since)
	if done.Status == messages.JobRunning {
		c.leave(ctx, job.ID)
	}
	switch {
	case err != nil:
		return out, "", err
	case done.Status == messages.JobRunning:
		return out, "", messages.Errorf(messages.CodeDeadline, "the evaluation %s is not over yet; it goes on", job.ID).
			Try("make the same call again, or get_evaluation with this evaluationId and wait: true")
	case done.Status != messages.JobCompleted:
		return out, "", failedJob(done.Job)
	}
	if err := json.Unmarshal(done.Output, &out); err != nil {
		return out, "", fmt.Errorf("read answer of evaluation %s: %w", job.ID, err)
	}
	return out, job.ID, nil
}

// failedJob says why a job has no answer.
func failedJob(job messages.Job) *messages.Error {
	e := messages.Errorf(job.Code, "%s", job.Error)
	if len(job.Output) > 0 {
		_ = e.Try("get_evaluation with the evaluationId " + string(job.ID) + " has what it came to")
	}
	return e
}

// leave has the answer kept for whoever makes the same call again.
func (c *Catalogue) leave(ctx context.Context, id messages.JobID) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), c.o.Slot)
	defer cancel()
	if _, err := ask[messages.Done](ctx, c.port, messages.LeaveJob{Job: id}); err != nil {
		c.o.Log.Warn("leave evaluation", "job", id, "err", err)
	}
}

// concluded waits for the end of a job, at most for the cap of the client, and
// gives it as it is then, without its entries.
func (c *Catalogue) concluded(ctx context.Context, u use, job messages.Job, since int64) (messages.JobDetail, error) {
	now := messages.JobDetail{Job: job}
	if job.Status == messages.JobRunning {
		begun, round := c.o.Now(), 1
		_, err := c.keep(ctx, u, vigil{
			topic: messages.Topic{
				Kinds: []messages.EventKind{job.Kind.Event(messages.JobUpdated), job.Kind.Event(messages.JobEntered), job.Kind.Event(messages.JobConcluded)},
				IDs:   []string{string(job.ID)},
			},
			since: since, most: c.patience(u.who),
			see: func(e messages.Event) (over bool, err error) {
				if e.Kind == job.Kind.Event(messages.JobEntered) {
					entry, err := dataOf[messages.JobEntry](e)
					if entry.Kind == messages.EntryVersion {
						round++
					}
					return false, err
				}
				now.Job, err = dataOf[messages.Job](e)
				return now.Status != messages.JobRunning, err
			},
			note: func() string {
				return fmt.Sprintf("evaluation %s: round %d, %s, since %s", job.ID, round, now.State, c.o.Now().Sub(begun).Round(time.Second))
			},
		})
		if err != nil || now.Status == messages.JobRunning {
			return now, err
		}
	}
	return ask[messages.JobDetail](ctx, c.port, messages.GetJob{Job: job.ID, After: math.MaxInt32})
}

// An improvedView is what came of an improvement, without the rounds' verdicts.
type improvedView struct {
	ID       messages.JobID     `json:"evaluationId"`
	Best     messages.Evaluated `json:"best"`
	Version  int                `json:"version"`
	Stop     messages.Stop      `json:"stop"`
	Scores   []float64          `json:"scores"`
	Document string             `json:"document"`
	Diff     string             `json:"diff"`
	Written  bool               `json:"written"`
	Path     string             `json:"document_path,omitempty"`
}

func showImproved(id messages.JobID, m messages.Improved) improvedView {
	return improvedView{
		id, m.Best, m.Version, m.Stop, each(m.Rounds, func(r messages.EvaluationRound) float64 { return r.Verdict.Score }),
		m.Document, m.Diff, m.Written, m.Path,
	}
}

type getEvaluation struct {
	ID   messages.JobID `json:"evaluationId"`
	Wait bool           `json:"wait"`
}

type evaluationView struct {
	ID        messages.JobID      `json:"evaluationId"`
	Status    messages.JobStatus  `json:"status"`
	State     string              `json:"state"`
	Evaluated *messages.Evaluated `json:"evaluated"`
	Improved  *improvedView       `json:"improved"`
	Error     *string             `json:"error"`
}

func (c *Catalogue) getEvaluation(ctx context.Context, u use, a getEvaluation) (any, error) {
	since, err := c.cursor(ctx)
	if err != nil {
		return nil, err
	}
	d, err := ask[messages.JobDetail](ctx, c.port, messages.GetJob{Job: a.ID, After: math.MaxInt32})
	if err != nil {
		return nil, err
	}
	if d.Kind != messages.JobEvaluation {
		return nil, messages.Errorf(messages.CodeNotFound, "there is no evaluation %q", a.ID)
	}
	var in messages.EvaluationInput
	if err := json.Unmarshal(d.Input, &in); err != nil {
		return nil, fmt.Errorf("read evaluation %s: %w", a.ID, err)
	}
	if a.Wait && d.Status == messages.JobRunning {
		if d, err = c.concluded(ctx, u, d.Job, since); err != nil {
			return nil, err
		}
	}
	out := evaluationView{ID: d.ID, Status: d.Status, State: d.State, Error: word(d.Error)}
	switch {
	case len(d.Output) == 0:
	case in.Improve:
		var m messages.Improved
		err = json.Unmarshal(d.Output, &m)
		view := showImproved(d.ID, m)
		out.Improved = &view
	default:
		out.Evaluated = new(messages.Evaluated)
		err = json.Unmarshal(d.Output, out.Evaluated)
	}
	if err != nil {
		return nil, fmt.Errorf("read answer of evaluation %s: %w", a.ID, err)
	}
	return out, nil
}
