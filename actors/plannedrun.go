package actors

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"kurogo/messages"
)

// A Workshop is what all runs share: the rules, and the places where a run may
// touch the world.
type Workshop struct {
	Rules RunRules

	// Plan finds a plan that was kept under a hash. Errors: not_found.
	Plan func(ctx context.Context, hash string) (messages.Plan, error)
	// Survey says what is below a root: a hash of all of it, and its paths.
	Survey func(ctx context.Context, root string) (hash string, files []string, err error)
	// Evidence finds what in the code a task may be about; none is no error.
	Evidence func(ctx context.Context, root, task string) []messages.Chunk
	// Apply has a unified diff pass the policy, and then applies it. Errors are
	// the gateway's.
	Apply func(ctx context.Context, root string, job messages.JobID, patch string) error
	// Missing says which of these files are not there.
	Missing func(ctx context.Context, root string, files []string) ([]string, error)
	// Verify runs one command. It fills in everything but Step and Attempt.
	Verify func(ctx context.Context, root string, command []string) messages.RunVerify
	// Diff says what a run has changed so far.
	Diff func(ctx context.Context, root string, job messages.JobID) (diff string, files []string, err error)
}

// RunRules are what the configuration says of runs.
type RunRules struct {
	Programs    []string // that may be run without asking
	Repairs     int      // of one step
	BreakAfter  int      // failed steps in a row end the run
	PlanTimeout time.Duration
	StepTimeout time.Duration
}

// PlannedRun leads one run: a plan, then step after step, each verified and if need be
// repaired. Everything is in its entries; what it has done it does not do again.
type PlannedRun struct {
	Errand
	Workshop
	in messages.RunInput

	plan  *messages.Plan
	order []int
	asked []messages.RunPlan // what planners said that was no plan
	steps map[string]*stepLife
	row   int    // steps that failed, one after another
	exit  int    // what the last failure exits with
	hash  string // of what the plan is made from

	prompt  string           // for the planner
	waiting messages.AgentID // whose end we wait for
	ctx     context.Context  // of what is done beside the mailbox
	cancel  context.CancelFunc
	pause   alarm
}

// A stepLife is what is known of a step.
type stepLife struct {
	messages.StepResult
	agents   int  // that this attempt had …
	lost     int  // … of which kurogo fell under these
	verified int  // commands of this attempt that succeeded
	broken   bool // the one after them did not
	failures []messages.RunVerify
	asking   string // the approval that it waits for
}

// Lead returns the leader of runs.
func (w Workshop) Lead(e Errand) actor.Actor {
	r := &PlannedRun{Errand: e, Workshop: w, steps: map[string]*stepLife{}}
	r.ctx, r.cancel = context.WithCancel(context.Background())
	return r
}

// The words that a run says to itself.
type (
	surveyed struct {
		hash     string
		files    []string
		evidence []messages.Chunk
		err      error
	}
	patched struct{ err error }
	looked  struct {
		missing []string
		err     error
	}
	proved   struct{ messages.RunVerify }
	compared struct {
		diff  string
		files []string
		err   error
	}
)

// Receive implements [actor.Actor].
func (r *PlannedRun) Receive(c actor.Context) {
	switch m := c.Message().(type) {
	case *actor.Started:
		r.recall()
		r.proceed(c)
	case messages.Wake:
		r.woken(c)
	case tryAgain:
		if m.gen == r.pause.gen {
			r.pause.off()
			r.proceed(c)
		}
	case surveyed:
		r.surveyed(c, m)
	case patched:
		r.patched(c, m)
	case looked:
		r.looked(c, m)
	case proved:
		r.proved(c, m.RunVerify)
	case compared:
		r.compared(c, m)
	case *actor.Stopping:
		r.cancel()
		r.pause.off()
	}
}

// beside does what takes time beside the mailbox, and hears of it as a message.
func (r *PlannedRun) beside(c actor.Context, do func(ctx context.Context) any) {
	root, self, ctx := c.ActorSystem().Root, c.Self(), r.ctx
	go func() {
		word := do(ctx)
		if ctx.Err() == nil {
			root.Send(self, word)
		}
	}()
}

// recall finds out how far the job has come.
func (r *PlannedRun) recall() {
	d, err := Recall(r.Ledger, r.Job.ID)
	if err == nil {
		err = json.Unmarshal(d.Input, &r.in)
	}
	for _, entry := range d.Entries {
		if err != nil {
			break
		}
		err = r.replay(entry)
	}
	if err != nil {
		panic(fmt.Errorf("recall run %s: %w", r.Job.ID, err))
	}
	r.Job = d.Job
	if len(d.Entries) == 0 && d.Status == messages.JobRunning {
		r.Keep([]string{"planning"}, Entry(messages.TraceTask, r.in))
	}
}

func (r *PlannedRun) replay(entry messages.JobEntry) error {
	switch entry.Kind {
	case messages.TracePlan:
		var p messages.RunPlan
		if err := json.Unmarshal(entry.Body, &p); err != nil {
			return err
		}
		return r.adopt(p)
	case messages.TraceStep:
		var s messages.StepResult
		if err := json.Unmarshal(entry.Body, &s); err != nil {
			return err
		}
		r.reach(s)
	case messages.TraceVerify:
		var v messages.RunVerify
		if err := json.Unmarshal(entry.Body, &v); err != nil {
			return err
		}
		r.count(v)
	}
	return nil
}

// reach remembers how far a step has come.
func (r *PlannedRun) reach(s messages.StepResult) {
	life, ok := r.steps[s.ID]
	if !ok {
		life = &stepLife{}
		r.steps[s.ID] = life
	}
	if s.Attempt != life.Attempt {
		life.agents, life.lost = 0, 0
	}
	life.StepResult = s
	switch s.State {
	case messages.StepRunning:
		if s.Agent == "" {
			life.lost++
		} else {
			life.agents++
		}
	case messages.StepExecuted:
		life.verified, life.broken = 0, false
	case messages.StepDone:
		r.row = 0
	case messages.StepFailed:
		r.row++
		r.exit = s.Exit
	case messages.StepSkipped:
	}
}

// count remembers a command that was run.
func (r *PlannedRun) count(v messages.RunVerify) {
	life := r.steps[v.Step]
	if v.OK() {
		life.verified++
		return
	}
	life.failures, life.broken = append(life.failures, v), true
}

// The exit codes of the verb.
const (
	exitFailed = 1
	exitPolicy = 2
	exitFormat = 3
)

// proceed does what is to be done next.
func (r *PlannedRun) proceed(c actor.Context) {
	switch {
	case r.Job.Status != messages.JobRunning:
		c.Stop(c.Self())
	case r.plan == nil:
		r.makePlan(c)
	case r.in.DryRun:
		r.close(c, messages.RunOutput{Status: "planned", Plan: r.plan, Text: r.plan.Summary})
	default:
		r.step(c)
	}
}

// woken looks what has become of the job, of an agent, of a question.
func (r *PlannedRun) woken(c actor.Context) {
	d, on := r.Stands()
	if !on {
		c.Stop(c.Self())
		return
	}
	if life := r.current(); life != nil && life.asking != "" {
		if allowed, answered := d.Approvals[life.asking]; answered {
			life.asking = ""
			r.answered(c, life, allowed)
		}
		return
	}
	if r.waiting == "" {
		return
	}
	a, done := r.Done(r.waiting)
	if !done {
		return
	}
	r.waiting = ""
	if r.plan == nil {
		r.planned(c, a)
	} else {
		r.executed(c, a)
	}
}
