package cursor

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"kurogo/drivers/ndjson"
	"kurogo/drivers/process"
	"kurogo/messages"
)

// suffix ends the names of the CLI's own tools.
const suffix = "ToolCall"

// writers are the tools that change a file. An edit makes new files too, and
// nothing in the stream tells which it was.
var writers = map[string]messages.FileChangeKind{
	"write":  messages.FileEdited,
	"edit":   messages.FileEdited,
	"delete": messages.FileDeleted,
}

// tool hears the beginning or the end of the use of a tool.
func (d *dialogue) tool(e event, line process.Line) []messages.DriverEvent {
	call, u := called(e)
	switch {
	case call.Name == "":
	case e.Subtype == "started":
		return []messages.DriverEvent{{Kind: messages.DriverToolStarted, Tool: call}}
	case e.Subtype == "completed":
		return ended(call, u)
	}
	return []messages.DriverEvent{warned(ndjson.Show("this use of a tool is unknown", line))}
}

func ended(call messages.ToolCall, u use) []messages.DriverEvent {
	var out []messages.DriverEvent
	if r := u.Result.Rejected; r != nil {
		text := "it was not allowed to use " + call.Name
		if r.Reason != "" {
			text += ": " + messages.Cut(r.Reason, longestComplaint)
		}
		out = append(out, warned(text))
	}
	call.Input = nil
	out = append(out, messages.DriverEvent{Kind: messages.DriverToolEnded, Tool: call})
	kind, writes := writers[call.Name]
	if !writes || !given(u.Result.Success) {
		return out
	}
	file := path(u.Result.Success)
	if file == "" {
		file = path(u.Args)
	}
	if file != "" {
		out = append(out, messages.DriverEvent{Kind: messages.DriverChanged, File: messages.FileChange{Path: file, Kind: kind}})
	}
	return out
}

// called says which tool an event is about: a key that ends in ToolCall, or a
// function. No name: it is neither.
func called(e event) (messages.ToolCall, use) {
	call := messages.ToolCall{ID: strings.Join(strings.Fields(e.CallID), " ")} // it was seen with line ends
	for _, field := range slices.Sorted(maps.Keys(e.ToolCall)) {
		body := e.ToolCall[field]
		if name, ok := strings.CutSuffix(field, suffix); ok && name != "" {
			var u use
			_ = json.Unmarshal(body, &u) // what cannot be read was neither given nor done
			call.Name, call.Input = name, arguments(u.Args)
			return call, u
		}
		if field == "function" {
			var f function
			_ = json.Unmarshal(body, &f)
			call.Name, call.Input = f.Name, arguments(f.Arguments)
			return call, use{Args: call.Input}
		}
	}
	return call, use{}
}

// arguments are an object, or a text that holds one.
func arguments(field json.RawMessage) json.RawMessage {
	var text string
	if json.Unmarshal(field, &text) == nil && json.Valid([]byte(text)) {
		return json.RawMessage(text)
	}
	if !given(field) {
		return nil
	}
	return field
}
