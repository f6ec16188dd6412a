package actors

import (
	"context"
	"fmt"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"kurogo/messages"
)

// Sessions reads what the journal holds of them.
type Sessions interface {
	ChatState(ctx context.Context, id messages.JobID) (messages.ChatState, error)
	ChatTurns(ctx context.Context, id messages.JobID, after int64, limit int) ([]messages.ChatTurn, error)
	PastTurns(ctx context.Context, limit int) ([]messages.ChatTurn, error)
}

// A Companion is what all chats share.
type Companion struct {
	Sessions Sessions
	NewID    func() messages.MessageID
	// Recall finds passages of the project, the best first; nil: nobody can.
	Recall func(ctx context.Context, query string, k int) ([]messages.ChatSource, error)
	// Offline reports whether nobody thinks behind a driver: then the passages
	// answer, and are labelled as what they are.
	Offline func(driver string) bool

	Role           string // who answers; one that there is not is offline, too
	Evaluator      string // role that judges answers; "" = the heuristic
	Dir            string // where they work
	HistoryTokens  int
	ContextTokens  int // 0 = no passages
	SummariseAfter int // messages; 0 = never
	Timeout        time.Duration
	Patience       time.Duration // with all tries of an answer, and with their waiting
}

// Chat leads one session: one answer after another, and what is to be done after
// an answer beside the next one. Whatever fails inside, there is an answer.
type Chat struct {
	Errand
	Companion
	heard   int             // wakes
	resting bool            // it is about to be stopped
	looking bool            // for what is to be done
	due     bool            // and must look again
	ctx     context.Context // of what is gathered; ends with the actor
	cancel  context.CancelFunc

	answer *answering
	after  *afterwards
	unkept map[string]bool // what the journal did not take; the next life tries again
}

// Lead returns the leader of sessions.
func (p Companion) Lead(e Errand) actor.Actor {
	return &Chat{Errand: e, Companion: p, unkept: map[string]bool{}}
}

// The words that a chat says to itself.
type (
	gathered struct {
		question messages.MessageID
		plan     messages.ChatPlan
	}
	askAgain struct{ gen int }
	tooLate  struct{ gen int } // for an answer
	overdue  struct{ gen int } // for what comes after one
)

// Receive implements [actor.Actor].
func (e *Chat) Receive(c actor.Context) {
	switch m := c.Message().(type) {
	case *actor.Started:
		e.ctx, e.cancel = context.WithCancel(context.Background())
		e.proceed(c)
	case messages.Wake:
		e.woken(c)
	case gathered:
		e.gathered(c, m)
	case askAgain:
		if a := e.answer; a != nil && m.gen == a.again.gen {
			a.again.off()
			e.ask(c)
		}
	case tooLate:
		if a := e.answer; a != nil && m.gen == a.late.gen {
			e.tooLate(c)
		}
	case overdue:
		if a := e.after; a != nil && m.gen == a.late.gen {
			e.overdue(c)
		}
	case *actor.Stopping:
		e.cancel()
		e.end()
	}
}

func (e *Chat) end() {
	if e.answer != nil {
		e.answer.late.off()
		e.answer.again.off()
	}
	if e.after != nil {
		e.after.late.off()
	}
}

// woken looks what has become of the job, and of those who work for it.
func (e *Chat) woken(c actor.Context) {
	if e.resting {
		return // our parent knows that we have not heard it
	}
	e.heard++
	if _, on := e.Stands(); !on {
		c.Stop(c.Self())
		return
	}
	if a := e.answer; a != nil && a.agent.ID != "" {
		if done, ok := e.Done(a.agent.ID); ok {
			e.answered(c, done)
		}
	}
	if a := e.after; a != nil && a.agent.ID != "" {
		if done, ok := e.Done(a.agent.ID); ok {
			e.followed(c, done)
		}
	}
	e.proceed(c)
}

// proceed begins what is to be done next, or rests until somebody says something.
// What it begins may end at once, and come back here: then it looks again.
func (e *Chat) proceed(c actor.Context) {
	e.due = true
	if e.looking {
		return
	}
	e.looking = true
	defer func() { e.looking = false }()
	for e.due && !e.resting {
		e.due = false
		if !e.look(c) {
			c.Stop(c.Self())
			return
		}
	}
	if e.answer == nil && e.after == nil && !e.resting {
		e.resting = true
		c.Request(c.Parent(), rest{e.Job.ID, e.heard})
	}
}

// look reads what is to be done, and begins it; false when the session is gone.
func (e *Chat) look(c actor.Context) bool {
	if e.answer != nil && e.after != nil {
		return true
	}
	state, err := e.Sessions.ChatState(context.Background(), e.Job.ID)
	if messages.IsCode(err, messages.CodeNotFound) {
		return false
	}
	if err != nil {
		panic(fmt.Errorf("read session %s: %w", e.Job.ID, err))
	}
	if e.answer == nil && state.Pending != nil {
		e.begin(c, state)
	}
	if e.after == nil && !e.due {
		e.follow(c, state)
	}
	return true
}

// write commits what must not be lost. It panics when the journal does not take
// it: whoever leads the session next finds out what is there.
func (e *Chat) write(change messages.Change) messages.Outcome {
	out, err := e.Journal.Commit(context.Background(), change)
	if err != nil {
		panic(fmt.Errorf("write session %s: %w", e.Job.ID, err))
	}
	return out
}

// release ends an agent whose words nobody waits for any more.
func (e *Chat) release(a messages.Agent, reason string) {
	if a.ID == "" {
		return
	}
	if _, err := e.Journal.Commit(context.Background(), messages.Cancel{Task: a.Task, Reason: reason, Now: e.Clock.Now()}); err != nil {
		e.Log.Warn("end agent of chat", "agent", a.ID, "err", err)
	}
}
