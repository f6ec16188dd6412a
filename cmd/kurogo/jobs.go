package main

import (
	"context"

	"kurogo/actors"
	"kurogo/messages"
)

// A desk answers some of what the edge asks; ok is false when it is not for it.
type desk interface {
	Ask(ctx context.Context, m messages.Message) (answer messages.Message, ok bool, err error)
}

// lead opens the desks at which jobs are ordered, and begins whoever leads those
// that have not ended.
func (h *house) lead(c actors.Company) error {
	leaders := map[messages.JobKind]actors.Leader{}
	h.evaluations(c, leaders)
	h.chats(c, leaders)
	h.runs(c, leaders)
	h.desks = append(h.desks, &actors.JobDesk{Journal: h.store, Ledger: h.store, Clock: c.Clock})
	return h.tree.StartJobs(c, h.store, leaders)
}
