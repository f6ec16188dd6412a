package claude

import (
	"fmt"
	"strings"

	"kurogo/drivers/ndjson"
	"kurogo/messages"
)

// assistant hears the model: thoughts, words, and the tools that it begins to
// use. What an agent within a tool says is that tool's affair.
func (d *dialogue) assistant(e event) (ndjson.Heard, error) {
	var s speech
	if err := decode(speeches, e.Message, &s); err != nil {
		return ndjson.Heard{}, fmt.Errorf("decode assistant: %w", err)
	}
	if s.Model == synthetic { // the CLI itself; the result says it again
		if e.Error != "" {
			d.fault = e.Error
		}
		return ndjson.Heard{}, nil
	}
	var heard ndjson.Heard
	for _, b := range s.Content {
		ev := messages.DriverEvent{}
		switch {
		case b.Type == "text" && e.Parent == "":
			ev.Kind, ev.Text = messages.DriverSaid, b.Text
		case b.Type == "thinking" && e.Parent == "":
			ev.Kind, ev.Text = messages.DriverThought, b.Thinking
		case b.Type == "tool_use" && (len(d.tools) == 0 || !strings.HasPrefix(b.Name, toolPrefix)):
			d.using[b.ID] = use{b.Name, writes(b)}
			ev.Kind, ev.Tool = messages.DriverToolStarted, messages.ToolCall{ID: b.ID, Name: b.Name, Input: clean(b.Input)}
		}
		if ev.Kind == messages.DriverToolStarted || ev.Text != "" {
			heard.Events = append(heard.Events, ev)
		}
	}
	if e.Parent == "" && e.UUID != "" {
		d.border = e.UUID
	}
	return heard, nil
}

// stroke hears a piece of what the model is saying, where that is wanted.
func (d *dialogue) stroke(e event) ndjson.Heard {
	var s stroke
	if !d.deltas || e.Parent != "" || decode(strokes, e.Piece, &s) != nil || s.Delta.Type != "text_delta" || s.Delta.Text == "" {
		return ndjson.Heard{}
	}
	return ndjson.Heard{Events: []messages.DriverEvent{{Kind: messages.DriverDelta, Text: s.Delta.Text}}}
}

// user hears what the model is told by its tools.
func (d *dialogue) user(e event) (ndjson.Heard, error) {
	var s speech
	if err := decode(speeches, e.Message, &s); err != nil {
		return ndjson.Heard{}, fmt.Errorf("decode user: %w", err)
	}
	var heard ndjson.Heard
	for _, b := range s.Content {
		used, ok := d.using[b.Call]
		if b.Type != "tool_result" || !ok {
			continue
		}
		delete(d.using, b.Call)
		heard.Events = append(heard.Events, messages.DriverEvent{
			Kind: messages.DriverToolEnded, Tool: messages.ToolCall{ID: b.Call, Name: used.tool},
		})
		if used.file != "" && !b.IsError {
			heard.Events = append(heard.Events, messages.DriverEvent{
				Kind: messages.DriverChanged, File: messages.FileChange{Path: used.file, Kind: e.change()},
			})
		}
	}
	return heard, nil
}
