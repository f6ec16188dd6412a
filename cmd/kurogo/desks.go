package main

import (
	"context"
	"slices"

	"kurogo/actors"
	"kurogo/messages"
)

// crewDesk is where the crew is asked, and whatever no other desk answers.
func (h *house) crewDesk(clock actors.Clock) *actors.Desk {
	return &actors.Desk{
		Hierarchy: h.cfg.Hierarchy(), Limits: h.cfg.MessageLimits(), Send: h.cfg.Timeouts.MessageSend,
		Journal: h.store, Archive: h.store, Clock: clock, NewID: newMessageID, Root: h.tree.Root(), Home: h.tree.Home,
	}
}

// placeDesks opens the desks for agents, for files, and for what the project's
// index knows.
func (h *house) placeDesks(c actors.Company) {
	h.agents = &actors.AgentDesk{
		Company: c, DefaultTimeout: h.cfg.Limits.DefaultTimeout, Root: h.tree.Root(), Place: h.place, Read: h.readStream,
	}
	h.gateway = h.openGateway(c.Clock)
	h.desks = append(h.desks, h.agents, h.gateway, h.library)
}

// place says where an agent works that is asked to work in dir. What an isolated
// agent orders works where that one does.
func (h *house) place(dir string) (string, error) {
	w := h.cfg.Workspace
	w.Roots = append(slices.Clone(w.Roots), h.site.worktrees())
	return w.Place(h.site.project, dir)
}

// readStream also closes a log that nobody will: its owner fell between the end
// of the agent and that of the log, and whoever follows it would wait for ever.
func (h *house) readStream(ctx context.Context, agent messages.AgentID, stream string, offset int64, limit int) (messages.StreamChunk, error) {
	chunk, err := h.logs.Read(agent, stream, offset, limit)
	if err != nil || chunk.Ended || chunk.Next != chunk.Size {
		return chunk, err
	}
	a, err := h.store.Agent(ctx, agent)
	if err == nil && a.Outcome != "" && a.EndedAt.Before(h.begun) {
		chunk.Ended, err = true, h.logs.Close(agent)
	}
	return chunk, err
}
