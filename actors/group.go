package actors

import (
	"context"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"kurogo/messages"
)

// Group is the parent of the agents of one group that have not ended and wait
// for no earlier stage. The journal tells it who they are. It leaves when there
// are none.
type Group struct {
	company Company
	id      messages.GroupID
	agents  map[string]messages.AgentID // by the pid's id
	falls   map[messages.AgentID]int
	place   int // counts the agents that began
	ended   bool
}

// NewGroup returns the actor of a group.
func NewGroup(c Company, id messages.GroupID) *Group {
	return &Group{company: c, id: id, agents: map[string]messages.AgentID{}, falls: map[messages.AgentID]int{}}
}

// Receive implements [actor.Actor].
func (g *Group) Receive(c actor.Context) {
	switch m := c.Message().(type) {
	case *actor.Started, messages.Wake:
		g.look(c)
	case risen:
		c.Forward(c.Parent())
	case *actor.Terminated:
		g.gone(c, m.Who)
	case *actor.Stopping:
		g.ended = true
	}
}

// look begins an actor for every agent that has none.
func (g *Group) look(c actor.Context) {
	if g.ended {
		return
	}
	waiting, err := g.company.Archive.Waiting(context.Background(), g.id)
	if err != nil {
		g.company.Log.Warn("find agents", "group", g.id, "err", err)
		later(c, g.company.Clock, time.Second, messages.Wake{To: g.id.Address()})
		return
	}
	lives := map[messages.AgentID]bool{}
	for _, id := range g.agents {
		lives[id] = true
	}
	for _, a := range waiting {
		if lives[a.ID] {
			continue
		}
		g.place++
		place := g.place
		props := actor.PropsFromProducer(Guard(g.company.Log, func() actor.Actor { return NewAgent(g.company, a, place) }), actor.WithSupervisor(StopFallen))
		pid := c.SpawnPrefix(props, string(a.ID))
		g.agents[pid.Id] = a.ID
	}
	if len(g.agents) == 0 {
		g.ended = true
		c.Stop(c.Self())
	}
}

// gone looks again after an agent's actor has gone. One that fell is among the
// waiting still; it rises with a growing wait.
func (g *Group) gone(c actor.Context, pid *actor.PID) {
	id, ok := g.agents[pid.Id]
	if !ok || g.ended {
		return
	}
	delete(g.agents, pid.Id)
	c.Send(c.Parent(), buried{id})
	a, err := g.company.Archive.Agent(context.Background(), id)
	if err == nil && a.Outcome != "" {
		delete(g.falls, id)
		g.look(c)
		return
	}
	g.falls[id]++
	later(c, g.company.Clock, g.company.Backoff.Delay(g.falls[id]), messages.Wake{To: g.id.Address()})
}
