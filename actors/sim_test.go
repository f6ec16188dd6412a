package actors

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/asynkron/protoactor-go/actor"
)

// A sim runs actors one message at a time, in an order drawn from a seed, on a
// clock of its own: whatever it finds, the seed finds again.
type sim struct {
	mu     sync.Mutex
	rng    *rand.Rand
	boxes  []*box
	now    time.Time
	timers []simTimer
	seq    int
	steps  int
}

type simTimer struct {
	at  time.Time
	seq int
	f   func()
}

func newSim(seed uint64) *sim {
	return &sim{rng: rand.New(rand.NewPCG(seed, 11)), now: time.UnixMilli(1_000_000)}
}

// Now and AfterFunc make a sim the actors' Clock. Ties break by call order.
func (s *sim) Now() time.Time { return s.now }

func (s *sim) AfterFunc(d time.Duration, f func()) func() bool {
	s.seq++
	seq := s.seq
	s.timers = append(s.timers, simTimer{s.now.Add(d), seq, f})
	slices.SortFunc(s.timers, func(a, b simTimer) int {
		if c := a.at.Compare(b.at); c != 0 {
			return c
		}
		return a.seq - b.seq
	})
	return func() bool {
		before := len(s.timers)
		s.timers = slices.DeleteFunc(s.timers, func(t simTimer) bool { return t.seq == seq })
		return len(s.timers) < before
	}
}

// Mailbox is an actor.MailboxProducer.
func (s *sim) Mailbox() actor.Mailbox {
	b := &box{sim: s}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.boxes = append(s.boxes, b)
	return b
}

// A box hands its messages out when the sim says so.
type box struct {
	sim          *sim
	system, user []any
	suspended    bool
	invoker      actor.MessageInvoker
}

func (b *box) PostUserMessage(m any)   { b.post(&b.user, m) }
func (b *box) PostSystemMessage(m any) { b.post(&b.system, m) }
func (b *box) Start()                  {}
func (b *box) UserMessageCount() int   { return len(b.user) }

func (b *box) RegisterHandlers(i actor.MessageInvoker, _ actor.Dispatcher) { b.invoker = i }

func (b *box) post(queue *[]any, m any) {
	b.sim.mu.Lock()
	defer b.sim.mu.Unlock()
	*queue = append(*queue, m)
}

func (b *box) ready() bool { return len(b.system) > 0 || !b.suspended && len(b.user) > 0 }

// draw takes the next message of a random box that has one.
func (s *sim) draw() (b *box, m any, system bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var ready []*box
	for _, b := range s.boxes {
		if b.ready() {
			ready = append(ready, b)
		}
	}
	if len(ready) == 0 {
		return nil, nil, false
	}
	b = ready[s.rng.IntN(len(ready))]
	if len(b.system) > 0 {
		m, b.system = b.system[0], b.system[1:]
		return b, m, true
	}
	m, b.user = b.user[0], b.user[1:]
	return b, m, false
}

// step delivers one message; false when there is none.
func (s *sim) step() bool {
	b, m, system := s.draw()
	if b == nil {
		return false
	}
	s.steps++
	switch m.(type) {
	case *actor.SuspendMailbox:
		b.suspended = true
		return true
	case *actor.ResumeMailbox:
		b.suspended = false
		return true
	}
	defer func() {
		if r := recover(); r != nil {
			b.invoker.EscalateFailure(r, m)
		}
	}()
	if system {
		b.invoker.InvokeSystemMessage(m)
	} else {
		b.invoker.InvokeUserMessage(m)
	}
	return true
}

// run goes on until nothing is ready and no timer is left, or until most steps
// have been taken. Now and then time passes although there is work.
func (s *sim) run(most int) error {
	for range most {
		if s.rng.IntN(8) > 0 && s.step() {
			continue
		}
		if len(s.timers) == 0 {
			if !s.step() {
				return nil
			}
			continue
		}
		next := s.timers[0]
		s.timers = s.timers[1:]
		s.now = maxTime(s.now, next.at)
		next.f()
	}
	return fmt.Errorf("still busy after %d steps at %s", most, s.now)
}

func maxTime(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
