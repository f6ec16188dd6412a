package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"kurogo/messages"
)

func (p *program) agentShow() *cobra.Command {
	var diff bool
	c := &cobra.Command{
		Use:   "show ID",
		Short: "Show everything that is known of an agent",
		Long: `Show prints an agent's state, what it did and what came of it. With --diff it
prints what the agent changed in its worktree, as git apply takes it.`,
		Example: "  kurogo agent show impl-code-1739487600-a3f2\n  kurogo agent show impl-code-1739487600-a3f2 --diff | git apply",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			d, err := ask[messages.AgentDetail](c.Context(), p, messages.GetAgent{Agent: messages.AgentID(args[0]), By: p.caller()})
			switch {
			case err != nil:
				return err
			case diff:
				_, err = fmt.Fprint(p.out, d.Run.Diff)
				return err
			case p.flags.json:
				return p.print(d)
			}
			return p.showAgent(d)
		},
	}
	c.Flags().BoolVar(&diff, "diff", false, "print only what it changed in its worktree")
	return c
}

func (p *program) showAgent(d messages.AgentDetail) error {
	t := p.table()
	say := func(name, text string) {
		if text != "" {
			t.add(name, text)
		}
	}
	t.rows = append(t.rows, []cell{{string(d.ID), bold}, look(d.Agent)})
	say("role", strings.TrimSpace(d.Role+", "+d.Driver+" "+d.Model))
	say("group", string(d.Group))
	say("directory", place(d.Agent))
	say("prompt", clean(d.Prompt))
	say("queued", d.QueuedAt.Local().Format("2006-01-02 15:04:05"))
	say("waits", clean(d.Waiting))
	if !d.StartedAt.IsZero() {
		say("elapsed", fmt.Sprintf("%s of %s", elapsed(d.Agent), d.Timeout))
	}
	say("tools", calls(d.Run))
	say("files", changes(d))
	if r := d.Run; r.InputTokens+r.OutputTokens+r.CostMicros > 0 {
		say("cost", fmt.Sprintf("%s, %d tokens in, %d out, %d cached", usd(r.CostMicros), r.InputTokens, r.OutputTokens, r.CachedTokens))
	}
	if d.Outcome == "" {
		say("last", clean(d.Run.Last))
	}
	if r := d.Result; r != nil {
		say("result", string(r.Status))
		say("error", clean(r.Error))
		say("raw", r.Raw)
	}
	if d.Run.Diff != "" {
		say("diff", fmt.Sprintf("%d lines: kurogo agent show %s --diff", strings.Count(d.Run.Diff, "\n"), d.ID))
	}
	if err := t.print(p.out); err != nil || d.Result == nil {
		return err
	}
	_, err := fmt.Fprintf(p.out, "\n%s%s\n", rehearsalMark(d.Rehearsal), harmless(answer(d)))
	return err
}

func place(a messages.Agent) string {
	if a.Isolation == messages.IsolationWorktree {
		return "a worktree of " + a.Dir
	}
	return a.Dir
}

// calls counts an agent's uses of tools and names the last.
func calls(r messages.Run) string {
	if r.ToolCalls == 0 {
		return ""
	}
	var names []string
	for _, call := range r.Recent {
		if len(names) == 0 || names[len(names)-1] != call.Type {
			names = append(names, clean(call.Type))
		}
	}
	return strings.TrimSuffix(fmt.Sprintf("%d: %s", r.ToolCalls, strings.Join(names, ", ")), ": ")
}

// changes marks what an agent made, changed and took away.
func changes(d messages.AgentDetail) string {
	made, changed := d.Run.Created, d.Run.Edited
	if d.Result != nil {
		made, changed = d.Result.Created, d.Result.Edited
	}
	var marked []string
	for _, list := range []struct {
		mark  string
		files []string
	}{{"+", made}, {"~", changed}, {"-", d.Run.Deleted}} {
		for _, file := range list.files {
			marked = append(marked, list.mark+clean(file))
		}
	}
	return strings.Join(marked, "  ")
}
