package claude

import (
	"encoding/json"

	"kurogo/messages"
)

// A use is a tool of the CLI's own at work.
type use struct {
	tool string
	file string // that it writes
}

// writes is the file that a tool is going to write, "" for all other tools. What
// a shell does to files nobody sees.
func writes(b block) string {
	switch b.Name {
	case "Write", "Edit", "MultiEdit", "NotebookEdit":
	default:
		return ""
	}
	var input struct {
		File     string `json:"file_path"`
		Notebook string `json:"notebook_path"`
	}
	_ = json.Unmarshal(b.Input, &input) // who names no file writes none
	if input.File == "" {
		return input.Notebook
	}
	return input.File
}

// change is what became of the file that a tool has written: the CLI says of new
// ones that they are.
func (e event) change() messages.FileChangeKind {
	var outcome struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(e.Outcome, &outcome); err == nil && outcome.Type == "create" {
		return messages.FileCreated
	}
	return messages.FileEdited
}
