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
	return running.look(p, &cobra.Command{
		Short: "List runs, the newest first, or show what came of one",
		Long:  "Runs lists what was planned and carried out. With an ID it shows that one: its\nsteps, its difference, and how it can be taken back.",
	}, p.showOneRun)
}

func (p *program) showOneRun(ctx context.Context, id messages.JobID) error {
	d, err := running.entire(ctx, p, id)
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
