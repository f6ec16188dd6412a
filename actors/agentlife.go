package actors

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"kurogo/messages"
)

// enter prepares the room beside the mailbox.
func (a *Agent) enter(c actor.Context) {
	a.entering = true
	root, self, agent, parent := c.ActorSystem().Root, c.Self(), a.order, a.ctx
	go func() {
		ctx, cancel := context.WithTimeout(parent, roomTimeout)
		defer cancel()
		dir, home, err := a.Rooms.Enter(ctx, agent)
		root.Send(self, entered{dir, home, err})
	}()
}

func (a *Agent) entered(c actor.Context, m entered) {
	a.entering = false
	a.inside = m.err == nil
	switch {
	case a.end != nil: // it was ended meanwhile
		a.tidy(c)
	case m.err != nil:
		a.fail(c, messages.ClassInvalid, messages.AsError(m.err).Error(), 0)
	default:
		a.begin(c, m.dir, m.home)
	}
}

// begin starts the life.
func (a *Agent) begin(c actor.Context, dir, home string) {
	id := a.order.ID
	spec := messages.Spec{
		Life: fmt.Sprintf("%s:%d:%s", a.Store, a.epoch, id.Address()), Agent: id.Address(), Model: a.order.Model,
		SystemPrompt: System(a.role, a.order, a.Language), Language: a.Language, Dir: dir, Home: home,
		StartTimeout: a.Timeouts.ProcessStart, Grace: a.Timeouts.Grace,
		OneShot: true, Cap: a.work.Reserved, Raw: true, Env: a.Keys.of(id.Address(), a.craft.Keys),
	}
	if a.works() {
		a.engage(&spec)
	} else if url := a.MCP(); !a.craft.InBand && url != "" {
		a.pass = a.Passes.Issue(id, a.epoch)
		spec.MCP = messages.MCPServer{URL: url, Token: a.pass}
	} else if a.craft.InBand {
		spec.Tools = []messages.Tool{ReportTool()}
	}
	a.life = c.Spawn(a.craft.Life(spec, lives))
	a.over, a.given = false, false
	a.watch.set(c, a.Clock, a.Timeouts.ProcessStart+a.Timeouts.Grace, func(gen int) any { return watched{gen} })
}

// passages are what the project has to say to the agent's prompt. A job chooses for
// itself what its agents read.
func (a *Agent) passages() string {
	if a.works() {
		return ""
	}
	return a.Library.passages(a.work, a.Language)
}

// engage binds the life to the terms of the agent's job.
func (a *Agent) engage(spec *messages.Spec) {
	terms := a.order.Terms
	spec.SystemPrompt = strings.TrimSpace(strings.TrimSpace(a.role.SystemPrompt) + "\n\n" + terms.System)
	spec.Schema, spec.ReadOnly, spec.Deltas = terms.Schema, terms.ReadOnly, terms.Deltas
	if len(terms.Tools) > 0 && a.Toolbox != nil {
		spec.Tools = a.Toolbox.Offer(terms.Tools)
	}
}

// happened hears what the life does.
func (a *Agent) happened(c actor.Context, m happened) {
	if a.life == nil {
		return
	}
	c.Send(a.life, taken{})
	e := m.event
	if e.Argv != nil {
		a.note(c, func(r *messages.Run) { played(r, e.Argv, a.pass) })
	}
	switch e.Kind {
	case messages.DriverReady:
		a.give(c)
	case messages.DriverSaid:
		a.note(c, func(r *messages.Run) { r.Last = messages.Cut(e.Text, a.Limits.MessageBytes) })
	case messages.DriverDelta:
		a.say("said", e.Text)
		a.note(c, func(*messages.Run) {}) // whoever follows hears that there is more
	case messages.DriverToolStarted:
		a.note(c, func(r *messages.Run) { called(r, e.Tool, "started", a.Clock.Now()) })
	case messages.DriverToolEnded:
		a.note(c, func(r *messages.Run) { called(r, e.Tool, "completed", a.Clock.Now()) })
	case messages.DriverToolAsked:
		a.asked(c, e.Tool)
	case messages.DriverChanged:
		a.note(c, func(r *messages.Run) { changed(r, e.File) })
	case messages.DriverUsed:
		a.use(e.Usage)
	case messages.DriverRaw:
		a.say("stdout", e.Text+"\n")
	case messages.DriverTurnEnded:
		a.ended(c, e)
	case messages.DriverExited:
		a.exited(c, e.Exit)
	case messages.DriverWarned:
		a.Log.Debug("agent", "agent", a.order.ID, "says", messages.Cut(e.Text, 500))
	case messages.DriverThought:
	}
}

func (a *Agent) give(c actor.Context) {
	if a.given || a.end != nil {
		return
	}
	a.given = true
	a.watch.off()
	c.Send(a.Admission, slotUp{a.order.ID})
	c.Send(a.life, feed{messages.Turn{
		ID: fmt.Sprintf("%d.%d.%d", a.epoch, a.work.Rows[0].Seq, a.work.Rows[0].Attempt), Attempt: a.work.Rows[0].Attempt,
		Task: a.work.Task.ID, Messages: a.work.Messages, Text: Brief(a.work, a.Language) + a.passages(),
	}})
}

func (a *Agent) ended(c actor.Context, e messages.DriverEvent) {
	if a.end != nil {
		return
	}
	if e.End.Class != messages.ClassNone {
		a.fail(c, e.End.Class, e.End.Text, e.End.RetryAfter)
		return
	}
	if a.run.Last == "" || a.works() {
		a.run.Last = messages.Cut(e.End.Text, a.Limits.MessageBytes)
	}
	a.dirty = true
	a.conclude(c, messages.EndTurn{
		Fence: a.fence(), Rows: a.work.Rows, Text: messages.Cut(e.End.Text, a.Limits.MessageBytes), Bill: a.bill(), Now: a.Clock.Now(),
	})
}

// exited: the life has ended by itself.
func (a *Agent) exited(c actor.Context, e messages.Exit) {
	a.run.ExitCode, a.run.Signal, a.dirty = e.Code, e.Signal, true
	if e.Stderr != "" {
		a.say("stderr", e.Stderr)
	}
	if a.end == nil {
		class, reason := e.Class, e.Reason
		if class == messages.ClassNone {
			class = messages.ClassCrash
		}
		if reason == "" {
			reason = "the agent ended in the middle of its turn"
		}
		if e.Stderr != "" {
			a.run.Error = messages.Cut(reason+": "+e.Stderr, taskReason)
		}
		a.fail(c, class, reason, 0)
	}
	if !a.over {
		a.over = true
		c.Stop(a.life)
	}
}

// buried: somebody has gone. The life has left nothing behind; or somebody fell
// who must hear of us again.
func (a *Agent) buried(c actor.Context, who *actor.PID) {
	switch {
	case who.Equal(a.Admission), who.Equal(a.Checkup):
		if a.missing {
			return // both fell: we ask once
		}
		a.missing = true
		wait := time.Second // they rise meanwhile
		if !a.seated {
			wait *= 2 // who has a slot speaks first
		}
		later(c, a.Clock, wait, reseat{})
	case a.life == nil || !who.Equal(a.life):
	default:
		torn := a.end == nil // it fell without a word: a bug in its actor
		a.life = nil
		if torn {
			a.fail(c, messages.ClassCrash, "the agent's actor fell", 0)
			return
		}
		a.tidy(c)
	}
}

// asked serves the tools that are offered in-band; a job's may take their time, and
// end with the agent.
func (a *Agent) asked(c actor.Context, call messages.ToolCall) {
	if !a.works() || a.Toolbox == nil || !slices.Contains(a.order.Terms.Tools, call.Name) {
		c.Send(a.life, result{a.answer(call)})
		return
	}
	root, life, agent, ctx := c.ActorSystem().Root, a.life, a.order, a.ctx
	go func() {
		answer := a.Toolbox.Call(ctx, agent, call)
		answer.ID = call.ID
		root.Send(life, result{answer})
	}()
}

// answer serves the tools that are offered in-band.
func (a *Agent) answer(call messages.ToolCall) messages.ToolResult {
	r, err := Reported(call.Input)
	if call.Name != reportTool {
		err = messages.Errorf(messages.CodeNotFound, "there is no tool %q", call.Name).Try("use " + reportTool)
	}
	if err == nil {
		_, err = a.commit(messages.KeepReport{Agent: a.order.ID, Report: r, Now: a.Clock.Now()})
	}
	if err != nil {
		return messages.ToolResult{ID: call.ID, Text: messages.AsError(err).Error(), IsError: true}
	}
	return messages.ToolResult{ID: call.ID, Text: fmt.Sprintf(`{"registered":true,"agentId":%q}`, a.order.ID)}
}

// note changes what the stream has shown; the journal hears of it soon, but not
// of every word.
func (a *Agent) note(c actor.Context, change func(*messages.Run)) {
	change(&a.run)
	a.dirty = true
	if a.tell.at.IsZero() && a.end == nil {
		a.tell.set(c, a.Clock, runEvery, func(gen int) any { return shown{gen} })
	}
}

// runEvery is how often the journal hears of a run at most.
const runEvery = 250 * time.Millisecond

// keep tells the journal what the stream has shown.
func (a *Agent) keep() {
	if !a.dirty {
		return
	}
	a.dirty = false
	run := a.run
	run.Recent = slices.Clone(run.Recent)
	run.InputTokens, run.OutputTokens, run.CachedTokens, run.CostMicros = a.used.InputTokens, a.used.OutputTokens, a.used.CachedTokens, a.used.CostMicros
	if _, err := a.commit(messages.KeepRun{Agent: a.order.ID, Run: run, Now: a.Clock.Now()}); err != nil {
		a.Log.Warn("write run", "agent", a.order.ID, "err", err)
	}
}

// say keeps what the process said, byte by byte.
func (a *Agent) say(stream, text string) {
	if err := a.Streams.Append(a.order.ID, stream, []byte(text)); err != nil {
		a.Log.Warn("write stream", "agent", a.order.ID, "err", err)
	}
}

func (a *Agent) use(u messages.Usage) {
	a.dirty = true
	if u.Cumulative { // of the session: its one turn is all of it
		a.used = u
		return
	}
	a.used.InputTokens += u.InputTokens
	a.used.OutputTokens += u.OutputTokens
	a.used.CachedTokens += u.CachedTokens
	a.used.CostMicros += u.CostMicros
}

func (a *Agent) bill() messages.Bill {
	return messages.Bill{
		Driver: a.order.Driver, Model: a.order.Model, Micros: a.used.CostMicros,
		InputTokens: a.used.InputTokens, OutputTokens: a.used.OutputTokens, CachedTokens: a.used.CachedTokens,
	}
}
