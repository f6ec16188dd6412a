package actors

import (
	"fmt"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"kurogo/messages"
)

// look is the persona's one watch: it ends a turn that takes too long, a life
// that never gets ready, a process that nobody needs, and otherwise sleeps until
// the earliest of these could be.
func (p *Persona) look(c actor.Context) {
	at, class, why := p.limit()
	if at.IsZero() {
		p.watch.off()
		return
	}
	if left := at.Sub(p.Clock.Now()); left > 0 {
		if p.watch.at.IsZero() || at.Before(p.watch.at) {
			p.watch.set(c, p.Clock, left, func(gen int) any { return watched{gen} })
		}
		return
	}
	if p.turn == nil {
		p.endLife(c) // the session closes; the next message opens it again
		p.show()
		return
	}
	p.fail(c, class, why, 0)
}

// limit is the earliest time at which patience ends, with what is then said.
func (p *Persona) limit() (at time.Time, class messages.Class, why string) {
	t := p.turn
	switch {
	case p.over: // the life's own grace runs
	case t == nil && p.life != nil:
		at = p.idle.Add(p.Timeouts.Idle)
	case t == nil || p.life == nil || t.end != nil:
	case p.asked != "":
		at, class, why = t.begun.Add(p.Timeouts.MessageReceive+p.Timeouts.Idle), messages.ClassTimeout, "no answer to the role check"
	case !t.given():
		at, class, why = t.begun.Add(p.Timeouts.ProcessStart+p.Timeouts.Grace), messages.ClassTimeout, fmt.Sprintf("not ready after timeouts.process_start = %s", p.Timeouts.ProcessStart)
	case !t.broken.IsZero():
		at, class, why = t.broken.Add(p.Timeouts.Grace), messages.ClassInterrupted, "it did not end when interrupted"
	default:
		at, class, why = t.begun.Add(p.Timeouts.Task), messages.ClassTimeout, fmt.Sprintf("the turn took longer than timeouts.task = %s", p.Timeouts.Task)
		quiet, reason := t.begun.Add(p.Timeouts.MessageReceive), fmt.Sprintf("no sign of life within timeouts.message_receive = %s", p.Timeouts.MessageReceive)
		if !t.heard.IsZero() {
			quiet, reason = t.heard.Add(p.Timeouts.Idle), fmt.Sprintf("silent for timeouts.idle = %s", p.Timeouts.Idle)
		}
		if quiet.Before(at) {
			at, why = quiet, reason
		}
	}
	return at, class, why
}
