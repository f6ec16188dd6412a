package actors

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"sync"
	"time"

	"kurogo/messages"
)

// An EvaluationDesk accepts documents to be judged. Everything is decided before
// the job is opened.
type EvaluationDesk struct {
	Journal Journal
	Ledger  Ledger
	Clock   Clock
	Terms   EvaluationTerms
	Keys    *Keys

	CheckDocument func(content []byte) error
	CheckRubric   func(messages.Rubric) (messages.Rubric, error) // also makes them add up to 1
	CheckTarget   func(float64) error
	// Read returns a document of a project. Errors: not_found, denied, invalid.
	Read func(dir, path string) ([]byte, error)
	// Writable refuses a document that may not be replaced. Errors: denied.
	Writable func(dir, path string) error
	// Place says which directory is meant. Errors: invalid, denied.
	Place func(dir string) (string, error)
	// Evaluator says who judges: a role, or the heuristic. Errors: unavailable.
	Evaluator func(ctx context.Context) (string, error)
	// Improver says which role improves. Errors: unavailable.
	Improver func(ctx context.Context) (string, error)

	mu      sync.Mutex
	running map[[sha256.Size]byte]messages.JobID // by what was asked; nil: nobody has looked yet
	most    int                                  // of them, before those are dropped that have ended
	left    map[messages.JobID]time.Time         // until when somebody may come back for an answer
}

// returning is how long the answer of a job is kept for whoever left before it came.
const returning = 10 * time.Minute

// EvaluationTerms are what the configuration says of evaluations.
type EvaluationTerms struct {
	Weights messages.Rubric
	Target  float64
	Maximum int
}

// roundsMost bounds max_iterations of one call.
const roundsMost = 100

// Ask answers one request; ok is false when it is nobody's here. Errors are
// *messages.Error.
func (d *EvaluationDesk) Ask(ctx context.Context, m messages.Message) (answer messages.Message, ok bool, err error) {
	switch m := m.(type) {
	case messages.Evaluate:
		answer, err = d.evaluate(ctx, m)
	case messages.LeaveJob:
		d.leave(m.Job)
		answer = messages.Done{}
	default:
		return nil, false, nil
	}
	return answer, true, err
}

// leave keeps the answer of a job for whoever stopped waiting for it.
func (d *EvaluationDesk) leave(id messages.JobID) {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.Clock.Now()
	if d.left == nil {
		d.left = map[messages.JobID]time.Time{}
	}
	maps.DeleteFunc(d.left, func(_ messages.JobID, until time.Time) bool { return until.Before(now) })
	d.left[id] = now.Add(returning)
}

func (d *EvaluationDesk) evaluate(ctx context.Context, m messages.Evaluate) (messages.Message, error) {
	in, err := d.decide(ctx, m)
	if err != nil {
		return nil, err
	}
	asked := sha256.Sum256(Encode(in)) // before its iteration is known: the same question is the same job
	d.mu.Lock()
	defer d.mu.Unlock()
	if job, err := d.join(ctx, asked); err != nil || job.ID != "" {
		return job, err
	}
	session := cmp.Or(m.Session, m.By.Session)
	if in.Iteration, err = d.iteration(ctx, session); err != nil {
		return nil, err
	}
	job, err := openJob(ctx, d.Journal, d.Keys, messages.Job{
		Kind: messages.JobEvaluation, Title: in.Name, Session: session, State: "tool_running", Input: Encode(in),
	}, m.By, d.Clock.Now())
	if err != nil {
		return nil, err
	}
	if len(d.running) >= d.most {
		d.forget(ctx)
		d.most = 2*len(d.running) + 64
	}
	d.running[asked] = job.ID
	return job, nil
}

// decide fills in what the client left out, and refuses what cannot be judged.
func (d *EvaluationDesk) decide(ctx context.Context, m messages.Evaluate) (in messages.EvaluationInput, err error) {
	in = messages.EvaluationInput{
		Path: m.Path, Name: cmp.Or(m.Path, "document"), Weights: d.Terms.Weights, Target: d.Terms.Target,
		Maximum: cmp.Or(m.Maximum, d.Terms.Maximum), Improve: m.Improve, Write: m.Improve && m.Write,
	}
	if in.Document, in.Dir, err = d.source(m); err != nil {
		return in, err
	}
	if m.Rubric != nil {
		in.Weights = *m.Rubric
	}
	if in.Weights, err = d.CheckRubric(in.Weights); err != nil {
		return in, err
	}
	if m.Target != nil {
		in.Target = *m.Target
	}
	if err := d.CheckTarget(in.Target); err != nil {
		return in, err
	}
	if in.Maximum < 1 || in.Maximum > roundsMost {
		return in, messages.Invalid("max_iterations", "%d is out of range", in.Maximum).Try(fmt.Sprintf("give 1 to %d, or leave it out", roundsMost))
	}
	if err := d.mayWrite(in); err != nil {
		return in, err
	}
	if in.Improve {
		if in.Improver, err = d.Improver(ctx); err != nil {
			return in, err
		}
	}
	switch m.Evaluator {
	case HeuristicEvaluator:
		in.Evaluator = HeuristicEvaluator
	case "":
		in.Evaluator, err = d.Evaluator(ctx)
	default:
		err = messages.Invalid("evaluator", "%q is no evaluator", m.Evaluator).Try(`leave it out for the configured one, or use "heuristic"`)
	}
	return in, err
}

// mayWrite refuses what could not be written in the end, before anybody is paid.
func (d *EvaluationDesk) mayWrite(in messages.EvaluationInput) error {
	switch {
	case !in.Write:
		return nil
	case in.Path == "":
		return messages.Invalid("write", "there is no file to write to").Try("give document_path instead of content")
	}
	if err := d.Writable(in.Dir, in.Path); err != nil {
		e := messages.AsError(err)
		e.Field = "document_path"
		return e
	}
	return nil
}

// source is the document itself, and where it belongs.
func (d *EvaluationDesk) source(m messages.Evaluate) (doc, dir string, err error) {
	dir, err = d.Place(cmp.Or(m.Project, m.By.Dir))
	if err != nil && m.Project == "" { // who works elsewhere has named nothing there
		dir, err = d.Place("")
	}
	if err != nil {
		e := messages.AsError(err)
		e.Field = "project_path"
		return "", "", e
	}
	field, content := "content", []byte(m.Content)
	switch {
	case m.Content != "" && m.Path != "":
		return "", "", messages.Invalid("document_path", "there is a content, too").Try("give one of the two")
	case m.Path != "":
		field = "document_path"
		if content, err = d.Read(dir, m.Path); err != nil {
			e := messages.AsError(err)
			e.Field = field
			return "", "", e
		}
	}
	if err := d.CheckDocument(content); err != nil {
		e := messages.AsError(err)
		e.Field = field
		return "", "", e
	}
	return string(content), dir, nil
}

// join finds the job that the same question has begun: while it is on, and once
// more if whoever asked left before its end.
func (d *EvaluationDesk) join(ctx context.Context, asked [sha256.Size]byte) (messages.Job, error) {
	if d.running == nil {
		if err := d.recall(ctx); err != nil {
			return messages.Job{}, err
		}
	}
	id, ok := d.running[asked]
	if !ok {
		return messages.Job{}, nil
	}
	known, err := d.Ledger.Job(ctx, messages.GetJob{Job: id, Limit: 1})
	if err != nil {
		return messages.Job{}, err
	}
	if known.Status == messages.JobRunning {
		return known.Job, nil
	}
	until, expected := d.left[id]
	delete(d.left, id)
	d.forget(ctx)
	if expected && known.Status == messages.JobCompleted && d.Clock.Now().Before(until) {
		return known.Job, nil
	}
	return messages.Job{}, nil
}

// recall finds the questions that were on when a former life ended.
func (d *EvaluationDesk) recall(ctx context.Context) error {
	busy, err := d.Ledger.BusyJobs(ctx)
	if err != nil {
		return err
	}
	d.running = map[[sha256.Size]byte]messages.JobID{}
	for _, job := range busy {
		var in messages.EvaluationInput
		if job.Kind != messages.JobEvaluation || json.Unmarshal(job.Input, &in) != nil {
			continue
		}
		in.Iteration = 0
		d.running[sha256.Sum256(Encode(in))] = job.ID
	}
	return nil
}

// forget drops the questions whose jobs have ended, so that they do not pile up.
func (d *EvaluationDesk) forget(ctx context.Context) {
	for asked, id := range d.running {
		if _, expected := d.left[id]; expected {
			continue
		}
		if known, err := d.Ledger.Job(ctx, messages.GetJob{Job: id, Limit: 1}); err != nil || known.Status != messages.JobRunning {
			delete(d.running, asked)
		}
	}
}

// iteration counts the evaluations of a session, this one too.
func (d *EvaluationDesk) iteration(ctx context.Context, session string) (int, error) {
	if session == "" {
		return 1, nil
	}
	before, err := d.Ledger.Jobs(ctx, messages.ListJobs{Kind: messages.JobEvaluation, Session: session, Limit: 1})
	return before.Total + 1, err
}
