package main

import (
	"github.com/spf13/cobra"

	"kurogo/messages"
)

func (p *program) approve() *cobra.Command {
	var deny bool
	c := &cobra.Command{
		Use:   "approve ID",
		Short: "Allow what a run asks for, or not",
		Long: `Approve is your word on what a run may not do by itself: delete a file, or run a
program that is not on the list. It waits for it, however long, and over a restart.`,
		Example: "  kurogo approvals\n  kurogo approve 0199…-1a2b3c4d\n  kurogo approve 0199…-1a2b3c4d --deny",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			done, err := ask[messages.Done](c.Context(), p, messages.AnswerApproval{ID: args[0], Allow: !deny})
			if err != nil {
				return err
			}
			if p.flags.json {
				return p.print(done)
			}
			p.tell("%s", p.sayRun("answered"))
			return nil
		},
	}
	c.Flags().BoolVar(&deny, "deny", false, "do not allow it")
	return c
}
