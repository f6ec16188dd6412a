package supervisors

import (
	"fmt"

	"github.com/asynkron/protoactor-go/actor"

	"kurogo/actors"
)

// Transports is the place where connections of the edge live as actors. Stopping
// the tree ends them.
type Transports struct {
	root *actor.RootContext
	pid  *actor.PID
}

// open asks for a connection's actor; the answer is its address.
type open struct{ props *actor.Props }

// StartTransports begins the place. It is the last to start, so that it is the
// first to end.
func (t *Tree) StartTransports() (Transports, error) {
	pid, err := t.system.Root.SpawnNamed(actor.PropsFromProducer(actors.Guard(t.log, func() actor.Actor {
		return actor.ReceiveFunc(func(c actor.Context) {
			if m, ok := c.Message().(open); ok {
				c.Respond(c.Spawn(m.props))
			}
		})
	}), actor.WithSupervisor(actors.StopFallen)), "transports")
	if err != nil {
		return Transports{}, fmt.Errorf("begin transports: %w", err)
	}
	t.alive = append(t.alive, pid)
	return Transports{t.system.Root, pid}, nil
}

// Spawn begins a connection's actor; nil when the place has ended.
func (t Transports) Spawn(p *actor.Props) *actor.PID {
	answer, err := t.root.RequestFuture(t.pid, open{p}, beginTimeout).Result()
	if err != nil {
		return nil
	}
	pid, _ := answer.(*actor.PID)
	return pid
}

// Stop ends a connection's actor.
func (t Transports) Stop(pid *actor.PID) { t.root.Stop(pid) }
