package main

import (
	"context"

	"kurogo/messages"
	"kurogo/transport/api"
)

// metrics is how the house is, for /metrics.
func (h *house) metrics(ctx context.Context) (api.Metrics, error) {
	m := api.Metrics{
		Version: version, StartedAt: h.begun, Rehearsal: h.rehearsal, Slots: h.cfg.Limits.MaxConcurrent,
		Personas: map[string]int{}, Mailbox: map[string]int{}, Spending: map[string]api.Spending{},
		Commits: h.store.Commits(), Changes: h.store.Changes(), Events: h.store.Last(),
	}
	var err error
	if m.Tasks, m.Agents, err = h.store.Census(ctx); err != nil {
		return m, err
	}
	m.Working, m.Queue = m.Agents[string(messages.AgentRunning)], m.Agents[string(messages.AgentQueued)]
	answer, err := h.desk.Ask(ctx, messages.GetCrew{})
	if err != nil {
		return m, err
	}
	if crew, ok := answer.(messages.Crew); ok {
		for _, p := range crew.Members {
			m.Personas[string(p.State)]++
			m.Mailbox[string(p.Name)] = p.Inbox
		}
	}
	cost, err := h.store.Cost(ctx, messages.GetCost{By: "model"})
	for _, row := range cost.Rows {
		m.Spending[row.Key] = api.Spending{
			Turns: int64(row.Turns), InputTokens: row.InputTokens, OutputTokens: row.OutputTokens, CachedTokens: row.CachedTokens, Micros: row.Micros,
		}
	}
	return m, err
}
