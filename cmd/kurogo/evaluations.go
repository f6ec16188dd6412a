package main

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"kurogo/messages"
)

// evaluated is the verb that looks at evaluations.
func (p *program) evaluated() *cobra.Command {
	var status string
	var limit int
	c := &cobra.Command{
		Use:   "evaluations [ID]",
		Short: "List evaluations, the newest first, or show one",
		Long: `Evaluations lists what was judged and improved. With an ID it shows that one:
its rounds, its versions and what came of it, also if it could not be written.`,
		Example: "  kurogo evaluations\n  kurogo evaluations 0199…\n  kurogo evaluations cancel 0199…",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 {
				return p.showEvaluation(c, messages.JobID(args[0]))
			}
			list, err := ask[messages.Jobs](c.Context(), p, messages.ListJobs{Kind: messages.JobEvaluation, Status: messages.JobStatus(status), Limit: limit})
			if err != nil {
				return err
			}
			return p.showJobs(list.Jobs)
		},
	}
	c.Flags().StringVar(&status, "status", "", "only running, completed, failed or cancelled")
	c.Flags().IntVar(&limit, "limit", 20, "at most so many")
	c.AddCommand(p.evaluationCancel())
	return c
}

func (p *program) evaluationCancel() *cobra.Command {
	var reason string
	c := &cobra.Command{
		Use:     "cancel ID",
		Short:   "Call an evaluation off; one that has ended stays as it is",
		Example: "  kurogo evaluations cancel 0199… --reason \"wrong file\"",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			job, err := ask[messages.Job](c.Context(), p, messages.CancelJob{Job: messages.JobID(args[0]), Reason: reason})
			if err != nil {
				return err
			}
			if p.flags.json {
				return p.print(job)
			}
			p.tell(p.sayOf("called off"), job.ID, job.Status)
			return nil
		},
	}
	c.Flags().StringVar(&reason, "reason", "", "why, for whoever waits for it")
	return c
}

func (p *program) showJobs(list []messages.Job) error {
	if p.flags.json {
		return printEach(p, list)
	}
	if len(list) == 0 {
		p.tell("%s", p.sayOf("none"))
		return nil
	}
	t := p.table("EVALUATION", "STATUS", "STATE", "AGE", "COST", "WHAT")
	for _, j := range list {
		t.add(string(j.ID), string(j.Status), p.sayOf(j.State), age(j.CreatedAt), usd(j.Cost), clean(j.Title+" "+j.Error))
	}
	return t.print(p.out)
}

// showEvaluation prints all that is known of one.
func (p *program) showEvaluation(c *cobra.Command, id messages.JobID) error {
	client, err := p.connect(c.Context())
	if err != nil {
		return err
	}
	defer client.Close()
	q := messages.GetJob{Job: id}
	var d messages.JobDetail
	for more := true; more; {
		page, err := askOn[messages.JobDetail](c.Context(), client, q)
		if err != nil {
			return err
		}
		if page.Kind != messages.JobEvaluation {
			return messages.Errorf(messages.CodeNotFound, "there is no evaluation %q", id).Try("see kurogo evaluations")
		}
		page.Entries = append(d.Entries, page.Entries...)
		d, more = page, page.More
		if n := len(d.Entries); n > 0 {
			q.After = d.Entries[n-1].Seq
		}
	}
	if p.flags.json {
		return p.print(d)
	}
	return p.showHistory(d)
}

func (p *program) showHistory(d messages.JobDetail) error {
	var in messages.EvaluationInput
	if err := json.Unmarshal(d.Input, &in); err != nil {
		return fmt.Errorf("read evaluation %s: %w", d.ID, err)
	}
	fmt.Fprintf(p.out, "%s  %s  %s  %s\n", d.ID, d.Status, clean(d.Title), clean(d.Error))
	show := p.lectern(in)
	show.to, show.alive = p.out, false
	for _, e := range d.Entries {
		if err := show.entry(e); err != nil {
			return fmt.Errorf("read entry %s of %s: %w", strconv.Itoa(e.Seq), d.ID, err)
		}
	}
	if len(d.Output) == 0 {
		return nil
	}
	fmt.Fprintln(p.out)
	_, err := p.showOutput(d, in, false)
	return err
}
