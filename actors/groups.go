package actors

import (
	"context"
	"fmt"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"kurogo/messages"
)

// Groups is the parent of all groups that have work. It knows which agent lives
// in which of them, and raises a group that fell.
type Groups struct {
	company Company
	homes   map[messages.AgentID]*actor.PID
	alive   map[messages.GroupID]*actor.PID
	falls   map[messages.GroupID]int
	ended   bool
}

// NewGroups returns the parent of a company's groups.
func NewGroups(c Company) *Groups {
	return &Groups{
		company: c, homes: map[messages.AgentID]*actor.PID{},
		alive: map[messages.GroupID]*actor.PID{}, falls: map[messages.GroupID]int{},
	}
}

// The words between a group and its parent.
type (
	risen  struct{ agent messages.AgentID } // its sender is the agent
	buried struct{ agent messages.AgentID }
	again  struct{ group messages.GroupID }
)

// Receive implements [actor.Actor].
func (g *Groups) Receive(c actor.Context) {
	switch m := c.Message().(type) {
	case *actor.Started:
		busy, err := g.company.Archive.BusyGroups(context.Background())
		if err != nil {
			panic(fmt.Errorf("find busy groups: %w", err))
		}
		for _, id := range busy {
			g.raise(c, id)
		}
	case messages.Wake:
		if id, ok := m.To.Group(); ok {
			g.raise(c, id)
		}
		g.carry(c, m.To, m)
	case messages.Interrupt:
		g.carry(c, m.To, m)
	case again:
		g.raise(c, m.group)
	case risen:
		g.homes[m.agent] = c.Sender()
	case buried:
		delete(g.homes, m.agent)
	case *actor.Terminated:
		g.fallen(c, m.Who)
	case *actor.Stopping: // whoever falls from now on is told to
		g.ended = true
	}
}

// raise makes sure that the group looks for work now.
func (g *Groups) raise(c actor.Context, id messages.GroupID) {
	if g.ended {
		return
	}
	if pid, ok := g.alive[id]; ok {
		c.Send(pid, messages.Wake{To: id.Address()})
		return
	}
	props := actor.PropsFromProducer(Guard(g.company.Log, func() actor.Actor { return NewGroup(g.company, id) }), actor.WithSupervisor(StopFallen))
	pid, err := c.SpawnNamed(props, string(id))
	if err != nil {
		panic(fmt.Errorf("begin group %s: %w", id, err))
	}
	g.alive[id] = pid
}

// carry gives a word for an agent to its actor. One for an agent that has none
// is for nobody: when it rises, it asks the journal.
func (g *Groups) carry(c actor.Context, to messages.Address, m messages.Message) {
	id, ok := to.Agent()
	if home, lives := g.homes[id]; ok && lives {
		c.Send(home, m)
	}
}

// fallen looks whether a group that has gone left work behind: it fell, or was
// woken in the moment in which it left.
func (g *Groups) fallen(c actor.Context, pid *actor.PID) {
	for id, p := range g.alive {
		if !p.Equal(pid) {
			continue
		}
		delete(g.alive, id)
		left, err := g.company.Archive.Waiting(context.Background(), id)
		if err == nil && len(left) == 0 {
			delete(g.falls, id)
			return
		}
		g.falls[id]++
		wait := g.company.Backoff.Delay(g.falls[id])
		if g.falls[id] == 1 {
			wait = 0
		}
		later(c, g.company.Clock, wait, again{id})
	}
}

// later says something to the actor itself after d.
func later(c actor.Context, clock Clock, d time.Duration, word any) {
	root, self := c.ActorSystem().Root, c.Self()
	clock.AfterFunc(d, func() { root.Send(self, word) })
}

// StopFallen stops a child that panicked, at once: whoever is above it knows
// better when to raise it again than the library does.
var StopFallen = actor.NewOneForOneStrategy(0, 0, actor.DefaultDecider)
