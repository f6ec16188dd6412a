package rehearsal

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"kurogo/drivers/ndjson"
	"kurogo/drivers/process"
	"kurogo/messages"
)

// decode reads one line of a player. A line that is not understood is a warning;
// one that should be understood and cannot be is an error; an empty one is
// neither, and has no type.
func decode(line process.Line) (w word, warning string, err error) {
	var peek struct {
		Type kind `json:"type"`
	}
	switch {
	case line.Truncated:
		return word{}, ndjson.Show("a line was too long and was cut", line), nil
	case len(bytes.TrimSpace(line.Text)) == 0:
		return word{}, "", nil
	case json.Unmarshal(line.Text, &peek) != nil:
		return word{}, ndjson.Show("this is not JSON", line), nil //nolint:nilerr // it is shown, and the life goes on
	case !peek.Type.spoken():
		return word{}, ndjson.Show("this word is unknown", line), nil
	}
	if err := json.Unmarshal(line.Text, &w); err != nil {
		return word{}, "", fmt.Errorf("decode %s: %w", peek.Type, err)
	}
	switch {
	case w.Type == turnEnd && w.Turn == "":
		return word{}, "", fmt.Errorf("decode %s: it names no turn", w.Type)
	case w.Type.tool() && (w.ID == "" || w.Name == ""):
		return word{}, "", fmt.Errorf("decode %s: id %q, name %q", w.Type, w.ID, w.Name)
	case w.Type == changed && (w.Path == "" || !slices.Contains(changes, w.Change)):
		return word{}, "", fmt.Errorf("decode %s: path %q, change %q", w.Type, w.Path, w.Change)
	case w.Type == used && (w.InputTokens < 0 || w.OutputTokens < 0):
		return word{}, "", fmt.Errorf("decode %s: %d tokens in, %d out", w.Type, w.InputTokens, w.OutputTokens)
	}
	return w, "", nil
}

var changes = []messages.FileChangeKind{messages.FileCreated, messages.FileEdited, messages.FileDeleted}

// tool reports whether such lines are about a tool.
func (k kind) tool() bool { return k == toolCall || k == toolStarted || k == toolEnded }

// spoken reports whether a player says such lines.
func (k kind) spoken() bool {
	switch k { //nolint:exhaustive // the rest is ours to say
	case ready, thinking, text, toolCall, toolStarted, toolEnded, changed, used, turnEnd:
		return true
	}
	return false
}
