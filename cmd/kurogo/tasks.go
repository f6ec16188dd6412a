package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"kurogo/messages"
)

func (p *program) tasks() *cobra.Command {
	var status string
	var limit int
	c := &cobra.Command{
		Use:     "tasks",
		Short:   "List the tasks that were submitted, the newest first",
		Example: "  kurogo tasks\n  kurogo tasks --status waiting --json",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			answer, err := ask[messages.Tasks](c.Context(), p, messages.ListTasks{Status: messages.TaskStatus(status), Limit: limit})
			if err != nil {
				return err
			}
			if p.flags.json {
				return printEach(p, answer.Tasks)
			}
			if len(answer.Tasks) == 0 {
				p.tell("%s", p.say("no tasks"))
				return nil
			}
			w := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
			fmt.Fprintln(w, "TASK\tSTATUS\tAGE\tOPEN\tWHAT")
			for _, t := range answer.Tasks {
				fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%s\n", t.ID, t.Status, age(t.CreatedAt), t.Open, short(clean(t.Content), 60))
			}
			return w.Flush()
		},
	}
	c.Flags().StringVar(&status, "status", "", "only queued, running, waiting, completed, failed, cancelled or timed_out")
	c.Flags().IntVar(&limit, "limit", 20, "at most so many")
	return c
}

func (p *program) task() *cobra.Command {
	return &cobra.Command{
		Use:     "task ID",
		Short:   "Show one task: its tree and its result",
		Example: "  kurogo task 0199…",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			tree, err := ask[messages.TaskTree](c.Context(), p, messages.GetTask{Task: messages.TaskID(args[0])})
			if err != nil {
				return err
			}
			return p.showTree(tree)
		},
	}
}

func (p *program) cancel() *cobra.Command {
	var reason string
	c := &cobra.Command{
		Use:     "cancel ID",
		Short:   "End a task and everything below it",
		Example: "  kurogo cancel 0199… --reason \"wrong branch\"",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			tree, err := ask[messages.TaskTree](c.Context(), p, messages.CancelTask{Task: messages.TaskID(args[0]), Reason: reason})
			if err != nil {
				return err
			}
			return p.showTree(tree)
		},
	}
	c.Flags().StringVar(&reason, "reason", "", "why, for whoever waits for it")
	return c
}

func (p *program) showTree(tree messages.TaskTree) error {
	if p.flags.json {
		return p.print(tree)
	}
	p.branch(p.out, tree, tree.Task, 0)
	if tree.Task.Result != "" {
		fmt.Fprintf(p.out, "\n%s\n", harmless(tree.Task.Result))
	}
	return nil
}

// branch draws a task and, below it, what it asked for.
func (p *program) branch(w io.Writer, tree messages.TaskTree, t messages.Task, depth int) {
	took := ""
	if !t.FinishedAt.IsZero() {
		took = " " + t.FinishedAt.Sub(t.CreatedAt).Round(time.Millisecond).String()
	}
	fmt.Fprintf(w, "%s%s  %s%s  %s\n", strings.Repeat("  ", depth), t.Owner, t.Status, took, short(clean(t.Content), 70))
	for _, c := range tree.Below {
		if c.Parent == t.ID {
			p.branch(w, tree, c, depth+1)
		}
	}
}

// age is how long ago, in the largest unit that fits.
func age(t time.Time) string {
	d := time.Since(t)
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%dm", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh", int(d.Hours()))
	}
	return fmt.Sprintf("%dd", int(d.Hours()/24))
}
