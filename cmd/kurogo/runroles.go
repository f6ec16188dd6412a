package main

import (
	"kurogo/config"
	"kurogo/drivers/hermes"
	"kurogo/messages"
)

// worker is the role that works for runs with the model of [drivers.hermes], where
// there is one: big models plan, a local one carries out.
const worker = "run"

// runRoles are the roles that runs need besides those of the configuration.
func runRoles(cfg config.Config) []messages.Role {
	settings, ok := cfg.Drivers[hermes.Kind]
	if !ok || settings.Kind != hermes.Kind || settings.Model == "" {
		return nil
	}
	return []messages.Role{{
		ID: ownRole(cfg, worker), Name: worker, Driver: hermes.Kind, Model: settings.Model, Tools: []string{}, Isolation: messages.IsolationNone, Hidden: true,
	}}
}

// runTerms are who plans and who carries out. Who is named does so; else the model
// of [drivers.hermes] carries out, and plans too where the others only play.
func (h *house) runTerms() (planner, executor string) {
	planner, executor = h.cfg.PlannerRole(), h.cfg.ExecutorRole()
	for _, own := range runRoles(h.cfg) {
		if h.cfg.Run.Executor == "" {
			executor = own.ID
		}
		if h.cfg.Run.Planner == "" && h.played(planner) {
			planner = own.ID
		}
	}
	return planner, executor
}

// played reports whether nobody would think in a role.
func (h *house) played(role string) bool {
	r, ok := h.cfg.Roles[role]
	return !ok || h.unread(r.Driver)
}
