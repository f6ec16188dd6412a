package command

import (
	"path/filepath"

	"kurogo/drivers/process"
	"kurogo/messages"
)

// Options says which program, and how to read it.
type Options struct {
	Command string            // looked up in PATH; needed
	Args    []string          // {model}, {dir} and {system_prompt} stand for what the brief says
	Env     map[string]string // added to the allow-list; Spec.Env wins over it
	Output  string            // Text or "" = Text, or NDJSON

	// How NDJSON is read. A path is names joined by dots, a number is a place in
	// a list: "part.text", "choices.0.delta".
	Type    string           // path of what names the type of a line; "" = "type"
	Session string           // path of the session's id, in whatever line it comes; "" = none
	Events  map[string]Event // what each type of line means
}

// What a program may write.
const (
	Text   = "text"   // all of its output is the answer
	NDJSON = "ndjson" // every line is an event
)

func (o Options) mapped() bool { return o.Output == NDJSON }

func (o Options) name() string { return filepath.Base(o.Command) }

// check says which field cannot work.
func (o Options) check() error {
	if o.Command == "" {
		return messages.Invalid("command", "there is none").Try("name the program to run")
	}
	switch o.Output {
	case "", Text:
		if len(o.Events) > 0 || o.Type != "" || o.Session != "" {
			return messages.Invalid("output", "events are read from %q only", NDJSON).Try(`say output = "ndjson"`)
		}
		return nil
	case NDJSON:
		return o.checkEvents()
	}
	return messages.Invalid("output", "%q is neither %q nor %q", o.Output, Text, NDJSON)
}

func (o Options) look() (string, error) {
	path, err := process.Look(o.Command)
	if err != nil {
		return "", messages.AsError(err).Try("install it, or name another one in kurogo.toml")
	}
	return path, nil
}
