package codex

import (
	"encoding/json"
	"strings"
	"time"

	"kurogo/messages"
)

// A dialogue is what we remember of one life of many turns; it is its
// ndjson.Protocol.
type dialogue struct {
	spec    messages.Spec
	sandbox string

	thread string           // "" until there is one
	good   messages.TurnEnd // the last that did not fail: where it can be gone on from
	ready  bool
	loss   string                 // what of a former session could not be had again
	held   []messages.DriverEvent // warnings that came before it was ready
	waits  []byte                 // the turn that was given before that

	asked map[string]json.RawMessage // our tools that wait for an answer: their requests, by call
	work  work
	spent meter
	turn  turn
}

// A turn is the one that is on.
type turn struct {
	ours, theirs string // its id with us, "" if none is on, and with the CLI
	text         string // what was said last
	interrupted  bool
	wait         time.Duration // until a limit is over
}

func newDialogue(spec messages.Spec, sandbox string) *dialogue {
	return &dialogue{spec: spec, sandbox: sandbox, asked: map[string]json.RawMessage{}, work: work{}, spent: meter{}}
}

// Hello introduces us.
func (d *dialogue) Hello() ([]byte, error) {
	return request(requestInitialize, "initialize", introduction())
}

// Turn gives a turn. One that is given before there is a thread waits for it.
func (d *dialogue) Turn(t messages.Turn) ([]byte, error) {
	d.turn = turn{ours: t.ID}
	if d.ready {
		return d.begin(t.Text)
	}
	d.waits = []byte(t.Text)
	return nothing()
}

func (d *dialogue) begin(text string) ([]byte, error) {
	params := map[string]any{
		"threadId": d.thread,
		"input":    []any{map[string]any{"type": "text", "text": strings.ToValidUTF8(text, "\uFFFD"), "text_elements": []any{}}},
	}
	if len(d.spec.Schema) > 0 {
		params["outputSchema"] = d.spec.Schema
	}
	return request(requestTurn+d.turn.ours, "turn/start", params)
}

// Interrupt breaks off the turn. One that has not begun with the CLI is broken
// off when it has.
func (d *dialogue) Interrupt(string) ([]byte, error) {
	d.turn.interrupted = true
	if d.turn.theirs == "" {
		return nothing()
	}
	return d.interrupt()
}

func (d *dialogue) interrupt() ([]byte, error) {
	return request(requestInterrupt+d.turn.ours, "turn/interrupt", map[string]any{"threadId": d.thread, "turnId": d.turn.theirs})
}

// nothing is a line that may be said at any time and changes nothing.
func nothing() ([]byte, error) { return notify("initialized") }
