package actors

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"kurogo/messages"
)

// A Judge is the arithmetic of an evaluation: what is asked, and what an answer is
// worth. It is pure.
type Judge struct {
	Schema        json.RawMessage // of a verdict
	ImproveSchema json.RawMessage

	Prompt        func(doc string, weights messages.Rubric) string
	Verdict       func(text string, weights messages.Rubric) (messages.Verdict, error)
	Heuristic     func(doc string, weights messages.Rubric) messages.Verdict
	ImprovePrompt func(doc string, v messages.Verdict, weights messages.Rubric, target float64) string
	Improved      func(text string) (doc, summary string, err error)
	Stopped       func(rounds []messages.Round, target float64, maximum int) messages.Stop
	Best          func(rounds []messages.Round) int
	Diff          func(before, after, name string) string
}

// HeuristicEvaluator judges without a model, and is labelled as what it is.
const HeuristicEvaluator = "heuristic"

// An Assessor is what all evaluations share.
type Assessor struct {
	Judge   Judge
	Tries   int           // of one question, all in all
	Timeout time.Duration // of one try
	// Replace writes a document over what it was. Errors: conflict when the file
	// is not what it was any more.
	Replace func(dir, path, before, after string) error
}

// Evaluation leads one evaluation: it has the document judged, and where that is
// wanted rewritten and judged again until it is good enough or gets no better.
type Evaluation struct {
	Errand
	Assessor
	in       messages.EvaluationInput
	rounds   []messages.EvaluationRound
	versions []messages.EvaluationVersion
	failures []messages.EvaluationTry // at the question that is on
	waiting  messages.AgentID         // whose answer we wait for
	pause    alarm                    // before the next try
}

// Lead returns the leader of evaluations.
func (a Assessor) Lead(e Errand) actor.Actor { return &Evaluation{Errand: e, Assessor: a} }

type tryAgain struct{ gen int }

// Receive implements [actor.Actor].
func (e *Evaluation) Receive(c actor.Context) {
	switch m := c.Message().(type) {
	case *actor.Started:
		e.recall()
		e.proceed(c)
	case messages.Wake:
		e.woken(c)
	case tryAgain:
		if m.gen == e.pause.gen {
			e.pause.off()
			e.proceed(c)
		}
	case *actor.Stopping:
		e.pause.off()
	}
}

// recall finds out how far the job has come.
func (e *Evaluation) recall() {
	d, err := Recall(e.Ledger, e.Job.ID)
	if err == nil {
		err = json.Unmarshal(d.Input, &e.in)
	}
	for _, entry := range d.Entries {
		if err != nil {
			break
		}
		switch entry.Kind {
		case messages.EntryRound:
			var r messages.EvaluationRound
			err = json.Unmarshal(entry.Body, &r)
			e.rounds, e.failures = append(e.rounds, r), nil
		case messages.EntryVersion:
			var v messages.EvaluationVersion
			err = json.Unmarshal(entry.Body, &v)
			e.versions, e.failures = append(e.versions, v), nil
		case messages.EntryTry:
			var t messages.EvaluationTry
			err = json.Unmarshal(entry.Body, &t)
			e.failures = append(e.failures, t)
		}
	}
	if err != nil {
		panic(fmt.Errorf("recall evaluation %s: %w", e.Job.ID, err))
	}
	e.Job = d.Job
}

// document is the version that counts now.
func (e *Evaluation) document() string {
	if n := len(e.versions); n > 0 {
		return e.versions[n-1].Document
	}
	return e.in.Document
}

// proceed does what is to be done next: a version that was not judged is, then it
// is decided whether another is wanted.
func (e *Evaluation) proceed(c actor.Context) {
	if e.Job.Status != messages.JobRunning {
		c.Stop(c.Self())
		return
	}
	if len(e.rounds) <= len(e.versions) {
		e.judge(c)
		return
	}
	if !e.in.Improve {
		e.pronounce(c, nil)
		return
	}
	if stop := e.Judge.Stopped(e.marks(), e.in.Target, e.in.Maximum); stop != messages.GoOn {
		e.conclude(c, stop)
		return
	}
	e.improve(c)
}

func (e *Evaluation) marks() []messages.Round {
	out := make([]messages.Round, len(e.rounds))
	for i, r := range e.rounds {
		out[i] = r.Round
	}
	return out
}

func (e *Evaluation) judge(c actor.Context) {
	if e.in.Evaluator == HeuristicEvaluator {
		begun := e.Clock.Now()
		v := e.Judge.Heuristic(e.document(), e.in.Weights)
		e.judged(c, v, messages.EvaluationRound{Model: HeuristicEvaluator, Time: e.Clock.Now().Sub(begun).Milliseconds()})
		return
	}
	e.order(c, messages.EntryRound, e.in.Evaluator, e.Judge.Prompt(e.document(), e.in.Weights), e.Judge.Schema, "evaluating", "evaluator_running")
}

func (e *Evaluation) improve(c actor.Context) {
	last := e.rounds[len(e.rounds)-1].Verdict
	e.order(c, messages.EntryVersion, e.in.Improver, e.Judge.ImprovePrompt(e.document(), last, e.in.Weights, e.in.Target), e.Judge.ImproveSchema, "needs_improvement", "suggesting")
}

// order asks an agent, and waits for its end.
func (e *Evaluation) order(c actor.Context, what, role, prompt string, schema json.RawMessage, states ...string) {
	r, ok := e.role(role)
	if !ok {
		e.end(c, messages.JobFailed, messages.CodeUnavailable, fmt.Sprintf("there is no role %q", role))
		return
	}
	a, err := e.Send(fmt.Sprintf("%s %d.%d", what, e.number(), len(e.failures)+1),
		e.Draft(r, prompt, e.in.Dir, e.Timeout, messages.Terms{Schema: schema, ReadOnly: true, Attempts: 1}))
	if err != nil {
		if messages.IsCode(err, messages.CodeBusy) { // it waits for its turn like everybody else
			e.pause.set(c, e.Clock, time.Second, func(gen int) any { return tryAgain{gen} })
			return
		}
		panic(err)
	}
	e.waiting = a.ID
	if a.Outcome != "" { // it has done so in a former life
		e.woken(c)
		return
	}
	e.Keep(states)
}

// number is the round, from 1, that the present question is about.
func (e *Evaluation) number() int { return len(e.versions) + 1 }

// woken looks what has become of the job, and of the agent.
func (e *Evaluation) woken(c actor.Context) {
	if _, on := e.Stands(); !on {
		c.Stop(c.Self())
		return
	}
	if e.waiting == "" {
		return
	}
	if a, done := e.Done(e.waiting); done {
		e.waiting = ""
		e.heard(c, a)
	}
}
