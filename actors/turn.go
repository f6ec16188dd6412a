package actors

import (
	"encoding/json"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"kurogo/messages"
)

// A turn is what a persona keeps in its head between a lease and its end. It is
// gone when the persona falls: nothing that was staged has left.
type turn struct {
	work     *messages.Work
	id       string    // as its life knows it; "" = not given yet
	begun    time.Time // given, or the life begun
	heard    time.Time // the last sign of life; zero = none
	broken   time.Time // interrupted; zero = not
	thinking string
	staged   []messages.CCMessage
	answered bool              // an answer is staged
	used     messages.Usage    // what the driver told so far
	end      *messages.EndTurn // the journal must still take it
}

func newTurn(w *messages.Work) *turn { return &turn{work: w} }

func (t *turn) given() bool { return t.id != "" }

// think keeps the thinking that goes along with the answer, cut at the limit.
func (t *turn) think(text string, limit int) {
	if t.thinking != "" {
		text = "\n" + text
	}
	if len(t.thinking) < limit {
		t.thinking = messages.Cut(t.thinking+text, limit)
	}
}

// use adds what the driver says was used. A cumulative figure replaces the
// earlier ones: it counts from the beginning of the session.
func (t *turn) use(u messages.Usage) {
	if u.Cumulative {
		t.used = u
		return
	}
	t.used.InputTokens += u.InputTokens
	t.used.OutputTokens += u.OutputTokens
	t.used.CachedTokens += u.CachedTokens
	t.used.CostMicros += u.CostMicros
}

// bill is what the turn has cost. Of a session that counts from its beginning
// only the difference to the border counts; one that counts less has begun anew.
func (p *Persona) bill() messages.Bill {
	u := p.turn.used
	b := messages.Bill{
		Driver: p.Spec.Driver, Model: p.Spec.Model, Micros: u.CostMicros, Billed: p.billed,
		InputTokens: u.InputTokens, OutputTokens: u.OutputTokens, CachedTokens: u.CachedTokens,
	}
	if !u.Cumulative {
		return b
	}
	if b.Billed = u.CostMicros; u.CostMicros >= p.billed {
		b.Micros = u.CostMicros - p.billed
	}
	return b
}

// SendMessage is the tool with which a persona writes to another.
func SendMessage() messages.Tool {
	return messages.Tool{
		Name:        "send_message",
		Description: "Send a message to another member of the crew (別のエージェントにメッセージを送信します). A task_request is answered later, in a turn of your own; never wait for it.",
		Schema:      sendSchema,
	}
}

// sendSchema is shared: ten thousand personas offer the same tool.
var sendSchema = json.RawMessage(`{"type":"object","properties":{` +
	`"to":{"type":"string","description":"who, for example middle_manager"},` +
	`"content":{"type":"string","description":"everything the recipient needs to know"},` +
	`"type":{"type":"string","enum":["task_request","task_response","task_complete","task_failed","info","progress","error","ping","shutdown"],"default":"task_request"},` +
	`"thinking":{"type":"string"},` +
	`"metadata":{"type":"object","properties":{"priority":{"type":"string","enum":["low","normal","high","urgent"]},"ttl":{"type":"integer","description":"seconds the message may wait unread"},"correlation_id":{"type":"string"}}}` +
	`},"required":["to","content"]}`)

// use answers a tool call of the present life.
func (p *Persona) use(c actor.Context, call messages.ToolCall) messages.ToolResult {
	id, err := p.send(c, call)
	if err != nil {
		return messages.ToolResult{ID: call.ID, Text: messages.AsError(err).Error(), IsError: true}
	}
	text, _ := json.Marshal(map[string]any{"messageId": id, "accepted": true}) // cannot fail
	return messages.ToolResult{ID: call.ID, Text: string(text)}
}

// send checks a message at once, so that the model hears a refusal, and stages
// it: it leaves when the turn ends, in the same transaction. What is not
// journalled goes at once.
func (p *Persona) send(c actor.Context, call messages.ToolCall) (messages.MessageID, error) {
	if call.Name != "send_message" {
		return "", messages.Errorf(messages.CodeNotFound, "there is no tool %q", call.Name).Try("use send_message")
	}
	if p.turn == nil || !p.turn.given() {
		return "", messages.Errorf(messages.CodeConflict, "no turn is on")
	}
	m, err := p.compose(call)
	if err == nil {
		err = p.allow(m)
	}
	if err != nil {
		p.refused(m, messages.AsError(err))
		return "", err
	}
	if !m.Type.Turns() {
		p.pass(c, m)
		return m.ID, nil
	}
	p.turn.staged = append(p.turn.staged, m)
	p.turn.answered = p.turn.answered || m.Type.Answers()
	return m.ID, nil
}

// compose makes a message of a tool's arguments. Its id, its sender and its task
// are ours: they are never taken from a model.
func (p *Persona) compose(call messages.ToolCall) (messages.CCMessage, error) {
	var m messages.CCMessage
	if err := json.Unmarshal(call.Input, &m); err != nil {
		return m, messages.Invalid("arguments", "%v", err).Try("send to, content and, if needed, type, thinking, metadata")
	}
	if m.From != "" && m.From != p.Spec.Name {
		return m, messages.Errorf(messages.CodeDenied, "you are %s, not %s", p.Spec.Name, m.From).Try("leave from out")
	}
	if m.Type == "" {
		m.Type = messages.TaskRequest
	}
	m.ID, m.From, m.Timestamp = p.NewID(), p.Spec.Name, p.Clock.Now()
	m.Metadata.Timestamp, m.Metadata.TaskID, m.Metadata.RetryCount = m.Timestamp, p.turn.work.Task.ID, 0
	m.To, _ = p.Hierarchy.Resolve(m.To)
	if first := p.turn.work.Messages[0]; m.Metadata.CorrelationID == "" {
		m.Metadata.CorrelationID = first.Metadata.CorrelationID
	}
	return m, m.Check(p.Limits)
}

// allow checks permissions and limits as they are now; the journal checks what
// may have changed once more when the turn ends.
func (p *Persona) allow(m messages.CCMessage) error {
	work := p.turn.work
	if err := Route(p.Hierarchy, m, work.Task.Requester); err != nil {
		return err
	}
	if m.Type.Answers() && p.turn.answered {
		return messages.Errorf(messages.CodeConflict, "you have answered already").Try("end the turn")
	}
	if m.Type != messages.TaskRequest {
		if e := p.Limits.Refuse(0, 0, work.Spent+len(p.turn.staged)); e != nil && m.Type.Turns() && !m.Type.Answers() {
			return e
		}
		return nil
	}
	if work.Task.ID == "" {
		return messages.Errorf(messages.CodeDenied, "a turn without a task may not ask for work").Try("send an info")
	}
	open := work.Task.Open
	for _, s := range p.turn.staged {
		if s.Type == messages.TaskRequest {
			open++
		}
	}
	for _, r := range work.Messages { // answers in hand are consumed when the turn ends
		if r.Type.Answers() {
			open--
		}
	}
	if e := p.Limits.Refuse(work.Task.Depth+1, open, work.Spent+len(p.turn.staged)); e != nil {
		return e
	}
	return nil
}
