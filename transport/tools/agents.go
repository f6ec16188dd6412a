package tools

import (
	"context"
	"strconv"

	"kurogo/messages"
)

// maxListed bounds the agents that list_agents shows.
const maxListed = 1000

var agentFaults = faults{
	messages.CodeNotFound: {"agentId", "list_agents names the agents"},
	messages.CodeDenied:   {"agentId", "use your own agentId, or one of your own group"},
	messages.CodeConflict: {"agentId", "list_agents shows its state"},
}

func (c *Catalogue) agents() []entry {
	return []entry{
		define(plan{
			name: "list_agents", title: "List agents", agents: true, hints: reads,
			about: "Lists agents with their states, of one group or of all. Use it to find an agentId again or to see at a glance who still runs; to wait, use wait_agent instead of calling this again and again. " +
				"failed stands for failed, timed_out, lost and cancelled; completed includes those that have reported.",
			input: object(
				may("groupId", groupID.on("only agents of this group")),
				may("status", oneOf("only agents in this state; the default is all", "running", "completed", "failed", "all")),
			),
			answer: answer(
				must("agents", list(0, 0, answer(agentProps...), "the agents, in the order in which they were asked for")),
				must("total", number("how many there are, also beyond the first "+strconv.Itoa(maxListed))),
			),
			faults: groupFaults,
		}, c.listAgents),
		define(plan{
			name: "get_agent_status", title: "Look at one agent", agents: true, hints: reads,
			about: "Shows one agent: its state, what it said last, its last tool calls and, once it has ended, its result with summary, files and duration. " +
				"Use it after wait_agent to read the result.",
			input: object(must("agentId", agentID)),
			answer: answer(append(agentProps[:len(agentProps):len(agentProps)],
				must("lastAssistantMessage", said("what it said last")),
				must("recentToolCalls", list(0, messages.RecentCalls, callSchema, "its last uses of tools, the oldest first")),
				must("result", resultSchema))...),
			faults: agentFaults,
		}, c.getAgent),
	}
}

type listAgents struct {
	Group  messages.GroupID `json:"groupId"`
	Status string           `json:"status"`
}

func (c *Catalogue) listAgents(ctx context.Context, u use, a listAgents) (any, error) {
	answer, err := ask[messages.Agents](ctx, c.port, messages.ListAgents{Group: a.Group, Status: a.Status, Limit: maxListed, By: u.who})
	return c.showAgents(answer), err
}

type oneAgent struct {
	Agent messages.AgentID `json:"agentId"`
}

func (c *Catalogue) getAgent(ctx context.Context, u use, a oneAgent) (any, error) {
	d, err := ask[messages.AgentDetail](ctx, c.port, messages.GetAgent{Agent: a.Agent, By: u.who})
	return showDetail(d, c.o.Now()), err
}
