package command

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"kurogo/drivers/ndjson"
	"kurogo/drivers/process"
	"kurogo/messages"
)

// mapped hears a program that writes events, by the table of its options.
type mapped struct {
	speaker
	options Options

	session string
	piece   strings.Builder     // of the passage that is not whole
	pieces  messages.DriverKind // what it is
	last    string              // the last that was said
	names   map[string]string   // of the tools at work, by id
}

// Hear reads one line.
func (m *mapped) Hear(line process.Line) (ndjson.Heard, error) {
	trimmed := bytes.TrimSpace(line.Text)
	switch {
	case line.Truncated:
		return ndjson.Warning(ndjson.Show("a line was too long and was cut", line)), nil
	case len(trimmed) == 0:
		return ndjson.Heard{}, nil
	case !json.Valid(trimmed):
		if trimmed[0] != '{' {
			m.grumble = messages.Cut(strings.ToValidUTF8(string(trimmed), "\uFFFD"), 300)
		}
		return ndjson.Warning(ndjson.Show("this cannot be read", line)), nil
	}
	n, err := decode(trimmed)
	if err != nil {
		return ndjson.Warning(ndjson.Show("this cannot be read", line)), nil //nolint:nilerr // valid, and beyond what can be decoded
	}
	if id := n.at(m.options.Session).text(); id != "" {
		m.session = id
	}
	kind := n.at(m.options.typePath()).text()
	e, known := m.options.Events[kind]
	if kind == "" || !known {
		return ndjson.Warning(ndjson.Show("this event is unknown", line)), nil
	}
	events, err := m.mean(e, n, kind)
	return ndjson.Heard{Events: events}, err
}

func (o Options) typePath() string { return cmp.Or(o.Type, "type") }

// mean is what a line, or an element of its list, means.
func (m *mapped) mean(e Event, n node, kind string) ([]messages.DriverEvent, error) {
	if !n.holds(e.When) {
		return nil, nil
	}
	var out []messages.DriverEvent
	for _, v := range n.at(e.Each).list() {
		element := node{v}
		sub := kind + "." + element.at(m.options.typePath()).text()
		inner, known := m.options.Events[sub]
		if !known {
			out = append(out, messages.DriverEvent{Kind: messages.DriverWarned, Text: "an event is unknown: " + messages.Cut(sub, 200)})
			continue
		}
		inner.Each = "" // a list within a list is none of ours
		events, err := m.mean(inner, element, sub)
		if err != nil {
			return out, err
		}
		out = append(out, events...)
	}
	if !n.at(e.Text).isText() && (e.Kind == Said || e.Kind == Thought || e.Kind == Ended) {
		return out, fmt.Errorf("decode %s: its %s is no text", kind, e.Text)
	}
	out = append(out, m.tell(e, n)...)
	return out, nil
}

// tell words the events of one kind.
func (m *mapped) tell(e Event, n node) []messages.DriverEvent {
	text := n.at(e.Text).text()
	switch e.Kind {
	case Said:
		return append(m.say(messages.DriverSaid, text, e.Join), used(e, n)...)
	case Thought:
		return append(m.say(messages.DriverThought, text, e.Join), used(e, n)...)
	case Ignored:
		return nil
	}
	out := append(m.flush(), used(e, n)...)
	switch e.Kind {
	case Tool, ToolStarted, ToolEnded:
		out = append(out, m.use(e, n)...)
	case Warned:
		out = append(out, messages.DriverEvent{Kind: messages.DriverWarned, Text: messages.Cut(cmp.Or(text, "it warns, and says not of what"), 1000)})
	case Ended, Failed:
		end := messages.TurnEnd{Text: cmp.Or(text, m.last), Session: m.session}
		if e.Kind == Failed || !n.holds(e.Good) {
			end.Text = cmp.Or(text, m.grumble, "the turn failed and it does not say why")
			end.Class = cmp.Or(ndjson.Classify(end.Text), messages.ClassServer)
		}
		out = append(out, messages.DriverEvent{Kind: messages.DriverTurnEnded, End: end})
	}
	return out
}

// say gathers a piece, or gives a whole passage.
func (m *mapped) say(kind messages.DriverKind, text string, piece bool) []messages.DriverEvent {
	var out []messages.DriverEvent
	if !piece || m.pieces != kind {
		out = m.flush()
	}
	m.pieces = kind
	m.piece.WriteString(text)
	if !piece || m.piece.Len() > longestPassage {
		out = append(out, m.flush()...)
	}
	return out
}

// flush gives what was gathered.
func (m *mapped) flush() []messages.DriverEvent {
	text := m.piece.String()
	m.piece.Reset()
	if text == "" {
		return nil
	}
	if m.pieces == messages.DriverSaid {
		m.last = text
	}
	return []messages.DriverEvent{{Kind: m.pieces, Text: text}}
}

// use is the beginning of the use of a tool, its end, or both.
func (m *mapped) use(e Event, n node) []messages.DriverEvent {
	call := messages.ToolCall{ID: n.at(e.ID).text(), Name: n.at(e.Name).text(), Input: n.at(e.Input).json()}
	started := messages.DriverEvent{Kind: messages.DriverToolStarted, Tool: call}
	if e.Kind == ToolStarted && call.ID != "" {
		m.names[call.ID] = call.Name
	}
	call.Name, call.Input = cmp.Or(call.Name, m.names[call.ID]), nil
	ended := messages.DriverEvent{Kind: messages.DriverToolEnded, Tool: call}
	switch e.Kind {
	case ToolStarted:
		return []messages.DriverEvent{started}
	case ToolEnded:
		delete(m.names, call.ID)
		return []messages.DriverEvent{ended}
	}
	return []messages.DriverEvent{started, ended}
}

// Close ends the turn of a program that has no word for it, if it said anything.
func (m *mapped) Close() ndjson.Heard {
	out := m.flush()
	if !m.options.ends() && m.last != "" {
		out = append(out, messages.DriverEvent{Kind: messages.DriverTurnEnded, End: messages.TurnEnd{Text: m.last, Session: m.session}})
	}
	return ndjson.Heard{Events: out}
}

func used(e Event, n node) []messages.DriverEvent {
	u := messages.Usage{
		InputTokens:  n.at(e.InputTokens).count(),
		OutputTokens: n.at(e.OutputTokens).count(),
		CachedTokens: n.at(e.CachedTokens).count(),
		CostMicros:   n.at(e.Cost).micros(),
	}
	if u == (messages.Usage{}) {
		return nil
	}
	return []messages.DriverEvent{{Kind: messages.DriverUsed, Usage: u}}
}
