package main_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"kurogo/drivers/process"
	"kurogo/messages"
)

// An ensemble is many agents of many fates, who orders them, who looks on, and who
// meddles with them. Owners come and go.
type ensemble struct {
	*theatre
	store  string
	pieces []*piece
	seed   int

	all  chan struct{} // closed when everybody has ended
	over context.CancelFunc
	busy sync.WaitGroup

	mu       sync.Mutex
	byPrompt map[string]*player
	byID     map[messages.AgentID]*player
	groups   map[int]messages.GroupID
	since    int64 // the last event that was seen
	open     int   // who has not ended
	working  int   // who runs, as the journal tells it
	crowd    int   // most of them at a time
	most     int   // of lives that were seen at a time
	kills    int   // of processes of agents
}

// newEnsemble prepares n agents, and an end that leaves nothing behind even where
// the test fails.
func newEnsemble(t *testing.T, n int) *ensemble {
	t.Helper()
	n = max(n, 31) // those of the shapes
	c := &ensemble{
		theatre: newTheatre(t), seed: number(t, "KUROGO_SEED", 1), all: make(chan struct{}), open: n,
		byPrompt: map[string]*player{}, byID: map[messages.AgentID]*player{}, groups: map[int]messages.GroupID{},
	}
	writePlot(t, c.project)
	c.pieces = plot(n, rand.New(rand.NewPCG(uint64(c.seed), 1)))
	for _, w := range c.pieces {
		for _, stage := range w.stages {
			for _, p := range stage {
				c.byPrompt[p.Prompt] = p
			}
		}
	}
	t.Cleanup(func() {
		for _, line := range traces(c.home) { // of this story, and of nobody else
			var pid int
			if _, err := fmt.Sscanf(line, "%d:", &pid); err == nil {
				t.Errorf("left behind: %s", line)
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		}
		if t.Failed() {
			log, _ := os.ReadFile(filepath.Join(c.state, "kurogo.log"))
			t.Logf("seed %d; the log of those who were started by a verb ends:\n%s", c.seed, log[max(0, len(log)-8000):])
		}
	})
	return c
}

// begin lets everybody do their part beside each other.
func (c *ensemble) begin() {
	ctx, cancel := context.WithCancel(context.Background())
	c.over = cancel
	for _, do := range []func(context.Context){c.witness, c.hunt, c.order} {
		c.busy.Go(func() { do(ctx) })
	}
	c.Cleanup(c.end)
}

// end sends home who looks on and who meddles.
func (c *ensemble) end() {
	c.over()
	c.busy.Wait()
}

// insist asks until it is answered, whoever is the owner then. A refusal that
// trying again cannot help is an error.
func insist[T messages.Message](ctx context.Context, c *ensemble, m messages.Message) (answer T, ok bool) {
	var err error
	ok = soon(func() bool {
		if answer, err = ask[T](ctx, c.theatre, m); err == nil || ctx.Err() != nil {
			return true
		}
		switch messages.AsError(err).Code { //nolint:exhaustive // everything else may pass
		case messages.CodeInvalid, messages.CodeNotFound, messages.CodeConflict, messages.CodeDenied:
			return true
		}
		return false
	})
	if ctx.Err() != nil {
		return answer, false
	}
	if err != nil || !ok {
		c.Errorf("%T was never answered: %v", m, err)
	}
	return answer, ok && err == nil
}

// order gives every order, some of them twice: who is not sure asks again.
func (c *ensemble) order(ctx context.Context) {
	random := rand.New(rand.NewPCG(uint64(c.seed), 2))
	for n, w := range c.pieces {
		create := messages.CreateGroup{Description: fmt.Sprintf("group %d", w.group), Key: fmt.Sprintf("group %d", w.group)}
		g, ok := insist[messages.Group](ctx, c, create)
		if !ok {
			return
		}
		run := messages.RunAgents{Group: g.ID, Stages: w.orders(), Key: fmt.Sprintf("work %d", n)}
		agents, ok := insist[messages.Agents](ctx, c, run)
		if !ok {
			return
		}
		c.accepted(w, g, agents)
		if random.IntN(3) == 0 {
			again, ok := insist[messages.Agents](ctx, c, run)
			if !ok {
				return
			}
			c.accepted(w, g, again)
		}
		for _, stage := range w.stages {
			for _, p := range stage {
				if p.queued {
					c.callOff(ctx, p)
				}
			}
		}
	}
}

// accepted notes who is who. Whoever was accepted before must be the same.
func (c *ensemble) accepted(w *piece, g messages.Group, agents messages.Agents) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if before, ok := c.groups[w.group]; ok && before != g.ID {
		c.Errorf("group %d was %s and is %s", w.group, before, g.ID)
	}
	c.groups[w.group] = g.ID
	n := 0
	for _, stage := range w.stages {
		for _, p := range stage {
			if n == len(agents.Agents) {
				c.Errorf("%d agents were accepted, not all of %v", n, w.stages)
				return
			}
			c.isCalled(p, agents.Agents[n].ID)
			n++
		}
	}
	if agents.Total != n || len(agents.Agents) != n {
		c.Errorf("%d of %d agents were accepted, want %d", len(agents.Agents), agents.Total, n)
	}
}

// isCalled notes an agent's id; the lock is held.
func (c *ensemble) isCalled(p *player, id messages.AgentID) {
	switch p.id {
	case id:
	case "":
		p.id, c.byID[id] = id, p
	default:
		c.Errorf("%q is the prompt of %s and of %s: an order was carried out twice", p.Prompt, p.id, id)
	}
}

// callOff cancels an agent, and notes what it was told.
func (c *ensemble) callOff(ctx context.Context, p *player) {
	a, ok := insist[messages.Agent](ctx, c, messages.CancelAgent{Agent: p.id, Reason: "called off"})
	if !ok {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if p.told = a.Outcome; a.Outcome == "" {
		c.Errorf("%s was cancelled and is %s", p.id, a.Status)
	}
}

// witness sees everything that happens, through all owners.
func (c *ensemble) witness(ctx context.Context) {
	topic := messages.Topic{Kinds: []messages.EventKind{messages.AgentCreated, messages.AgentUpdated, messages.AgentEnded}}
	for ctx.Err() == nil {
		conn, err := c.dial(ctx)
		if err != nil {
			select {
			case <-time.After(10 * time.Millisecond): // there is nobody to ask at the moment
			case <-ctx.Done():
			}
			continue
		}
		c.mu.Lock()
		since := c.since
		c.mu.Unlock()
		for e, err := range conn.Watch(ctx, topic, since) {
			if err != nil {
				break
			}
			c.see(ctx, e)
		}
		conn.Close()
	}
}

func (c *ensemble) see(ctx context.Context, e messages.Event) {
	var a messages.Agent
	if err := json.Unmarshal(e.Data, &a); err != nil {
		c.Errorf("%s: %v", e.Kind, err)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if e.Seq <= c.since {
		c.Errorf("event %d comes after %d", e.Seq, c.since)
	}
	c.since = e.Seq
	p := c.byPrompt[a.Prompt]
	if p == nil {
		c.Errorf("nobody ordered %+v", a)
		return
	}
	c.isCalled(p, a.ID)
	p.asleep = p.asleep || a.Run.Last == "asleep"
	switch {
	case e.Kind == messages.AgentEnded && p.ended != 0:
		c.Errorf("%s ended twice", a.ID)
	case e.Kind == messages.AgentEnded:
		p.ended = e.Seq
		if p.began != 0 {
			c.working--
		}
		if c.open--; c.open == 0 {
			close(c.all)
		}
	case a.Status == messages.AgentRunning && p.began == 0:
		p.began = e.Seq
		c.working++
		c.crowd = max(c.crowd, c.working)
		if p.running {
			c.busy.Go(func() { c.callOff(ctx, p) })
		}
	}
}

// hunt looks at the processes of the agents all the time, and kills some.
func (c *ensemble) hunt(ctx context.Context) {
	tick := time.NewTicker(15 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		c.strike(process.Find(c.store))
	}
}

func (c *ensemble) strike(found []process.Found) {
	c.mu.Lock()
	defer c.mu.Unlock()
	lives := map[string]bool{}
	for _, f := range found {
		lives[f.Life] = true
		p := c.byID[agentOf(f.Life)]
		if p == nil || !p.hit || p.ended != 0 || p.number%2 == 1 && p.Role == "struck" && !p.asleep { // half of them in their beds
			continue
		}
		if syscall.Kill(f.Pid, syscall.SIGKILL) == nil {
			p.killed = true
			c.kills++
		}
	}
	c.most = max(c.most, len(lives))
}

// agentOf is the agent in <store>:<epoch>:agent:<id>.
func agentOf(life string) messages.AgentID {
	if at := strings.Index(life, "agent:"); at >= 0 {
		return messages.AgentID(life[at+len("agent:"):])
	}
	return ""
}
