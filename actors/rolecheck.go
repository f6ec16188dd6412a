package actors

import (
	"fmt"

	"github.com/asynkron/protoactor-go/actor"

	"kurogo/messages"
)

// ready hears that the life can take a turn. A fresh one is asked first who it
// is: only the answer shows that its personality has arrived. One that goes on
// with a session has been asked before.
func (p *Persona) ready(c actor.Context) {
	if !p.Spec.RoleCheck || p.session != "" || p.turn == nil {
		p.up = true
		p.advance(c)
		return
	}
	p.asked = fmt.Sprintf("role.%d", p.n)
	p.turn.begun = p.Clock.Now()
	text := RoleCheck(p.Brief.Language)
	c.Send(p.life, feed{messages.Turn{ID: p.asked, Attempt: 1, Text: "[from " + string(messages.System) + " · info]\n" + text, Messages: []messages.CCMessage{{
		ID: p.NewID(), From: messages.System, To: p.Spec.Name, Type: messages.Info, Content: text, Timestamp: p.Clock.Now(),
	}}}})
	p.watch.off()
	p.look(c)
}

// introduced hears who it is; now it is ready.
func (p *Persona) introduced(c actor.Context, e messages.TurnEnd) {
	p.asked = ""
	if e.Class != messages.ClassNone {
		p.fail(c, e.Class, "role check: "+e.Text, e.RetryAfter)
		return
	}
	p.Log.Info("role check", "agent", p.Spec.Name, "says", messages.Cut(e.Text, 500))
	p.up = true
	p.watch.off()
	p.advance(c)
}

// RoleCheck is the first message to a fresh session.
func RoleCheck(language string) string {
	if language == "ja" {
		return "役割の確認です。あなたは誰で、何を担い、誰に報告しますか。一、二文で答えてください。"
	}
	return "Role check: who are you, what is your part, and whom do you report to? Answer in one or two sentences."
}
