package main_test

import (
	"math/rand/v2"
	"syscall"
	"testing"
	"time"

	"kurogo/drivers/process"
	"kurogo/messages"
)

// TestHundredAgents lets a hundred agents of all fates through ten slots, in
// groups and sequences, while some are called off and some are killed. Everybody
// ends as he must, with a result, and leaves nothing behind.
//
// KUROGO_AGENTS says how many, KUROGO_SEED who meets what.
func TestHundredAgents(t *testing.T) {
	t.Parallel()
	c := newEnsemble(t, number(t, "KUROGO_AGENTS", 100))
	o := c.serve()
	t.Cleanup(o.kill)
	c.store = c.theatre.store()
	c.begin()
	c.awaitEnds()
	eventually(t, "the last lives end", func() bool { return len(process.Find(c.store)) == 0 })
	c.end()
	ends := c.judge(false)
	c.close()
	o.endedWell()
	t.Logf("seed %d: %d agents, %v, %d of their processes killed, %d at a time (%d lives)", c.seed, len(c.byPrompt), ends, c.kills, c.crowd, c.most)
}

// TestHundredAgentsKilledOwner is the same with kill -9 of the owner in the
// middle, again and again; the next verb starts another. Who ran then is lost,
// with a result; who waited goes on; what was ordered is carried out once,
// however often the client had to ask.
//
// KUROGO_KILLS says how often, KUROGO_AGENTS and KUROGO_SEED as above.
func TestHundredAgentsKilledOwner(t *testing.T) {
	t.Parallel()
	kills := number(t, "KUROGO_KILLS", 4)
	c := newEnsemble(t, number(t, "KUROGO_AGENTS", max(60, 8*kills)))
	random := rand.New(rand.NewPCG(uint64(c.seed), 3))
	owner := c.raise()
	c.store = owner.Store
	c.begin()
	for n := range kills {
		pause := 50*time.Millisecond + time.Duration(random.Int64N(int64(1200*time.Millisecond)))
		select {
		case <-time.After(pause): // the delay is the experiment
		case <-c.all:
		}
		if n%4 == 3 { // once in a while in order, which must not be worse
			c.run("stop")
		} else if err := syscall.Kill(owner.Pid, syscall.SIGKILL); err != nil {
			t.Fatalf("kill %d of the owner: %v", n+1, err)
		}
		owner = c.raise()
		c.nobodyIsBack()
		if t.Failed() {
			return
		}
	}
	c.awaitEnds()
	eventually(t, "the last lives end", func() bool { return len(process.Find(c.store)) == 0 })
	c.end()
	ends := c.judge(true)
	if ends[messages.AgentLost] == 0 {
		t.Error("nobody was lost: the owner was killed beside the work")
	}
	c.close()
	t.Logf("seed %d: %d agents, %v, the owner killed %d times and %d of their processes, %d lives at a time", c.seed, len(c.byPrompt), ends, kills, c.kills, c.most)
}

// raise lets a verb start an owner, where there is none.
func (c *ensemble) raise() messages.Status {
	c.Helper()
	c.run("crew")
	return must[messages.Status](c.theatre, messages.GetStatus{})
}

// nobodyIsBack wants no process of an agent that was lost.
func (c *ensemble) nobodyIsBack() {
	c.Helper()
	for _, f := range process.Find(c.store) {
		a := must[messages.AgentDetail](c.theatre, messages.GetAgent{Agent: agentOf(f.Life)})
		if a.Outcome == messages.AgentLost {
			c.Errorf("a process of a former life works on: %+v", f)
		}
	}
}
