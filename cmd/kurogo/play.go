package main

import (
	"os"

	"github.com/spf13/cobra"

	"kurogo/config"
	"kurogo/drivers/rehearsal"
)

// play is the other end of drivers/rehearsal: one actor of a performance, in a
// process of its own. Nobody but that driver calls it.
func (p *program) play() *cobra.Command {
	var script string
	c := &cobra.Command{
		Use:               "play",
		Short:             "Play one part of a performance (started by the rehearsal driver)",
		Hidden:            true,
		Args:              cobra.NoArgs,
		PersistentPreRunE: func(*cobra.Command, []string) error { return nil }, // no project, no configuration
		RunE: func(*cobra.Command, []string) error {
			performance, err := config.LoadPerformance(script, p.flags.lang)
			if err != nil {
				return err
			}
			return rehearsal.Play(os.Stdin, os.Stdout, performance, rehearsal.Effects{})
		},
	}
	c.Flags().StringVar(&script, "performance", "", "script to play (default: the shipped one)")
	return c
}
