package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"kurogo/config"
	"kurogo/drivers/process"
	"kurogo/messages"
)

// clis are the programs that init looks for.
var clis = []string{"claude", "codex", "agent", "cursor-agent"}

func (p *program) initialise() *cobra.Command {
	return &cobra.Command{
		Use:     "init",
		Short:   "Write a commented kurogo.toml for the agents found here",
		Example: "  kurogo init\n  kurogo init --lang ja",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			var found []string
			for _, command := range clis {
				if installed(command) {
					found = append(found, command)
				}
			}
			path := filepath.Join(p.site.project, "kurogo.toml")
			f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644) //nolint:gosec // a project file, to be read and committed
			if errors.Is(err, fs.ErrExist) {
				return messages.Errorf(messages.CodeConflict, "%s is there already", path).Try("change it, or move it away first")
			}
			if err != nil {
				return messages.Errorf(messages.CodeUnavailable, "write configuration: %v", err)
			}
			if _, err := f.WriteString(config.Template(found, p.cfg.Language)); err != nil {
				return errors.Join(fmt.Errorf("write configuration: %w", err), f.Close())
			}
			if err := f.Close(); err != nil {
				return fmt.Errorf("write configuration: %w", err)
			}
			p.tell(p.say("wrote"), path)
			return nil
		},
	}
}

func (p *program) version() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if p.flags.json {
				return p.print(map[string]any{"version": version})
			}
			_, err := fmt.Fprintln(p.out, "kurogo", version)
			return err
		},
	}
}

// installed reports whether a command can be found.
func installed(command string) bool {
	_, err := process.Look(command)
	return err == nil
}
