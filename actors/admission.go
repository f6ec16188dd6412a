package actors

import (
	"slices"

	"github.com/asynkron/protoactor-go/actor"

	"kurogo/messages"
)

// Admission bounds how many agents work at a time. Groups take turns, so that a
// large one does not starve a small one. An agent that only waits for others
// lends its slot: ten waiting parents must not keep their children from working.
// What it knows is gone when it falls; agents then ask again.
type Admission struct {
	most     int
	starting int

	seats  map[messages.AgentID]*seat
	queues map[messages.GroupID][]asker
	turns  []messages.GroupID // the groups with a queue, the next first
	back   []asker            // lenders that want their slot again
}

// overshoot is how many lenders may come back although every slot is taken.
const overshoot = 3

type seat struct {
	pid   *actor.PID
	up    bool // it has shown a sign of life
	waits int  // of its agent that are on; it lends as long as there are any
	free  bool // lent, or not taken back yet
}

type asker struct {
	agent messages.AgentID
	pid   *actor.PID
	place int
}

// The words between an agent and Admission.
type (
	takeSlot struct {
		agent messages.AgentID
		group messages.GroupID
		place int  // in its group: the lowest goes first
		held  bool // it has one already, from a former Admission
	}
	slot      struct{} // the answer to takeSlot
	slotUp    struct{ agent messages.AgentID }
	leaveSlot struct{ agent messages.AgentID }
)

// NewAdmission returns an Admission for at most most working agents, of which at
// most starting are starting.
func NewAdmission(most, starting int) *Admission {
	return &Admission{
		most: max(1, most), starting: max(1, starting),
		seats: map[messages.AgentID]*seat{}, queues: map[messages.GroupID][]asker{},
	}
}

// Receive implements [actor.Actor].
func (a *Admission) Receive(c actor.Context) {
	switch m := c.Message().(type) {
	case takeSlot:
		c.Watch(c.Sender())
		if m.held {
			a.seats[m.agent] = &seat{pid: c.Sender(), up: true}
			return
		}
		if _, queued := a.queues[m.group]; !queued {
			a.turns = append(a.turns, m.group)
		}
		queue := a.queues[m.group]
		at, _ := slices.BinarySearchFunc(queue, m.place+1, func(k asker, place int) int { return k.place - place })
		a.queues[m.group] = slices.Insert(queue, at, asker{m.agent, c.Sender(), m.place})
	case slotUp:
		if s, ok := a.seats[m.agent]; ok {
			s.up = true
		}
	case leaveSlot:
		a.leave(c, m.agent)
	case *actor.Terminated:
		a.gone(c, m.Who)
	case messages.LendSlot:
		a.lend(c, m)
	}
	a.grant(c)
}

// lend frees a seat with the first wait of its agent, and takes it again with
// the end of the last: at once, or when there is room.
func (a *Admission) lend(c actor.Context, m messages.LendSlot) {
	s, ok := a.seats[m.Agent]
	switch {
	case !ok: // it has ended
	case !m.Back:
		s.waits++
		s.free = true
		a.release(c, m.Agent) // who waits again does not want its seat back
	case s.waits > 1:
		s.waits--
	case s.free && a.working() >= a.most+overshoot:
		s.waits = 0
		a.back = append(a.back, asker{agent: m.Agent, pid: c.Sender()})
		return
	default:
		s.waits, s.free = 0, false
	}
	c.Respond(messages.Done{})
}

// release answers those who wanted an agent's seat back and need it no more.
func (a *Admission) release(c actor.Context, id messages.AgentID) {
	a.back = slices.DeleteFunc(a.back, func(b asker) bool {
		if b.agent == id {
			c.Send(b.pid, messages.Done{})
		}
		return b.agent == id
	})
}

// working counts the slots that are taken.
func (a *Admission) working() (n int) {
	for _, s := range a.seats {
		if !s.free {
			n++
		}
	}
	return n
}

func (a *Admission) risen() (n int) {
	for _, s := range a.seats {
		if s.up {
			n++
		}
	}
	return n
}

// grant hands out what is free: first to those who had lent theirs.
func (a *Admission) grant(c actor.Context) {
	for len(a.back) > 0 && a.working() < a.most+overshoot {
		b := a.back[0]
		a.back = a.back[1:]
		if s, ok := a.seats[b.agent]; ok {
			s.free = false
		}
		c.Send(b.pid, messages.Done{})
	}
	for len(a.turns) > 0 && a.working() < a.most && len(a.seats)-a.risen() < a.starting {
		group := a.turns[0]
		first := a.queues[group][0]
		a.turns = a.turns[1:]
		if rest := a.queues[group][1:]; len(rest) > 0 {
			a.queues[group] = rest
			a.turns = append(a.turns, group)
		} else {
			delete(a.queues, group)
		}
		a.seats[first.agent] = &seat{pid: first.pid}
		c.Send(first.pid, slot{})
	}
}

func (a *Admission) leave(c actor.Context, id messages.AgentID) {
	delete(a.seats, id)
	a.release(c, id)
}

// gone forgets an agent's actor, wherever it was.
func (a *Admission) gone(c actor.Context, pid *actor.PID) {
	for id, s := range a.seats {
		if s.pid.Equal(pid) {
			a.leave(c, id)
		}
	}
	for group, queue := range a.queues {
		queue = slices.DeleteFunc(queue, func(k asker) bool { return k.pid.Equal(pid) })
		if len(queue) > 0 {
			a.queues[group] = queue
			continue
		}
		delete(a.queues, group)
		a.turns = slices.DeleteFunc(a.turns, func(g messages.GroupID) bool { return g == group })
	}
}
