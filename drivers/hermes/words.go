package hermes

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"kurogo/messages"
)

// words are what an answer means.
type words struct {
	raw     string // as the model said it
	thought string
	text    string // what it says aloud
	calls   []messages.ToolCall
	bad     map[int]string // calls that cannot be made, and why
	final   bool           // the text is its answer, if its calls go well
	wrong   error          // it cannot be used; for the model
}

// read finds out what an answer means, by the voice in which it was asked for.
func (t *turn) read(a *answer) words {
	w := words{raw: a.text.String()}
	inner, text := aloud(w.raw)
	w.thought = strings.TrimSpace(strings.Join([]string{strings.TrimSpace(a.thinking.String()), inner}, "\n"))
	switch t.voice {
	case native:
		t.take(&w, a, text)
	case sealed:
		t.open(&w, text)
	case plain:
		t.close(&w, text)
	}
	if w.wrong != nil && a.cut {
		w.wrong = fmt.Errorf("it was cut off because it is too long, and so %w", w.wrong)
	}
	return w
}

// take reads an answer by the service's own means.
func (t *turn) take(w *words, a *answer, text string) {
	switch {
	case len(a.calls) > 0:
	case sealedAnyway(text):
		t.open(w, text)
		return
	default:
		t.close(w, text)
		return
	}
	w.text, w.bad = text, map[int]string{}
	for i, c := range a.calls {
		input, ok := arguments(c.input)
		if !ok {
			w.bad[i] = "the arguments are no JSON object: " + messages.Cut(string(c.input), shown)
			input = json.RawMessage("{}")
		}
		w.calls = append(w.calls, messages.ToolCall{ID: c.id, Name: c.name, Input: clean(input)})
	}
}

// sealedAnyway reports whether a text is an envelope though nobody asked for one:
// some models write their calls down, whatever their service has.
func sealedAnyway(text string) bool {
	keys, err := object(unfenced(text))
	if err != nil {
		return false
	}
	_, calls := keys["tool_calls"]
	_, final := keys["final_answer"]
	return calls || final
}

// close reads an answer that must be the last.
func (t *turn) close(w *words, text string) {
	w.final = true
	if t.form != nil {
		w.text, w.wrong = t.form.fit(json.RawMessage(unfenced(text)))
		return
	}
	if w.text = strings.TrimSpace(text); w.text == "" {
		w.wrong = errors.New("it is empty")
	}
}

// open reads an envelope.
func (t *turn) open(w *words, text string) {
	e, err := openEnvelope(text)
	if err != nil {
		w.wrong = err
		return
	}
	w.calls, w.final = e.calls, e.final != nil
	for i := range w.calls {
		w.calls[i].Input = clean(w.calls[i].Input)
	}
	switch {
	case !w.final:
	case t.form != nil:
		w.text, w.wrong = t.form.fit(e.final)
	case json.Unmarshal(e.final, &w.text) != nil:
		w.wrong = errors.New("final_answer must be a string")
	case strings.TrimSpace(w.text) == "" && len(w.calls) == 0:
		w.wrong = errors.New("final_answer is empty")
	case strings.TrimSpace(w.text) == "": // with calls an empty one is none
		w.final = false
	}
	if thought := strings.TrimSpace(e.thought); thought != "" {
		w.thought = strings.TrimSpace(w.thought + "\n" + thought)
	}
}

func clean(raw json.RawMessage) json.RawMessage {
	return json.RawMessage(strings.ToValidUTF8(string(raw), "\uFFFD"))
}
