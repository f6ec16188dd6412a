package actors

import (
	"context"
	"log/slog"

	"github.com/asynkron/protoactor-go/actor"

	"kurogo/messages"
)

// eventCredits is how many events may be on their way from a life to its owner.
// When they are used up, the pipe fills and the agent is held back: that is the
// only brake, mailboxes have none.
const eventCredits = 64

// Proc is one life of an agent: one OS process, or one connection. It is owned
// by a long-lived actor, its parent, which hears everything that happens as
// happened and sends feed, result, breakOff. It never restarts: its owner starts
// another.
type Proc struct {
	driver messages.Driver
	spec   messages.Spec
	life   int // counts its owner's lives: what a former one says must not count
	log    *slog.Logger

	cancel  context.CancelFunc
	begun   chan messages.Session // closed after the start, with a session if there is one
	session messages.Session
	calls   chan call
	credits chan struct{}
	done    chan struct{}
}

// The words between a life and its owner.
type (
	feed     struct{ turn messages.Turn }
	result   struct{ messages.ToolResult }
	breakOff struct{}
	taken    struct{} // the owner has handled an event
	born     struct{ life, pid int }
	happened struct { // in order
		life  int
		event messages.DriverEvent
	}
	started struct {
		session messages.Session
		err     error
	}
)

// A call is something to say to the session, one at a time.
type call struct {
	what string
	do   func(context.Context, messages.Session) error
}

// NewProc returns life number n of its owner. It begins when it starts.
func NewProc(d messages.Driver, spec messages.Spec, n int, log *slog.Logger) *Proc {
	return &Proc{
		driver: d, spec: spec, life: n, log: log,
		begun: make(chan messages.Session, 1), calls: make(chan call, 16), credits: make(chan struct{}, eventCredits), done: make(chan struct{}),
	}
}

// Lives makes the lives of a driver's agents.
func Lives(d messages.Driver, log *slog.Logger) func(spec messages.Spec, n int) *actor.Props {
	return func(spec messages.Spec, n int) *actor.Props {
		return actor.PropsFromProducer(Guard(log, func() actor.Actor { return NewProc(d, spec, n, log) }))
	}
}

// Receive implements [actor.Actor].
func (p *Proc) Receive(c actor.Context) {
	switch m := c.Message().(type) {
	case *actor.Started:
		p.start(c)
	case started:
		p.started(c, m)
	case messages.DriverEvent:
		c.Send(c.Parent(), happened{p.life, m})
	case taken:
		<-p.credits
	case feed:
		p.say("send turn", func(ctx context.Context, s messages.Session) error { return s.Send(ctx, m.turn) })
	case result:
		p.say("answer tool", func(ctx context.Context, s messages.Session) error { return s.Answer(ctx, m.ToolResult) })
	case breakOff:
		p.say("interrupt", func(ctx context.Context, s messages.Session) error { return s.Interrupt(ctx) })
	case *actor.Stopping:
		p.end()
	}
}

// start begins the life beside the mailbox: it may take as long as a start may.
func (p *Proc) start(c actor.Context) {
	ctx, cancel := context.WithTimeout(context.Background(), p.spec.StartTimeout)
	p.cancel = cancel
	root, self := c.ActorSystem().Root, c.Self()
	go func() {
		defer cancel()
		s, err := p.driver.Start(ctx, p.spec)
		if err == nil {
			p.begun <- s
		}
		close(p.begun)
		root.Send(self, started{s, err})
	}()
}

// started begins to carry events. A life that could not begin has ended.
func (p *Proc) started(c actor.Context, m started) {
	if m.err != nil {
		e := messages.AsError(m.err)
		class := messages.ClassCrash
		switch e.Code { //nolint:exhaustive // everything else is a fall like any other
		case messages.CodeUnavailable:
			class = messages.ClassMissing
		case messages.CodeInvalid:
			class = messages.ClassInvalid
		case messages.CodeDeadline:
			class = messages.ClassTimeout
		}
		exit := messages.Exit{Code: -1, Class: class, Reason: e.Error()}
		c.Send(c.Parent(), happened{p.life, messages.DriverEvent{Kind: messages.DriverExited, Exit: exit}})
		p.credits <- struct{}{} // for the event that no pump carried
		return
	}
	p.session = m.session
	c.Send(c.Parent(), born{p.life, m.session.Pid()})
	go p.talk(m.session)
	root, self := c.ActorSystem().Root, c.Self()
	go func() {
		for e := range m.session.Events() {
			select {
			case p.credits <- struct{}{}:
				root.Send(self, e)
			case <-p.done: // nobody listens any more: drain
			}
		}
	}()
}

// say hands something to talk. A life whose pipe is so full that this fails
// will be ended by its owner's time-outs.
func (p *Proc) say(what string, do func(context.Context, messages.Session) error) {
	select {
	case p.calls <- call{what, do}:
	default:
		p.log.Warn("agent does not listen", "agent", p.spec.Agent, "what", what)
	}
}

// talk speaks to the session beside the mailbox, because a full pipe may block.
// A life that cannot be talked to shows it by ending.
func (p *Proc) talk(s messages.Session) {
	for {
		select {
		case c := <-p.calls:
			ctx, cancel := context.WithTimeout(context.Background(), p.spec.StartTimeout)
			if err := c.do(ctx, s); err != nil {
				p.log.Warn("talk to agent", "agent", p.spec.Agent, "what", c.what, "err", err)
			}
			cancel()
		case <-p.done:
			return
		}
	}
}

// end stops the process and everything that it started, and waits for that: a
// stopped life leaves nothing behind. Blocking here holds nobody but this actor.
func (p *Proc) end() {
	close(p.done)
	if p.cancel == nil {
		return
	}
	p.cancel()
	if s, ok := <-p.begun; ok && p.session == nil { // it began, and nobody heard of it any more
		p.session = s
		go func() {
			for range s.Events() { // drained, so that the life can end
			}
		}()
	}
	if p.session != nil {
		exit := p.session.Stop(context.Background())
		p.log.Debug("life ended", "agent", p.spec.Agent, "life", p.spec.Life, "code", exit.Code, "signal", exit.Signal)
	}
}
