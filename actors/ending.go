package actors

import (
	"fmt"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"kurogo/messages"
)

// interrupt breaks off a turn whose task has ended without it.
func (p *Persona) interrupt(c actor.Context, m messages.Interrupt) {
	switch {
	case p.turn == nil || p.turn.work.Task.ID != m.Task || !p.turn.broken.IsZero():
	case !p.turn.given():
		p.fail(c, messages.ClassInterrupted, "its task has ended", 0)
	default:
		p.turn.broken = p.Clock.Now()
		c.Send(p.life, breakOff{})
		p.watch.off()
		p.look(c)
	}
}

// ended writes down how a turn ended.
func (p *Persona) ended(c actor.Context, e messages.DriverEvent) {
	if p.turn == nil || p.over {
		return
	}
	if p.asked != "" && e.Turn == p.asked {
		p.introduced(c, e.End)
		return
	}
	if e.Turn != p.turn.id {
		return
	}
	if e.End.Class != messages.ClassNone {
		p.fail(c, e.End.Class, e.End.Text, e.End.RetryAfter)
		return
	}
	p.turn.end = &messages.EndTurn{
		Fence: p.fence(), Rows: p.turn.work.Rows, Text: messages.Cut(e.End.Text, p.Limits.MessageBytes), Thinking: p.turn.thinking,
		Sends: p.turn.staged, Session: e.End.Session, Border: e.End.Border, Bill: p.bill(), Next: true, Reserve: p.Reserve,
	}
	p.settle(c)
}

// settle commits the end of the turn until the journal takes it: the answer is
// paid for and must not be lost to a full disk. Only a turn that the journal took
// moves the border: the next life must not remember another.
func (p *Persona) settle(c actor.Context) {
	if p.turn == nil || p.turn.end == nil {
		return
	}
	end := p.turn.end
	end.Now = p.Clock.Now()
	out, err := p.commit(*end)
	switch {
	case messages.IsCode(err, messages.CodeUnavailable):
		p.tryAgain(c, "end turn", err)
		return
	case err != nil:
		panic(fmt.Errorf("%s: end turn: %w", p.Spec.Name, err))
	case out.Stale: // the lease was lost with a disk that was full
		p.turn = nil
		p.endLife(c)
	default:
		p.session, p.border, p.billed = end.Session, end.Border, end.Bill.Billed
		p.failures, p.lastError = 0, ""
		p.take(out.Turn)
	}
	p.watch.off()
	p.advance(c)
}

// tryAgain waits for a journal that has no room at the moment.
func (p *Persona) tryAgain(c actor.Context, what string, err error) {
	p.Log.Warn("the journal has no room", "agent", p.Spec.Name, "for", what, "err", err)
	p.again.set(c, p.Clock, time.Second, func(gen int) any { return retried{gen} })
}

// fail ends the turn without an answer. Its life goes too: what it remembers of
// the torn turn must not be there at the next attempt.
func (p *Persona) fail(c actor.Context, class messages.Class, reason string, after time.Duration) {
	now, wait := p.Clock.Now(), time.Duration(0)
	p.lastError = reason
	if class.Retryable() && class != messages.ClassInterrupted && class != messages.ClassKilled {
		p.failures++
		wait = max(after, p.Backoff.Delay(p.failures))
	}
	if p.turn != nil {
		_, err := p.commit(messages.FailTurn{
			Fence: p.fence(), Rows: p.turn.work.Rows, Code: class.Code(), Reason: messages.Cut(reason, taskReason),
			Retry: class.Retryable(), RetryAt: now.Add(wait), Park: class == messages.ClassRate, Bill: p.bill(), Now: now,
		})
		if err != nil {
			panic(fmt.Errorf("%s: fail turn: %w", p.Spec.Name, err)) // the next incarnation reclaims the rows
		}
		p.take(nil)
	}
	p.endLife(c)
	if wait > 0 {
		p.Log.Warn("agent fell", "agent", p.Spec.Name, "class", class, "reason", reason, "again_in", wait)
		p.resting = true
		p.rest.set(c, p.Clock, wait, func(gen int) any { return rested{gen} })
	}
	p.watch.off()
	p.advance(c)
}

// taskReason is how much of a failure's reason an answer carries.
const taskReason = 4 << 10
