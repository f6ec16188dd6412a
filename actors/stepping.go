package actors

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"kurogo/messages"
)

// stepTries is how many agents one attempt of a step may have: what fell for no
// fault of the work is tried once more.
const stepTries = 2

// current is the step that is on, nil if none is.
func (r *PlannedRun) current() *stepLife {
	for _, life := range r.steps {
		if life.State == messages.StepRunning || life.State == messages.StepExecuted {
			return life
		}
	}
	return nil
}

// step goes on with the step that is on, or with the next one.
func (r *PlannedRun) step(c actor.Context) {
	for _, i := range r.order {
		s := r.plan.Steps[i]
		life := r.steps[s.ID]
		switch {
		case life == nil:
			if why := r.hindered(s); why != "" {
				r.note(nil, messages.StepResult{ID: s.ID, State: messages.StepSkipped, Error: why})
				continue
			}
			r.execute(c, s, 1)
			return
		case life.State == messages.StepRunning:
			r.execute(c, s, life.Attempt)
			return
		case life.State == messages.StepExecuted:
			r.prove(c, s, life)
			return
		}
	}
	r.finish(c)
}

// hindered says why a step cannot begin, "" if it can.
func (r *PlannedRun) hindered(s messages.PlanStep) string {
	if r.row >= r.Rules.BreakAfter {
		return fmt.Sprintf("%d steps have failed one after another: the run goes no further", r.row)
	}
	for _, need := range s.Needs {
		if r.steps[need].State != messages.StepDone {
			return fmt.Sprintf("it needs %s, which is not done", need)
		}
	}
	return ""
}

// note writes down how far a step has come.
func (r *PlannedRun) note(states []string, s messages.StepResult) {
	s.Text, s.Error = messages.Cut(s.Text, taskReason), messages.Cut(s.Error, taskReason)
	r.reach(s)
	r.Keep(states, Entry(messages.TraceStep, s))
}

// execute has an agent do a step, or find in a repair what was wrong with it.
func (r *PlannedRun) execute(c actor.Context, s messages.PlanStep, attempt int) {
	role, ok := r.role(r.in.Executor)
	if !ok {
		r.fail(c, exitFailed, messages.CodeUnavailable, fmt.Sprintf("there is no role %q to execute", r.in.Executor))
		return
	}
	agents := 0
	var failures []messages.RunVerify
	life := r.steps[s.ID]
	if life != nil {
		failures = life.failures
		if life.Attempt == attempt {
			agents = life.agents
		}
	}
	on := agents > 0 && life.State == messages.StepRunning && life.Agent != "" // of a former life of ours
	if !on {
		agents++
	}
	d := r.Draft(role, StepPrompt(r.in.Task, s, failures, r.Language), r.in.Root, r.Rules.StepTimeout,
		messages.Terms{System: ExecutorSystem(r.Language), Tools: append(lookingTools(), changingTools()...)})
	if !r.Crafts[role.Driver].InBand { // it writes by itself: not before the policy has seen what
		d.Isolation = messages.IsolationWorktree
	}
	a, err := r.Send(fmt.Sprintf("step %s %d.%d", s.ID, attempt, agents), d)
	if err != nil {
		r.busy(c, err)
		return
	}
	r.waiting = a.ID
	if !on {
		r.note([]string{"executing " + s.ID}, messages.StepResult{ID: s.ID, State: messages.StepRunning, Attempt: attempt, Agent: a.ID})
	}
	if a.Outcome != "" {
		r.woken(c)
	}
}

// busy waits for room among the agents; anything else is a fault of the journal.
func (r *PlannedRun) busy(c actor.Context, err error) {
	if !messages.IsCode(err, messages.CodeBusy) {
		panic(err)
	}
	r.pause.set(c, r.Clock, time.Second, func(gen int) any { return tryAgain{gen} })
}

// executed takes what has come of a step's agent.
func (r *PlannedRun) executed(c actor.Context, a messages.AgentDetail) {
	life := r.current()
	s := r.find(life.ID)
	if a.Outcome != messages.AgentCompleted {
		r.fallen(c, s, life, a)
		return
	}
	life.Text = a.Text
	if a.Isolation != messages.IsolationWorktree || a.Run.Diff == "" {
		r.look(c, s)
		return
	}
	if len(a.Run.Diff) >= diffBytes {
		r.failed(c, life, exitFailed, messages.ClassInvalid, "its difference is larger than what can be applied")
		return
	}
	r.beside(c, func(ctx context.Context) any { return patched{r.Apply(ctx, r.in.Root, r.Job.ID, a.Run.Diff)} })
}

// fallen asks another agent where that may help.
func (r *PlannedRun) fallen(c actor.Context, s messages.PlanStep, life *stepLife, a messages.AgentDetail) {
	e, exit := fallen(a), exitFailed
	again := a.Run.Class.Retryable() && a.Outcome == messages.AgentFailed && life.agents-life.lost < stepTries
	switch {
	case a.Outcome == messages.AgentLost: // kurogo fell: it is nobody's fault
		again = true
		r.note(nil, messages.StepResult{ID: s.ID, State: messages.StepRunning, Attempt: life.Attempt, Error: e.Message})
	case a.Run.Class == messages.ClassFormat:
		exit = exitFormat
	case a.Outcome == messages.AgentTimedOut:
		// A person may take longer than an agent has: the step goes on with his word.
		if question, answered := r.unheard(a.ID); question != "" {
			life.Agent, again = "", answered
			if !answered {
				r.note([]string{"waiting for approval"}, messages.StepResult{ID: s.ID, State: messages.StepRunning, Attempt: life.Attempt, Error: "it waits for a person's word"})
				life.asking = question
				return
			}
		}
	}
	if again {
		life.Agent = ""
		r.execute(c, s, life.Attempt)
		return
	}
	r.failed(c, life, exit, a.Run.Class, e.Message)
}

// patched goes on once the agent's difference is in the root, or was refused.
func (r *PlannedRun) patched(c actor.Context, m patched) {
	life := r.current()
	if m.err != nil {
		e, exit := messages.AsError(m.err), exitPolicy
		if e.Code == messages.CodeInternal || e.Code == messages.CodeUnavailable {
			exit = exitFailed
		}
		r.failed(c, life, exit, messages.ClassInvalid, "what it wrote was refused: "+e.Error())
		return
	}
	r.look(c, r.find(life.ID))
}

// look sees whether the files are there that the step was to leave.
func (r *PlannedRun) look(c actor.Context, s messages.PlanStep) {
	r.beside(c, func(ctx context.Context) any {
		missing, err := r.Missing(ctx, r.in.Root, s.Files)
		return looked{missing, err}
	})
}

func (r *PlannedRun) looked(c actor.Context, m looked) {
	life := r.current()
	s := r.find(life.ID)
	refused := r.refused(life.Agent)
	exit := exitFailed
	if refused {
		exit = exitPolicy
	}
	switch {
	case m.err != nil:
		r.failed(c, life, exitFailed, messages.ClassCrash, "its files cannot be looked at: "+m.err.Error())
	case len(m.missing) > 0:
		r.failed(c, life, exit, messages.ClassNone, "it left no "+strings.Join(m.missing, ", "))
	case refused && len(s.Verify) == 0:
		r.failed(c, life, exit, messages.ClassNone, "what it wanted to change was refused")
	default:
		executed := life.StepResult
		executed.State = messages.StepExecuted
		r.note(nil, executed)
		r.verify(c, s, life)
	}
}

// refused reports whether the last change that an agent wanted was refused by the
// policy.
func (r *PlannedRun) refused(agent messages.AgentID) (refused bool) {
	d, err := Recall(r.Ledger, r.Job.ID)
	if err != nil {
		panic(err)
	}
	for _, e := range d.Entries {
		var call messages.RunCall
		if e.Kind == messages.TraceToolResult && json.Unmarshal(e.Body, &call) == nil && call.Agent == agent && call.Changes {
			refused = call.Refused
		}
	}
	return refused
}

// verify runs the next command that is to prove the step.
func (r *PlannedRun) verify(c actor.Context, s messages.PlanStep, life *stepLife) {
	if life.verified >= len(s.Verify) {
		done := life.StepResult
		done.State = messages.StepDone
		r.note(nil, done)
		r.step(c)
		return
	}
	command := s.Verify[life.verified]
	if !slices.Contains(r.Rules.Programs, command[0]) && r.in.Approve != messages.ConsentAuto {
		id := r.question(command)
		d, err := r.Ledger.Job(context.Background(), messages.GetJob{Job: r.Job.ID, Limit: 1})
		if err != nil {
			panic(fmt.Errorf("read job: %w", err))
		}
		allowed, answered := d.Approvals[id]
		if !answered {
			r.askLeave(id, command)
			life.asking = id
			return
		}
		if !allowed {
			r.answered(c, life, false)
			return
		}
	}
	r.Keep([]string{"verifying " + s.ID})
	r.beside(c, func(ctx context.Context) any { return proved{r.Verify(ctx, r.in.Root, command)} })
}

// unheard is the question whether a file may be deleted that an agent had put, and
// heard no answer to, when its time was over, "" if there is none; answered is
// whether there is an answer by now.
func (r *PlannedRun) unheard(agent messages.AgentID) (question string, answered bool) {
	d, err := Recall(r.Ledger, r.Job.ID)
	if err != nil {
		panic(err)
	}
	for _, e := range d.Entries {
		var call messages.RunCall
		if json.Unmarshal(e.Body, &call) != nil || call.Agent != agent {
			continue
		}
		switch e.Kind {
		case messages.TraceToolCall:
			question = ""
			var in struct {
				Path string `json:"path"`
			}
			if call.Name == deleteTool && json.Unmarshal([]byte(call.Input), &in) == nil && in.Path != "" {
				question = DeleteQuestion(r.Job.ID, in.Path)
			}
		case messages.TraceToolResult:
			if call.Code != messages.CodeCancelled && call.Code != messages.CodeDeadline { // it has heard
				question = ""
			}
		}
	}
	_, answered = d.Approvals[question]
	return question, answered
}

// DeleteQuestion is the id of the question whether a file may be deleted, and
// question that of whether a command may be run: the same for the same, however
// often we fall.
func DeleteQuestion(job messages.JobID, path string) string { return questionOf(job, "", path) }

func (r *PlannedRun) question(command []string) string { return questionOf(r.Job.ID, command...) }

func questionOf(job messages.JobID, parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return string(job) + "-" + hex.EncodeToString(sum[:4])
}

func (r *PlannedRun) askLeave(id string, command []string) {
	r.Keep([]string{"waiting for approval"})
	if _, err := r.Journal.Commit(context.Background(), messages.AskApproval{
		ID: id, Job: r.Job.ID, Kind: messages.ParkedCommand, Content: strings.Join(command, " "), Now: r.Clock.Now(),
	}); err != nil {
		panic(fmt.Errorf("ask approval: %w", err))
	}
}

// answered goes on with a person's word.
func (r *PlannedRun) answered(c actor.Context, life *stepLife, allowed bool) {
	if life.State == messages.StepRunning { // another agent asks again, and hears it at once
		r.execute(c, r.find(life.ID), life.Attempt)
		return
	}
	if allowed {
		r.verify(c, r.find(life.ID), life)
		return
	}
	r.failed(c, life, exitPolicy, messages.ClassInvalid, "a command that was to prove it was not allowed")
}

// proved counts a command; one that failed has the step repaired.
func (r *PlannedRun) proved(c actor.Context, v messages.RunVerify) {
	life := r.current()
	v.Step, v.Attempt = life.ID, life.Attempt
	r.count(v)
	r.Keep(nil, Entry(messages.TraceVerify, v))
	r.prove(c, r.find(life.ID), life)
}

// prove goes on with the proof of a step: with its next command, or with a repair.
func (r *PlannedRun) prove(c actor.Context, s messages.PlanStep, life *stepLife) {
	switch {
	case !life.broken:
		r.verify(c, s, life)
	case life.Attempt <= r.Rules.Repairs:
		r.Keep([]string{"repairing " + s.ID})
		r.execute(c, s, life.Attempt+1)
	default:
		r.failed(c, life, exitFailed, messages.ClassNone, fmt.Sprintf("%s failed still after %d repairs", strings.Join(s.Verify[life.verified], " "), r.Rules.Repairs))
	}
}

// failed ends a step that is not done, and goes on with what does not need it.
func (r *PlannedRun) failed(c actor.Context, life *stepLife, exit int, class messages.Class, reason string) {
	s := life.StepResult
	s.State, s.Exit, s.Class, s.Error = messages.StepFailed, exit, class, reason
	r.note(nil, s)
	r.step(c)
}

func (r *PlannedRun) find(id string) messages.PlanStep {
	i := slices.IndexFunc(r.plan.Steps, func(s messages.PlanStep) bool { return s.ID == id })
	return r.plan.Steps[i]
}
