package codex

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"kurogo/drivers/ndjson"
	"kurogo/drivers/process"
	"kurogo/messages"
)

// A run is what we remember of one life of one turn; it is its ndjson.OneShot.
type run struct {
	spec   messages.Spec
	prompt string
	from   string // the session that it goes on from
	border border // there

	thread string
	text   string // what was said last
	fault  string // what went wrong, if something did
	over   bool   // the turn has ended
	work   work
}

// newRun refuses what `codex exec` cannot do: it goes on only from where a
// session ends.
func newRun(spec messages.Spec) (*run, error) {
	r := &run{spec: spec, prompt: spec.SystemPrompt, from: spec.Session, border: readBorder(spec.Border), work: work{}}
	if r.border.turn != "" {
		return nil, messages.Invalid("border", "a life of one turn cannot go on from the middle of session %s", spec.Session).
			Try("begin a new session")
	}
	return r, nil
}

// Turn is the prompt. A session remembers the system prompt that it began with,
// so that another one goes before the words.
func (r *run) Turn(t messages.Turn) (args []string, input []byte, err error) {
	text := strings.ToValidUTF8(t.Text, "\uFFFD")
	if r.from == "" {
		return []string{"-"}, []byte(text), nil
	}
	if r.border.prompt != fingerprint(r.prompt) {
		text = replaced(r.prompt) + "\n\n" + text
	}
	return []string{"fork", r.from, "-"}, []byte(text), nil
}

// An event is a line of `codex exec --json`.
type event struct {
	Type    string  `json:"type"`
	Thread  string  `json:"thread_id"`
	Item    item    `json:"item"`
	Message string  `json:"message"`
	Error   failure `json:"error"`
	Usage   struct {
		Input  int64 `json:"input_tokens"`
		Cached int64 `json:"cached_input_tokens"`
		Output int64 `json:"output_tokens"`
	} `json:"usage"`
}

// told are the lines that a run cannot do without.
var told = []string{"turn.completed", "turn.failed"}

// Hear reads one line.
func (r *run) Hear(line process.Line) (ndjson.Heard, error) {
	var e event
	switch err := json.Unmarshal(line.Text, &e); {
	case line.Truncated:
		return ndjson.Warning(ndjson.Show("a line was too long and was cut", line)), nil
	case len(bytes.TrimSpace(line.Text)) == 0:
		return ndjson.Heard{}, nil
	case err != nil && json.Valid(line.Text) && slices.Contains(told, e.Type):
		return ndjson.Heard{}, fmt.Errorf("decode %s: %w", e.Type, err)
	case err != nil:
		return unread(line)
	}
	switch e.Type {
	case "thread.started":
		r.thread = e.Thread
	case "item.started":
		return ndjson.Heard{Events: r.work.began(e.Item)}, nil
	case "item.completed":
		if e.Item.kind() == "agentmessage" && e.Item.Text != "" {
			r.text = e.Item.Text
		}
		return ndjson.Heard{Events: r.work.ended(e.Item)}, nil
	case "error":
		return r.complained(e), nil
	case "turn.completed":
		return r.completed(e), nil
	case "turn.failed":
		return r.failed(e.Error), nil
	case "turn.started", "item.updated":
	default:
		return ndjson.Warning(ndjson.Show("this event is unknown", line)), nil
	}
	return ndjson.Heard{}, nil
}

// complained hears an error. It is the end only when nothing better follows.
func (r *run) complained(e event) ndjson.Heard {
	if strings.HasPrefix(e.Message, "Reconnecting") {
		return ndjson.Warning(messages.Cut(e.Message, longestWarning))
	}
	r.fault = cmp.Or(e.Message, "an error without a message")
	return ndjson.Heard{}
}

// completed is the end of the turn. What is told was used since the session
// began, however it was gone on from.
func (r *run) completed(e event) ndjson.Heard {
	used := tokens{e.Usage.Input, e.Usage.Cached, e.Usage.Output}
	end := messages.TurnEnd{Text: r.text}
	if r.thread != "" {
		end.Session, end.Border = r.thread, border{"", fingerprint(r.prompt), used}.String()
	}
	r.over = true
	end = fitted(r.spec, end)
	return ndjson.Heard{Events: []messages.DriverEvent{
		{Kind: messages.DriverUsed, Usage: used.minus(r.border.used).usage()},
		{Kind: messages.DriverTurnEnded, End: end},
	}}
}

func (r *run) failed(f failure) ndjson.Heard {
	class, wait := f.class()
	end := messages.TurnEnd{Text: f.text(), Class: class}
	if class == messages.ClassRate {
		end.RetryAfter = wait
	}
	r.over = true
	return ndjson.Heard{Events: []messages.DriverEvent{{Kind: messages.DriverTurnEnded, End: end}}}
}

// Close ends a turn of whose end nothing was told but an error.
func (r *run) Close() ndjson.Heard {
	if r.over || r.fault == "" {
		return ndjson.Heard{}
	}
	return r.failed(failure{Message: r.fault})
}
