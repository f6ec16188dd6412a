package rehearsal

import (
	"encoding/json"
	"fmt"
	"slices"

	"kurogo/drivers/ndjson"
	"kurogo/drivers/process"
	"kurogo/messages"
)

// protocol is the driver's side of the lines (word.go).
type protocol struct{ spec messages.Spec }

func (p protocol) Hello() ([]byte, error) {
	c := cue{
		Type: hello, Agent: p.spec.Agent, Dir: p.spec.Dir, Session: p.spec.Session, Border: p.spec.Border, Once: p.spec.OneShot, Looks: p.spec.ReadOnly,
	}
	for _, t := range p.spec.Tools {
		c.Tools = append(c.Tools, t.Name)
	}
	return encode(c)
}

func (protocol) Turn(t messages.Turn) ([]byte, error) {
	return encode(cue{Type: turn, ID: t.ID, Attempt: t.Attempt, Task: t.Task, Messages: t.Messages, Text: t.Text})
}

func (protocol) Answer(r messages.ToolResult) ([]byte, error) {
	return encode(cue{Type: toolResult, ID: r.ID, Text: r.Text, IsError: r.IsError})
}

func (protocol) Interrupt(id string) ([]byte, error) { return encode(cue{Type: interrupt, ID: id}) }

func (protocol) Judge(e messages.Exit) messages.Exit { return e }

func (p protocol) Hear(line process.Line) (ndjson.Heard, error) {
	w, warning, err := decode(line)
	switch {
	case err != nil:
		return ndjson.Heard{}, err
	case warning != "":
		return ndjson.Warning(warning), nil
	case w.Type == "":
		return ndjson.Heard{}, nil
	}
	heard := ndjson.Heard{}
	if p.spec.Deltas && w.Type == text {
		heard.Events = pieces(w)
	}
	heard.Events = append(heard.Events, w.event())
	return heard, nil
}

// pieceful is how many characters of a text come at a time.
const pieceful = 12

// pieces are a text as it would come, before all of it: a player says it at once.
func pieces(w word) []messages.DriverEvent {
	var out []messages.DriverEvent
	for piece := range slices.Chunk([]rune(w.Text), pieceful) {
		out = append(out, messages.DriverEvent{Kind: messages.DriverDelta, Turn: w.Turn, Text: string(piece)})
	}
	return out
}

func (w word) event() messages.DriverEvent {
	e := messages.DriverEvent{Turn: w.Turn, Text: w.Text}
	switch w.Type {
	case ready:
		e.Kind = messages.DriverReady
	case thinking:
		e.Kind = messages.DriverThought
	case text:
		e.Kind = messages.DriverSaid
	case toolCall:
		e.Kind, e.Tool = messages.DriverToolAsked, messages.ToolCall{ID: w.ID, Name: w.Name, Input: w.Input}
	case toolStarted:
		e.Kind, e.Tool = messages.DriverToolStarted, messages.ToolCall{ID: w.ID, Name: w.Name, Input: w.Input}
	case toolEnded:
		e.Kind, e.Tool = messages.DriverToolEnded, messages.ToolCall{ID: w.ID, Name: w.Name}
	case changed:
		e.Kind, e.File = messages.DriverChanged, messages.FileChange{Path: w.Path, Kind: w.Change}
	case used:
		e.Kind, e.Usage = messages.DriverUsed, messages.Usage{InputTokens: w.InputTokens, OutputTokens: w.OutputTokens}
	case turnEnd:
		e.Kind, e.Text = messages.DriverTurnEnded, ""
		e.End = messages.TurnEnd{Text: w.Text, Class: w.Class, Session: w.Session, Border: w.Border}
	default: // decode lets nothing else through
	}
	return e
}

func encode(c cue) ([]byte, error) {
	line, err := json.Marshal(c)
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", c.Type, err)
	}
	return line, nil
}
