package claude

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"kurogo/drivers/ndjson"
	"kurogo/drivers/process"
	"kurogo/messages"
)

// Hear reads one line of the CLI.
func (d *dialogue) Hear(line process.Line) (ndjson.Heard, error) {
	var e event
	switch err := decode(events, line.Text, &e); {
	case line.Truncated:
		return ndjson.Warning(ndjson.Show("a line was too long and was cut", line)), nil
	case len(bytes.TrimSpace(line.Text)) == 0:
		return ndjson.Heard{}, nil
	case err != nil:
		return d.misread(line, err)
	}
	switch e.Type {
	case "assistant":
		return d.assistant(e)
	case "user":
		return d.user(e)
	case "result":
		return d.result(e), nil
	case "system":
		return d.system(e)
	case "control_request":
		return d.control(e)
	case "control_response":
		return d.response(e)
	case "control_cancel_request":
		delete(d.asked, e.RequestID)
	case "rate_limit_event":
		return d.limited(e), nil
	case "conversation_reset":
		return ndjson.Warning("it has forgotten the conversation"), nil
	case "stream_event":
		return d.stroke(e), nil
	case "command_lifecycle", "keep_alive", "tool_progress", "tool_use_summary", "auth_status", "prompt_suggestion":
	default:
		return ndjson.Warning(ndjson.Show("this event is unknown", line)), nil
	}
	return ndjson.Heard{}, nil
}

// known are the lines that a life cannot do without.
var known = []string{"assistant", "user", "result", "control_request"}

// misread tells a line that we should understand from all others.
func (d *dialogue) misread(line process.Line, err error) (ndjson.Heard, error) {
	var peek struct {
		Type string `json:"type"`
	}
	_ = json.Unmarshal(line.Text, &peek) // what has no type is none of ours
	switch {
	case !json.Valid(line.Text):
	case slices.Contains(known, peek.Type):
		return ndjson.Heard{}, fmt.Errorf("decode %s: %w", peek.Type, err)
	}
	return ndjson.Warning(ndjson.Show("this cannot be read", line)), nil
}

func (d *dialogue) system(e event) (ndjson.Heard, error) {
	switch e.Subtype {
	case "init": // at the start of every turn
		d.session = e.SessionID
		return d.connected(e)
	case "api_retry":
		if d.wait = time.Duration(e.RetryDelay * float64(time.Millisecond)); e.Status != tooMany && e.Status != overloaded {
			d.wait = 0
		}
		return ndjson.Warning(fmt.Sprintf("the model answered %d %s: attempt %d of %d", e.Status, e.Error, e.Attempt, e.MaxRetries)), nil
	}
	return ndjson.Heard{}, nil // much of it is only for a screen
}

// connected looks whether our tools have arrived. Without those that are offered
// in-band a crew is mute; without our MCP server an agent only reports less.
func (d *dialogue) connected(e event) (ndjson.Heard, error) {
	if len(d.tools) == 0 && !d.remote {
		return ndjson.Heard{}, nil
	}
	status := "absent"
	for _, s := range e.Servers {
		if s.Name == server {
			status = s.Status
		}
	}
	switch {
	case status != "failed" && status != "absent":
		return ndjson.Heard{}, nil
	case d.remote:
		return ndjson.Warning("our MCP server is " + messages.Cut(status, 100)), nil
	}
	return ndjson.Heard{}, errors.New("this version of Claude Code does not take tools by its control channel")
}

func (d *dialogue) control(e event) (ndjson.Heard, error) {
	switch {
	case e.Request.Subtype == "can_use_tool":
		return d.permit(e)
	case e.Request.Subtype == "mcp_message" && e.Request.Server == server:
		return d.serve(e)
	}
	return replied(encode(map[string]any{
		"type":     "control_response",
		"response": map[string]any{"subtype": "error", "request_id": e.RequestID, "error": "kurogo does not know " + e.Request.Subtype},
	}))
}

// response hears the answers to our own requests, and passes over our answers,
// which some versions repeat.
func (d *dialogue) response(e event) (ndjson.Heard, error) {
	r := e.Response
	switch {
	case r.RequestID == initialize && r.Subtype != "success":
		return ndjson.Heard{}, fmt.Errorf("initialize: %s", messages.Cut(r.Error, 200))
	case r.RequestID == initialize:
		heard := ndjson.Heard{Events: []messages.DriverEvent{{Kind: messages.DriverReady}}}
		if d.loss != "" {
			heard.Events = append(heard.Events, messages.DriverEvent{Kind: messages.DriverWarned, Text: d.loss})
		}
		return heard, nil
	case r.Subtype == "error":
		return ndjson.Warning(fmt.Sprintf("%s: %s", r.RequestID, messages.Cut(r.Error, 200))), nil
	}
	return ndjson.Heard{}, nil
}

// limited remembers when a limit of the login is over.
func (d *dialogue) limited(e event) ndjson.Heard {
	if e.Limit.Status != "rejected" {
		return ndjson.Heard{}
	}
	if e.Limit.Resets > 0 {
		d.wait = max(0, time.Until(time.Unix(e.Limit.Resets, 0)))
	}
	d.fault = "rate_limit"
	return ndjson.Warning("the limit of the login is used up")
}
