package main

import (
	"context"
	"runtime"

	"kurogo/actors"
	"kurogo/drivers/rehearsal"
	"kurogo/messages"
	"kurogo/stores/logs"
)

// hire starts the company of agents, and places the desks at which it is asked
// for.
func (h *house) hire(ctx context.Context, chosen drivers, clock actors.Clock) (err error) {
	if h.logs, err = logs.Open(h.site.streams(), logs.Options{}); err != nil {
		return err
	}
	rooms, err := openRooms(ctx, h.site, chosen, h.store, h.log)
	if err != nil {
		return err
	}
	h.workshop = h.openWorkshop(clock)
	company, err := h.tree.StartCompany(h.company(chosen, rooms, clock)) //nolint:contextcheck // a library answers whole turns
	if err != nil {
		return err
	}
	h.placeDesks(company)
	return h.lead(company)
}

// company gives the agents what they need.
func (h *house) company(chosen drivers, rooms *rooms, clock actors.Clock) actors.Company {
	c := actors.Company{
		Roles: map[string]messages.Role{}, Limits: h.cfg.MessageLimits(), Language: h.cfg.Language, Store: h.store.ID(),
		Timeouts: actors.Timeouts{ProcessStart: h.cfg.Timeouts.ProcessStart, Grace: grace}, Backoff: h.backoff(),
		Working: h.cfg.Limits.MaxConcurrent, Starting: max(2, runtime.NumCPU()),
		Journal: h.store, Archive: h.store, Clock: clock, Log: h.log, Crafts: chosen.crafts(h.cfg, h.log),
		Rooms: rooms, Streams: h.logs, Passes: h, Keys: actors.NewKeys(), Library: h.library.unasked(), Toolbox: h.workshop,
		MCP: h.mcpURL, Health: actors.HealthMode(h.cfg.HealthCheck),
		Rehearsed: func(driver string) bool { return chosen.kind[driver] == rehearsal.Kind },
	}
	for _, role := range roleList(h.cfg) {
		c.Roles[role.ID] = role
	}
	if h.edge == nil { // it is here for one task: nobody will ask for a role
		c.Health = actors.HealthOff
	}
	return c
}

// mcpURL is where agents find our tools.
func (h *house) mcpURL() string {
	if h.edge == nil {
		return ""
	}
	return h.edge.url(mcpPath)
}

// Issue gives a life of an agent its token. With Revoke it implements
// actors.Passes.
func (h *house) Issue(agent messages.AgentID, epoch int) string {
	if h.edge == nil {
		return ""
	}
	return h.edge.passes.Issue(agent, epoch)
}

// Revoke takes it back, soon.
func (h *house) Revoke(agent messages.AgentID, epoch int) {
	if h.edge != nil {
		h.edge.passes.End(agent, epoch)
	}
}
