package actors

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"kurogo/messages"
)

// heard takes what an agent has come to: an answer that can be read, or a reason
// to ask another one.
func (e *Evaluation) heard(c actor.Context, a messages.AgentDetail) {
	what := messages.EntryRound
	if len(e.rounds) > len(e.versions) {
		what = messages.EntryVersion
	}
	var err error
	switch {
	case a.Outcome != messages.AgentCompleted:
		e.again(c, a, what, fallen(a), a.Run.Class.Retryable())
		return
	case what == messages.EntryRound:
		var v messages.Verdict
		if v, err = e.Judge.Verdict(a.Text, e.in.Weights); err == nil {
			e.judged(c, v, messages.EvaluationRound{Agent: a.ID, Model: model(a.Agent), Time: a.Elapsed(a.EndedAt).Milliseconds()})
			return
		}
	default:
		var doc, summary string
		if doc, summary, err = e.Judge.Improved(a.Text); err == nil {
			e.improved(c, messages.EvaluationVersion{Version: len(e.versions) + 1, Document: doc, Summary: summary, Agent: a.ID})
			return
		}
	}
	e.again(c, a, what, messages.Errorf(messages.CodeInternal, "%v", err), true)
}

// fallen says how an agent failed, as the error that it is outside.
func fallen(a messages.AgentDetail) *messages.Error {
	code := a.Run.Class.Code()
	switch a.Outcome { //nolint:exhaustive // a class says more of the others
	case messages.AgentTimedOut:
		code = messages.CodeDeadline
	case messages.AgentCancelled:
		code = messages.CodeCancelled
	}
	return messages.Errorf(code, "%s", cmp.Or(a.Run.Error, string(a.Outcome)))
}

// model says who answered, by the name that means most.
func model(a messages.Agent) string {
	switch {
	case a.Rehearsal:
		return "rehearsal"
	case a.Model == "":
		return a.Driver
	}
	return a.Driver + " " + a.Model
}

// judged writes a round down and goes on. The only round of an evaluation that does
// not improve is written together with its end.
func (e *Evaluation) judged(c actor.Context, v messages.Verdict, r messages.EvaluationRound) {
	r.Round, r.Version = messages.Round{Number: len(e.rounds) + 1, Verdict: v}, len(e.versions)
	e.rounds, e.failures = append(e.rounds, r), nil
	states, entry := []string{"parsing", "scoring"}, Entry(messages.EntryRound, r)
	if !e.in.Improve {
		e.pronounce(c, states, entry)
		return
	}
	e.Keep(states, entry)
	e.proceed(c)
}

// improved writes a version down and goes on.
func (e *Evaluation) improved(c actor.Context, v messages.EvaluationVersion) {
	v.Diff = e.Judge.Diff(e.document(), v.Document, e.in.Name)
	e.versions, e.failures = append(e.versions, v), nil
	e.Keep(nil, Entry(messages.EntryVersion, v))
	e.proceed(c)
}

// again asks once more after a growing wait, unless that is no use. That kurogo
// fell under an agent is not counted.
func (e *Evaluation) again(c actor.Context, a messages.AgentDetail, what string, why *messages.Error, useful bool) {
	t := messages.EvaluationTry{
		What: what, Round: e.number(), Agent: a.ID, Code: why.Code, Error: messages.Cut(why.Message, taskReason), Counted: a.Outcome != messages.AgentLost,
	}
	e.failures = append(e.failures, t)
	tries := 0
	for _, f := range e.failures {
		if f.Counted {
			tries++
		}
	}
	if why.Code == messages.CodeCancelled && t.Counted {
		e.end(c, messages.JobCancelled, why.Code, "its agent was cancelled", Entry(messages.EntryTry, t))
		return
	}
	if !useful || tries >= e.Tries {
		e.end(c, messages.JobFailed, why.Code, fmt.Sprintf("%s, after %d of %d tries", why.Message, tries, e.Tries), Entry(messages.EntryTry, t))
		return
	}
	e.Keep([]string{"retrying"}, Entry(messages.EntryTry, t))
	wait := time.Duration(0)
	if t.Counted {
		wait = time.Second << (tries - 1)
	}
	e.pause.set(c, e.Clock, wait, func(gen int) any { return tryAgain{gen} })
}

func (e *Evaluation) end(c actor.Context, status messages.JobStatus, code messages.Code, reason string, entries ...messages.JobEntry) {
	e.Close(messages.CloseJob{Status: status, States: []string{"failed"}, Entries: entries, Code: code, Error: reason})
	c.Stop(c.Self())
}

// pronounce ends a job that was to judge, and not to improve.
func (e *Evaluation) pronounce(c actor.Context, states []string, entries ...messages.JobEntry) {
	if !e.rounds[0].Verdict.Passes(e.in.Target) {
		states = append(states, "needs_improvement", "suggesting")
	}
	e.Close(messages.CloseJob{Status: messages.JobCompleted, States: append(states, "done"), Entries: entries, Output: Encode(e.answer(0))})
	c.Stop(c.Self())
}

// conclude ends a job that improves, with the best version.
func (e *Evaluation) conclude(c actor.Context, stop messages.Stop) {
	best := e.Judge.Best(e.marks())
	out := messages.Improved{
		Best: e.answer(best), Version: e.rounds[best].Version, Stop: stop, Rounds: e.rounds, Path: e.in.Path, Document: e.in.Document,
	}
	if out.Version > 0 {
		out.Document = e.versions[out.Version-1].Document
	}
	out.Diff = e.Judge.Diff(e.in.Document, out.Document, e.in.Name)
	if e.in.Write && out.Best.Pass && out.Diff != "" {
		if err := e.Replace(e.in.Dir, e.in.Path, e.in.Document, out.Document); err != nil {
			var known *messages.Error
			if !errors.As(err, &known) {
				known = messages.Errorf(messages.CodeInternal, "%v", err)
			}
			e.Close(messages.CloseJob{Status: messages.JobFailed, States: []string{"failed"}, Code: known.Code, Error: "the better document is kept here, but could not be written: " + known.Message, Output: Encode(out)})
			c.Stop(c.Self())
			return
		}
		out.Written = true
	}
	e.Close(messages.CloseJob{Status: messages.JobCompleted, States: []string{"done"}, Output: Encode(out)})
	c.Stop(c.Self())
}

// answer is a round as the client of evaluate_document hears it.
func (e *Evaluation) answer(round int) messages.Evaluated {
	r := e.rounds[round]
	m := messages.EvaluationMetadata{Iteration: e.in.Iteration, Time: r.Time, Model: r.Model}
	if e.in.Improve {
		m.Iteration = r.Number
	}
	switch {
	case !e.in.Improve && e.in.Iteration > e.in.Maximum:
		m.Note = fmt.Sprintf("iteration %d is beyond the maximum of %d", e.in.Iteration, e.in.Maximum)
	case r.Verdict.Blocker != "":
		m.Note = "blocked: " + r.Verdict.Blocker
	case r.Verdict.Disagrees:
		m.Note = fmt.Sprintf("the evaluator said %.1f overall; its criteria come to %.1f", r.Verdict.Said, r.Verdict.Score)
	}
	return r.Verdict.Answer(e.in.Target, m)
}
