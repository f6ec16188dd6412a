package main

import (
	"github.com/spf13/cobra"

	"kurogo/messages"
)

func (p *program) undo() *cobra.Command {
	var force bool
	c := &cobra.Command{
		Use:   "undo RUN",
		Short: "Put the files back as they were before a run",
		Long: `Undo restores every file that a run has changed, byte for byte, and deletes what
it has made: all of them, or none. A file that somebody has changed since is a
conflict; --force restores it all the same.`,
		Example: "  kurogo undo 0199…\n  kurogo undo 0199… --force",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			out, err := ask[messages.FilesChanged](c.Context(), p, messages.UndoRun{Job: messages.JobID(args[0]), Force: force})
			if err != nil {
				return err
			}
			if p.flags.json {
				return p.print(out)
			}
			for _, f := range out.Files {
				p.tell(p.sayRun("undone"), f.Action, clean(f.Path))
			}
			return nil
		},
	}
	c.Flags().BoolVar(&force, "force", false, "restore files that were changed since, too")
	return c
}
