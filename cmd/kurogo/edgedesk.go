package main

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"kurogo/config"
	"kurogo/messages"
)

// A frontdesk is the house as its pages see it: it also tells how the house is
// configured, and lets a person change that.
type frontdesk struct {
	*house
	roles   rolesFile
	again   func() (config.Config, error) // the configuration as it is now; nil: it cannot be read again
	editing sync.Mutex
}

// A rolesFile says what an edit of a role would make of kurogo.toml, and makes it.
type rolesFile interface {
	Plan(e messages.RoleEdit) (messages.RoleChange, error)

	// Apply refuses with conflict when the file is no longer the one that base
	// names.
	Apply(base string, e messages.RoleEdit) (messages.RoleChange, error)
}

// A kurogoFile is the rolesFile of a project.
type kurogoFile string

// Plan implements rolesFile.
func (f kurogoFile) Plan(e messages.RoleEdit) (messages.RoleChange, error) {
	return config.PlanRoleEdit(string(f), e)
}

// Apply implements rolesFile.
func (f kurogoFile) Apply(base string, e messages.RoleEdit) (messages.RoleChange, error) {
	return config.ApplyRoleEdit(string(f), base, e)
}

// Ask answers what concerns the configuration, and lets the house answer the rest.
func (f *frontdesk) Ask(ctx context.Context, m messages.Message) (messages.Message, error) {
	switch m := m.(type) {
	case messages.GetSettings:
		return f.settings(ctx)
	case messages.ChangeRole:
		return f.changeRole(ctx, m)
	}
	return f.house.Ask(ctx, m)
}

// changeRole shows what an edit would change, or changes it: the file first, then
// the roles that agents begin with from now on.
func (f *frontdesk) changeRole(ctx context.Context, m messages.ChangeRole) (messages.Message, error) {
	if f.roles == nil || f.again == nil {
		return nil, messages.Errorf(messages.CodeUnavailable, "the roles of this house cannot be changed").Try("edit kurogo.toml, then start kurogo again")
	}
	f.editing.Lock()
	defer f.editing.Unlock()
	if m.Edit.Language == "" {
		m.Edit.Language = f.cfg.Language
	}
	var change messages.RoleChange
	var err error
	if m.DryRun {
		change, err = f.roles.Plan(m.Edit)
	} else {
		change, err = f.roles.Apply(m.Base, m.Edit)
	}
	if err != nil {
		return nil, err
	}
	out := messages.RoleChanged{Path: change.Path, Base: change.Before, Diff: change.Diff, PromptPath: change.PromptPath, Applied: !m.DryRun}
	if m.DryRun {
		return out, nil
	}
	return out, f.reread(ctx)
}

// reread puts the roles of the file in the place of those that there are.
func (f *frontdesk) reread(ctx context.Context) error {
	cfg, err := f.again()
	if err != nil {
		return messages.Errorf(messages.CodeUnavailable, "kurogo.toml was written, and cannot be read again: %v", err).Try("mend it, then start kurogo again")
	}
	pickDriver(ctx, &cfg, f.site)
	return f.agents.ReplaceRoles(ctx, roleList(cfg))
}

// today is the day in whose purse we spend.
func (f *frontdesk) today() string { return time.Now().Format(time.DateOnly) }

// announce writes down that the house is open, for those who watch it.
func (h *house) announce(ctx context.Context) error {
	status, err := h.status(ctx)
	if err != nil {
		return err
	}
	data, err := json.Marshal(status)
	if err != nil {
		return err
	}
	_, err = h.store.Commit(ctx, messages.Observe{Events: []messages.Event{{
		At: time.Now(), Kind: messages.ServerStarted, ID: string(messages.System), Data: data,
	}}})
	return err
}
