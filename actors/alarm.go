package actors

import (
	"time"

	"github.com/asynkron/protoactor-go/actor"
)

// An alarm is one timer of an actor, which speaks as a message to the actor
// itself. gen tells a forgotten ring from the present one.
type alarm struct {
	gen  int
	at   time.Time // zero: off
	stop func() bool
}

// set rings after d with the word that ring makes of the present gen.
func (a *alarm) set(c actor.Context, clock Clock, d time.Duration, ring func(gen int) any) {
	a.off()
	a.at = clock.Now().Add(d)
	root, self, word := c.ActorSystem().Root, c.Self(), ring(a.gen)
	a.stop = clock.AfterFunc(max(0, d), func() { root.Send(self, word) })
}

func (a *alarm) off() {
	a.gen++
	a.at = time.Time{}
	if a.stop != nil {
		a.stop()
	}
	a.stop = nil
}
