package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"kurogo/config"
	"kurogo/messages"
)

func (p *program) approvals() *cobra.Command {
	return &cobra.Command{
		Use:   "approvals",
		Short: "List what waits for your word",
		Long: `Approvals lists the tasks that wait because limits.usd_per_task or
limits.usd_per_day is spent, and the runs that want to delete a file or run a program
that is not on the list. Nothing of them is lost; kurogo resume lets the first go
on, kurogo approve the others.`,
		Example: "  kurogo approvals\n  kurogo resume 0199…\n  kurogo approve 0199…-1a2b3c4d --deny",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			answer, err := ask[messages.Approvals](c.Context(), p, messages.ListApprovals{})
			if err != nil {
				return err
			}
			return p.showApprovals(answer.Approvals)
		},
	}
}

func (p *program) showApprovals(list []messages.Approval) error {
	if p.flags.json {
		return printEach(p, list)
	}
	if len(list) == 0 {
		p.tell("%s", p.say("no approvals"))
		return nil
	}
	w := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "LIMIT\tTASK\tSPENT\tOF\tWAITING\tSINCE\tWHAT")
	for _, a := range list {
		if a.ID != "" { // a question, not money
			fmt.Fprintf(w, "%s\t%s\t\t\t%d\t%s\t%s\n", a.Kind, a.ID, a.Waiting, age(a.Since), short(clean(a.Content), 80))
			continue
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%d\t%s\t%s\n", a.Kind, a.Task, usd(a.Spent), usd(a.Limit), a.Waiting, age(a.Since), short(clean(a.Content), 50))
	}
	return w.Flush()
}

func (p *program) resume() *cobra.Command {
	var dollars float64
	var today bool
	c := &cobra.Command{
		Use:   "resume [TASK]",
		Short: "Grant more money to a task, or to today, and let it go on",
		Example: `  kurogo resume 0199…             # limits.usd_per_task once more
  kurogo resume 0199… --usd 0.50
  kurogo resume --today           # limits.usd_per_day once more`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			word := messages.ResumeTask{Micros: config.Micros(dollars)}
			if today == (len(args) == 1) {
				return messages.Invalid("task", "name one task, or say --today").Try("see kurogo approvals")
			}
			if len(args) == 1 {
				word.Task = messages.TaskID(args[0])
			}
			r, err := ask[messages.Resumed](c.Context(), p, word)
			if err != nil {
				return err
			}
			if p.flags.json {
				return p.print(r)
			}
			p.tell(p.say("resumed"), usd(r.Granted), r.Released)
			return nil
		},
	}
	c.Flags().Float64Var(&dollars, "usd", 0, "how much (default: the limit once more)")
	c.Flags().BoolVar(&today, "today", false, "grant it to the day, not to a task")
	return c
}

func (p *program) cost() *cobra.Command {
	var by string
	c := &cobra.Command{
		Use:     "cost",
		Short:   "Show what was spent",
		Example: "  kurogo cost\n  kurogo cost --by persona\n  kurogo cost --by task --json",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			answer, err := ask[messages.Cost](c.Context(), p, messages.GetCost{By: by})
			if err != nil {
				return err
			}
			if p.flags.json {
				return printEach(p, answer.Rows)
			}
			w := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', tabwriter.AlignRight)
			fmt.Fprintln(w, "TURNS\tCOST\tIN\tOUT\tCACHED\t  BY "+answer.By+"\t")
			for _, r := range answer.Rows {
				fmt.Fprintf(w, "%d\t%s\t%d\t%d\t%d\t  %s\t\n", r.Turns, usd(r.Micros), r.InputTokens, r.OutputTokens, r.CachedTokens, r.Key)
			}
			return w.Flush()
		},
	}
	c.Flags().StringVar(&by, "by", "day", "persona, role, group, task, driver, model or day")
	return c
}

// usd is an amount of micro-dollars for people.
func usd(micros int64) string { return fmt.Sprintf("$%.4f", float64(micros)/1e6) }
