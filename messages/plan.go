package messages

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"
)

// A Plan is how a task is to be done: steps that depend on one another.
type Plan struct {
	Summary string     `json:"summary"`
	Relied  []string   `json:"relied_on"` // what the planner read: paths, with lines where it knows them
	Steps   []PlanStep `json:"steps"`
}

// A PlanStep is one piece of work, small enough for one agent's turn.
type PlanStep struct {
	ID         string     `json:"id"`
	Title      string     `json:"title"`
	Needs      []string   `json:"needs"`        // the ids of steps that must be done before
	Files      []string   `json:"files"`        // that will be there afterwards, below the root
	Work       string     `json:"instructions"` // what the agent is told
	Acceptance string     `json:"acceptance"`   // how one can see that it is done
	Verify     [][]string `json:"verify"`       // commands, each as program and arguments; all must succeed
}

// What a plan may hold at most.
const (
	planSteps    = 50
	planList     = 100 // files, or commands, of a step
	planArgument = 4 << 10
)

// Check says what is wrong with a plan, and how the planner can mend it.
func (p Plan) Check() error {
	if len(p.Steps) == 0 {
		return Invalid("steps", "there are none").Try("give at least one step")
	}
	if len(p.Steps) > planSteps {
		return Invalid("steps", "%d are more than %d", len(p.Steps), planSteps).Try("make fewer, larger steps")
	}
	known := map[string]bool{}
	for i, s := range p.Steps {
		if s.ID == "" || known[s.ID] {
			return Invalid(fmt.Sprintf("steps[%d].id", i), "%q is empty, or there already", s.ID).Try("give every step an id of its own")
		}
		known[s.ID] = true
	}
	for i, s := range p.Steps {
		if err := s.check(fmt.Sprintf("steps[%d]", i), known); err != nil {
			return err
		}
	}
	_, err := p.Order()
	return err
}

func (s PlanStep) check(at string, known map[string]bool) error {
	if strings.TrimSpace(s.Work) == "" {
		return Invalid(at+".instructions", "it is empty").Try("say what is to be done")
	}
	for _, need := range s.Needs {
		if !known[need] {
			return Invalid(at+".needs", "there is no step %q", need).Try("name ids of other steps")
		}
	}
	if len(s.Files) > planList || len(s.Verify) > planList {
		return Invalid(at, "it names more than %d files or commands", planList).Try("make smaller steps")
	}
	for _, f := range s.Files {
		if !Local(f) {
			return Invalid(at+".files", "%q is not below the root", f).Try("name files relative to the root")
		}
	}
	for j, argv := range s.Verify {
		if len(argv) == 0 || argv[0] == "" {
			return Invalid(fmt.Sprintf("%s.verify[%d]", at, j), "there is no program").Try(`write program and arguments, such as ["go", "test", "./..."]`)
		}
		for _, a := range argv {
			if len(a) > planArgument || strings.ContainsRune(a, 0) {
				return Invalid(fmt.Sprintf("%s.verify[%d]", at, j), "an argument is too long, or has a zero byte").Try("shorten it")
			}
		}
	}
	return nil
}

// Local reports whether a path with slashes stays below where it begins.
func Local(name string) bool {
	clean := path.Clean(name)
	return name != "" && !path.IsAbs(clean) && clean != "." && clean != ".." && !strings.HasPrefix(clean, "../") && !strings.ContainsAny(name, "\x00\\")
}

// Order is the order in which the steps are done, as indices: that of the plan, as
// far as their needs allow. Refusals: invalid, naming a circle.
func (p Plan) Order() ([]int, error) {
	var order []int
	done := map[string]bool{}
	for len(order) < len(p.Steps) {
		next := slices.IndexFunc(p.Steps, func(s PlanStep) bool {
			return !done[s.ID] && !slices.ContainsFunc(s.Needs, func(need string) bool { return !done[need] })
		})
		if next < 0 {
			var circle []string
			for _, s := range p.Steps {
				if !done[s.ID] {
					circle = append(circle, s.ID)
				}
			}
			return nil, Invalid("steps", "the steps %s need one another", strings.Join(circle, ", ")).Try("break the circle of their needs")
		}
		done[p.Steps[next].ID] = true
		order = append(order, next)
	}
	return order, nil
}

// StartRun asks for a task to be planned, executed and verified below Root. Answer:
// Job, of the kind run, at once; its Input is a RunInput, its Output a RunOutput.
// Refusals: invalid, naming the field; denied for the root.
type StartRun struct {
	Task    string  `json:"task"`
	Root    string  `json:"root,omitempty"` // "" = workspace.root
	DryRun  bool    `json:"dry_run,omitempty"`
	Replan  bool    `json:"replan,omitempty"`  // ask for a plan though one is known
	Plan    *Plan   `json:"plan,omitempty"`    // instead of asking for one
	Approve Consent `json:"approve,omitempty"` // "" = the configuration's
	By      Caller  `json:"by"`
}

// Consent is how a run comes by a person's word.
type Consent string

// It is asked for, or taken as given.
const (
	ConsentAsk  Consent = "ask"
	ConsentAuto Consent = "auto"
)

// A RunInput is what a run was asked, with everything decided.
type RunInput struct {
	Task     string  `json:"task"`
	Root     string  `json:"root"`
	DryRun   bool    `json:"dry_run,omitempty"`
	Replan   bool    `json:"replan,omitempty"`
	Plan     *Plan   `json:"plan,omitempty"`
	Approve  Consent `json:"approve"`
	Planner  string  `json:"planner"`  // a role
	Executor string  `json:"executor"` // a role
}

// A RunOutput is what came of a run.
type RunOutput struct {
	Status string       `json:"status"` // "done", "planned", "partial" or "failed"
	Exit   int          `json:"exit"`   // of the verb: 0 done, 1 failed, 2 refused by policy, 3 the model's JSON stayed invalid
	Reason string       `json:"reason,omitempty"`
	Plan   *Plan        `json:"plan,omitempty"`
	Steps  []StepResult `json:"steps,omitempty"`
	Files  []string     `json:"files"` // that are not as they were
	Diff   string       `json:"diff"`
	Text   string       `json:"text"` // the last step's words
}

// The kinds of a run's entries: its trace.
const (
	TraceTask       = "task"        // RunInput
	TracePlan       = "plan"        // RunPlan
	TraceStep       = "step"        // StepResult
	TraceToolCall   = "tool_call"   // RunCall
	TraceToolResult = "tool_result" // RunCall
	TraceDiff       = "diff"        // RunDiff
	TraceVerify     = "verify"      // RunVerify
	TraceFinal      = "final"       // RunOutput, without plan and diff
)

// A RunPlan says where a plan came from.
type RunPlan struct {
	Plan   Plan    `json:"plan"`
	Hash   string  `json:"hash,omitempty"`   // of everything that it was made from
	Source string  `json:"source,omitempty"` // "given", "reused" or "" when it was asked for
	Agent  AgentID `json:"agentId,omitempty"`
	Error  string  `json:"error,omitempty"` // why what the planner said is none
	Lost   bool    `json:"lost,omitempty"`  // kurogo fell under the planner
}

// A StepState is how far a step has come.
type StepState string

// A step runs, is executed, and is done when everything is verified; or not.
const (
	StepRunning  StepState = "running"
	StepExecuted StepState = "executed"
	StepDone     StepState = "done"
	StepFailed   StepState = "failed"
	StepSkipped  StepState = "skipped"
)

// A StepResult is where a step stands.
type StepResult struct {
	ID      string    `json:"id"`
	State   StepState `json:"state"`
	Attempt int       `json:"attempt"` // 1, and one more for each repair
	Agent   AgentID   `json:"agentId,omitempty"`
	Text    string    `json:"text,omitempty"` // what its agent said last
	Error   string    `json:"error,omitempty"`
	Class   Class     `json:"class,omitempty"`
	Exit    int       `json:"exit,omitempty"` // of a failed one: what the run would exit with for it
}

// A RunCall is one use of a tool by an agent of a run.
type RunCall struct {
	Agent   AgentID `json:"agentId"`
	Call    string  `json:"callId"`
	Name    string  `json:"name"`
	Input   string  `json:"parameters,omitempty"` // JSON, cut
	Text    string  `json:"text,omitempty"`       // of the result, cut
	Code    Code    `json:"code,omitempty"`       // "" = it went well
	Refused bool    `json:"refused,omitempty"`    // by the policy, as opposed to what is merely not there
	Changes bool    `json:"changes,omitempty"`    // the tool changes files
	Time    int64   `json:"duration_ms,omitempty"`
}

// A RunDiff is what a step, or the whole run (Step ""), has changed.
type RunDiff struct {
	Step  string   `json:"step,omitempty"`
	Diff  string   `json:"diff"`
	Files []string `json:"files"`
}

// A RunVerify is one command that was to prove a step.
type RunVerify struct {
	Step    string   `json:"step"`
	Attempt int      `json:"attempt"`
	Command []string `json:"command"`
	Exit    int      `json:"exit"`
	Output  string   `json:"output"`          // the last of it
	Error   string   `json:"error,omitempty"` // it could not be run, or took too long
	Sandbox string   `json:"sandbox"`         // "bubblewrap" or "none"
	Time    int64    `json:"duration_ms"`
}

// OK reports whether the command succeeded.
func (v RunVerify) OK() bool { return v.Exit == 0 && v.Error == "" }

// KeepPlan remembers a plan under a hash of everything that it was made from.
type KeepPlan struct {
	Hash string
	Plan Plan
	Now  time.Time
}

func (KeepPlan) change() {}

// UndoRun puts the files back as they were before a run. Answer: FilesChanged.
// Refusals: not_found; conflict while it is on, or for files that were changed
// since, unless Force.
type UndoRun struct {
	Job   JobID `json:"job_id"`
	Force bool  `json:"force,omitempty"`
}

// GetStats asks how the runs have gone. Answer: Stats.
type GetStats struct {
	Since time.Time `json:"since,omitzero"`
}

// Stats are the figures of all runs that have ended.
type Stats struct {
	Runs       int     `json:"runs"`
	Done       int     `json:"done"`
	Partial    int     `json:"partial"`
	Success    float64 `json:"success_rate"` // of those that were to do something; 0 to 1
	P95        int64   `json:"p95_ms"`
	Refusals   int     `json:"refusals"` // by the policy, calls of tools
	Replanned  int     `json:"replanned"`
	Reproduced float64 `json:"plan_reproduction"`  // of those that were planned anew: the same plan came out
	Repairs    int     `json:"repairs"`            // steps that failed, and were done in the end
	RepairSize float64 `json:"repair_attempts"`    // how many attempts one of those took, on average
	Evidence   float64 `json:"evidence_agreement"` // of the paths that plans rely on: a step changes them
}

func (StartRun) word() {}
func (UndoRun) word()  {}
func (GetStats) word() {}
func (Stats) word()    {}
