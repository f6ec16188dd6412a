package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kurogo/messages"
	"kurogo/transport/local"
)

func (p *program) agent() *cobra.Command {
	c := &cobra.Command{
		Use:   "agent",
		Short: "Run agents, look at them, wait for them, cancel them",
		Example: `  kurogo agent run --role impl-code "Add a --json flag" --wait
  kurogo agent show impl-code-1739487600-a3f2
  kurogo agent wait impl-code-1739487600-a3f2 impl-test-1739487601-b4c5`,
		Args: cobra.ArbitraryArgs,
		RunE: noVerb,
	}
	c.AddCommand(p.agentRun(), p.agentShow(), p.agentWait(), p.agentCancel())
	return c
}

// An errand is what the flags of agent run say.
type errand struct {
	group, role, dir, key string
	timeout               time.Duration
	wait                  bool
}

func (p *program) agentRun() *cobra.Command {
	var r errand
	c := &cobra.Command{
		Use:   "run PROMPT",
		Short: "Run an agent and print its id",
		Long: `Run starts an agent of a role in a group, and prints its id; with --wait it
prints what came of it, and ends with 0 when it has completed, 1 when it failed,
124 when it ran out of time, 131 when it was cancelled. With - as PROMPT the text
is read from standard input. Without --group there will be a new one.`,
		Example: `  kurogo agent run --role impl-code "Add a --json flag to export" --wait
  kurogo agent run --role code-review --group grp-1739487600-a3f2 --dir ui - < review.md`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return p.runAgent(c.Context(), args[0], r) },
	}
	f := c.Flags()
	f.StringVar(&r.role, "role", "", "what it is to be (see kurogo roles)")
	f.StringVar(&r.group, "group", "", "the group it belongs to (default: a new one)")
	f.StringVar(&r.dir, "dir", "", "where it works (default: here)")
	f.StringVar(&r.key, "key", "", "running twice under one key is running once")
	f.DurationVar(&r.timeout, "timeout", 0, "how long it may run (default: limits.default_timeout)")
	f.BoolVar(&r.wait, "wait", false, "wait for its end and print the result")
	return c
}

// caller is the person at this terminal. Who is elsewhere works in the project.
func (p *program) caller() messages.Caller {
	who := messages.Caller{Client: "kurogo"}
	if dir, err := os.Getwd(); err == nil {
		if _, err := p.cfg.Workspace.Place(p.site.project, dir); err == nil {
			who.Dir = dir
		}
	}
	return who
}

func (p *program) runAgent(ctx context.Context, prompt string, r errand) error {
	prompt, err := p.prompt(prompt)
	if err != nil {
		return err
	}
	if r.role == "" {
		return messages.Invalid("role", "no role is named").Try("say --role with one that kurogo roles lists")
	}
	if r.timeout < 0 {
		return messages.Invalid("timeout", "%s is no time to work in", r.timeout).Try("give for example 5m")
	}
	order := messages.Order{Role: r.role, Prompt: prompt, Timeout: r.timeout}
	if r.dir != "" {
		if order.Dir, err = filepath.Abs(r.dir); err != nil { // the owner is elsewhere
			return fmt.Errorf("find directory: %w", err)
		}
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
	a, err := p.engage(ctx, client, r, order)
	if err != nil {
		return err
	}
	if a.Rehearsal {
		p.tell("%s", p.say("rehearsal"))
	}
	if r.wait {
		return p.waitAndShow(ctx, client, a, status.LastEvent)
	}
	if p.flags.json {
		return p.print(a)
	}
	p.tell(p.say("agent hint"), a.ID)
	_, err = fmt.Fprintln(p.out, a.ID)
	return err
}

// engage orders an agent in the group that was named, or in a new one, which
// does not outlive a refusal.
func (p *program) engage(ctx context.Context, h local.House, r errand, order messages.Order) (none messages.Agent, err error) {
	who := p.caller()
	group := messages.GroupID(r.group)
	if group == "" {
		g, err := askOn[messages.Group](ctx, h, messages.CreateGroup{Description: short(clean(firstLine(order.Prompt)), 100), Key: r.key, By: who})
		if err != nil {
			return none, err
		}
		group = g.ID
	}
	word := messages.RunAgents{Group: group, Stages: [][]messages.Order{{order}}, Key: r.key, By: who}
	word.By.Env = p.lentKeys()
	answer, err := askOn[messages.Agents](ctx, h, word)
	switch {
	case err == nil && r.group == "":
		p.tell(p.say("new group"), group)
	case err != nil && r.group == "" && r.key == "":
		_, _ = h.Ask(ctx, messages.DeleteGroup{Group: group, By: who}) // an empty group does no harm
	}
	if err != nil {
		return none, err
	}
	return answer.Agents[0], nil
}

// prompt reads it from standard input where it is "-".
func (p *program) prompt(text string) (string, error) {
	if text == "-" {
		b, err := io.ReadAll(io.LimitReader(os.Stdin, int64(p.cfg.Limits.MessageBytes)+1))
		if err != nil {
			return "", fmt.Errorf("read prompt: %w", err)
		}
		text = string(b)
	}
	if strings.TrimSpace(text) == "" { // a group would be made for nothing
		return "", messages.Invalid("prompt", "it is empty").Try(`say what is to be done: kurogo agent run --role impl-code "…"`)
	}
	return text, nil
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

// waitAndShow prints what came of one agent, for people its answer alone.
func (p *program) waitAndShow(ctx context.Context, h local.House, a messages.Agent, since int64) error {
	ended, err := p.awaitAgents(ctx, h, []messages.Agent{a}, false, since)
	if err != nil {
		p.tell(p.say("agents go on"), a.ID)
		return err
	}
	d, err := askOn[messages.AgentDetail](ctx, h, messages.GetAgent{Agent: a.ID, By: p.caller()})
	if err != nil {
		return err
	}
	if p.flags.json {
		err = p.print(d)
	} else {
		_, err = fmt.Fprintln(p.out, rehearsalMark(d.Rehearsal)+harmless(answer(d)))
	}
	return errors.Join(err, ending(ended))
}

// answer is the most that an agent said of its work.
func answer(d messages.AgentDetail) string {
	if d.Result == nil {
		return ""
	}
	for _, text := range []string{d.Result.Response, d.Result.Summary} {
		if text != "" {
			return text
		}
	}
	return d.Result.Error
}

func (p *program) agentCancel() *cobra.Command {
	var reason string
	c := &cobra.Command{
		Use:     "cancel ID",
		Short:   "End an agent; one that has ended stays as it is",
		Example: "  kurogo agent cancel impl-code-1739487600-a3f2 --reason \"wrong branch\"",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			a, err := ask[messages.Agent](c.Context(), p, messages.CancelAgent{Agent: messages.AgentID(args[0]), Reason: reason, By: p.caller()})
			if err != nil {
				return err
			}
			return p.showAgents([]messages.Agent{a})
		},
	}
	c.Flags().StringVar(&reason, "reason", "", "why, for whoever waits for it")
	return c
}
