package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kurogo/messages"
)

func (p *program) group() *cobra.Command {
	c := &cobra.Command{
		Use:   "group",
		Short: "Open, list and close groups of agents",
		Long: `A group holds agents that belong together. Deleting one takes nothing away: it
takes no more agents, and stays in the history.`,
		Example: "  kurogo group create \"Port the parser\"\n  kurogo group list\n  kurogo group show grp-1739487600-a3f2",
		Args:    cobra.NoArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return p.listGroups(c.Context(), false) },
	}
	c.AddCommand(p.groupCreate(), p.groupList(), p.groupShow(), p.groupDelete())
	return c
}

func (p *program) groupCreate() *cobra.Command {
	var key string
	c := &cobra.Command{
		Use:     "create DESCRIPTION",
		Short:   "Open a group and print its id",
		Example: "  kurogo group create \"Port the parser\"",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			g, err := ask[messages.Group](c.Context(), p, messages.CreateGroup{Description: args[0], Key: key, By: p.caller()})
			if err != nil {
				return err
			}
			if p.flags.json {
				return p.print(g)
			}
			_, err = fmt.Fprintln(p.out, g.ID)
			return err
		},
	}
	c.Flags().StringVar(&key, "key", "", "creating twice under one key is creating once")
	return c
}

func (p *program) groupList() *cobra.Command {
	var all bool
	c := &cobra.Command{
		Use:     "list",
		Short:   "List the groups, the newest first",
		Example: "  kurogo group list --all",
		Args:    cobra.NoArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return p.listGroups(c.Context(), all) },
	}
	c.Flags().BoolVar(&all, "all", false, "the deleted ones too")
	return c
}

func (p *program) listGroups(ctx context.Context, all bool) error {
	answer, err := ask[messages.Groups](ctx, p, messages.ListGroups{Deleted: all})
	if err != nil {
		return err
	}
	if p.flags.json {
		return printEach(p, answer.Groups)
	}
	if len(answer.Groups) == 0 {
		p.tell("%s", p.say("no groups"))
		return nil
	}
	t := p.table("GROUP", "STATUS", "AGE", "AGENTS", "DESCRIPTION")
	for _, g := range answer.Groups {
		t.add(string(g.ID), string(g.Status), age(g.CreatedAt), or(census(g)), short(clean(g.Description), 200))
	}
	return t.print(p.out)
}

// census says how many agents of a group are in which state.
func census(g messages.Group) string {
	var parts []string
	for status, n := range g.Agents {
		parts = append(parts, fmt.Sprintf("%d %s", n, status))
	}
	slices.Sort(parts)
	return strings.Join(parts, ", ")
}

func (p *program) groupShow() *cobra.Command {
	return &cobra.Command{
		Use:     "show ID",
		Short:   "Show one group and its agents",
		Example: "  kurogo group show grp-1739487600-a3f2",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			client, err := p.connect(c.Context())
			if err != nil {
				return err
			}
			defer client.Close()
			g, err := askOn[messages.Group](c.Context(), client, messages.GetGroup{Group: messages.GroupID(args[0])})
			if err != nil {
				return err
			}
			members, err := askOn[messages.Agents](c.Context(), client, messages.ListAgents{Group: g.ID, Limit: 1000, By: p.caller()})
			if err != nil {
				return err
			}
			if p.flags.json {
				return p.print(struct {
					messages.Group
					Members []messages.Agent `json:"members"`
				}{g, members.Agents})
			}
			fmt.Fprintf(p.out, "%s  %s  %s\n", g.ID, g.Status, clean(g.Description))
			return p.showAgents(members.Agents)
		},
	}
}

func (p *program) groupDelete() *cobra.Command {
	return &cobra.Command{
		Use:     "delete ID",
		Short:   "Close a group whose agents have all ended",
		Example: "  kurogo group delete grp-1739487600-a3f2",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			g, err := ask[messages.Group](c.Context(), p, messages.DeleteGroup{Group: messages.GroupID(args[0]), By: p.caller()})
			if err != nil {
				return err
			}
			if p.flags.json {
				return p.print(g)
			}
			p.tell(p.say("group deleted"), g.ID)
			return nil
		},
	}
}
