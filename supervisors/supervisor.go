package supervisors

import (
	"log/slog"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"kurogo/actors"
)

// A Child is an actor that must live as long as its supervisor.
type Child struct {
	Name string
	Make actor.Producer
}

// Supervisor keeps its children alive.
type Supervisor struct {
	children []Child
	backoff  actors.Backoff
	clock    actors.Clock
	log      *slog.Logger

	falls map[string]int
	since map[string]time.Time
	ended bool
}

// calm is how long a child must live until its falls are forgotten.
const calm = time.Minute

// props makes a supervisor of children. Its strategy only ever stops a child
// that panics: the supervisor hears of it as of any other end.
func props(children []Child, b actors.Backoff, clock actors.Clock, log *slog.Logger) *actor.Props {
	return actor.PropsFromProducer(actors.Guard(log, func() actor.Actor {
		return &Supervisor{children: children, backoff: b, clock: clock, log: log, falls: map[string]int{}, since: map[string]time.Time{}}
	}),
		actor.WithSupervisor(actor.NewOneForOneStrategy(0, 0, actor.DefaultDecider)),
		actor.WithGuardian(actor.NewOneForOneStrategy(10, 10*time.Second, actor.DefaultDecider)),
	)
}

// raise is the word of the backoff's timer.
type raise struct{ child Child }

// begun asks whether the children have been begun; the answer is the same word.
type begun struct{}

// Receive implements [actor.Actor].
func (s *Supervisor) Receive(c actor.Context) {
	switch m := c.Message().(type) {
	case *actor.Started:
		for _, child := range s.children {
			s.spawn(c, child)
		}
	case *actor.Terminated:
		s.fallen(c, m)
	case begun:
		c.Respond(begun{})
	case raise:
		s.spawn(c, m.child)
	case *actor.Stopping:
		s.ended = true
	}
}

func (s *Supervisor) spawn(c actor.Context, child Child) {
	if s.ended {
		return
	}
	s.since[child.Name] = s.clock.Now()
	if _, err := c.SpawnNamed(actor.PropsFromProducer(actors.Guard(s.log, child.Make), actor.WithSupervisor(actor.NewOneForOneStrategy(0, 0, actor.DefaultDecider))), child.Name); err != nil {
		s.log.Error("begin actor", "actor", child.Name, "err", err)
		s.later(c, child)
	}
}

// fallen begins anew whoever was not told to end.
func (s *Supervisor) fallen(c actor.Context, m *actor.Terminated) {
	for _, child := range s.children {
		if s.ended || m.Who.Id != c.Self().Id+"/"+child.Name {
			continue
		}
		if s.clock.Now().Sub(s.since[child.Name]) > calm {
			s.falls[child.Name] = 0
		}
		s.later(c, child)
	}
}

func (s *Supervisor) later(c actor.Context, child Child) {
	s.falls[child.Name]++
	wait := s.backoff.Delay(s.falls[child.Name])
	s.log.Warn("actor fell", "actor", c.Self().Id+"/"+child.Name, "falls", s.falls[child.Name], "again_in", wait)
	root, self := c.ActorSystem().Root, c.Self()
	s.clock.AfterFunc(wait, func() { root.Send(self, raise{child}) })
}
