package actors

import (
	"encoding/json"

	"github.com/asynkron/protoactor-go/actor"

	"kurogo/messages"
)

// state is what the persona is doing, as everybody sees it.
func (p *Persona) state() messages.PersonaState {
	switch {
	case p.stopped:
		return messages.PersonaStopped
	case p.resting:
		return messages.PersonaBackoff
	case p.turn != nil && p.turn.given():
		return messages.PersonaWorking
	case p.life != nil && !p.over && !p.up:
		return messages.PersonaStarting
	case p.life != nil && p.up:
		return messages.PersonaReady
	}
	return messages.PersonaIdle
}

func (p *Persona) member() messages.Member {
	m := messages.Member{
		Name: p.Spec.Name, Title: p.Spec.Title, Driver: p.Spec.Driver, Model: p.Spec.Model, ReportsTo: p.Spec.ReportsTo,
		State: p.state(), Epoch: p.epoch, Restarts: p.restarts, Pid: p.pid, LastError: p.lastError, Since: p.idle,
	}
	if p.turn != nil {
		m.Task = p.turn.work.Task.ID
	}
	if p.resting {
		m.RisesAt = p.rest.at
	}
	return m
}

// show tells the world when the state has changed.
func (p *Persona) show() {
	if s := p.state(); s != p.shown {
		p.shown = s
		m := p.member()
		p.observe(messages.PersonaUpdated, string(p.Spec.Name), m, nil)
	}
}

// utter tells what the agent thinks, says or does while its turn is on.
func (p *Persona) utter(kind messages.EventKind, text, tool string) {
	p.observe(kind, string(p.Spec.Name), messages.Utterance{From: p.Spec.Name, Text: messages.Cut(text, utterance), Tool: tool}, nil)
}

// utterance is how much of a thought an event carries.
const utterance = 32 << 10

// refused logs a message that was not accepted; the model heard why.
func (p *Persona) refused(m messages.CCMessage, e *messages.Error) {
	r := messages.Refusal{From: p.Spec.Name, To: m.To, Type: m.Type, Code: e.Code, Error: e.Error()}
	p.observe(messages.MessageRefused, string(m.ID), r, p.row(m, e.Error(), messages.LogErr))
}

// pass carries a message that is not journalled.
func (p *Persona) pass(c actor.Context, m messages.CCMessage) {
	c.Send(p.Router, m)
	p.observe(messages.MessageRouted, string(m.ID), m, p.row(m, "", messages.Debug))
}

// hear answers what is not journalled: a ping by the actor itself, never by a
// paid model.
func (p *Persona) hear(c actor.Context, m messages.CCMessage) {
	switch m.Type { //nolint:exhaustive // everything else is journalled
	case messages.Ping:
		p.pass(c, messages.CCMessage{
			ID: p.NewID(), From: p.Spec.Name, To: m.From, Type: messages.Pong, ReplyTo: m.ID, Timestamp: p.Clock.Now(),
			Metadata: messages.Metadata{Timestamp: p.Clock.Now(), CorrelationID: m.Metadata.CorrelationID},
		})
	case messages.Shutdown:
		if p.turn == nil {
			p.endLife(c)
			p.show()
		}
	}
}

func (p *Persona) row(m messages.CCMessage, fault string, level messages.Level) *messages.LogRow {
	return &messages.LogRow{Timestamp: p.Clock.Now(), From: p.Spec.Name, To: m.To, Type: m.Type, Size: m.Size(), Success: fault == "", Error: fault, Level: level}
}

// observe writes what nobody waits for. Losing it loses no message.
func (p *Persona) observe(kind messages.EventKind, id string, data any, row *messages.LogRow) {
	b, err := json.Marshal(data)
	if err != nil {
		p.Log.Error("encode event", "kind", kind, "err", err)
		return
	}
	e := messages.Event{At: p.Clock.Now(), Kind: kind, ID: id, Data: b}
	if p.turn != nil {
		e.Task, e.Root = p.turn.work.Task.ID, p.turn.work.Task.Root
	}
	o := messages.Observe{Events: []messages.Event{e}}
	if row != nil {
		o.Log = append(o.Log, *row)
	}
	if _, err := p.commit(o); err != nil {
		p.Log.Warn("write event", "kind", kind, "err", err)
	}
}
