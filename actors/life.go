package actors

import (
	"fmt"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"kurogo/messages"
)

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
		Messages: p.turn.work.Messages, Text: Prompt(p.turn.work, p.Brief.Language) + p.Library.passages(p.turn.work, p.Brief.Language),
	}})
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
	case messages.DriverToolEnded, messages.DriverChanged, messages.DriverRaw, messages.DriverDelta:
	}
}

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
