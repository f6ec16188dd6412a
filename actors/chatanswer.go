package actors

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"kurogo/messages"
)

// An answering is the turn that is on.
type answering struct {
	question messages.ChatMessage
	plan     messages.ChatPlan
	begun    time.Time // of asking
	asked    int       // agents
	tries    int       // that count: kurogo falling under an agent does not
	agent    messages.Agent
	late     alarm
	again    alarm
}

// How often an answer is asked for: twice in good earnest, and a few times more
// where nobody is to blame.
const (
	answerTries = 2
	answerAsks  = 6
)

// begin takes up a question: from its plan if a former life has made one.
func (e *Chat) begin(c actor.Context, state messages.ChatState) {
	e.answer = &answering{question: *state.Pending}
	e.answer.late.set(c, e.Clock, e.Patience, func(gen int) any { return tooLate{gen} })
	if state.Plan != nil {
		e.answer.plan = *state.Plan
		e.ask(c)
		return
	}
	root, self, question := c.ActorSystem().Root, c.Self(), *state.Pending
	go func() { root.Send(self, gathered{question.ID, e.gather(e.ctx, state)}) }()
}

// gathered keeps the plan before anybody is asked, so that the question is the
// same in the next life.
func (e *Chat) gathered(c actor.Context, m gathered) {
	if e.answer == nil || e.answer.question.ID != m.question || e.answer.plan.Workflow != nil {
		return
	}
	e.answer.plan = m.plan
	if e.write(messages.PlanChat{Message: m.question, Plan: m.plan, Now: e.Clock.Now()}).Stale {
		e.quit()
		e.proceed(c)
		return
	}
	e.ask(c)
}

// ask has an agent answer, or finds the one that did so in a former life.
func (e *Chat) ask(c actor.Context) {
	a := e.answer
	if a.begun.IsZero() {
		a.begun = e.Clock.Now()
	}
	role, ok := e.thinks()
	if !ok {
		text, found := Extract(e.Language, a.question.Content, a.plan.Sources)
		e.finish(c, messages.ChatMessage{Content: text, Model: NoModel, Fallback: !found}, "no model")
		return
	}
	for a.asked < answerAsks {
		a.asked++
		terms := messages.Terms{System: chatSystem(e.Language), ReadOnly: true, Deltas: true, Attempts: 1}
		agent, err := e.Send(fmt.Sprintf("answer %s %d", a.question.ID, a.asked), e.Draft(role, a.plan.Prompt, e.Dir, e.Timeout, terms))
		switch {
		case err == nil:
			e.tried(c, agent)
			return
		case messages.IsCode(err, messages.CodeBusy): // it waits for its turn like everybody else
			a.asked--
			e.pause(c, time.Second)
			return
		case !messages.IsCode(err, messages.CodeConflict): // else the role is another one since: so is the question
			e.giveUp(c, messages.AsError(err).Message)
			return
		}
	}
	e.giveUp(c, "the role changes while it is asked")
}

// thinks is the role that answers; ok is false where nobody is behind it.
func (e *Chat) thinks() (role messages.Role, ok bool) {
	role, ok = e.role(e.Role)
	return role, ok && !e.Offline(role.Driver)
}

func (e *Chat) pause(c actor.Context, d time.Duration) {
	e.answer.again.set(c, e.Clock, d, func(gen int) any { return askAgain{gen} })
}

// tried tells who answers, so that it can be heard while it speaks.
func (e *Chat) tried(c actor.Context, agent messages.Agent) {
	a := e.answer
	a.agent = agent
	if agent.Outcome == "" {
		e.Keep(nil, Entry(messages.EntryTried, messages.ChatTried{Message: a.question.ID, Agent: agent.ID, Try: a.tries + 1}))
		return
	}
	if done, ok := e.Done(agent.ID); ok { // it has done so in a former life
		e.answered(c, done)
	}
}

// answered takes what an agent has come to: words, or a reason to ask another one.
func (e *Chat) answered(c actor.Context, d messages.AgentDetail) {
	a := e.answer
	a.agent = messages.Agent{}
	text := strings.TrimSpace(d.Text)
	if d.Outcome == messages.AgentCompleted && text != "" {
		a.agent = d.Agent
		e.finish(c, messages.ChatMessage{Content: messages.Cut(text, e.Limits.MessageBytes), Model: model(d.Agent)}, "")
		return
	}
	why, useful := "the answer was empty", true
	if d.Outcome != messages.AgentCompleted {
		why, useful = fallen(d).Message, d.Run.Class.Retryable() || d.Outcome == messages.AgentLost
	}
	if d.Outcome != messages.AgentLost {
		a.tries++
	}
	a.plan.Workflow = append(a.plan.Workflow, messages.ChatStep{
		Step: "generate", Status: messages.ChatFellBack, Millis: d.Elapsed(d.EndedAt).Milliseconds(), Note: messages.Cut(why, taskReason), Agent: d.ID,
	})
	switch {
	case !useful || a.tries >= answerTries || d.Outcome == messages.AgentCancelled:
		e.giveUp(c, why)
	case d.Run.Class.Retryable():
		e.pause(c, time.Second)
	default:
		e.ask(c)
	}
}

// tooLate: whoever is asked takes too long, or waits for what does not come.
func (e *Chat) tooLate(c actor.Context) {
	e.release(e.answer.agent, "the chat waits no longer")
	e.giveUp(c, fmt.Sprintf("there was no answer within %s", e.Patience))
}

// giveUp answers in our own words. Nobody is left without an answer.
func (e *Chat) giveUp(c actor.Context, why string) {
	e.Log.Warn("a chat is answered without its agent", "session", e.Job.ID, "reason", why)
	e.finish(c, messages.ChatMessage{Content: Sorry(e.Language, e.answer.question.Content), Fallback: true}, why)
}

// finish writes the answer down; the rest comes after it.
func (e *Chat) finish(c actor.Context, m messages.ChatMessage, note string) {
	a := e.answer
	step := messages.ChatStep{Step: "generate", Status: messages.ChatOK, Note: messages.Cut(note, taskReason), Agent: a.agent.ID}
	if !a.begun.IsZero() {
		step.Millis = e.Clock.Now().Sub(a.begun).Milliseconds()
	}
	if m.Fallback {
		step.Status = messages.ChatFellBack
	}
	m.ID, m.ReplyTo, m.Sources = e.NewID(), a.question.ID, a.plan.Sources
	e.write(messages.AnswerChat{
		Answer: m, Workflow: append(a.plan.Workflow, step), Title: messages.ChatTitle(a.question.Content), Now: e.Clock.Now(),
	})
	e.quit()
	e.proceed(c)
}

func (e *Chat) quit() {
	e.answer.late.off()
	e.answer.again.off()
	e.answer = nil
}

// How long an answer waits for each who remembers; and where the passages are the
// answer, for them.
const (
	retrieving = 5 * time.Second
	leafing    = time.Minute
)

// gather remembers the talk and finds passages. It runs beside the mailbox, and
// never fails: what cannot be had is not in the plan.
func (e *Chat) gather(ctx context.Context, state messages.ChatState) (plan messages.ChatPlan) {
	step := func(name string, wait time.Duration, work func(context.Context) error) {
		ctx, cancel := context.WithTimeout(ctx, wait)
		defer cancel()
		begun := e.Clock.Now()
		s := messages.ChatStep{Step: name, Status: messages.ChatOK}
		if err := sheltered(ctx, work); err != nil {
			e.Log.Debug("chat goes on without", "step", name, "session", e.Job.ID, "err", err) // the workflow tells, too
			s.Status, s.Note = messages.ChatFellBack, messages.Cut(err.Error(), taskReason)
		}
		s.Millis = e.Clock.Now().Sub(begun).Milliseconds()
		plan.Workflow = append(plan.Workflow, s)
	}
	var talk []messages.ChatTurn
	step("remember", retrieving, func(ctx context.Context) (err error) {
		talk, err = e.Sessions.ChatTurns(ctx, e.Job.ID, state.Summarised, 200)
		return err
	})
	question := state.Pending.Content
	talk = newest(talk, e.HistoryTokens-tokens(state.Summary))
	if e.ContextTokens > 0 {
		wait := retrieving
		if _, ok := e.thinks(); !ok {
			wait = leafing
		}
		step("retrieve", wait, func(ctx context.Context) (err error) {
			if e.Recall != nil {
				plan.Sources, err = e.Recall(ctx, question, codeMost)
			}
			return err
		})
		var earlier []messages.ChatSource
		step("recall", retrieving, func(ctx context.Context) error {
			past, err := e.Sessions.PastTurns(ctx, pastMost)
			earlier = EarlierTalk(question, past, talk)
			return err
		})
		plan.Sources = shared(plan.Sources, earlier, e.ContextTokens)
	}
	plan.Prompt = chatPrompt(e.Language, question, state.Summary, talk, plan.Sources)
	return plan
}

// What is asked of memory: passages of code, and turns to look through.
const (
	codeMost = 8
	pastMost = 500
)

// sheltered makes an error of a panic: it happens in a goroutine of nobody's own.
func sheltered(ctx context.Context, work func(context.Context) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return work(ctx)
}
