package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"kurogo/messages"
)

// evaluated is the verb that looks at evaluations.
func (p *program) evaluated() *cobra.Command {
	return evaluating.look(p, &cobra.Command{
		Short: "List evaluations, the newest first, or show one",
		Long: `Evaluations lists what was judged and improved. With an ID it shows that one:
its rounds, its versions and what came of it, also if it could not be written.`,
	}, p.showEvaluation)
}

// showEvaluation prints all that is known of one.
func (p *program) showEvaluation(ctx context.Context, id messages.JobID) error {
	d, err := evaluating.entire(ctx, p, id)
	if err != nil {
		return err
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
