package rehearsal

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"kurogo/messages"
)

// A Recording is what happened, as a performance that happens alike.
type Recording struct {
	Performance messages.Performance
	Notes       []string // what the performance cannot say, or says in another way
}

// Record makes a performance of what the journal tells about one tree: its
// events, with those about the states of the personas, in their order; and its
// messages, whole. hide takes out of every text what is not for everybody's
// eyes (Redact).
func Record(events []messages.Event, said []messages.CCMessage, hide func(string) string) (Recording, error) {
	r := recorder{
		now: map[messages.Address]*take{}, states: map[messages.Address]messages.PersonaState{}, roles: map[messages.Address][]messages.Line{},
		letters: map[messages.MessageID]messages.CCMessage{}, answers: map[messages.TaskID]messages.CCMessage{}, dead: map[messages.TaskID]bool{},
	}
	for _, m := range said {
		r.letters[m.ID] = m
	}
	for _, e := range events {
		if err := r.hear(e); err != nil {
			return Recording{}, fmt.Errorf("read event %d (%s): %w", e.Seq, e.Kind, err)
		}
	}
	return r.perform(hide)
}

// A take is one attempt at a turn, as far as it was seen.
type take struct {
	who     messages.Address
	task    messages.TaskID // that the turn was bound to
	asked   []messages.MessageID
	begun   time.Time
	ended   time.Time
	ending  ending
	reason  string // why it failed or fell
	lines   []timed
	answer  *messages.CCMessage // that it ended its task with
	early   bool                // while something was still open below it
	refused int                 // messages whose refusal no script can provoke
}

// A timed line is one that was seen at a time.
type timed struct {
	at   time.Time
	line messages.Line
}

// An ending is how a take ended.
type ending int

const (
	unended  ending = iota // it was not seen to end
	done                   // well
	failed                 // for good, for a reason
	fell                   // and the turn was given again, or given up
	rested                 // for a limit that is nobody's fault
	overtook               // its task ended without it
)

// A recorder hears events and remembers the takes.
type recorder struct {
	takes   []*take
	now     map[messages.Address]*take // of each persona, the last
	states  map[messages.Address]messages.PersonaState
	roles   map[messages.Address][]messages.Line // what they answered to the role check
	letters map[messages.MessageID]messages.CCMessage
	first   messages.CCMessage // the request of the root
	answers map[messages.TaskID]messages.CCMessage
	dead    map[messages.TaskID]bool // ended by a letter that nobody could read
}

func (r *recorder) hear(e messages.Event) error {
	switch e.Kind { //nolint:exhaustive // the rest is no part of a conversation
	case messages.MessageAccepted:
		return with(e, r.accepted)
	case messages.MessageDelivered:
		return with(e, r.delivered)
	case messages.MessageAcked, messages.MessageRetried, messages.MessageDead, messages.MessageParked:
		return with(e, r.ended)
	case messages.MessageRefused:
		return with(e, r.refused)
	case messages.MessageRouted:
		return with(e, r.routed)
	case messages.TaskUpdated:
		return with(e, r.updated)
	case messages.PersonaUpdated:
		return with(e, r.changed)
	case messages.PersonaThought, messages.PersonaSaid:
		return with(e, r.uttered)
	}
	return nil
}

// with reads what an event says.
func with[T any](e messages.Event, hear func(messages.Event, T)) error {
	var data T
	if err := json.Unmarshal(e.Data, &data); err != nil {
		return err
	}
	hear(e, data)
	return nil
}

// delivered begins a take, or gives it another of the answers that come together.
func (r *recorder) delivered(e messages.Event, d messages.Delivery) {
	t := r.now[d.To]
	if t == nil || t.ending != unended {
		t = &take{who: d.To, task: e.Task, begun: e.At}
		r.now[d.To] = t
		r.takes = append(r.takes, t)
	}
	t.asked = append(t.asked, d.Message)
}

// ended ends a take. What becomes of a letter that nobody holds ends none.
func (r *recorder) ended(e messages.Event, d messages.Delivery) {
	if e.Kind == messages.MessageDead {
		r.dead[e.Task] = true
	}
	t := r.now[d.To]
	if t == nil || t.ending != unended || !slices.Contains(t.asked, d.Message) {
		return
	}
	t.ended, t.reason = e.At, d.Error
	switch {
	case e.Kind == messages.MessageParked:
		t.ending = rested
	case e.Kind != messages.MessageAcked:
		t.ending = fell
	case d.Error != "":
		t.ending = failed
	default:
		t.ending = done
	}
}

// accepted hears a message that was written down. What a turn sends leaves in
// the moment in which the turn ends.
func (r *recorder) accepted(e messages.Event, short messages.Truncated) {
	m, ok := r.letters[short.ID]
	if !ok {
		m = short.CCMessage
		r.letters[m.ID] = m
	}
	if r.first.ID == "" {
		r.first = m
	}
	if m.Type.Answers() {
		r.answers[m.Metadata.TaskID] = m
	}
	switch t := r.now[m.From]; {
	case t == nil || t.ending != done || !t.ended.Equal(e.At):
	case !m.Type.Answers():
		t.add(short.Timestamp, messages.Line{Send: cueOf(m)}) // the event knows when it was staged
	case m.Metadata.TaskID == t.task:
		t.answer = &m
	}
}

func cueOf(m messages.CCMessage) *messages.Cue {
	c := messages.Cue{To: m.To, Type: m.Type, Content: m.Content, Thinking: m.Thinking, Priority: m.Metadata.Priority, TTL: m.Metadata.TTL}
	if c.Priority == messages.Normal {
		c.Priority = ""
	}
	return &c
}

func (t *take) add(at time.Time, l messages.Line) { t.lines = append(t.lines, timed{at, l}) }

// on is the take in which a persona is, nil between two of them.
func (r *recorder) on(who messages.Address) *take {
	if t := r.now[who]; t != nil && t.ending == unended {
		return t
	}
	return nil
}

// refused hears what the model heard at once. The event does not hold the
// content, so only a refusal for which any content does can be provoked again.
func (r *recorder) refused(e messages.Event, f messages.Refusal) {
	t := r.on(f.From)
	if t == nil {
		return
	}
	if e.ID == "" || f.Code != messages.CodeDenied && f.Code != messages.CodeNotFound {
		t.refused++
		return
	}
	t.add(e.At, messages.Line{Send: &messages.Cue{To: f.To, Type: f.Type, Content: "(refused)", Expect: f.Code}})
}

// routed hears what is not journalled. A pong is the actor's own.
func (r *recorder) routed(e messages.Event, m messages.CCMessage) {
	if t := r.on(m.From); t != nil && m.Type != messages.Pong {
		t.add(e.At, messages.Line{Send: cueOf(m)})
	}
}

// updated hears of a task that ended without the turn that was bound to it, or
// because the turn above it did not wait for it.
func (r *recorder) updated(e messages.Event, task messages.Task) {
	if t := r.now[task.Requester]; t != nil && t.task == task.Parent && t.ended.Equal(e.At) && task.Status == messages.Cancelled {
		t.early = true
	}
	if t := r.on(task.Owner); t != nil && t.task == task.ID && task.Status.Final() {
		t.ending, t.ended, t.reason = overtook, e.At, task.Result
	}
}

func (r *recorder) changed(e messages.Event, m messages.Member) {
	if r.states[m.Name] = m.State; m.State == messages.PersonaStarting {
		delete(r.roles, m.Name)
	}
	if t := r.on(m.Name); t != nil && m.State == messages.PersonaWorking {
		t.begun = e.At // until then its process was starting
	}
}

// uttered hears thoughts and words. What somebody says whose turn was not given
// yet answers the role check.
func (r *recorder) uttered(e messages.Event, u messages.Utterance) {
	line := messages.Line{Say: u.Text}
	if e.Kind == messages.PersonaThought {
		line = messages.Line{Think: u.Text}
	}
	switch t := r.on(u.From); {
	case u.Text == "":
	case r.states[u.From] == messages.PersonaStarting:
		r.roles[u.From] = append(r.roles[u.From], line)
	case t != nil:
		t.add(e.At, line)
	}
}
