package tools

import (
	"context"
	"strconv"

	"kurogo/messages"
)

// maxBatch bounds the agents of one call, or of one stage.
const maxBatch = 100

// runFaults: a group and a role can both be unknown; the house says which.
var runFaults = groupFaults.also(faults{
	messages.CodeNotFound:    {"", "create_group gives a groupId, list_roles names the roles"},
	messages.CodeUnavailable: {"role", "choose another role: list_roles says which are available, and why others are not"},
	messages.CodeBusy:        {"", "wait for some agents with wait_agent, then call again"},
})

func (c *Catalogue) running() []entry {
	one := object(append([]prop{must("groupId", groupID)}, append(c.orderProps(), may("idempotency_key", onceOnly))...)...)
	one.refused = roleDecides
	each := object(c.orderProps()...)
	each.refused = roleDecides
	return []entry{
		define(plan{
			name: "run_agent", title: "Run an agent", agents: true, hints: unleash,
			about: "Starts one sub-agent: a separate process that works on its own in the working directory and may change files there. " +
				"Use it for work that can go on beside yours. Returns its agentId at once, before the work is done. " +
				"Next: start further agents, then wait_agent; get_agent_status has the result.",
			input: one, answer: answer(bornProps...), faults: runFaults,
		}, c.runAgent),
		define(plan{
			name: "run_agents", title: "Run several agents at once", agents: true, hints: unleash,
			about: "Starts several sub-agents that work side by side; all are accepted, or none. Prefer it to many run_agent calls. " +
				"Returns their agentIds at once, in the order given. Next: wait_agent with all of them.",
			input: object(
				must("groupId", groupID),
				must("agents", list(1, maxBatch, each, "what each of them is to do")),
				may("idempotency_key", onceOnly),
			),
			answer: answer(
				must("agents", list(0, 0, answer(bornProps...), "the agents, in the order given")),
				must("total", number("how many they are")),
			),
			faults: runFaults,
		}, c.runAgents),
	}
}

type runAgent struct {
	order
	Group messages.GroupID `json:"groupId"`
	Key   string           `json:"idempotency_key"`
}

func (c *Catalogue) runAgent(ctx context.Context, u use, a runAgent) (any, error) {
	o, err := a.understood(u.who, "")
	if err != nil {
		return nil, err
	}
	accepted, err := c.run(ctx, u, a.Group, a.Key, [][]messages.Order{{o}})
	if err != nil {
		return nil, moved(err, true, func(int, int) string { return "" })
	}
	return born(accepted[0]), nil
}

type runAgents struct {
	Group  messages.GroupID `json:"groupId"`
	Agents []order          `json:"agents"`
	Key    string           `json:"idempotency_key"`
}

func (c *Catalogue) runAgents(ctx context.Context, u use, a runAgents) (any, error) {
	name := func(_, i int) string { return "agents[" + strconv.Itoa(i) + "]" }
	stage := make([]messages.Order, len(a.Agents))
	for i, o := range a.Agents {
		var err error
		if stage[i], err = o.understood(u.who, name(0, i)); err != nil {
			return nil, err
		}
	}
	accepted, err := c.run(ctx, u, a.Group, a.Key, [][]messages.Order{stage})
	return struct {
		Agents []bornView `json:"agents"`
		Total  int        `json:"total"`
	}{each(accepted, born), len(accepted)}, moved(err, len(stage) == 1, name)
}

// run has agents accepted, all or none.
func (c *Catalogue) run(ctx context.Context, u use, group messages.GroupID, key string, stages [][]messages.Order) ([]messages.Agent, error) {
	answer, err := ask[messages.Agents](ctx, c.port, messages.RunAgents{Group: group, Stages: stages, Key: key, By: u.who})
	if err != nil {
		return nil, err
	}
	if len(answer.Agents) == 0 {
		return nil, messages.Errorf(messages.CodeInternal, "the house accepted nobody")
	}
	return answer.Agents, nil
}
