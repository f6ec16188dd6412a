package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"kurogo/messages"
)

// runs is the verb that looks at runs.
func (p *program) runs() *cobra.Command {
	var status string
	var limit int
	c := &cobra.Command{
		Use:     "runs [ID]",
		Short:   "List runs, the newest first, or show what came of one",
		Long:    "Runs lists what was planned and carried out. With an ID it shows that one: its\nsteps, its difference, and how it can be taken back.",
		Example: "  kurogo runs\n  kurogo runs 0199…\n  kurogo runs cancel 0199…",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 {
				return p.showOneRun(c.Context(), messages.JobID(args[0]))
			}
			list, err := ask[messages.Jobs](c.Context(), p, messages.ListJobs{Kind: messages.JobRun, Status: messages.JobStatus(status), Limit: limit})
			if err != nil {
				return err
			}
			return p.listRuns(list.Jobs)
		},
	}
	c.Flags().StringVar(&status, "status", "", "only running, completed, failed or cancelled")
	c.Flags().IntVar(&limit, "limit", 20, "at most so many")
	c.AddCommand(p.runCancel())
	return c
}

func (p *program) runCancel() *cobra.Command {
	var reason string
	c := &cobra.Command{
		Use:     "cancel ID",
		Short:   "Call a run off; one that has ended stays as it is",
		Example: "  kurogo runs cancel 0199… --reason \"wrong directory\"",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			job, err := ask[messages.Job](c.Context(), p, messages.CancelJob{Job: messages.JobID(args[0]), Reason: reason})
			if err != nil {
				return err
			}
			if p.flags.json {
				return p.print(job)
			}
			p.tell(p.sayRun("called off"), job.ID, job.Status)
			return nil
		},
	}
	c.Flags().StringVar(&reason, "reason", "", "why, for whoever waits for it")
	return c
}

func (p *program) listRuns(list []messages.Job) error {
	if p.flags.json {
		return printEach(p, list)
	}
	if len(list) == 0 {
		p.tell("%s", p.sayRun("none"))
		return nil
	}
	t := p.table("RUN", "STATUS", "STATE", "AGE", "COST", "WHAT")
	for _, j := range list {
		t.add(string(j.ID), string(j.Status), p.sayRun(j.State), age(j.CreatedAt), usd(j.Cost), clean(j.Title+" "+j.Error))
	}
	return t.print(p.out)
}

// entire is a job with all its entries.
func (p *program) entire(ctx context.Context, id messages.JobID) (d messages.JobDetail, err error) {
	client, err := p.connect(ctx)
	if err != nil {
		return d, err
	}
	defer client.Close()
	q := messages.GetJob{Job: id}
	for more := true; more; {
		page, err := askOn[messages.JobDetail](ctx, client, q)
		if err != nil {
			return d, err
		}
		if page.Kind != messages.JobRun {
			return d, messages.Errorf(messages.CodeNotFound, "there is no run %q", id).Try("see kurogo runs")
		}
		page.Entries = append(d.Entries, page.Entries...)
		d, more = page, page.More
		if n := len(d.Entries); n > 0 {
			q.After = d.Entries[n-1].Seq
		}
	}
	return d, nil
}

func (p *program) showOneRun(ctx context.Context, id messages.JobID) error {
	d, err := p.entire(ctx, id)
	if err != nil {
		return err
	}
	if p.flags.json {
		return p.print(d)
	}
	fmt.Fprintf(p.out, "%s  %s  %s  %s\n", d.ID, d.Status, clean(d.Title), clean(d.Error))
	show := p.runShow(d.Job)
	show.to, show.alive = p.out, false
	for _, e := range d.Entries {
		if err := show.entry(e); err != nil {
			return fmt.Errorf("read entry %d of %s: %w", e.Seq, d.ID, err)
		}
	}
	if len(d.Output) == 0 {
		return nil
	}
	var in messages.RunInput
	var out messages.RunOutput
	if err := json.Unmarshal(d.Input, &in); err != nil {
		return fmt.Errorf("read run %s: %w", d.ID, err)
	}
	if err := json.Unmarshal(d.Output, &out); err != nil {
		return fmt.Errorf("read outcome of run %s: %w", d.ID, err)
	}
	fmt.Fprintln(p.out)
	return p.showRun(d, in, out)
}
