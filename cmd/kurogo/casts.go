package main

import (
	"kurogo/actors"
	"kurogo/messages"
)

// casts gives every persona of the hierarchy what it needs.
func (h *house) casts(chosen drivers, clock actors.Clock) []actors.Cast {
	crew := h.cfg.Hierarchy()
	t := h.cfg.Timeouts
	var casts []actors.Cast
	for _, name := range crew.Names() {
		spec := crew[name]
		dir := h.site.project
		if chosen.shipped[spec.Driver] {
			dir = h.site.stage()
		}
		casts = append(casts, actors.Cast{
			Spec: spec, Hierarchy: crew, Limits: h.cfg.MessageLimits(), Store: h.store.ID(),
			Timeouts: actors.Timeouts{ProcessStart: t.ProcessStart, MessageReceive: t.MessageReceive, Task: t.Task, Idle: t.Idle, Grace: grace},
			Backoff:  h.backoff(),
			Brief: messages.Spec{
				Model: spec.Model, SystemPrompt: spec.SystemPrompt, Language: h.cfg.Language, Dir: dir, Home: h.site.home(name),
				StartTimeout: t.ProcessStart, Grace: grace,
			},
			Tools:   []messages.Tool{actors.SendMessage()},
			Library: h.library.unasked(),
			Reserve: chosen.reserve(spec.Driver, h.cfg.Limits.USDPerTurn),
			Journal: h.store, Clock: clock, NewID: newMessageID, Log: h.log,
			Life: actors.Lives(chosen.of(spec.Driver), h.log),
		})
	}
	return casts
}

// backoff is how whoever falls is tried again, persona or agent.
func (h *house) backoff() actors.Backoff {
	r := h.cfg.Reconnect
	return actors.Backoff{Initial: r.InitialDelay, Max: r.MaxDelay, Factor: r.BackoffFactor, Tries: r.MaxRetries, Jitter: 0.2}
}
