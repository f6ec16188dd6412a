package actors

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/asynkron/protoactor-go/actor"

	"kurogo/messages"
)

// An afterwards is what is done when an answer is out: it is judged and logged, or
// what is old is summarised.
type afterwards struct {
	turn  *messages.ChatTurn // nil: it is a summary
	upto  int64              // the turn up to which is summarised
	text  string             // what is summarised, before and since
	agent messages.Agent
	late  alarm
}

// follow begins what is to be done after answers, if there is anything.
func (e *Chat) follow(c actor.Context, state messages.ChatState) {
	switch {
	case state.Unlogged != nil && !e.unkept[string(state.Unlogged.Answer.ID)]:
		e.judge(c, *state.Unlogged)
	case e.SummariseAfter > 0 && state.Waiting > e.SummariseAfter && !e.unkept["summary"]:
		e.summarise(c, state)
	}
}

// judge has an answer evaluated. Words of our own, and quotations, are nobody's to
// judge but the heuristic's.
func (e *Chat) judge(c actor.Context, t messages.ChatTurn) {
	e.after = &afterwards{turn: &t}
	role, ok := e.role(e.Evaluator)
	switch {
	case e.Evaluator == "" || t.Answer.Fallback || t.Answer.Model == NoModel:
		e.record(c, messages.ChatSkipped, "")
	case !ok:
		e.record(c, messages.ChatFellBack, fmt.Sprintf("there is no role %q", e.Evaluator))
	case e.Offline(role.Driver):
		e.record(c, messages.ChatSkipped, "no model")
	default:
		e.order(c, role, "verdict "+string(t.Answer.ID), verdictPrompt(e.Language, t), chatVerdictSchema)
	}
}

var chatVerdictSchema = json.RawMessage(`{"type":"object","additionalProperties":false,"required":["score","feedback"],` +
	`"properties":{"score":{"type":"number","minimum":0,"maximum":10},"feedback":{"type":"string"}}}`)

// order asks an agent once: what comes after an answer is not worth a second try.
func (e *Chat) order(c actor.Context, role messages.Role, key, prompt string, schema json.RawMessage) {
	a := e.after
	agent, err := e.Send(key, e.Draft(role, prompt, e.Dir, e.Timeout, messages.Terms{Schema: schema, ReadOnly: true, Attempts: 1}))
	if err != nil {
		e.without(c, messages.AsError(err).Message)
		return
	}
	a.agent = agent
	a.late.set(c, e.Clock, e.Patience, func(gen int) any { return overdue{gen} })
	if done, ok := e.Done(agent.ID); ok { // in a former life
		e.followed(c, done)
	}
}

// followed takes what an agent has come to.
func (e *Chat) followed(c actor.Context, d messages.AgentDetail) {
	a := e.after
	a.late.off()
	switch {
	case d.Outcome != messages.AgentCompleted:
		e.without(c, fallen(d).Message)
	case a.turn == nil:
		if text := strings.TrimSpace(d.Text); text != "" {
			e.keepSummary(c, text)
			return
		}
		e.without(c, "the summary was empty")
	default:
		score, feedback, err := chatVerdict(d.Text)
		if err != nil {
			e.without(c, err.Error())
			return
		}
		e.keepTurn(c, score, feedback, messages.ChatStep{Step: "evaluate", Status: messages.ChatOK, Millis: d.Elapsed(d.EndedAt).Milliseconds(), Agent: d.ID, Note: model(d.Agent)})
	}
}

// chatVerdict reads a verdict. What cannot be read is an error, never a score.
func chatVerdict(text string) (score float64, feedback string, err error) {
	from, to := strings.IndexByte(text, '{'), strings.LastIndexByte(text, '}')
	if from < 0 || to < from {
		return 0, "", errors.New("the verdict is no JSON object")
	}
	var v struct {
		Score    *float64 `json:"score"`
		Feedback string   `json:"feedback"`
	}
	switch err := json.Unmarshal([]byte(text[from:to+1]), &v); {
	case err != nil:
		return 0, "", fmt.Errorf("read verdict: %w", err)
	case v.Score == nil || *v.Score < 0 || *v.Score > 10:
		return 0, "", errors.New("the verdict has no score from 0 to 10")
	}
	return *v.Score, v.Feedback, nil
}

func (e *Chat) overdue(c actor.Context) {
	e.release(e.after.agent, "the chat waits no longer")
	e.without(c, fmt.Sprintf("there was none within %s", e.Patience))
}

// without goes on where nobody could help.
func (e *Chat) without(c actor.Context, why string) {
	e.after.late.off()
	if e.after.turn != nil {
		e.record(c, messages.ChatFellBack, why)
		return
	}
	e.Log.Warn("a talk is summarised without its agent", "session", e.Job.ID, "reason", why)
	e.keepSummary(c, e.after.text)
}

// record logs a turn with what the heuristic says of it.
func (e *Chat) record(c actor.Context, status, why string) {
	t := e.after.turn
	score, feedback := Impression(*t)
	e.keepTurn(c, score, feedback, messages.ChatStep{Step: "evaluate", Status: status, Note: strings.TrimSpace("heuristic " + messages.Cut(why, taskReason))})
}

// keepTurn logs a turn. That it could not be written does not concern the answer,
// which is out.
func (e *Chat) keepTurn(c actor.Context, score float64, feedback string, step messages.ChatStep) {
	t := e.after.turn
	_, err := e.Journal.Commit(e.ctx, messages.RecordChat{Record: messages.ChatRecord{
		Message: t.Answer.ID, UserInput: t.Question.Content, Output: t.Answer.Content, RAGContext: passages(t.Answer.Sources),
		Score: &score, Feedback: feedback, Workflow: Encode(append(slices.Clone(t.Workflow), step)),
	}, Now: e.Clock.Now()})
	e.kept(c, string(t.Answer.ID), err)
}

func (e *Chat) kept(c actor.Context, what string, err error) {
	if err != nil {
		e.Log.Warn("write log of chat", "session", e.Job.ID, "what", what, "err", err)
		e.unkept[what] = true
	}
	e.after = nil
	e.proceed(c)
}

// summarise shortens what lies far back: always as many turns, so that the next
// life finds the agent that did it. The whole text stays where it is, and half of
// it is still remembered word by word.
func (e *Chat) summarise(c actor.Context, state messages.ChatState) {
	e.after = &afterwards{}
	turns, err := e.Sessions.ChatTurns(e.ctx, e.Job.ID, state.Summarised, state.Waiting/2)
	if err == nil && len(turns) == 0 {
		err = errors.New("there is nothing to summarise")
	}
	if err != nil {
		e.kept(c, "summary", err)
		return
	}
	turns = turns[:min(len(turns), max(1, e.SummariseAfter/4))]
	e.after.upto = turns[len(turns)-1].Number
	e.after.text = Digest(state.Summary, turns, e.summaryTokens())
	role, ok := e.thinks()
	if !ok {
		e.keepSummary(c, e.after.text)
		return
	}
	e.order(c, role, fmt.Sprintf("summary %d", e.after.upto), summaryPrompt(e.Language, state.Summary, turns, e.HistoryTokens*4), nil)
}

// summaryTokens leaves the larger part of what is remembered to the last turns.
func (e *Chat) summaryTokens() int { return max(1, e.HistoryTokens/4) }

func (e *Chat) keepSummary(c actor.Context, text string) {
	_, err := e.Journal.Commit(e.ctx, messages.SummariseChat{Session: e.Job.ID, Upto: e.after.upto, Summary: cutTokens(text, e.summaryTokens()), Now: e.Clock.Now()})
	e.kept(c, "summary", err)
}
