package actors

import (
	"context"
	"fmt"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"kurogo/messages"
)

// patient is a role while its prompt is on.
type patient struct {
	role  string
	who   messages.Agent
	life  *actor.PID
	begun time.Time
	done  bool
	watch alarm
}

// next asks the prompts that can be asked now.
func (k *Checkup) next(c actor.Context) {
	for len(k.queue) > 0 && len(k.patient) < checkupsMost {
		id := k.queue[0]
		k.queue = k.queue[1:]
		k.ask(c, id)
	}
}

// ask begins a life for one prompt.
func (k *Checkup) ask(c actor.Context, id string) {
	s := k.states[id]
	who := messages.Agent{ID: messages.AgentID(id + "-0-health"), Role: id, Isolation: messages.IsolationNone}
	dir, home, err := k.Rooms.Enter(context.Background(), who)
	if err != nil {
		k.decide(c, id, messages.HealthCheck{Status: messages.HealthFailed, Reason: messages.AsError(err).Error(), CheckedAt: k.Clock.Now()}, false)
		return
	}
	k.observe(messages.RoleCheckBegun, id, *s)
	k.n++
	n := k.n
	p := &patient{role: id, who: who, begun: k.Clock.Now()}
	p.life = c.Spawn(k.Crafts[s.Driver].Life(messages.Spec{
		Life: fmt.Sprintf("%s:0:%s", k.Store, who.ID.Address()), Agent: who.ID.Address(), Model: s.Model, Language: k.Language,
		Dir: dir, Home: home, StartTimeout: k.Timeouts.ProcessStart, Grace: k.Timeouts.Grace, OneShot: true,
	}, n))
	k.patient[n] = p
	p.watch.set(c, k.Clock, checkupTimeout, func(gen int) any { return tooLong{n, gen} })
}

func (k *Checkup) happened(c actor.Context, m happened) {
	p, ok := k.patient[m.life]
	if !ok {
		return
	}
	c.Send(p.life, taken{})
	if p.done {
		return
	}
	switch m.event.Kind { //nolint:exhaustive // only the end of it counts
	case messages.DriverReady:
		c.Send(p.life, feed{messages.Turn{
			ID: "health", Attempt: 1, Text: k.states[p.role].HealthPrompt,
			Messages: []messages.CCMessage{{To: messages.Address("role:" + p.role), Content: k.states[p.role].HealthPrompt}},
		}})
	case messages.DriverToolAsked:
		c.Send(p.life, result{messages.ToolResult{ID: m.event.Tool.ID, Text: "denied: this is a health check", IsError: true}})
	case messages.DriverTurnEnded:
		if end := m.event.End; end.Class != messages.ClassNone {
			k.found(c, p, fmt.Sprintf("%s: %s", end.Class, messages.Cut(end.Text, 500)))
		} else {
			k.found(c, p, "")
		}
	case messages.DriverExited:
		k.found(c, p, fmt.Sprintf("it ended without an answer: %s %s", m.event.Exit.Class, messages.Cut(m.event.Exit.Reason, 500)))
	}
}

// found ends a check; fault is empty when the role has answered.
func (k *Checkup) found(c actor.Context, p *patient, fault string) {
	if p.done {
		return
	}
	p.done = true
	p.watch.off()
	now := k.Clock.Now()
	h := messages.HealthCheck{Status: messages.HealthPassed, ResponseTime: now.Sub(p.begun).Milliseconds(), CheckedAt: now}
	if fault != "" {
		h.Status, h.Reason = messages.HealthFailed, fault
	}
	if _, err := k.Journal.Commit(context.Background(), messages.KeepHealth{Key: k.key(p.role), Check: h}); err != nil {
		k.Log.Warn("write health", "role", p.role, "err", err)
	}
	k.decide(c, p.role, h, fault == "")
	c.Stop(p.life)
}

// buried makes room for the next check.
func (k *Checkup) buried(c actor.Context, who *actor.PID) {
	for n, p := range k.patient {
		if !p.life.Equal(who) {
			continue
		}
		k.found(c, p, "its actor fell")
		delete(k.patient, n)
		if _, err := k.Rooms.Leave(context.Background(), p.who); err != nil {
			k.Log.Warn("leave room", "role", p.role, "err", err)
		}
	}
	k.next(c)
}
