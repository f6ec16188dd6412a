package actors

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"kurogo/messages"
)

// Timeouts of a persona; DESIGN's names, kurogo.toml's [timeouts].
type Timeouts struct {
	ProcessStart   time.Duration // exec to ready
	MessageReceive time.Duration // turn given to first event
	Task           time.Duration // one turn
	Idle           time.Duration // no event inside a turn; or no turn at all
	Grace          time.Duration // from asking to end to making it end
}

// A Cast is what all personas share and what is special to one of them.
type Cast struct {
	Spec      messages.Persona
	Hierarchy messages.Hierarchy
	Limits    messages.Limits
	Timeouts  Timeouts
	Backoff   Backoff
	Brief     messages.Spec // of every life; Life, Session and Border are filled in
	Store     string        // the journal's id, for the mark of each life
	Reserve   int64         // micro-dollars that a turn may cost; 0 = it costs nothing
	Tools     []messages.Tool
	Library   Library // its passages stand under each request

	Journal Journal
	Clock   Clock
	Router  *actor.PID
	Life    func(spec messages.Spec, n int) *actor.Props // Lives of a driver, or a stand-in
	NewID   func() messages.MessageID
	Log     *slog.Logger
}

// Persona is a boss, a manager or a specialist: it takes its turns from the
// journal one at a time, has them played by a life, and writes down how they
// ended before it takes the next.
type Persona struct {
	Cast

	epoch           int
	session, border string
	billed          int64 // what the session had cost at the border
	left            bool  // this incarnation is over
	stopped         bool  // by a person
	resting         bool  // it fell and waits
	failures        int   // in a row
	restarts        int
	lastError       string

	turn  *turn
	life  *actor.PID // nil: none
	n     int        // counts lives
	pid   int
	up    bool      // the life can take a turn
	asked string    // the id of the role check while it is on
	over  bool      // the life was told to end
	idle  time.Time // since when there has been nothing to do

	shown messages.PersonaState
	watch alarm // over the turn, the start, the idle time
	rest  alarm // over the backoff
	again alarm // over a journal that was busy
}

// NewPersona returns the persona of a cast.
func NewPersona(c Cast) *Persona { return &Persona{Cast: c} }

// The words that a persona's timers say to it.
type (
	watched struct{ gen int }
	rested  struct{ gen int }
	retried struct{ gen int }
)

// Receive implements [actor.Actor].
func (p *Persona) Receive(c actor.Context) {
	if p.left { // its last life is being buried: beginning another would keep us for ever
		return
	}
	switch m := c.Message().(type) {
	case *actor.Started:
		p.rise(c)
	case messages.Wake:
		p.advance(c)
	case messages.Interrupt:
		p.interrupt(c, m)
	case messages.CCMessage:
		p.hear(c, m)
	case born:
		if m.life == p.n {
			p.pid = m.pid
		}
	case happened:
		p.happened(c, m)
	case *actor.Terminated:
		p.buried(c, m)
	case watched:
		if m.gen == p.watch.gen {
			p.watch.off()
			p.look(c)
		}
	case rested:
		if m.gen == p.rest.gen {
			p.resting = false
			p.advance(c)
		}
	case retried:
		if m.gen == p.again.gen {
			p.settle(c)
			p.advance(c)
		}
	case messages.GetMember:
		c.Respond(p.member())
	case messages.StopPersona:
		p.pause(c)
	case messages.StartPersona:
		p.resume(c)
	case *actor.Stopping:
		p.leave()
	}
}

// rise begins an incarnation: whatever a former one held comes back.
func (p *Persona) rise(c actor.Context) {
	out, err := p.commit(messages.Reclaim{Persona: p.Spec.Name, Now: p.Clock.Now()})
	if err != nil {
		panic(fmt.Errorf("%s: rise: %w", p.Spec.Name, err)) // the supervisor tries again
	}
	p.epoch, p.session, p.border, p.billed, p.stopped = out.Epoch, out.Session, out.Border, out.Billed, out.Stopped
	p.idle = p.Clock.Now()
	p.advance(c)
}

// advance does the next thing that can be done: take a turn, begin a life, give
// the turn to it. It may be called at any time.
func (p *Persona) advance(c actor.Context) {
	if p.turn == nil && !p.stopped && !p.resting {
		p.pull(c)
	}
	if p.turn != nil && !p.over {
		if p.life == nil {
			p.begin(c)
		}
		if p.up && !p.turn.given() {
			p.give(c)
		}
	}
	p.show()
	p.look(c)
}

// pull asks the journal for the next turn.
func (p *Persona) pull(c actor.Context) {
	out, err := p.commit(messages.Lease{Fence: p.fence(), Reserve: p.Reserve, Now: p.Clock.Now()})
	switch {
	case messages.IsCode(err, messages.CodeUnavailable):
		p.tryAgain(c, "take turn", err)
	case err != nil:
		panic(fmt.Errorf("%s: take turn: %w", p.Spec.Name, err))
	case out.Stale:
		panic(fmt.Errorf("%s: take turn: another incarnation is alive", p.Spec.Name))
	default:
		p.take(out.Turn)
	}
}

func (p *Persona) take(w *messages.Work) {
	p.turn = nil
	if w != nil {
		p.turn = newTurn(w)
	}
	p.idle = p.Clock.Now()
}

// pause is a person's wish: finish nothing more. The row of the torn turn waits.
func (p *Persona) pause(c actor.Context) {
	if _, err := p.commit(messages.SetStopped{Persona: p.Spec.Name, Stopped: true, Now: p.Clock.Now()}); err != nil {
		c.Respond(*messages.AsError(err))
		return
	}
	p.stopped = true
	if p.turn != nil && p.turn.end == nil {
		p.fail(c, messages.ClassKilled, "a person stopped "+string(p.Spec.Name), 0)
	}
	p.endLife(c)
	p.show()
	c.Respond(messages.Done{})
}

func (p *Persona) resume(c actor.Context) {
	if _, err := p.commit(messages.SetStopped{Persona: p.Spec.Name, Now: p.Clock.Now()}); err != nil {
		c.Respond(*messages.AsError(err))
		return
	}
	p.stopped, p.resting, p.failures = false, false, 0
	p.rest.off()
	p.advance(c)
	c.Respond(messages.Done{})
}

// leave is the end of this incarnation. Its turn is given back at once, or ended
// if it has an answer; if that fails, the next incarnation reclaims it.
func (p *Persona) leave() {
	p.left = true
	p.watch.off()
	p.rest.off()
	p.again.off()
	if p.turn == nil {
		return
	}
	var last messages.Change = messages.FailTurn{Fence: p.fence(), Rows: p.turn.work.Rows, Reason: "kurogo stopped in the middle of the turn", Retry: true, Now: p.Clock.Now()}
	if p.turn.end != nil {
		p.turn.end.Next = false
		last = *p.turn.end
	}
	p.turn = nil
	if _, err := p.commit(last); err != nil {
		p.Log.Warn("give turn back", "agent", p.Spec.Name, "err", err)
	}
}

func (p *Persona) fence() messages.Fence {
	return messages.Fence{Persona: p.Spec.Name, Epoch: p.epoch}
}

func (p *Persona) commit(change messages.Change) (messages.Outcome, error) {
	return p.Journal.Commit(context.Background(), change)
}
