package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

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
			if _, err := f.WriteString(config.Template(found, p.cfg.Language, config.LanguageExtensions(fileNames(p.site.project))...)); err != nil {
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

// namesMost bounds how many files init looks at: a few thousand tell the languages.
const namesMost = 5000

// fileNames are the names of files of a project, without those that are made or
// fetched.
func fileNames(project string) (names []string) {
	_ = filepath.WalkDir(project, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && d != nil && d.IsDir():
			return fs.SkipDir // it is not for us
		case err != nil:
			return nil //nolint:nilerr // likewise
		case len(names) >= namesMost:
			return fs.SkipAll
		case d.IsDir() && path != project && (strings.HasPrefix(d.Name(), ".") || slices.Contains(overlooked, d.Name())):
			return fs.SkipDir
		case d.Type().IsRegular():
			names = append(names, d.Name())
		}
		return nil
	})
	return names
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
