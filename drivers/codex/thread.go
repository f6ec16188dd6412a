package codex

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"kurogo/drivers/ndjson"
	"kurogo/messages"
)

// answered hears the answers to our requests.
func (d *dialogue) answered(m message) (ndjson.Heard, error) {
	switch id := m.id(); {
	case id == requestInitialize:
		return d.introduced(m)
	case id == requestThread:
		return d.opened(m)
	case id == requestPersonality:
		if m.Error != nil {
			return ndjson.Heard{}, fmt.Errorf("change the system prompt: %s", messages.Cut(m.Error.Message, 200))
		}
		return d.begun()
	case strings.HasPrefix(id, requestTurn):
		return d.started(strings.TrimPrefix(id, requestTurn), m)
	case m.Error != nil:
		return ndjson.Warning(fmt.Sprintf("%s: %s", messages.Cut(id, 100), messages.Cut(m.Error.Message, 200))), nil
	}
	return ndjson.Heard{}, nil
}

func (d *dialogue) introduced(m message) (ndjson.Heard, error) {
	if m.Error != nil {
		return ndjson.Heard{}, fmt.Errorf("initialize: %s", messages.Cut(m.Error.Message, 200))
	}
	hello, err := notify("initialized")
	if err != nil {
		return ndjson.Heard{}, err
	}
	heard, err := d.open()
	heard.Replies = append([][]byte{hello}, heard.Replies...)
	return heard, err
}

// open asks for the thread: a new one, or one that goes on from the border of an
// old one, which stays as it is.
func (d *dialogue) open() (ndjson.Heard, error) {
	params := map[string]any{"sandbox": d.sandbox, "approvalPolicy": "never"}
	if d.spec.Dir != "" {
		params["cwd"] = d.spec.Dir
	}
	if d.spec.SystemPrompt != "" {
		params["developerInstructions"] = d.spec.SystemPrompt
	}
	if d.spec.Model != "" {
		params["model"] = d.spec.Model
	}
	if d.spec.Session == "" {
		params["dynamicTools"] = offered(d.spec.Tools)
		return replied(request(requestThread, "thread/start", params))
	}
	params["threadId"], params["excludeTurns"] = d.spec.Session, true
	if at := readBorder(d.spec.Border).turn; at != "" {
		params["lastTurnId"] = at
	}
	return replied(request(requestThread, "thread/fork", params))
}

// offered are our tools as the CLI takes them.
func offered(tools []messages.Tool) []any {
	out := []any{}
	for _, t := range tools {
		schema := t.Schema
		if len(schema) == 0 {
			schema = json.RawMessage(`{"type":"object"}`)
		}
		out = append(out, map[string]any{"type": "function", "name": t.Name, "description": t.Description, "inputSchema": schema})
	}
	return out
}

// opened hears that there is a thread. A session may be gone, or its border may
// be: the life then begins with what is left, and with a warning.
func (d *dialogue) opened(m message) (ndjson.Heard, error) {
	if m.Error != nil {
		why := messages.Cut(m.Error.Message, 200)
		switch {
		case d.spec.Session == "":
			return ndjson.Heard{}, fmt.Errorf("begin thread: %s", why)
		case readBorder(d.spec.Border).turn != "" && strings.Contains(why, noTurn):
			d.loss = "the session " + d.spec.Session + " does not reach to its border " + d.spec.Border + ": it goes on where it ends"
			d.spec.Border = ""
		default:
			d.loss = "the session " + d.spec.Session + " is gone (" + why + "): a new one begins, without memory"
			d.spec.Session, d.spec.Border = "", ""
		}
		return d.open()
	}
	var answer struct {
		Thread struct {
			ID string `json:"id"`
		} `json:"thread"`
	}
	if err := json.Unmarshal(m.Result, &answer); err != nil || answer.Thread.ID == "" {
		return ndjson.Heard{}, fmt.Errorf("read thread: %q", messages.Cut(string(m.Result), 200))
	}
	d.thread = answer.Thread.ID
	d.good = messages.TurnEnd{Session: d.spec.Session, Border: d.spec.Border}
	if was := readBorder(d.spec.Border).used; was != (tokens{}) {
		d.spent.from(d.thread, was)
	}
	if d.spec.Session != "" && readBorder(d.spec.Border).prompt != fingerprint(d.spec.SystemPrompt) {
		return d.repersonate()
	}
	return d.begun()
}

// repersonate tells a session its system prompt: it remembers the one that it
// began with, and heeds no other.
func (d *dialogue) repersonate() (ndjson.Heard, error) {
	text := replaced(d.spec.SystemPrompt)
	return replied(request(requestPersonality, "thread/inject_items", map[string]any{
		"threadId": d.thread,
		"items": []any{map[string]any{
			"type": "message", "role": "developer", "content": []any{map[string]any{"type": "input_text", "text": text}},
		}},
	}))
}

// replaced words a system prompt for a session that began with another.
func replaced(prompt string) string {
	return "These instructions replace those that you were given at first:\n\n" + cmp.Or(prompt, "(none)")
}

// begun opens the life, and gives it the turn that waits.
func (d *dialogue) begun() (ndjson.Heard, error) {
	if d.ready {
		return ndjson.Warning("it began a second time"), nil
	}
	d.ready = true
	heard := ndjson.Heard{Events: []messages.DriverEvent{{Kind: messages.DriverReady}}}
	if d.loss != "" {
		heard.Events = append(heard.Events, messages.DriverEvent{Kind: messages.DriverWarned, Text: d.loss})
	}
	heard.Events = append(heard.Events, d.held...)
	d.held = nil
	if d.waits == nil {
		return heard, nil
	}
	line, err := d.begin(string(d.waits))
	d.waits = nil
	heard.Replies = append(heard.Replies, line)
	return heard, err
}

func replied(line []byte, err error) (ndjson.Heard, error) {
	return ndjson.Heard{Replies: [][]byte{line}}, err
}
