package codex

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"

	"kurogo/messages"
)

// An item is one thing that the agent says or does. The two modes of the CLI
// write the same items, with names of their own for the kinds and the fields.
type item struct {
	ID      string          `json:"id"`
	Type    string          `json:"type"`
	Text    string          `json:"text"`    // agentMessage, reasoning of exec
	Message string          `json:"message"` // error of exec
	Summary []string        `json:"summary"` // reasoning
	Content json.RawMessage `json:"content"` // reasoning: texts; others have others
	Status  string          `json:"status"`

	Command string          `json:"command"` // commandExecution
	Changes []change        `json:"changes"` // fileChange
	Server  string          `json:"server"`  // mcpToolCall
	Tool    string          `json:"tool"`
	Input   json.RawMessage `json:"arguments"`
	Query   string          `json:"query"` // webSearch
}

// kind is the item's type in the words of the app-server.
func (i item) kind() string { return strings.ReplaceAll(strings.ToLower(i.Type), "_", "") }

// A change is one file of a patch.
type change struct {
	Path string     `json:"path"`
	Kind changeKind `json:"kind"`
}

// A changeKind is a word, or an object with one.
type changeKind struct {
	Type  string `json:"type"`
	Moved string `json:"move_path"`
}

// UnmarshalJSON implements json.Unmarshaler.
func (k *changeKind) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		return json.Unmarshal(b, &k.Type)
	}
	type kind changeKind
	return json.Unmarshal(b, (*kind)(k))
}

// work knows the tools that the agent is using: their names, by item.
type work map[string]string

// began hears an item begin. Words come whole, at the end.
func (w work) began(i item) []messages.DriverEvent {
	name, input := i.use()
	if name == "" || i.ID == "" || w[i.ID] != "" {
		return nil
	}
	w[i.ID] = name
	return []messages.DriverEvent{{
		Kind: messages.DriverToolStarted, Tool: messages.ToolCall{ID: i.ID, Name: name, Input: input},
	}}
}

// ended hears an item's end. Of some that is all that comes.
func (w work) ended(i item) []messages.DriverEvent {
	switch i.kind() {
	case "agentmessage":
		return words(messages.DriverSaid, i.Text)
	case "reasoning":
		return words(messages.DriverThought, cmp.Or(i.Text, strings.Join(i.Summary, "\n"), strings.Join(i.texts(), "\n")))
	case "error":
		return words(messages.DriverWarned, messages.Cut(cmp.Or(i.Message, "an error without a message"), longestWarning))
	}
	events := w.began(i)
	name, ok := w[i.ID]
	if !ok {
		return nil
	}
	delete(w, i.ID)
	if i.Status == "completed" {
		for _, c := range i.Changes {
			events = append(events, c.events()...)
		}
	}
	return append(events, messages.DriverEvent{Kind: messages.DriverToolEnded, Tool: messages.ToolCall{ID: i.ID, Name: name}})
}

func words(kind messages.DriverKind, text string) []messages.DriverEvent {
	if text == "" {
		return nil
	}
	return []messages.DriverEvent{{Kind: kind, Text: text}}
}

// texts are an item's content where it is a list of texts.
func (i item) texts() []string {
	var texts []string
	_ = json.Unmarshal(i.Content, &texts) // the content of others is not asked for
	return texts
}

// use is the tool that the item is a use of, "" if it is none. Our own in-band
// tools are asked for elsewhere.
func (i item) use() (name string, input json.RawMessage) {
	switch i.kind() {
	case "commandexecution":
		return "command_execution", object("command", i.Command)
	case "filechange":
		var paths []string
		for _, c := range i.Changes {
			paths = append(paths, c.Path)
		}
		return "file_change", object("paths", paths)
	case "mcptoolcall":
		return "mcp__" + i.Server + "__" + i.Tool, valid(i.Input)
	case "websearch":
		return "web_search", object("query", i.Query)
	}
	return "", nil
}

// valid is raw JSON as valid UTF-8.
func valid(raw json.RawMessage) json.RawMessage { return bytes.ToValidUTF8(raw, []byte("\uFFFD")) }

func object(key string, value any) json.RawMessage {
	b, _ := encode(map[string]any{key: value}) // texts
	return b
}

// events say what became of a file. One that moved was removed here and made
// there.
func (c change) events() []messages.DriverEvent {
	told := func(path string, kind messages.FileChangeKind) messages.DriverEvent {
		return messages.DriverEvent{Kind: messages.DriverChanged, File: messages.FileChange{Path: path, Kind: kind}}
	}
	switch {
	case c.Path == "":
		return nil
	case c.Kind.Moved != "":
		return []messages.DriverEvent{told(c.Path, messages.FileDeleted), told(c.Kind.Moved, messages.FileCreated)}
	case c.Kind.Type == "add":
		return []messages.DriverEvent{told(c.Path, messages.FileCreated)}
	case c.Kind.Type == "delete":
		return []messages.DriverEvent{told(c.Path, messages.FileDeleted)}
	}
	return []messages.DriverEvent{told(c.Path, messages.FileEdited)}
}
