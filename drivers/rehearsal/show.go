package rehearsal

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"kurogo/messages"
)

// writeTool is how files are written where the house has a gateway for them.
const writeTool = "write_file"

// prop writes a file, as a model does with a tool of its own; where it is offered
// one of the house, with that.
func (a *act) prop(p messages.Prop) error {
	switch {
	case a.looks:
		return failf("write %s: who may only look writes nothing", p.Path)
	case slices.Contains(a.tools, writeTool):
		return a.hand(p)
	}
	input, err := json.Marshal(map[string]string{"path": p.Path})
	if err != nil {
		return fmt.Errorf("encode path: %w", err)
	}
	var change messages.FileChangeKind
	var fault error
	if err := a.show("Write", input, func() error {
		a.spoken += len(p.Content)
		change, fault = a.put(p)
		return nil
	}); err != nil {
		return err
	}
	if fault != nil {
		return failf("write %s: %v", p.Path, fault)
	}
	switch {
	case slices.Contains(a.created, p.Path), slices.Contains(a.edited, p.Path):
	case change == messages.FileCreated:
		a.created = append(a.created, p.Path)
	default:
		a.edited = append(a.edited, p.Path)
	}
	return a.tell(word{Type: changed, Path: p.Path, Change: change})
}

// hand gives a file to the house. One that is there already is left as it is.
func (a *act) hand(p messages.Prop) error {
	answer, err := a.ask(writeTool, map[string]string{"path": p.Path, "content": a.expand(p.Content), "mode": string(messages.WriteCreate)})
	if err != nil {
		return err
	}
	if answer.IsError && strings.HasPrefix(answer.Text, string(messages.CodeConflict)) {
		return nil
	}
	return expected("", answer, "write "+p.Path)
}

// gesture shows the use of a tool; one that the house offers is used.
func (a *act) gesture(g messages.Gesture) error {
	input, err := arguments(g.Args)
	if err != nil {
		return fmt.Errorf("encode arguments: %w", err)
	}
	if slices.Contains(a.tools, g.Tool) {
		if err := a.wait(g.Wait); err != nil {
			return err
		}
		answer, err := a.ask(g.Tool, input)
		if err != nil {
			return err
		}
		return expected("", answer, g.Tool)
	}
	return a.show(g.Tool, input, func() error { return a.wait(g.Wait) })
}

// show lets the house see a tool at work.
func (a *act) show(tool string, input json.RawMessage, work func() error) error {
	id := a.next()
	if err := a.tell(word{Type: toolStarted, ID: id, Name: tool, Input: input}); err != nil {
		return err
	}
	if err := work(); err != nil {
		return err
	}
	return a.tell(word{Type: toolEnded, ID: id, Name: tool})
}

// arguments are a tool's input: a JSON object, or else a path.
func arguments(args string) (json.RawMessage, error) {
	switch {
	case args == "":
		return json.RawMessage("{}"), nil
	case strings.HasPrefix(args, "{") && json.Valid([]byte(args)):
		return json.RawMessage(args), nil
	}
	return json.Marshal(map[string]string{"path": args})
}

// put writes a file, never outside the working directory, and says whether it was
// there before.
func (a *act) put(p messages.Prop) (messages.FileChangeKind, error) {
	root, err := os.OpenRoot(a.dir)
	if err != nil {
		return "", err
	}
	defer func() { _ = root.Close() }()
	if err := root.MkdirAll(path.Dir(p.Path), 0o755); err != nil {
		return "", err
	}
	change := messages.FileEdited
	if _, err := root.Stat(p.Path); errors.Is(err, fs.ErrNotExist) {
		change = messages.FileCreated
	}
	return change, root.WriteFile(p.Path, []byte(p.Content), 0o644)
}
