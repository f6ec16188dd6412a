package actors

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"kurogo/messages"
	"kurogo/stores/sqlite"
)

// TestSeeds runs the real router, timekeeper and personas over a real journal in
// memory, under mailboxes whose order a seed draws, with agents that answer,
// fail, fall, hang and go deaf, a journal that explodes now and then, and people
// who cancel, stop and start. Whatever the order, every task ends exactly once.
// KUROGO_SEEDS says how many seeds; one alone is replayed with KUROGO_SEED.
func TestSeeds(t *testing.T) {
	t.Parallel()
	first, n := uint64(0), 60
	if v, err := strconv.Atoi(os.Getenv("KUROGO_SEEDS")); err == nil {
		n = v
	}
	if v, err := strconv.ParseUint(os.Getenv("KUROGO_SEED"), 10, 64); err == nil {
		first, n = v, 1
	}
	steps := 0
	for seed := first; seed < first+uint64(n) && !t.Failed(); seed++ {
		steps += playSeed(t, seed)
	}
	t.Logf("%d seeds, %d steps", n, steps)
}

// A play is one seeded run.
type play struct {
	*sim
	t     *testing.T
	seed  uint64
	store *sqlite.Store
	sys   *actor.ActorSystem
	crew  messages.Hierarchy
	quiet bool // no more faults
	roots []messages.TaskID
	ids   int
}

func playSeed(t *testing.T, seed uint64) int {
	t.Helper()
	p := &play{sim: newSim(seed), t: t, seed: seed, crew: messages.Hierarchy{
		"boss":  {Name: "boss", ReportsTo: messages.User, TalksTo: []messages.Address{"left", "right"}, Gather: messages.All},
		"left":  {Name: "left", ReportsTo: "boss", TalksTo: []messages.Address{"boss", "right"}, Gather: messages.Each},
		"right": {Name: "right", ReportsTo: "boss", TalksTo: []messages.Address{"boss", "left"}, Gather: messages.All},
	}}
	log := slog.New(slog.DiscardHandler)
	p.sys = actor.NewActorSystem(actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger { return log }), actor.WithDeadLetterThrottleInterval(time.Millisecond))
	var err error
	if p.store, err = sqlite.Open(t.Context(), "", sqlite.Options{Limits: seedLimits, NewID: p.id, Notify: p.notify}); err != nil {
		t.Fatal(err)
	}
	p.open(log)
	for range 60 {
		p.people()
		_ = p.run(1 + p.rng.IntN(12))
	}
	p.quiet = true
	for range 2 { // whoever had just fallen does not hear it the first time
		p.say(messages.StartPersona{Name: "boss"}, messages.StartPersona{Name: "left"}, messages.StartPersona{Name: "right"})
		if err := p.run(60_000); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
	p.judge()
	if err := p.store.Close(); err != nil {
		t.Error(err)
	}
	return p.steps
}

var seedLimits = messages.Limits{MessageBytes: 1000, ThinkingBytes: 100, Depth: 3, OpenSubtasks: 3, MessagesPerRoot: 25, InboxDepth: 4, Attempts: 4}

func (p *play) id() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ids++
	return fmt.Sprintf("k%d", p.ids)
}

func (p *play) messageID() messages.MessageID { return messages.MessageID(p.id()) }

func (p *play) notify(n sqlite.Notice) {
	for _, w := range n.Wakes {
		p.sys.Root.Send(p.pid("router"), w)
	}
	for _, i := range n.Interrupts {
		p.sys.Root.Send(p.pid("router"), i)
	}
	if !n.Due.IsZero() {
		p.sys.Root.Send(p.pid("timekeeper"), messages.DueAt{At: n.Due})
	}
}

func (p *play) pid(name string) *actor.PID { return actor.NewPID(p.sys.Address(), "top/"+name) }

// open begins a small supervisor that begins anew whoever falls.
func (p *play) open(log *slog.Logger) {
	var list messages.Enlist
	homes := map[messages.Address]*actor.PID{}
	for _, name := range p.crew.Names() {
		list.Crew = append(list.Crew, messages.Enlisted{Name: name, ReportsTo: p.crew[name].ReportsTo, Gather: p.crew[name].Gather})
		homes[name] = p.pid(string(name))
	}
	if _, err := p.store.Commit(context.Background(), list); err != nil {
		p.t.Fatal(err)
	}
	props := func(name string) *actor.Props {
		producer := func() actor.Actor { return NewPersona(p.cast(messages.Address(name), log)) }
		switch name {
		case "router":
			producer = func() actor.Actor { return NewRouter(homes, nil, nil) }
		case "timekeeper":
			producer = func() actor.Actor { return NewTimekeeper(bumpy{p}, p) }
		}
		return actor.PropsFromProducer(Guard(log, producer), actor.WithMailbox(p.Mailbox), actor.WithSupervisor(actor.NewOneForOneStrategy(0, 0, actor.DefaultDecider)))
	}
	top := actor.PropsFromFunc(func(c actor.Context) {
		switch m := c.Message().(type) {
		case *actor.Started:
			for _, name := range []string{"router", "timekeeper", "boss", "left", "right"} {
				_, _ = c.SpawnNamed(props(name), name)
			}
		case *actor.Terminated:
			name := m.Who.Id[len("top/"):]
			self := c.Self()
			p.AfterFunc(100*time.Millisecond, func() { p.sys.Root.Send(self, name) })
		case string:
			_, _ = c.SpawnNamed(props(m), m)
		}
	}, actor.WithMailbox(p.Mailbox), actor.WithSupervisor(actor.NewOneForOneStrategy(0, 0, actor.DefaultDecider)))
	if _, err := p.sys.Root.SpawnNamed(top, "top"); err != nil {
		p.t.Fatal(err)
	}
}

func (p *play) cast(name messages.Address, log *slog.Logger) Cast {
	return Cast{
		Spec: p.crew[name], Hierarchy: p.crew, Limits: seedLimits, Store: "s", Brief: messages.Spec{Language: "en"},
		Timeouts: Timeouts{ProcessStart: 5 * time.Second, MessageReceive: 10 * time.Second, Task: time.Minute, Idle: 20 * time.Second, Grace: 2 * time.Second},
		Backoff:  Backoff{Initial: time.Second, Max: 5 * time.Second, Factor: 2, Tries: 3},
		Journal:  bumpy{p}, Clock: p, Router: p.pid("router"), NewID: p.messageID, Log: log,
		Life: func(_ messages.Spec, n int) *actor.Props {
			return actor.PropsFromProducer(func() actor.Actor { return &puppet{play: p, n: n, name: name} }, actor.WithMailbox(p.Mailbox))
		},
	}
}

// A bumpy journal explodes under an actor now and then.
type bumpy struct{ *play }

func (b bumpy) Commit(ctx context.Context, c messages.Change) (messages.Outcome, error) {
	if !b.quiet && b.rng.IntN(80) == 0 {
		panic(fmt.Sprintf("planted in %T", c))
	}
	return b.store.Commit(ctx, c)
}

// say tells personas what people want of them.
func (p *play) say(words ...messages.Message) {
	for _, w := range words {
		switch w := w.(type) {
		case messages.StartPersona:
			p.sys.Root.Send(p.pid(string(w.Name)), w)
		case messages.StopPersona:
			p.sys.Root.Send(p.pid(string(w.Name)), w)
		}
	}
}

// people do something: ask, cancel, stop, start, shut a persona down.
func (p *play) people() {
	name := p.crew.Names()[p.rng.IntN(3)]
	switch p.rng.IntN(9) {
	case 0, 1, 2:
		if len(p.roots) < 4 {
			p.ask()
		}
	case 3:
		if len(p.roots) > 0 && p.rng.IntN(2) == 0 {
			_, err := p.store.Commit(context.Background(), messages.Cancel{Task: p.roots[p.rng.IntN(len(p.roots))], Now: p.now})
			p.must(err)
		}
	case 4:
		p.say(messages.StopPersona{Name: name})
	case 5:
		p.say(messages.StartPersona{Name: name})
	case 6:
		p.sys.Root.Stop(p.pid(string(name)))
	case 7:
		p.sys.Root.Send(p.pid("router"), messages.CCMessage{ID: "ping", From: "boss", To: name, Type: messages.Shutdown})
	}
}

func (p *play) ask() {
	c := messages.Accept{Message: messages.CCMessage{ID: p.messageID(), From: messages.User, To: "boss", Type: messages.TaskRequest, Content: "work"}, Now: p.now}
	if p.rng.IntN(4) == 0 {
		c.Deadline = p.now.Add(time.Duration(10+p.rng.IntN(60)) * time.Second)
	}
	out, err := p.store.Commit(context.Background(), c)
	if messages.IsCode(err, messages.CodeBusy) {
		return
	}
	p.must(err)
	p.roots = append(p.roots, out.Accepted.Task)
}

func (p *play) must(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatalf("seed %d: %v", p.seed, err)
	}
}

// judge asks the journal whether every promise was kept.
func (p *play) judge() {
	p.t.Helper()
	report, err := p.store.Check(context.Background())
	p.must(err)
	for _, v := range report.Violations {
		p.t.Errorf("seed %d: invariant broken: %s: %s", p.seed, v.Invariant, v.Subject)
	}
	heard := map[messages.TaskID]int{}
	all, err := p.store.Messages(context.Background(), messages.ListMessages{Limit: 10_000})
	p.must(err)
	for _, m := range all.Messages {
		if m.To == messages.User {
			heard[m.Metadata.TaskID]++
		}
	}
	for _, root := range p.roots {
		tree, err := p.store.Task(context.Background(), root)
		p.must(err)
		for _, task := range append(tree.Below, tree.Task) {
			if !task.Status.Final() {
				p.t.Errorf("seed %d: task %s of %s is stuck in %s", p.seed, task.ID, task.Owner, task.Status)
			}
		}
		if heard[root] != 1 {
			p.t.Errorf("seed %d: the user heard %d answers of %s", p.seed, heard[root], root)
		}
	}
}

// A puppet is a life whose agent does anything at all.
type puppet struct {
	*play
	n     int
	name  messages.Address
	owner *actor.PID
	turn  messages.Turn
	deaf  bool
	asked int
}

// Receive implements [actor.Actor].
func (u *puppet) Receive(c actor.Context) {
	switch m := c.Message().(type) {
	case *actor.Started:
		u.owner = c.Parent()
		if u.quiet || u.rng.IntN(12) > 0 { // or it never gets ready
			u.later(messages.DriverEvent{Kind: messages.DriverReady})
		}
	case feed:
		u.turn, u.deaf, u.asked = m.turn, false, 0
		u.act()
	case result:
		u.act()
	case breakOff:
		if !u.deaf {
			u.end(messages.TurnEnd{Class: messages.ClassInterrupted, Text: "interrupted"})
		}
	}
}

// later lets something happen within three seconds.
func (u *puppet) later(e messages.DriverEvent) {
	root, owner, n := u.sys.Root, u.owner, u.n
	u.AfterFunc(time.Duration(u.rng.IntN(3000))*time.Millisecond, func() { root.Send(owner, happened{n, e}) })
}

func (u *puppet) end(e messages.TurnEnd) {
	u.later(messages.DriverEvent{Kind: messages.DriverTurnEnded, Turn: u.turn.ID, End: e})
}

// act does the next thing of a turn.
func (u *puppet) act() {
	if u.asked++; u.asked < 4 && u.rng.IntN(2) == 0 {
		u.send()
		return
	}
	k := u.rng.IntN(20)
	switch {
	case u.quiet || k < 13:
		u.end(messages.TurnEnd{Text: "done by " + string(u.name), Session: "s", Border: u.turn.ID})
		if u.rng.IntN(10) == 0 { // it says so twice
			u.end(messages.TurnEnd{Text: "and again"})
		}
	case k < 15:
		u.end(messages.TurnEnd{Class: []messages.Class{messages.ClassServer, messages.ClassInvalid, messages.ClassRate}[u.rng.IntN(3)], Text: "no"})
	case k < 17:
		u.later(messages.DriverEvent{Kind: messages.DriverExited, Exit: messages.Exit{Code: 1, Class: messages.ClassCrash, Reason: "fell"}})
	case k < 18:
		u.end(messages.TurnEnd{Text: "done and gone"})
		u.later(messages.DriverEvent{Kind: messages.DriverExited, Exit: messages.Exit{}})
	default:
		u.deaf = true // it hangs
	}
}

func (u *puppet) send() {
	to := []messages.Address{"boss", "left", "right", messages.User, "stranger"}[u.rng.IntN(5)]
	kind := []messages.Type{messages.TaskRequest, messages.TaskRequest, messages.Info, messages.TaskResponse, messages.TaskComplete, messages.Ping}[u.rng.IntN(6)]
	if u.quiet && u.rng.IntN(3) > 0 {
		kind = messages.Ping
	}
	args := map[string]any{"to": to, "type": kind, "content": "part"}
	if u.rng.IntN(4) == 0 {
		args["metadata"] = map[string]any{"ttl": 1 + u.rng.IntN(20)}
	}
	input, _ := json.Marshal(args)
	u.later(messages.DriverEvent{Kind: messages.DriverToolAsked, Turn: u.turn.ID, Tool: messages.ToolCall{ID: "t", Name: "send_message", Input: input}})
}
