package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"kurogo/messages"
	"kurogo/transport/local"
)

// A mission is what the flags of run say.
type mission struct {
	task, root, plan, approve string
	dryRun, replan, detach    bool
}

func (p *program) run() *cobra.Command {
	var m mission
	c := &cobra.Command{
		Use:   `run --task "TASK"`,
		Short: "Plan a task, carry it out step by step, and prove it",
		Long: `Run has a task planned, carried out and verified below one directory. The agents
touch files only through the gateway: below the root, of the allowed kinds, with
every access in the audit trail. A step that its commands do not prove is repaired;
what needs a failed one is left out. At the end you see the difference, which
kurogo undo takes back.

The same task above the same files has the same plan, which is kept; --replan asks
anew. --dry-run prints the plan and writes nothing; --plan runs one that you give.

It ends with 0 when all is done, 1 when it failed, 2 when the policy refused what
it needed, 3 when the model's JSON stayed invalid, 64 when the order is none, 69
without an agent, 124 when the time is over, 130 after Ctrl-C (which calls the run
off; a second one does not wait for that) and 131 when somebody else called it off.`,
		Example: `  kurogo run --task "Add a --json flag to the export command"
  kurogo run --task "…" --root ./app --dry-run --json > plan.json
  kurogo run --task "…" --root ./app --plan plan.json --approve auto`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return p.runTask(c.Context(), m) },
	}
	f := c.Flags()
	f.StringVar(&m.task, "task", "", "what is to be done; - reads it from standard input")
	f.StringVar(&m.root, "root", "", "directory to work in (default: workspace.root)")
	f.BoolVar(&m.dryRun, "dry-run", false, "print the plan, write nothing")
	f.StringVar(&m.plan, "plan", "", "file with a plan in JSON, instead of asking for one; - is standard input")
	f.BoolVar(&m.replan, "replan", false, "ask for a plan although one is known")
	f.StringVar(&m.approve, "approve", "", "ask a person before files are deleted or unlisted programs run, or auto (default: run.approve)")
	f.BoolVar(&m.detach, "detach", false, "print the id of the run, and leave it to itself")
	return c
}

func (p *program) runTask(ctx context.Context, m mission) error {
	word, err := p.commission(m)
	if err != nil {
		return err
	}
	client, err := p.connect(ctx)
	if err != nil {
		return err
	}
	defer client.Close()
	status, err := askOn[messages.Status](ctx, client, messages.GetStatus{})
	if err != nil {
		return err
	}
	job, err := askOn[messages.Job](ctx, client, word)
	if err != nil {
		return err
	}
	if m.detach {
		if p.flags.json {
			return p.print(job)
		}
		p.tell(p.sayRun("detached"), job.ID)
		_, err = fmt.Fprintln(p.out, job.ID)
		return err
	}
	if status.Rehearsal {
		p.tell("%s", p.say("rehearsal"))
	}
	gone, err := p.followRun(ctx, client, job, status.LastEvent)
	if err != nil {
		return err
	}
	d, err := askOn[messages.JobDetail](context.WithoutCancel(ctx), client, messages.GetJob{Job: job.ID, After: math.MaxInt32})
	if err != nil {
		return err
	}
	return p.outcome(ctx, d, gone)
}

// commission is what the owner is asked. Flags beat the environment, which beats the
// file; what has to be decided here is decided here, because the owner may have
// been started elsewhere.
func (p *program) commission(m mission) (messages.StartRun, error) {
	word := messages.StartRun{Task: m.task, DryRun: m.dryRun, Replan: m.replan, Approve: messages.Consent(m.approve), By: p.caller()}
	word.By.Env = p.lentKeys()
	if word.Approve == "" {
		word.Approve = messages.Consent(p.cfg.Run.Approve)
	}
	if m.task == "-" && m.plan == "-" {
		return word, messages.Invalid("plan", "standard input is the task already").Try("give one of the two in another way")
	}
	if m.task == "-" {
		text, err := p.standardInput(p.cfg.Limits.MessageBytes, "task")
		if err != nil {
			return word, err
		}
		word.Task = string(text)
	}
	if word.Task == "" {
		return word, messages.Invalid("task", "the task is empty").Try(`say what is to be done: kurogo run --task "…"`)
	}
	if m.plan != "" {
		plan, err := p.readPlan(m.plan)
		if err != nil {
			return word, err
		}
		word.Plan = &plan
	}
	var err error
	word.Root, err = p.rootOf(m)
	return word, err
}

// rootOf is the directory to work in. One that is named and not there yet is made,
// so that a task can begin with nothing.
func (p *program) rootOf(m mission) (string, error) {
	if m.root == "" {
		root := p.cfg.Workspace.Root
		if !filepath.IsAbs(root) {
			root = filepath.Join(p.site.project, root)
		}
		return root, nil
	}
	root, err := filepath.Abs(m.root)
	if err != nil {
		return "", fmt.Errorf("find root: %w", err)
	}
	if _, err := os.Stat(root); !os.IsNotExist(err) || m.dryRun {
		return root, nil // the owner says what is wrong with it
	}
	parent, err := filepath.EvalSymlinks(filepath.Dir(root))
	if err != nil {
		return root, nil //nolint:nilerr // likewise
	}
	if _, err := p.cfg.Workspace.Place(p.site.project, parent); err != nil {
		e := *messages.AsError(err)
		e.Field = "root"
		return "", &e
	}
	if err := os.Mkdir(root, 0o755); err != nil { //nolint:gosec // a directory of the project
		return "", messages.Invalid("root", "%v", err).Try("name a directory that exists")
	}
	return root, nil
}

// planBytes bounds a plan that is given.
const planBytes = 1 << 20

// readPlan reads a plan from a file. What is wrong with it says the owner, who
// checks every plan.
func (p *program) readPlan(name string) (plan messages.Plan, err error) {
	var text []byte
	if name == "-" {
		text, err = p.standardInput(planBytes, "plan")
	} else {
		var f *os.File
		if f, err = os.Open(name); err == nil {
			defer f.Close()
			text, err = io.ReadAll(io.LimitReader(f, planBytes+1))
		}
	}
	switch {
	case err != nil:
		return plan, messages.Invalid("plan", "%v", err).Try("name a file that kurogo run --dry-run --json has written")
	case len(text) > planBytes:
		return plan, messages.Invalid("plan", "it is over %d bytes", planBytes).Try("make it shorter")
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&plan); err != nil {
		return plan, messages.Invalid("plan", "%s: %v", name, err).Try("give one JSON object as kurogo run --dry-run --json prints it")
	}
	return plan, nil
}

func (p *program) standardInput(most int, field string) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(os.Stdin, int64(most)+1))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", field, err)
	}
	if len(text) > most {
		return nil, messages.Invalid(field, "it is over %d bytes", most).Try("make it shorter")
	}
	return text, nil
}

// followRun shows a run until it is over. Who interrupts us calls it off, and waits
// until it has ended; a second time, he does not wait.
func (p *program) followRun(ctx context.Context, h local.House, job messages.Job, since int64) (gone bool, err error) {
	again := make(chan os.Signal, 1)
	watch, end := context.WithCancel(context.WithoutCancel(ctx))
	heard := make(chan toldEvent)
	defer func() {
		end()
		for range heard { // nothing of the watch outlives us
		}
	}()
	go watchRun(watch, h, since, heard)
	show := p.runShow(job)
	defer show.clear()
	beat := time.NewTicker(time.Second)
	defer beat.Stop()
	called := ctx.Done()
	for {
		select {
		case e, ok := <-heard:
			switch {
			case !ok:
				return gone, messages.Errorf(messages.CodeUnavailable, "kurogo stopped telling what happens").Try("see kurogo runs " + string(job.ID))
			case e.err != nil:
				return gone, e.err
			}
			if over, err := show.event(watch, h, e.Event); over || err != nil {
				return gone, err
			}
		case l, ok := <-show.clerk.said():
			if err := show.typed(watch, h, l, ok); err != nil {
				return gone, err
			}
		case <-beat.C:
			show.draw()
		case <-called:
			called, gone = nil, true
			signal.Notify(again, os.Interrupt, syscall.SIGTERM)
			defer signal.Stop(again)
			show.clear()
			p.tell("%s", p.sayRun("calling off"))
			if _, err := askOn[messages.Job](watch, h, messages.CancelJob{Job: job.ID, Reason: "interrupted"}); err != nil {
				return gone, errors.Join(ctx.Err(), err)
			}
		case <-again:
			return gone, ctx.Err()
		}
	}
}

type toldEvent struct {
	messages.Event
	err error
}

// watchRun tells what happens to runs, and what people are asked.
func watchRun(ctx context.Context, h local.House, since int64, heard chan<- toldEvent) {
	defer close(heard)
	topic := messages.Topic{Kinds: []messages.EventKind{messages.ApprovalAsked, messages.ApprovalAnswered}}
	for _, what := range []string{messages.JobUpdated, messages.JobEntered, messages.JobConcluded} {
		topic.Kinds = append(topic.Kinds, messages.JobRun.Event(what))
	}
	for e, err := range h.Watch(ctx, topic, since) {
		select {
		case heard <- toldEvent{e, err}:
		case <-ctx.Done():
			return
		}
		if err != nil {
			return
		}
	}
}
