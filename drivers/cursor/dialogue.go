package cursor

import (
	"cmp"
	"encoding/json"
	"strings"

	"kurogo/drivers/ndjson"
	"kurogo/messages"
)

// A dialogue is what we remember of one life; it is its ndjson.OneShot.
type dialogue struct {
	system string
	loss   string // what is told with the first line

	session  string
	passages passages
	thought  strings.Builder
	plain    string // the last plain line: there it complains
}

func newDialogue(o Options, spec messages.Spec) *dialogue {
	d := &dialogue{system: spec.SystemPrompt}
	if spec.MCP.URL != "" && o.shared() {
		d.loss = "with your own configuration the agent does not get the tools of kurogo"
	}
	return d
}

// Turn gives the prompt as the last argument.
func (d *dialogue) Turn(t messages.Turn) (args []string, input []byte, err error) {
	text, err := prompt(d.system, t)
	if err != nil {
		return nil, nil, err
	}
	return []string{text}, nil, nil
}

// Close gives what was begun to be said; the result alone ends a turn.
func (d *dialogue) Close() ndjson.Heard { return ndjson.Heard{Events: d.flush()} }

// flush gives the thought and the passage that are not whole: something else
// begins.
func (d *dialogue) flush() []messages.DriverEvent {
	return append(d.reflect(), said(d.passages.flush())...)
}

func said(texts []string) []messages.DriverEvent {
	var out []messages.DriverEvent
	for _, text := range texts {
		out = append(out, messages.DriverEvent{Kind: messages.DriverSaid, Text: text})
	}
	return out
}

// reflect gives the thought that was gathered.
func (d *dialogue) reflect() []messages.DriverEvent {
	text := d.thought.String()
	d.thought.Reset()
	if text == "" {
		return nil
	}
	return []messages.DriverEvent{{Kind: messages.DriverThought, Text: text}}
}

// think hears a piece of a thought, or its end, which may hold all of it.
func (d *dialogue) think(e event) []messages.DriverEvent {
	completed := e.Subtype == "completed"
	if !completed || d.thought.Len() == 0 {
		d.thought.WriteString(e.Text)
	}
	if completed || d.thought.Len() > longestPassage {
		return d.reflect()
	}
	return nil
}

// result is the end of the turn. The CLI joins all that was said in it; the last
// passage is the answer.
func (d *dialogue) result(e event) []messages.DriverEvent {
	out := d.flush()
	if u := used(e.Usage); u != (messages.Usage{}) {
		out = append(out, messages.DriverEvent{Kind: messages.DriverUsed, Usage: u})
	}
	end := messages.TurnEnd{Text: cmp.Or(d.passages.last, e.Result), Session: d.session}
	if e.IsError || e.Subtype != "success" {
		end.Text = cmp.Or(e.Result, d.plain, "the turn failed: "+cmp.Or(e.Subtype, "it does not say why"))
		end.Class = cmp.Or(ndjson.Classify(end.Text), messages.ClassServer)
	}
	return append(out, messages.DriverEvent{Kind: messages.DriverTurnEnded, End: end})
}

func used(field json.RawMessage) messages.Usage {
	var u usage
	if !given(field) || json.Unmarshal(field, &u) != nil {
		return messages.Usage{}
	}
	return messages.Usage{
		InputTokens:  max(0, u.Input, u.SnakeInput),
		OutputTokens: max(0, u.Output, u.SnakeOutput),
		CachedTokens: max(0, u.Cached, u.SnakeCached),
	}
}
