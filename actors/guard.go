package actors

import (
	"fmt"
	"log/slog"
	"runtime/debug"

	"github.com/asynkron/protoactor-go/actor"
)

// Guard makes a panic while an actor stops harmless. Without it the library
// revives an actor that panics in Stopping, and one that panics in Stopped
// hangs its parent for ever. A panic anywhere else is the supervisor's.
func Guard(log *slog.Logger, p actor.Producer) actor.Producer {
	return func() actor.Actor { return &guarded{Actor: p(), log: log} }
}

type guarded struct {
	actor.Actor
	log *slog.Logger
}

// Receive implements [actor.Actor].
func (g *guarded) Receive(c actor.Context) {
	switch c.Message().(type) {
	case *actor.Stopping, *actor.Stopped, *actor.Restarting:
		defer func() {
			if r := recover(); r != nil {
				g.log.Error("panic while stopping", "actor", c.Self().Id, "panic", fmt.Sprint(r), "stack", string(debug.Stack()))
			}
		}()
	}
	g.Actor.Receive(c)
}
