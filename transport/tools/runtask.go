package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"kurogo/messages"
)

// runID names a run for those who come back for it.
var runID = text(idChars, "the runId that run_task told")

func (c *Catalogue) tasking() []entry {
	waits := fmt.Sprintf("One call waits for at most %d s; when the time runs out it returns timedOut: true, which is no error: the run goes on, get_run with wait: true waits on.", int(c.o.Cap.Seconds()))
	return []entry{
		define(plan{
			name: "run_task", title: "Have a task planned, carried out and verified", hints: unleash,
			about: "Has a task below one directory planned, carried out step by step and verified; returns the steps, the changed files and their diff. Its agents touch files only through the gateway, and kurogo undo takes all of it back. " +
				"With dry_run: true it returns the plan and changes nothing. Each call begins another run. " + waits,
			input: object(
				must("task", limited("message_bytes", c.o.Limits.MessageBytes, "what is to be done")),
				may("root", text(pathChars, "the directory to work in; a relative path counts from where you work; the default is workspace.root of kurogo.toml")),
				may("dry_run", yes("only plan")),
				may("replan", yes("ask for a plan although the same task has one")),
				may("approve", oneOf("ask a person before files are deleted or unlisted programs are run, or auto; the default is run.approve of kurogo.toml", messages.ConsentAsk, messages.ConsentAuto)),
			),
			answer: runSchema, faults: faults{
				messages.CodeDenied:      {"root", "name a directory of the project"},
				messages.CodeInvalid:     {"task", "see the description of the tool"},
				messages.CodeUnavailable: {"", "kurogo doctor says what is wrong"},
				messages.CodeBusy:        {"", "try again soon"},
			},
		}, c.runTask),
		define(plan{
			name: "get_run", title: "Look at a run", hints: reads,
			about:  "Shows how far a run has come, and what came of it. With wait: true the call waits for its end, for a while. Use it when run_task could not wait.",
			input:  object(must("runId", runID), may("wait", yes("wait for its end"))),
			answer: runSchema, faults: faults{messages.CodeNotFound: {"runId", "GET /api/runs and kurogo runs list them"}},
		}, c.getRun),
	}
}

var runSchema = answer(
	must("runId", said("the run")),
	must("status", oneOf("whether it goes on; failed: look at exit and reason", messages.JobRunning, messages.JobCompleted, messages.JobFailed, messages.JobCancelled)),
	must("state", said("what is being done, or done, planned, partial or failed")),
	must("exit", number("0 done, 1 failed, 2 refused by the policy, 3 the model's JSON stayed invalid; 0 while it runs")),
	must("reason", said("why it is not done")),
	must("steps", list(0, 0, answer(
		must("id", said("of the plan")),
		must("state", oneOf("how far it came", messages.StepRunning, messages.StepExecuted, messages.StepDone, messages.StepFailed, messages.StepSkipped)),
		must("attempt", number("1, and one more for each repair")),
		must("error", said("why it failed, or was left out")),
	), "in the order in which they are done")),
	must("files", list(0, 0, said(""), "that are not as they were")),
	must("diff", said("what has changed")),
	must("text", said("the last words of the agent, or of the plan")),
	must("plan", orNull(said("the plan, as JSON, of a dry run"))),
	must("timedOut", yes("whether the time ran out first: call get_run with wait: true")),
)

type runTask struct {
	Task    string           `json:"task"`
	Root    string           `json:"root"`
	DryRun  bool             `json:"dry_run"`
	Replan  bool             `json:"replan"`
	Approve messages.Consent `json:"approve"`
}

func (a runTask) word(who messages.Caller) (messages.StartRun, error) {
	root, err := directory(who, "root", a.Root)
	return messages.StartRun{Task: a.Task, Root: root, DryRun: a.DryRun, Replan: a.Replan, Approve: a.Approve, By: who}, err
}

type runStepView struct {
	ID      string             `json:"id"`
	State   messages.StepState `json:"state"`
	Attempt int                `json:"attempt"`
	Error   string             `json:"error"`
}

type runView struct {
	ID       messages.JobID     `json:"runId"`
	Status   messages.JobStatus `json:"status"`
	State    string             `json:"state"`
	Exit     int                `json:"exit"`
	Reason   string             `json:"reason"`
	Steps    []runStepView      `json:"steps"`
	Files    []string           `json:"files"`
	Diff     string             `json:"diff"`
	Text     string             `json:"text"`
	Plan     *string            `json:"plan"`
	TimedOut bool               `json:"timedOut"`
}

func (c *Catalogue) runTask(ctx context.Context, u use, a runTask) (any, error) {
	word, err := a.word(u.who)
	if err != nil {
		return nil, err
	}
	since, err := c.cursor(ctx)
	if err != nil {
		return nil, err
	}
	job, err := ask[messages.Job](ctx, c.port, word)
	if err != nil {
		return nil, err
	}
	return c.ran(ctx, u, job, since)
}

type getRun struct {
	ID   messages.JobID `json:"runId"`
	Wait bool           `json:"wait"`
}

func (c *Catalogue) getRun(ctx context.Context, u use, a getRun) (any, error) {
	since, err := c.cursor(ctx)
	if err != nil {
		return nil, err
	}
	d, err := ask[messages.JobDetail](ctx, c.port, messages.GetJob{Job: a.ID, After: math.MaxInt32})
	switch {
	case err != nil:
		return nil, err
	case d.Kind != messages.JobRun:
		return nil, messages.Errorf(messages.CodeNotFound, "there is no run %q", a.ID)
	case !a.Wait:
		return showRun(d, false)
	}
	return c.ran(ctx, u, d.Job, since)
}

// ran waits for the end of a run, at most for the cap of the client, and shows it
// as it is then.
func (c *Catalogue) ran(ctx context.Context, u use, job messages.Job, since int64) (any, error) {
	capped, state := false, job.State
	if job.Status == messages.JobRunning {
		begun := c.o.Now()
		var err error
		capped, err = c.keep(ctx, u, vigil{
			topic: messages.Topic{
				Kinds: []messages.EventKind{messages.JobRun.Event(messages.JobUpdated), messages.JobRun.Event(messages.JobConcluded)},
				IDs:   []string{string(job.ID)},
			},
			since: since, most: c.patience(u.who),
			see: func(e messages.Event) (over bool, err error) {
				now, err := dataOf[messages.Job](e)
				state = now.State
				return now.Status != messages.JobRunning, err
			},
			note: func() string {
				return fmt.Sprintf("run %s: %s, since %s", job.ID, state, c.o.Now().Sub(begun).Round(time.Second))
			},
		})
		if err != nil {
			return nil, err
		}
	}
	d, err := ask[messages.JobDetail](ctx, c.port, messages.GetJob{Job: job.ID, After: math.MaxInt32})
	if err != nil {
		return nil, err
	}
	return showRun(d, capped && d.Status == messages.JobRunning)
}

func showRun(d messages.JobDetail, capped bool) (runView, error) {
	out := runView{ID: d.ID, Status: d.Status, State: d.State, Reason: d.Error, Steps: []runStepView{}, Files: []string{}, TimedOut: capped}
	if len(d.Output) == 0 {
		return out, nil
	}
	var of messages.RunOutput
	if err := json.Unmarshal(d.Output, &of); err != nil {
		return out, fmt.Errorf("read outcome of run %s: %w", d.ID, err)
	}
	out.Exit, out.Diff, out.Text = of.Exit, of.Diff, of.Text
	out.Files = append(out.Files, of.Files...)
	for _, s := range of.Steps {
		out.Steps = append(out.Steps, runStepView{s.ID, s.State, s.Attempt, s.Error})
	}
	if of.Status == "planned" {
		plan, err := json.Marshal(of.Plan)
		if err != nil {
			return out, fmt.Errorf("encode plan of %s: %w", d.ID, err)
		}
		text := string(plan)
		out.Plan = &text
	}
	return out, nil
}

// OrderRun begins what run_task would wait for, and gives the job at once. Errors
// are those of [Catalogue.Call].
func (c *Catalogue) OrderRun(ctx context.Context, who messages.Caller, input json.RawMessage, plan *messages.Plan) (messages.Job, error) {
	e, err := c.find(who, "run_task")
	if err != nil {
		return messages.Job{}, err
	}
	args, err := e.input.read(input)
	if err != nil {
		return messages.Job{}, err
	}
	var a runTask
	if err := json.Unmarshal(args, &a); err != nil {
		return messages.Job{}, fmt.Errorf("decode arguments of run_task: %w", err)
	}
	word, err := a.word(who)
	if err != nil {
		return messages.Job{}, err
	}
	word.Plan = plan
	job, err := ask[messages.Job](ctx, c.port, word)
	if err != nil {
		err = e.faults.explain(err)
	}
	return job, err
}
