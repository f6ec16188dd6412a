package cursor

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"kurogo/drivers/ndjson"
	"kurogo/drivers/process"
	"kurogo/messages"
)

// Hear reads one line of the CLI.
func (d *dialogue) Hear(line process.Line) (ndjson.Heard, error) {
	events, err := d.read(line)
	if d.loss != "" {
		events = append([]messages.DriverEvent{warned(d.loss)}, events...)
		d.loss = ""
	}
	return ndjson.Heard{Events: events}, err
}

func warned(text string) messages.DriverEvent {
	return messages.DriverEvent{Kind: messages.DriverWarned, Text: text}
}

func (d *dialogue) read(line process.Line) ([]messages.DriverEvent, error) {
	var e event
	switch err := json.Unmarshal(line.Text, &e); {
	case line.Truncated:
		return []messages.DriverEvent{warned(ndjson.Show("a line was too long and was cut", line))}, nil
	case len(bytes.TrimSpace(line.Text)) == 0:
		return nil, nil
	case err != nil:
		return d.misread(line, err)
	}
	if e.SessionID != "" {
		d.session = e.SessionID
	}
	switch e.Type {
	case "assistant":
		return append(d.reflect(), said(d.passages.hear(e))...), nil
	case "thinking":
		return append(said(d.passages.flush()), d.think(e)...), nil
	case "tool_call":
		return append(d.flush(), d.tool(e, line)...), nil
	case "result":
		return d.result(e), nil
	case "user":
		return nil, nil
	case "system":
		if e.Subtype == "init" {
			return nil, nil
		}
	case "interaction_query":
		return []messages.DriverEvent{warned(ndjson.Show("it asks a person, and nobody is there", line))}, nil
	}
	return []messages.DriverEvent{warned(ndjson.Show("this event is unknown", line))}, nil
}

// known are the lines that a life cannot do without.
var known = []string{"assistant", "tool_call", "result"}

// misread tells a line that we should understand from all others. A plain one
// is how the CLI complains.
func (d *dialogue) misread(line process.Line, err error) ([]messages.DriverEvent, error) {
	var peek struct {
		Type string `json:"type"`
	}
	_ = json.Unmarshal(line.Text, &peek) // what has no type is none of ours
	if json.Valid(line.Text) {
		if slices.Contains(known, peek.Type) {
			return nil, fmt.Errorf("decode %s: %w", peek.Type, err)
		}
	} else if text := bytes.TrimSpace(line.Text); text[0] != '{' {
		d.plain = messages.Cut(strings.ToValidUTF8(string(text), "\uFFFD"), longestComplaint)
	}
	return []messages.DriverEvent{warned(ndjson.Show("this cannot be read", line))}, nil
}
