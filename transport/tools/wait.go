package tools

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"kurogo/messages"
)

func (c *Catalogue) waiting() []entry {
	about := fmt.Sprintf("Waits until the agents have ended, in whatever way. Use it instead of asking for their states again and again. "+
		"One call waits for at most %d s (longer for clients that are known to allow it); when the time runs out it returns timedOut: true with those that are pending, "+
		"which is no error: the agents go on, call it again with the pending ones. Next: get_agent_status for each result.", int(c.o.Cap.Seconds()))
	return []entry{define(plan{
		name: "wait_agent", title: "Wait for agents", agents: true, hints: reads, about: about,
		input: object(
			must("agentIds", list(1, maxBatch, agentID, "the agents to wait for")),
			may("timeout_ms", whole(1, 0, "how long to wait at most; the default is the most")),
			may("mode", oneOf("all (the default) waits for the last of them, any for the first", "all", "any")),
		),
		answer: answer(
			must("completed", list(0, 0, answer(
				must("agentId", said("the agent")),
				must("status", oneOf("how it ended", finalStates...)),
				must("duration_ms", number("how long it ran")),
			), "those that have ended")),
			must("pending", list(0, 0, said(""), "the agentIds of those that have not")),
			must("timedOut", yes("whether the time ran out first: then call again")),
			must("hint", said("what to do next")),
		),
		faults: faults{
			messages.CodeNotFound: {"agentIds", "list_agents names the agents"},
			messages.CodeDenied:   {"agentIds", "wait for agents of your own group"},
		},
	}, c.waitAgent)}
}

type waitAgent struct {
	Agents  []messages.AgentID `json:"agentIds"`
	Timeout int64              `json:"timeout_ms"`
	Mode    string             `json:"mode"`
}

type endView struct {
	ID       messages.AgentID     `json:"agentId"`
	Status   messages.AgentStatus `json:"status"`
	Duration int64                `json:"duration_ms"`
}

type waitView struct {
	Completed []endView          `json:"completed"`
	Pending   []messages.AgentID `json:"pending"`
	TimedOut  bool               `json:"timedOut"`
	Hint      string             `json:"hint"`
}

func (c *Catalogue) waitAgent(ctx context.Context, u use, a waitAgent) (any, error) {
	if u.who.Agent != "" && slices.Contains(a.Agents, u.who.Agent) {
		return nil, messages.Invalid("agentIds", "%s would wait for itself", u.who.Agent).Try("leave your own agentId out")
	}
	since, err := c.cursor(ctx)
	if err != nil {
		return nil, err
	}
	w, err := c.begin(ctx, u, a)
	if err != nil || w.over() {
		return w.answer(false, ""), err
	}
	most, clamped := c.allow(u.who, a.Timeout)
	capped, err := c.keep(ctx, u, vigil{
		topic: messages.Topic{Kinds: []messages.EventKind{messages.AgentEnded}, IDs: w.ids()},
		since: since, most: most, see: w.see, note: w.note,
	})
	return w.answer(capped, clamped), err
}

// allow bounds the time that a client asks for, and says so.
func (c *Catalogue) allow(who messages.Caller, ms int64) (most time.Duration, clamped string) {
	most = c.patience(who)
	switch {
	case ms == 0:
	case ms <= most.Milliseconds():
		most = time.Duration(ms) * time.Millisecond
	default:
		clamped = fmt.Sprintf("timeout_ms was cut from %d to %d. ", ms, most.Milliseconds())
	}
	return most, clamped
}

// A watch over agents knows of each of them how it is, in the order asked for.
type watch struct {
	order []messages.AgentID
	state map[messages.AgentID]messages.Agent
	any   bool
	now   func() time.Time
}

func (c *Catalogue) begin(ctx context.Context, u use, a waitAgent) (*watch, error) {
	w := &watch{state: map[messages.AgentID]messages.Agent{}, any: a.Mode == "any", now: c.o.Now}
	for _, id := range a.Agents { // twice is once
		if !slices.Contains(w.order, id) {
			w.order = append(w.order, id)
		}
	}
	answer, err := ask[messages.Agents](ctx, c.port, messages.ListAgents{Agents: w.order, Limit: len(w.order), By: u.who})
	if err != nil {
		return w, err
	}
	for _, agent := range answer.Agents {
		w.state[agent.ID] = agent
	}
	for _, id := range w.order {
		if _, ok := w.state[id]; !ok {
			return w, messages.Errorf(messages.CodeNotFound, "there is no agent %q", id)
		}
	}
	return w, nil
}

func (w *watch) ids() []string {
	out := make([]string, len(w.order))
	for i, id := range w.order {
		out[i] = string(id)
	}
	return out
}

func (w *watch) see(e messages.Event) (over bool, err error) {
	a, err := dataOf[messages.Agent](e)
	if err != nil {
		return false, err
	}
	if _, ours := w.state[a.ID]; ours {
		w.state[a.ID] = a
	}
	return w.over(), nil
}

func (w *watch) over() bool {
	ended := 0
	for _, a := range w.state {
		if a.Status.Final() {
			ended++
		}
	}
	return ended == len(w.order) || w.any && ended > 0
}

func (w *watch) answer(capped bool, clamped string) waitView {
	out := waitView{Completed: []endView{}, Pending: []messages.AgentID{}, TimedOut: capped}
	for _, id := range w.order {
		if a := w.state[id]; a.Status.Final() {
			out.Completed = append(out.Completed, endView{id, outcome(a), elapsed(a, w.now())})
		} else {
			out.Pending = append(out.Pending, id)
		}
	}
	switch {
	case capped:
		out.Hint = clamped + "Call wait_agent again with the pending agentIds: they go on working."
	case len(out.Pending) > 0:
		out.Hint = clamped + "Read the results with get_agent_status, then call wait_agent again with the pending agentIds."
	default:
		out.Hint = clamped + "All have ended: read the results with get_agent_status."
	}
	return out
}

// note names the first few of those that are waited for.
func (w *watch) note() string {
	const few = 5
	var open []string
	for _, id := range w.order {
		if a := w.state[id]; !a.Status.Final() {
			open = append(open, string(id)+" ("+string(a.Status)+")")
		}
	}
	ended, more := len(w.order)-len(open), ""
	if n := len(open) - few; n > 0 {
		open, more = open[:few], fmt.Sprintf(" and %d more", n)
	}
	return fmt.Sprintf("%d of %d have ended; waiting for %s%s", ended, len(w.order), strings.Join(open, ", "), more)
}
