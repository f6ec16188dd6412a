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

// begin starts a life that goes on where the last whole turn ended.
func (p *Persona) begin(c actor.Context) {
	p.n++
	spec := p.Brief
	spec.Agent = p.Spec.Name
	spec.Life = fmt.Sprintf("%s:%d:%s", p.Store, p.epoch, p.Spec.Name)
	spec.Session, spec.Border = p.session, p.border
	spec.Tools = p.Tools
	p.life = c.Spawn(p.Life(spec, p.n))
	p.up, p.over, p.pid, p.asked = false, false, 0, ""
	p.turn.begun = p.Clock.Now()
}

func (p *Persona) give(c actor.Context) {
	p.turn.begun = p.Clock.Now()
	p.turn.heard = time.Time{}
	p.turn.id = fmt.Sprintf("%d.%d.%d", p.epoch, p.turn.work.Rows[0].Seq, p.turn.work.Rows[0].Attempt)
	c.Send(p.life, feed{messages.Turn{
		ID: p.turn.id, Attempt: p.turn.work.Rows[0].Attempt, Task: p.turn.work.Task.ID,
		Messages: p.turn.work.Messages, Text: Prompt(p.turn.work, p.Brief.Language),
	}})
}

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

// happened hears what the present life does; a former one has nothing to say.
func (p *Persona) happened(c actor.Context, m happened) {
	if m.life != p.n || p.life == nil {
		return
	}
	c.Send(p.life, taken{})
	e := m.event
	if p.turn != nil && p.turn.given() {
		p.turn.heard = p.Clock.Now()
	}
	switch e.Kind {
	case messages.DriverReady:
		p.ready(c)
	case messages.DriverThought:
		if p.turn != nil && p.turn.given() {
			p.turn.think(e.Text, p.Limits.ThinkingBytes)
		}
		p.utter(messages.PersonaThought, e.Text, "")
	case messages.DriverSaid:
		p.utter(messages.PersonaSaid, e.Text, "")
	case messages.DriverToolStarted:
		p.utter(messages.PersonaUsedTool, string(e.Tool.Input), e.Tool.Name)
	case messages.DriverToolAsked:
		c.Send(p.life, result{p.use(c, e.Tool)})
	case messages.DriverTurnEnded:
		p.ended(c, e)
	case messages.DriverExited:
		p.exited(c, e.Exit)
	case messages.DriverWarned:
		p.Log.Warn("agent", "agent", p.Spec.Name, "says", messages.Cut(e.Text, 500))
	case messages.DriverUsed:
		if p.turn != nil {
			p.turn.use(e.Usage)
		}
	case messages.DriverToolEnded:
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
	p.session, p.border = e.End.Session, e.End.Border
	p.turn.end = &messages.EndTurn{
		Fence: p.fence(), Rows: p.turn.work.Rows, Text: messages.Cut(e.End.Text, p.Limits.MessageBytes), Thinking: p.turn.thinking,
		Sends: p.turn.staged, Session: p.session, Border: p.border, Bill: p.bill(), Next: true, Reserve: p.Reserve,
	}
	p.billed = p.turn.end.Bill.Billed
	p.settle(c)
}

// settle commits the end of the turn until the journal takes it: the answer is
// paid for and must not be lost to a full disk.
func (p *Persona) settle(c actor.Context) {
	if p.turn == nil || p.turn.end == nil {
		return
	}
	p.turn.end.Now = p.Clock.Now()
	out, err := p.commit(*p.turn.end)
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

// exited: the life has ended by itself.
func (p *Persona) exited(c actor.Context, e messages.Exit) {
	if p.over {
		return
	}
	p.endLife(c)
	switch {
	case p.turn != nil && p.turn.end != nil: // it ended well; only the journal is busy
	case p.turn != nil || e.Class != messages.ClassNone:
		class, reason := e.Class, e.Reason
		if class == messages.ClassNone {
			class = messages.ClassCrash
		}
		if reason == "" {
			reason = "the agent ended in the middle of its turn"
		}
		p.restarts++
		p.fail(c, class, reason, 0)
	}
	p.show()
}

// endLife stops the process, if there is one. Until it is buried no other begins.
func (p *Persona) endLife(c actor.Context) {
	if p.life != nil && !p.over {
		p.over, p.up = true, false
		c.Stop(p.life)
	}
}

// buried: the life has left nothing behind.
func (p *Persona) buried(c actor.Context, m *actor.Terminated) {
	if p.life == nil || !m.Who.Equal(p.life) {
		return
	}
	torn := !p.over // it fell without a word: a bug in its actor
	p.life, p.up, p.over, p.pid = nil, false, false, 0
	if torn && p.turn != nil {
		p.fail(c, messages.ClassCrash, "the agent's actor fell", 0)
		return
	}
	p.advance(c)
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
