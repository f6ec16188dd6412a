package actors

import (
	"context"
	"fmt"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"kurogo/messages"
)

// A Journal makes changes durable.
type Journal interface {
	Commit(ctx context.Context, c messages.Change) (messages.Outcome, error)
}

// Timekeeper is the one actor to which time belongs. It holds one timer on the
// earliest thing that is due in the journal and acts whether or not the owner of
// that thing lives.
type Timekeeper struct {
	journal Journal
	clock   Clock

	next time.Time // zero: no timer
	stop func() bool
	gen  int
}

// NewTimekeeper returns a Timekeeper; it asks the journal when it starts.
func NewTimekeeper(j Journal, c Clock) *Timekeeper { return &Timekeeper{journal: j, clock: c} }

// rang is the timer's word. gen tells a forgotten timer from the present one.
type rang struct{ gen int }

// Receive implements [actor.Actor].
func (k *Timekeeper) Receive(c actor.Context) {
	switch m := c.Message().(type) {
	case *actor.Started:
		k.act(c)
	case messages.DueAt:
		if k.next.IsZero() || m.At.Before(k.next) {
			k.arm(c, m.At)
		}
	case rang:
		if m.gen == k.gen {
			k.act(c)
		}
	case *actor.Stopping:
		k.disarm()
	}
}

func (k *Timekeeper) act(c actor.Context) {
	k.disarm()
	out, err := k.journal.Commit(context.Background(), messages.Due{Now: k.clock.Now()})
	switch {
	case messages.IsCode(err, messages.CodeBusy), messages.IsCode(err, messages.CodeUnavailable):
		k.arm(c, k.clock.Now().Add(time.Second))
	case err != nil:
		panic(fmt.Errorf("do what is due: %w", err))
	case !out.Next.IsZero():
		k.arm(c, out.Next)
	}
}

func (k *Timekeeper) arm(c actor.Context, at time.Time) {
	k.disarm()
	k.next = at
	root, self, ring := c.ActorSystem().Root, c.Self(), rang{k.gen}
	k.stop = k.clock.AfterFunc(max(0, at.Sub(k.clock.Now())), func() { root.Send(self, ring) })
}

func (k *Timekeeper) disarm() {
	k.gen++
	k.next = time.Time{}
	if k.stop != nil {
		k.stop()
	}
	k.stop = nil
}
