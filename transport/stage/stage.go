package stage

import (
	"sync/atomic"

	"github.com/asynkron/protoactor-go/actor"
)

// A Stage is where connections live as actors. [actor.RootContext] is one; in
// the house it is the place called transports. Spawn is nil when it has ended.
type Stage interface {
	Spawn(*actor.Props) *actor.PID
	Stop(*actor.PID)
}

// Perform makes the actor that owns a connection. Whoever stops it closes the
// connection, by shut; leave is for a connection that has closed. Where s is nil
// there are no actors. ok is false when the stage has ended: then nobody owns the
// connection, and it must not begin.
func Perform(s Stage, shut func()) (leave func(), ok bool) {
	if s == nil {
		return func() {}, true
	}
	var over atomic.Bool // then there is nobody left to stop
	pid := s.Spawn(actor.PropsFromProducer(func() actor.Actor {
		return connection{func() { over.Store(true); shut() }}
	}))
	if pid == nil {
		return func() {}, false
	}
	return func() {
		if !over.Swap(true) {
			s.Stop(pid)
		}
	}, true
}

// A connection is the actor. It hears nothing but its end.
type connection struct{ shut func() }

// Receive implements [actor.Actor].
func (c connection) Receive(ctx actor.Context) {
	if _, ok := ctx.Message().(*actor.Stopping); ok {
		c.shut()
	}
}
