package tools

import (
	"context"

	"kurogo/messages"
)

func (c *Catalogue) cancelling() []entry {
	return []entry{define(plan{
		name: "cancel_agent", title: "End an agent", hints: ends,
		about: "Ends an agent that is no longer wanted, and everything it started. One that has ended stays as it is. " +
			"What it did to files stays too. Returns whether it is cancelled and the state it is in.",
		input: object(
			must("agentId", agentID),
			may("reason", text(shortChars, "why, for whoever reads the history")),
		),
		answer: answer(
			must("cancelled", yes("false if it had ended in another way before")),
			must("agentId", said("the agent")),
			must("status", oneOf("its state now", agentStates...)),
		),
		faults: agentFaults,
	}, c.cancelAgent)}
}

type cancelAgent struct {
	Agent  messages.AgentID `json:"agentId"`
	Reason string           `json:"reason"`
}

func (c *Catalogue) cancelAgent(ctx context.Context, u use, a cancelAgent) (any, error) {
	agent, err := ask[messages.Agent](ctx, c.port, messages.CancelAgent{Agent: a.Agent, Reason: a.Reason, By: u.who})
	return struct {
		Cancelled bool                 `json:"cancelled"`
		Agent     messages.AgentID     `json:"agentId"`
		Status    messages.AgentStatus `json:"status"`
	}{outcome(agent) == messages.AgentCancelled, a.Agent, agent.Status}, err
}
