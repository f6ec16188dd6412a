package actors

import (
	"context"
	"fmt"

	"github.com/asynkron/protoactor-go/actor"

	"kurogo/messages"
)

// Agent is one run of a role: it waits until its role is known to be well, for a
// slot and for money, has one turn played by a life, and writes down what came of
// it. Then it leaves; a rate limit alone makes it wait and try again.
type Agent struct {
	Company
	order messages.Agent
	place int // in its group
	role  messages.Role
	craft Craft

	epoch   int
	gone    bool   // this incarnation is over
	unwell  string // why its role cannot be run
	asking  bool   // it waits to hear whether its role is well
	seated  bool   // it has a slot
	pulling bool   // it waits for one
	missing bool   // somebody fell who must hear of it again
	woken   bool   // the journal said so while a turn was still being put away

	work     *messages.Work
	ctx      context.Context // of its room; ends with the agent
	cancel   context.CancelFunc
	entering bool
	inside   bool // it has a room
	given    bool // the turn
	pass     string
	run      messages.Run
	used     messages.Usage
	dirty    bool            // the journal has an older run
	over     bool            // its life was told to end
	end      messages.Change // how the turn ended; the journal must still take it
	rest     bool            // the turn is given again later
	settled  bool            // the journal took it
	leaving  bool            // its room is being given back

	life *actor.PID // nil: none

	watch alarm // over the start
	tell  alarm // until the journal hears of the run
	again alarm // over a journal that was busy
}

// NewAgent returns the actor of an agent that has not ended. Of the queued agents
// of a group the one with the lowest place goes first.
func NewAgent(c Company, order messages.Agent, place int) *Agent {
	role, ok := c.role(order.Role)
	craft := c.Crafts[order.Driver]
	a := &Agent{Company: c, order: order, place: place, role: role, craft: craft}
	if !ok || craft.Life == nil {
		a.unwell = fmt.Sprintf("the role %s with the driver %s is no longer configured", order.Role, order.Driver)
	}
	return a
}

// The words that an agent says to itself.
type (
	entered struct {
		dir, home string
		err       error
	}
	left struct {
		diff string
		err  error
	}
	shown  struct{ gen int }
	reseat struct{}
)

// lives is the number of an agent's one life in this incarnation.
const lives = 1

// Receive implements [actor.Actor].
func (a *Agent) Receive(c actor.Context) {
	if a.gone { // its life is being buried: what it says ends no turn
		return
	}
	switch m := c.Message().(type) {
	case *actor.Started:
		a.rise(c)
	case roleKnown:
		a.known(c, m)
	case slot:
		a.seated, a.pulling = true, false
		a.pull(c)
	case messages.Wake:
		a.woken = true
		a.resume(c)
	case reseat:
		a.reseat(c)
	case messages.Interrupt:
		a.interrupt(c, m)
	case entered:
		a.entered(c, m)
	case born:
	case happened:
		a.happened(c, m)
	case left:
		a.left(c, m)
	case *actor.Terminated:
		a.buried(c, m.Who)
	case watched:
		if m.gen == a.watch.gen {
			a.fail(c, messages.ClassTimeout, fmt.Sprintf("not ready after timeouts.process_start = %s", a.Timeouts.ProcessStart), 0)
		}
	case shown:
		if m.gen == a.tell.gen {
			a.tell.off()
			a.keep()
		}
	case retried:
		if m.gen == a.again.gen {
			a.again.off()
			a.settle(c)
		}
	case *actor.Stopping:
		a.leave()
		c.Unwatch(a.Admission) // they outlive us, and would remember us for ever
		c.Unwatch(a.Checkup)
	}
}

// rise begins an incarnation. If a former one held the turn, the agent is lost:
// the journal says so, and nobody is left here.
func (a *Agent) rise(c actor.Context) {
	out, err := a.commit(messages.Reclaim{Persona: a.order.ID.Address(), Now: a.Clock.Now()})
	if messages.IsCode(err, messages.CodeNotFound) {
		a.hush()
		c.Stop(c.Self())
		return
	}
	if err != nil {
		panic(fmt.Errorf("%s: rise: %w", a.order.ID, err)) // its group tries again
	}
	a.epoch = out.Epoch
	a.ctx, a.cancel = context.WithCancel(context.Background())
	c.Request(c.Parent(), risen{a.order.ID})
	if a.unwell != "" {
		a.pull(c)
		return
	}
	a.asking = true
	a.reseat(c)
}

// reseat asks those who bring us to our turn, and notices when they fall: then
// they have forgotten us.
func (a *Agent) reseat(c actor.Context) {
	a.missing = false
	c.Watch(a.Admission)
	c.Watch(a.Checkup)
	if a.asking {
		c.Request(a.Checkup, awaitRole{a.order.Role})
	}
	if a.seated || a.pulling {
		c.Request(a.Admission, takeSlot{agent: a.order.ID, group: a.order.Group, place: a.place, held: a.seated})
	}
}

// resume queues again after a rest.
func (a *Agent) resume(c actor.Context) {
	if a.rest && a.woken && a.work == nil {
		a.rest, a.woken = false, false
		a.queue(c)
	}
}

// known goes on when it is known whether the role can be run.
func (a *Agent) known(c actor.Context, m roleKnown) {
	if !a.asking {
		return
	}
	a.asking = false
	if !m.available {
		a.unwell = m.reason
		a.pull(c)
		return
	}
	a.queue(c)
}

func (a *Agent) queue(c actor.Context) {
	a.pulling = true
	c.Request(a.Admission, takeSlot{agent: a.order.ID, group: a.order.Group, place: a.place})
}

// pull takes the turn from the journal.
func (a *Agent) pull(c actor.Context) {
	out, err := a.commit(messages.Lease{Fence: a.fence(), Reserve: a.reserve(), Now: a.Clock.Now()})
	switch {
	case err != nil:
		panic(fmt.Errorf("%s: take turn: %w", a.order.ID, err))
	case out.Stale: // it has ended without a turn, or is lost
		a.hush()
		c.Stop(c.Self())
		return
	case out.Turn == nil: // parked for money: the journal wakes us
		a.rest, a.woken = true, false
		a.giveSlotBack(c)
		return
	}
	a.woken = false
	a.work, a.order = out.Turn, out.Turn.Agent
	a.run, a.used = messages.Run{}, messages.Usage{}
	if a.unwell != "" {
		a.fail(c, messages.ClassMissing, a.unwell, 0)
		return
	}
	a.enter(c)
}

// works reports whether the agent works for a job, which reads what its turn ended
// with: nobody else does, and it has nothing to report.
func (a *Agent) works() bool {
	_, _, ok := a.order.CreatedBy.Job()
	return ok
}

func (a *Agent) reserve() int64 {
	if a.craft.Reserve == nil {
		return 0
	}
	return a.craft.Reserve(a.order.Role)
}

// interrupt: its task has ended without it.
func (a *Agent) interrupt(c actor.Context, m messages.Interrupt) {
	switch {
	case m.Task != a.order.Task:
	case a.work == nil:
		c.Stop(c.Self())
	case a.end == nil:
		a.fail(c, messages.ClassInterrupted, "its task has ended", 0)
	default: // it leaves once its turn is put away, and waits for no other
		a.rest = false
	}
}

func (a *Agent) fence() messages.Fence {
	return messages.Fence{Persona: a.order.ID.Address(), Epoch: a.epoch}
}

func (a *Agent) commit(change messages.Change) (messages.Outcome, error) {
	return a.Journal.Commit(context.Background(), change)
}
