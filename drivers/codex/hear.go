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

// longestWarning is how much of a complaint a warning shows.
const longestWarning = 500

// Hear reads one line of the app-server.
func (d *dialogue) Hear(line process.Line) (ndjson.Heard, error) {
	var m message
	switch err := json.Unmarshal(line.Text, &m); {
	case line.Truncated:
		return ndjson.Warning(ndjson.Show("a line was too long and was cut", line)), nil
	case len(bytes.TrimSpace(line.Text)) == 0:
		return ndjson.Heard{}, nil
	case err != nil || m.Method == "" && len(m.ID) == 0:
		return unread(line)
	case m.Method == "":
		return d.answered(m)
	case len(m.ID) > 0:
		return d.asks(m)
	}
	heard, err := d.notified(m, line)
	switch {
	case err != nil && m.Method == turnCompleted:
		return heard, fmt.Errorf("decode %s: %w", m.Method, err)
	case err != nil: // the rest can be done without
		return unread(line)
	}
	return heard, nil
}

// turnCompleted is the one notification that a life cannot do without.
const turnCompleted = "turn/completed"

// unread is a line that is none of the protocol's.
func unread(line process.Line) (ndjson.Heard, error) {
	return ndjson.Warning(ndjson.Show("this cannot be read", line)), nil
}

// A note is what a notification says. One type serves all kinds.
type note struct {
	Thread  string  `json:"threadId"`
	Turn    ended   `json:"turn"` // turn/started, turn/completed
	Item    item    `json:"item"`
	Error   failure `json:"error"` // error
	Retry   bool    `json:"willRetry"`
	Message string  `json:"message"`
	Summary string  `json:"summary"`
	Details string  `json:"details"`
	Limits  limits  `json:"rateLimits"`
	Usage   struct {
		Total count `json:"total"`
		Last  count `json:"last"`
	} `json:"tokenUsage"`
	Request json.RawMessage `json:"requestId"`
	From    string          `json:"fromModel"`
	To      string          `json:"toModel"`
}

// A count is the tokens of a thread.
type count struct {
	Input  int64 `json:"inputTokens"`
	Cached int64 `json:"cachedInputTokens"`
	Output int64 `json:"outputTokens"`
}

func (c count) tokens() tokens { return tokens{c.Input, c.Cached, c.Output} }

// A start is what a server says of how it started.
type start struct {
	Name   string `json:"name"`
	Status string `json:"status"`
	Error  string `json:"error"`
}

// known are the notifications that are for a screen, by their beginnings.
var known = []string{
	"thread/", "turn/", "item/", "account/", "remoteControl/", "mcpServer/", "hook/", "skills/", "app/", "fs/", "project/", "process/",
	"command/", "model/", "modelProvider/", "rawResponse", "serverRequest/", "autoApprovalReview/", "externalAgentConfig/",
	"fuzzyFileSearch/", "windows", "environment/",
}

func (d *dialogue) notified(m message, line process.Line) (ndjson.Heard, error) {
	if m.Method == "mcpServer/startupStatus/updated" {
		return d.connected(m)
	}
	var n note
	switch m.Method {
	case "turn/started", turnCompleted, "item/started", "item/completed", "error", "thread/tokenUsage/updated",
		"warning", "guardianWarning", "configWarning", "deprecationNotice", "account/rateLimits/updated", "serverRequest/resolved",
		"model/rerouted":
		if err := json.Unmarshal(m.Params, &n); err != nil {
			return ndjson.Heard{}, err //nolint:wrapcheck // Hear says of what
		}
	default:
		if slices.ContainsFunc(known, func(head string) bool { return strings.HasPrefix(m.Method, head) }) {
			return ndjson.Heard{}, nil
		}
		return ndjson.Warning(ndjson.Show("this event is unknown", line)), nil
	}
	switch m.Method {
	case "thread/tokenUsage/updated": // of any thread: all of it is paid for
		d.spent.read(n.Thread, n.Usage.Total.tokens(), n.Usage.Last.tokens())
	case "account/rateLimits/updated":
		d.turn.wait = n.Limits.wait()
	case "serverRequest/resolved":
		d.resolved(n.Request)
	case "warning", "guardianWarning", "configWarning", "deprecationNotice":
		return d.warn(strings.TrimSpace(cmp.Or(n.Message, n.Summary) + " " + n.Details)), nil
	case "model/rerouted":
		return d.warn("the model " + n.From + " was replaced by " + n.To), nil
	default:
		return d.spoken(m.Method, n), nil
	}
	return ndjson.Heard{}, nil
}

// spoken hears what happens in a thread. What an agent of its own says is that
// agent's affair.
func (d *dialogue) spoken(method string, n note) ndjson.Heard {
	if n.Thread != d.thread {
		return ndjson.Heard{}
	}
	switch method {
	case "turn/started":
		if d.turn.ours != "" && d.turn.theirs == "" {
			d.turn.theirs = n.Turn.ID
		}
	case turnCompleted:
		return d.completed(n.Turn)
	case "error":
		if n.Retry {
			return d.warn(n.Error.Message)
		}
	case "item/started":
		return ndjson.Heard{Events: d.work.began(n.Item)}
	case "item/completed":
		if n.Item.kind() == "agentmessage" && n.Item.Text != "" {
			d.turn.text = n.Item.Text
		}
		return ndjson.Heard{Events: d.work.ended(n.Item)}
	}
	return ndjson.Heard{}
}

// warn warns, but not before the life is ready.
func (d *dialogue) warn(text string) ndjson.Heard {
	heard := ndjson.Warning(messages.Cut(cmp.Or(text, "it warns, and says not of what"), longestWarning))
	if d.ready {
		return heard
	}
	d.held = append(d.held, heard.Events...)
	return ndjson.Heard{}
}

// connected hears how an MCP server started: without its tools a crew is mute.
func (d *dialogue) connected(m message) (ndjson.Heard, error) {
	var s start
	if err := json.Unmarshal(m.Params, &s); err != nil {
		return ndjson.Heard{}, err //nolint:wrapcheck // Hear says of what
	}
	if s.Status == "failed" {
		return d.warn("the tools of " + s.Name + " are not there: " + s.Error), nil
	}
	return ndjson.Heard{}, nil
}
