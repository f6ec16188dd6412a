package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"kurogo/messages"
)

// A trade is one kind of job as its verbs know it.
type trade struct {
	kind  messages.JobKind
	noun  string // for errors, and with capitals over the list
	verb  string // kurogo <verb>
	words phrases
	why   string // an example of a reason to call one off
}

var (
	evaluating = trade{messages.JobEvaluation, "evaluation", "evaluations", evaluationWords, "wrong file"}
	running    = trade{messages.JobRun, "run", "runs", runWords, "wrong directory"}
)

// look completes the verb that lists jobs, shows one, or calls one off.
func (t trade) look(p *program, c *cobra.Command, show func(context.Context, messages.JobID) error) *cobra.Command {
	var status string
	var limit int
	c.Use, c.Args = t.verb+" [ID]", cobra.MaximumNArgs(1)
	c.Example = strings.ReplaceAll("  kurogo VERB\n  kurogo VERB 0199…\n  kurogo VERB cancel 0199…", "VERB", t.verb)
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) == 1 {
			return show(c.Context(), messages.JobID(args[0]))
		}
		list, err := ask[messages.Jobs](c.Context(), p, messages.ListJobs{Kind: t.kind, Status: messages.JobStatus(status), Limit: limit})
		if err != nil {
			return err
		}
		return t.list(p, list.Jobs)
	}
	c.Flags().StringVar(&status, "status", "", "only running, completed, failed or cancelled")
	c.Flags().IntVar(&limit, "limit", 20, "at most so many")
	c.AddCommand(t.cancel(p))
	return c
}

func (t trade) cancel(p *program) *cobra.Command {
	var reason string
	c := &cobra.Command{
		Use:     "cancel ID",
		Short:   "Call one off; one that has ended stays as it is",
		Example: "  kurogo " + t.verb + " cancel 0199… --reason \"" + t.why + "\"",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			job, err := ask[messages.Job](c.Context(), p, messages.CancelJob{Job: messages.JobID(args[0]), Reason: reason})
			if err != nil {
				return err
			}
			if p.flags.json {
				return p.print(job)
			}
			p.tell(p.pick(t.words, "called off"), job.ID, job.Status)
			return nil
		},
	}
	c.Flags().StringVar(&reason, "reason", "", "why, for whoever waits for it")
	return c
}

func (t trade) list(p *program, jobs []messages.Job) error {
	if p.flags.json {
		return printEach(p, jobs)
	}
	if len(jobs) == 0 {
		p.tell("%s", p.pick(t.words, "none"))
		return nil
	}
	out := p.table(strings.ToUpper(t.noun), "STATUS", "STATE", "AGE", "COST", "WHAT")
	for _, j := range jobs {
		out.add(string(j.ID), string(j.Status), p.pick(t.words, j.State), age(j.CreatedAt), usd(j.Cost), clean(j.Title+" "+j.Error))
	}
	return out.print(p.out)
}

// entire is a job with all its entries.
func (t trade) entire(ctx context.Context, p *program, id messages.JobID) (d messages.JobDetail, err error) {
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
		if page.Kind != t.kind {
			return d, messages.Errorf(messages.CodeNotFound, "there is no %s %q", t.noun, id).Try("see kurogo " + t.verb)
		}
		page.Entries = append(d.Entries, page.Entries...)
		d, more = page, page.More
		if n := len(d.Entries); n > 0 {
			q.After = d.Entries[n-1].Seq
		}
	}
	return d, nil
}
