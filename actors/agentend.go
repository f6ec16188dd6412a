package actors

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"kurogo/messages"
)

// fail ends the turn without an answer. What asks for patience, and has done
// nothing yet, is tried again.
func (a *Agent) fail(c actor.Context, class messages.Class, reason string, after time.Duration) {
	now := a.Clock.Now()
	change := messages.FailTurn{
		Fence: a.fence(), Rows: a.work.Rows, Code: class.Code(), Reason: messages.Cut(reason, taskReason), Bill: a.bill(), Now: now,
	}
	attempt, tries := a.work.Rows[0].Attempt, cmp.Or(a.order.Terms.Attempts, a.Limits.Attempts, 1)
	if patient := class == messages.ClassRate || class == messages.ClassServer; patient && a.run.ToolCalls == 0 && attempt < tries {
		a.rest = true
		change.Retry, change.Park, change.RetryAt = true, true, now.Add(max(after, a.Backoff.Delay(attempt)))
	} else {
		a.run.Class, a.dirty = class, true
		if class != messages.ClassInterrupted && a.run.Error == "" {
			a.run.Error = messages.Cut(reason, taskReason)
		}
	}
	a.conclude(c, change)
}

// conclude ends the life and the room, then tells the journal; an agent without
// a room of its own need not wait for that, and its answer is paid for.
func (a *Agent) conclude(c actor.Context, end messages.Change) {
	if a.end != nil {
		return
	}
	a.end = end
	a.watch.off()
	if a.order.Isolation != messages.IsolationWorktree || !a.inside {
		a.settle(c)
	}
	if a.life != nil && !a.over {
		a.over = true
		c.Stop(a.life)
	}
	a.tidy(c)
}

// tidy gives the room back once nobody works in it, and then leaves.
func (a *Agent) tidy(c actor.Context) {
	switch {
	case a.end == nil || a.life != nil || a.entering || a.leaving:
	case a.inside:
		a.leaving = true
		root, self, agent := c.ActorSystem().Root, c.Self(), a.order
		go func() {
			ctx, cancel := context.WithTimeout(context.Background(), roomTimeout)
			defer cancel()
			diff, err := a.Rooms.Leave(ctx, agent)
			root.Send(self, left{diff, err})
		}()
	case !a.settled:
		if a.again.at.IsZero() {
			a.settle(c)
		}
	default:
		a.part(c)
	}
}

// roomTimeout is how long git may take to prepare a room, or to give it back.
const roomTimeout = 2 * time.Minute

// left has the room's difference, and the journal hears how the turn ended.
func (a *Agent) left(c actor.Context, m left) {
	a.inside, a.leaving = false, false
	if m.err != nil {
		a.Log.Warn("leave room", "agent", a.order.ID, "err", m.err)
	}
	if m.diff != "" {
		a.run.Diff, a.dirty = messages.Cut(m.diff, diffBytes), true
	}
	a.tidy(c)
}

// diffBytes bounds what a result keeps of a worktree's difference.
const diffBytes = 256 << 10

// settle commits the end of the turn until the journal takes it.
func (a *Agent) settle(c actor.Context) {
	if a.end == nil || a.settled {
		return
	}
	a.keep()
	_, err := a.commit(a.end)
	if messages.IsCode(err, messages.CodeUnavailable) {
		a.Log.Warn("the journal has no room", "agent", a.order.ID, "for", "end turn", "err", err)
		a.again.set(c, a.Clock, time.Second, func(gen int) any { return retried{gen} })
		return
	}
	if err != nil {
		panic(fmt.Errorf("%s: end turn: %w", a.order.ID, err))
	}
	a.settled = true
	a.tidy(c)
}

// part ends this turn's traces. An agent whose turn rests stays.
func (a *Agent) part(c actor.Context) {
	a.hush()
	a.Passes.Revoke(a.order.ID, a.epoch)
	a.giveSlotBack(c)
	if a.rest {
		a.work, a.end, a.settled, a.given, a.over = nil, nil, false, false, false
		a.resume(c)
		return
	}
	a.Keys.forget(a.order.ID.Address())
	c.Stop(c.Self())
}

// hush closes what the process has said, and then lets those know who read along.
func (a *Agent) hush() {
	if err := a.Streams.Close(a.order.ID); err != nil {
		a.Log.Warn("close stream", "agent", a.order.ID, "err", err)
	}
	if a.work != nil {
		a.dirty = true
		a.keep()
		return
	}
	if known, err := a.Archive.Agent(context.Background(), a.order.ID); err == nil { // a former incarnation wrote it
		if _, err := a.commit(messages.KeepRun{Agent: a.order.ID, Run: known.Run, Now: a.Clock.Now()}); err != nil {
			a.Log.Warn("write run", "agent", a.order.ID, "err", err)
		}
	}
}

func (a *Agent) giveSlotBack(c actor.Context) {
	if a.seated {
		a.seated = false
		c.Send(a.Admission, leaveSlot{a.order.ID})
	}
}

// leave is the end of this incarnation. A turn that is on is torn with it; the
// next incarnation finds the agent lost, unless the journal has its end already.
func (a *Agent) leave() {
	a.gone = true
	a.watch.off()
	a.tell.off()
	a.again.off()
	if a.cancel == nil {
		return
	}
	a.cancel()
	if a.work == nil {
		return
	}
	a.keep()
	if a.end != nil && !a.settled {
		if _, err := a.commit(a.end); err != nil {
			a.Log.Warn("end turn", "agent", a.order.ID, "err", err)
		}
	}
	a.Passes.Revoke(a.order.ID, a.epoch)
}
