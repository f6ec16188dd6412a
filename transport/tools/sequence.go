package tools

import (
	"context"
	"strconv"

	"kurogo/messages"
)

const maxStages = 50

func (c *Catalogue) sequence() []entry {
	each := object(c.orderProps()...)
	each.refused = roleDecides
	return []entry{define(plan{
		name: "run_sequential", title: "Run stages of agents one after another", agents: true, hints: unleash,
		about: "Starts a sequence of stages: the agents of one stage work side by side, and a stage begins when all of the stage before have ended; it is told their results. " +
			"Use it when later work needs earlier results, for example implement, then test and review. Returns all agentIds at once. " +
			"Next: wait_agent with the agents of the last stage.",
		input: object(
			must("groupId", groupID),
			must("stages", list(1, maxStages, object(
				must("tasks", list(1, maxBatch, each, "what each agent of the stage is to do")),
			), "the stages, the first one first")),
			may("idempotency_key", onceOnly),
		),
		answer: answer(
			must("groupId", said("the group")),
			must("totalStages", number("how many stages there are")),
			must("currentStageIndex", number("the stage that is on, from 0")),
			must("stages", list(0, 0, answer(
				must("stageIndex", number("from 0")),
				must("agentIds", list(0, 0, said(""), "the agents of the stage")),
			), "who belongs to which stage")),
			must("agents", list(0, 0, answer(bornProps...), "all agents, stage by stage")),
			must("total", number("how many they are")),
		),
		faults: runFaults,
	}, c.runSequential)}
}

type runSequential struct {
	Group  messages.GroupID `json:"groupId"`
	Stages []struct {
		Tasks []order `json:"tasks"`
	} `json:"stages"`
	Key string `json:"idempotency_key"`
}

type stageView struct {
	Index  int                `json:"stageIndex"`
	Agents []messages.AgentID `json:"agentIds"`
}

type sequenceView struct {
	Group   messages.GroupID `json:"groupId"`
	Stages  int              `json:"totalStages"`
	Current int              `json:"currentStageIndex"`
	Each    []stageView      `json:"stages"`
	Agents  []bornView       `json:"agents"`
	Total   int              `json:"total"`
}

func (c *Catalogue) runSequential(ctx context.Context, u use, a runSequential) (any, error) {
	name := func(i, j int) string { return "stages[" + strconv.Itoa(i) + "].tasks[" + strconv.Itoa(j) + "]" }
	stages := make([][]messages.Order, len(a.Stages))
	for i, s := range a.Stages {
		stages[i] = make([]messages.Order, len(s.Tasks))
		for j, o := range s.Tasks {
			var err error
			if stages[i][j], err = o.understood(u.who, name(i, j)); err != nil {
				return nil, err
			}
		}
	}
	accepted, err := c.run(ctx, u, a.Group, a.Key, stages)
	if err != nil {
		return nil, moved(err, len(stages) == 1 && len(stages[0]) == 1, name)
	}
	return showSequence(a.Group, accepted, stages), nil
}

// showSequence tells who is in which stage: the house answers in the order of the
// stages. The stage that is on is the first with somebody who has not ended, which
// need not be the first one when a call is repeated.
func showSequence(group messages.GroupID, agents []messages.Agent, stages [][]messages.Order) sequenceView {
	out := sequenceView{Group: group, Stages: len(stages), Current: -1, Agents: each(agents, born), Total: len(agents)}
	for i, orders := range stages {
		stage := stageView{Index: i, Agents: []messages.AgentID{}}
		for _, a := range agents[:min(len(orders), len(agents))] {
			stage.Agents = append(stage.Agents, a.ID)
			if !a.Status.Final() && out.Current < 0 {
				out.Current = i
			}
		}
		agents = agents[len(stage.Agents):]
		out.Each = append(out.Each, stage)
	}
	if out.Current < 0 {
		out.Current = len(stages) - 1 // all have ended
	}
	return out
}
