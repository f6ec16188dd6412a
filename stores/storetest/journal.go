package storetest

import (
	"context"
	"iter"
	"sync"
	"testing"
	"time"

	"kurogo/messages"
)

// A Journal is what the exam asks of a store.
type Journal interface {
	Commit(ctx context.Context, c messages.Change) (messages.Outcome, error)
	Check(ctx context.Context) (messages.JournalReport, error)
	Task(ctx context.Context, id messages.TaskID) (messages.TaskTree, error)
	Tasks(ctx context.Context, q messages.ListTasks) ([]messages.Task, error)
	Messages(ctx context.Context, q messages.ListMessages) (messages.Conversation, error)
	Approvals(ctx context.Context) ([]messages.Approval, error)
	Cost(ctx context.Context, q messages.GetCost) (messages.Cost, error)
	Agent(ctx context.Context, id messages.AgentID) (messages.AgentDetail, error)
	Agents(ctx context.Context, q messages.ListAgents) (messages.Agents, error)
	Waiting(ctx context.Context, group messages.GroupID) ([]messages.Agent, error)
	BusyGroups(ctx context.Context) ([]messages.GroupID, error)
	Group(ctx context.Context, id messages.GroupID) (messages.Group, error)
	Groups(ctx context.Context, q messages.ListGroups) (messages.Groups, error)
	Health(ctx context.Context, key string) (messages.HealthCheck, error)
	Job(ctx context.Context, q messages.GetJob) (messages.JobDetail, error)
	Jobs(ctx context.Context, q messages.ListJobs) (messages.Jobs, error)
	BusyJobs(ctx context.Context) ([]messages.Job, error)
	Sessions(ctx context.Context, q messages.ListSessions) (messages.ChatSessions, error)
	Session(ctx context.Context, q messages.GetSession) (messages.ChatDetail, error)
	ChatState(ctx context.Context, id messages.JobID) (messages.ChatState, error)
	ChatTurns(ctx context.Context, id messages.JobID, after int64, limit int) ([]messages.ChatTurn, error)
	PastTurns(ctx context.Context, limit int) ([]messages.ChatTurn, error)
	SessionLog(ctx context.Context, q messages.GetSessionLog) (messages.SessionLog, error)
	Log(ctx context.Context, q messages.ListLog) ([]messages.LogRow, error)
	Watch(ctx context.Context, topic messages.Topic, since int64) iter.Seq2[messages.Event, error]
	Last() int64

	// Crash loses what was answered but is not durable yet, as a power cut
	// would, and goes on.
	Crash()
}

// Open makes an empty journal that calls bell after each commit. The test ends
// it.
type Open func(t testing.TB, limits messages.Limits, bell *Bell) Journal

// A Bell hears what a journal tells the world.
type Bell struct {
	mu         sync.Mutex
	woken      map[messages.Address]bool
	interrupts []messages.Interrupt
	due        time.Time
	Hook       func() // called within each ring, if set
}

// Ring is the journal's notice.
func (b *Bell) Ring(wakes []messages.Wake, interrupts []messages.Interrupt, due time.Time) {
	b.mu.Lock()
	for _, w := range wakes {
		if b.woken == nil {
			b.woken = map[messages.Address]bool{}
		}
		b.woken[w.To] = true
	}
	b.interrupts = append(b.interrupts, interrupts...)
	b.arm(due)
	b.mu.Unlock()
	if b.Hook != nil {
		b.Hook()
	}
}

func (b *Bell) arm(due time.Time) {
	if !due.IsZero() && (b.due.IsZero() || due.Before(b.due)) {
		b.due = due
	}
}

// answered reports whether who was woken, and forgets it.
func (b *Bell) answered(who messages.Address) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	was := b.woken[who]
	delete(b.woken, who)
	return was
}

func (b *Bell) isWoken(who messages.Address) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.woken[who]
}

func (b *Bell) wake(who messages.Address) { b.Ring([]messages.Wake{{To: who}}, nil, time.Time{}) }

func (b *Bell) interrupted() []messages.Interrupt {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := b.interrupts
	b.interrupts = nil
	return out
}

// takeDue returns the time that the timekeeper would wait for, and clears it.
func (b *Bell) takeDue(now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.due.IsZero() || b.due.After(now) {
		return false
	}
	b.due = time.Time{}
	return true
}

func (b *Bell) nextDue() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.due
}
