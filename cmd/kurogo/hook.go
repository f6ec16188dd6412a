package main

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"kurogo/index"
)

func (p *program) hook() *cobra.Command {
	c := &cobra.Command{
		Use:   "hook",
		Short: "Tell the index of each commit, by git's hooks",
		Long: `Hook adds one line to git's hooks pre-commit, post-commit, post-checkout,
post-merge and post-rewrite: it appends to a queue file that the index reads. It
never blocks a commit and never fails one. Hooks that are there stay and run as
before, one that is turned off stays off, and each work tree has a line of its
own. What was changed is printed, one file a line.`,
		Example: "  kurogo hook install\n  kurogo hook remove",
	}
	c.AddCommand(
		&cobra.Command{
			Use: "install", Short: "Add the line to the hooks of this repository", Args: cobra.NoArgs, Example: "  kurogo hook install",
			RunE: func(c *cobra.Command, _ []string) error {
				return p.hooks(c.Context(), func(ctx context.Context, git index.Git, s site) ([]string, error) {
					return index.InstallHooks(ctx, git, s.project, s.hooks())
				})
			},
		},
		&cobra.Command{
			Use: "remove", Short: "Take the line out again", Args: cobra.NoArgs, Example: "  kurogo hook remove",
			RunE: func(c *cobra.Command, _ []string) error {
				return p.hooks(c.Context(), func(ctx context.Context, git index.Git, s site) ([]string, error) {
					return index.RemoveHooks(ctx, git, s.project, s.hooks())
				})
			},
		},
	)
	return c
}

// hooks changes the hooks of the project's repository, and says which.
func (p *program) hooks(ctx context.Context, change func(ctx context.Context, git index.Git, s site) ([]string, error)) error {
	if err := os.MkdirAll(p.site.state, 0o700); err != nil {
		return fmt.Errorf("make state directory: %w", err)
	}
	files, err := change(ctx, wideGit(), p.site)
	if err != nil {
		return err
	}
	if p.flags.json {
		return p.print(map[string][]string{"changed": files})
	}
	if len(files) == 0 {
		p.tell("%s", p.either("nothing to change", "変更はありません"))
	}
	for _, f := range files {
		fmt.Fprintln(p.out, f)
	}
	return nil
}
