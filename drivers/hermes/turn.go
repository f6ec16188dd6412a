package hermes

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"kurogo/messages"
)

// A turn is one on the way to its final answer.
type turn struct {
	*session
	id     string
	voice  voice
	deaf   bool      // the service has shown that it has no tools
	said   []message // of this turn
	calls  int
	tokens int64
	wrong  int       // answers in a row that could not be used
	shown  time.Time // when somebody last heard of it
}

// play takes one turn to its end. One that fails leaves nothing in the memory: it
// may be given again.
func (s *session) play(b begun) messages.TurnEnd {
	ctx, cancel := context.WithTimeout(b.ctx, s.driver.TurnTime)
	defer cancel()
	t := &turn{session: s, id: b.ID, said: []message{{Role: roleUser, Text: b.Text}}, shown: time.Now()}
	text, err := t.run(ctx)
	end := messages.TurnEnd{Text: text, Session: s.memory.session, Border: s.border}
	if err == nil {
		s.memory.said = append(s.memory.said, t.said...)
		s.memory.forget()
		if end.Border, err = s.memory.keep(t.said); err != nil {
			t.tell(messages.DriverEvent{Kind: messages.DriverWarned, Text: err.Error()})
			err = nil
		}
		s.border = end.Border
	}
	if s.border == "" {
		end.Session = "" // there is nothing to go on with
	}
	if err != nil {
		var f *failure
		if !errors.As(err, &f) {
			f = failed(messages.ClassCrash, "%v", err)
		}
		end.Class, end.Text, end.RetryAfter = f.class, cmp.Or(f.told(), string(f.class)), f.wait
	}
	return end
}

func (t *turn) tell(e messages.DriverEvent) {
	e.Turn, t.shown = t.id, time.Now()
	t.session.tell(e)
}

// run asks the model, and does what it asks for, until it has answered.
func (t *turn) run(ctx context.Context) (string, error) {
	l := t.driver.Limits
	for range l.MaxTurns {
		a, err := t.ask(ctx)
		if err != nil {
			return "", err
		}
		if t.tokens > l.TurnTokens {
			return "", failed(messages.ClassInvalid, "the turn used %d tokens, more than its limit of %d", t.tokens, l.TurnTokens)
		}
		w := t.read(a)
		if w.thought != "" {
			t.tell(messages.DriverEvent{Kind: messages.DriverThought, Text: w.thought})
		}
		if w.wrong != nil {
			if t.wrong++; t.wrong >= l.MaxInvalid {
				return "", failed(messages.ClassFormat, "model JSON stayed invalid: %v", w.wrong)
			}
			t.tell(messages.DriverEvent{Kind: messages.DriverWarned, Text: "its answer cannot be used: " + messages.Cut(w.wrong.Error(), longestReason)})
			t.said = append(t.said, message{Role: roleAssistant, Text: messages.Cut(cmp.Or(w.raw, "(nothing)"), longestResult)}, repair(t.voice, w.wrong))
			continue
		}
		t.wrong = 0
		if w.text != "" {
			t.tell(messages.DriverEvent{Kind: messages.DriverSaid, Text: w.text})
		}
		if t.calls += len(w.calls); t.calls > l.MaxCalls {
			return "", failed(messages.ClassInvalid, "it asks for %d uses of tools in one turn, more than its limit of %d", t.calls, l.MaxCalls)
		}
		good, err := t.work(ctx, w)
		switch {
		case err != nil:
			return "", err
		case w.final && good:
			return w.text, nil
		}
	}
	return "", failed(messages.ClassInvalid, "there is no answer after %d requests to the model", l.MaxTurns)
}

// ask makes one request of the turn. A service that turns out to have no tools is
// asked again, in envelopes.
func (t *turn) ask(ctx context.Context) (*answer, error) {
	for {
		t.speak()
		a, err := t.client.chat(ctx, t.driver.manners, t.request(), t.driver.Limits, t.listener())
		switch {
		case errors.Is(err, errNoTools):
			t.tell(messages.DriverEvent{Kind: messages.DriverWarned, Text: "the model's service has no tool calls: it is asked for JSON instead"})
			continue
		case err != nil && ctx.Err() != nil:
			return nil, because(ctx)
		case err != nil:
			return nil, err
		}
		t.tokens += a.usage.InputTokens + a.usage.OutputTokens + a.usage.CachedTokens
		t.tell(messages.DriverEvent{Kind: messages.DriverUsed, Usage: a.usage})
		if a.cut {
			t.tell(messages.DriverEvent{Kind: messages.DriverWarned, Text: "the answer ran into its limit of tokens and was cut"})
		}
		return a, nil
	}
}

// speak chooses the voice of the next request.
func (t *turn) speak() {
	t.deaf = t.driver.NativeTools && t.driver.manners.get(t.spec.Model).has(noTools)
	switch {
	case len(t.spec.Tools) == 0:
		t.voice = plain
	case t.driver.NativeTools && !t.deaf:
		t.voice = native
	default:
		t.voice = sealed
	}
}

func (t *turn) request() request {
	r := request{
		model: t.spec.Model, system: system(t.voice, t.spec, t.form), context: t.driver.context(t.client.place),
		maxTokens: t.driver.MaxTokens, temperature: t.driver.Temperature,
	}
	taken := len(r.system)
	switch {
	case t.voice == native:
		r.tools = t.spec.Tools
		for _, tool := range r.tools {
			taken += len(tool.Name) + len(tool.Description) + len(tool.Schema)
		}
	case t.voice == sealed && t.form == nil:
		r.shape = enveloped
	case t.voice == plain && t.form != nil:
		r.shape, r.schema = schemed, t.form.text
	}
	all := append(t.memory.said[:len(t.memory.said):len(t.memory.said)], t.said...)
	r.history = window(all, r.context, taken)
	return r
}

// aliveEvery is how often a model that speaks shows it, whatever it says: who
// watches may take silence for death.
const aliveEvery = 5 * time.Second

func (t *turn) listener() listener {
	show := newTeller(t.voice, t.form != nil)
	to := listener{
		delta: func(string) {},
		warn:  func(text string) { t.tell(messages.DriverEvent{Kind: messages.DriverWarned, Text: text}) },
		alive: func() {
			if time.Since(t.shown) > aliveEvery {
				t.tell(messages.DriverEvent{Kind: messages.DriverUsed})
			}
		},
	}
	if t.spec.Raw {
		to.line = func(text string) { t.tell(messages.DriverEvent{Kind: messages.DriverRaw, Text: text}) }
	}
	if t.spec.Deltas {
		to.delta = func(text string) {
			if text = show.hear(text); text != "" {
				t.tell(messages.DriverEvent{Kind: messages.DriverDelta, Text: text})
			}
		}
	}
	return to
}

// name is the id of the next call within its life.
func (t *turn) name(n int) string { return fmt.Sprintf("%s/%d", t.id, n) }
