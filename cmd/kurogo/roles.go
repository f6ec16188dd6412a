package main

import (
	"context"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"kurogo/actors"
	"kurogo/messages"
	"kurogo/transport/local"
)

func (p *program) roles() *cobra.Command {
	var check, watch bool
	c := &cobra.Command{
		Use:   "roles [ROLE]",
		Short: "Show what agents can be, and whether they can be run",
		Long: `Roles lists the roles of the configuration with what is known of them. With
--check they are checked anew, which may cost a turn each; with --watch, or on a
terminal, the checks are shown while they go on. Who watched a check ends with 69
if one of the roles shown cannot be run.`,
		Example: "  kurogo roles\n  kurogo roles --check impl-code\n  kurogo roles --check --watch",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			only := ""
			if len(args) == 1 {
				only = args[0]
			}
			return p.listRoles(c.Context(), only, check, watch || isTerminal(p.err) && !p.flags.json)
		},
	}
	c.Flags().BoolVar(&check, "check", false, "check them anew")
	c.Flags().BoolVar(&watch, "watch", false, "wait until all are checked, and show how")
	return c
}

func (p *program) listRoles(ctx context.Context, only string, check, watch bool) error {
	client, err := p.connect(ctx)
	if err != nil {
		return err
	}
	defer client.Close()
	status, err := askOn[messages.Status](ctx, client, messages.GetStatus{})
	if err != nil {
		return err
	}
	if check {
		if _, err := askOn[messages.Done](ctx, client, messages.CheckRoles{Role: only}); err != nil {
			return err
		}
	}
	list, err := rolesOf(ctx, client, only)
	if err != nil {
		return err
	}
	if check && watch { // so it was when they began; the events tell the rest
		for i := range list {
			list[i].Health, list[i].Validity = messages.HealthCheck{Status: messages.HealthChecking}, messages.ModelValidation{}
		}
	}
	waits := slices.ContainsFunc(list, checking)
	if waits && watch {
		if list, err = p.watchCheckup(ctx, client, only, list, status.LastEvent); err != nil {
			return err
		}
	}
	if err := p.showRoles(list); err != nil {
		return err
	}
	unfit := func(r messages.RoleState) bool { return !r.Available }
	if watch && waits && slices.ContainsFunc(list, unfit) {
		return silent{messages.CodeUnavailable.Exit()}
	}
	return nil
}

func checking(r messages.RoleState) bool { return r.Health.Status == messages.HealthChecking }

// rolesOf asks for all roles, or for one.
func rolesOf(ctx context.Context, h local.House, only string) ([]messages.RoleState, error) {
	answer, err := askOn[messages.Roles](ctx, h, messages.ListRoles{})
	if err != nil || only == "" {
		return answer.Roles, err
	}
	i := slices.IndexFunc(answer.Roles, func(r messages.RoleState) bool { return r.ID == only })
	if i < 0 {
		return nil, messages.Errorf(messages.CodeNotFound, "there is no role %q", only).Try("see kurogo roles")
	}
	return answer.Roles[i : i+1], nil
}

func (p *program) showRoles(list []messages.RoleState) error {
	if p.flags.json {
		return printEach(p, list)
	}
	t := p.table("ROLE", "NAME", "DRIVER", "MODEL", "ISOLATION", "STATE")
	for _, r := range list {
		t.add(r.ID, clean(r.Name), r.Driver, or(r.Model), string(r.Isolation), "")
		t.rows[len(t.rows)-1][5] = fitness(r)
	}
	return t.print(p.out)
}

// fitness says whether a role can be run, and what that is known from.
func fitness(r messages.RoleState) cell {
	text, colour := "✓", green
	switch {
	case !r.Available:
		return cell{"✗ " + string(r.Health.Status) + ": " + clean(actors.Unavailable(r)), red}
	case checking(r):
		text, colour = "●", cyan
	case r.Health.Status == messages.HealthSkipped:
		text, colour = "○", dim
	}
	text += " " + string(r.Health.Status)
	if r.Health.Reason != "" {
		text += ": " + clean(r.Health.Reason)
	} else if r.Health.ResponseTime > 0 {
		text += " (" + span(time.Duration(r.Health.ResponseTime)*time.Millisecond) + ")"
	}
	return cell{text, colour}
}
