package rehearsal

import (
	"encoding/json"

	"kurogo/messages"
)

// A kind is the type of a line.
type kind string

// What the driver says.
const (
	hello      kind = "hello"
	turn       kind = "turn"
	toolResult kind = "tool_result"
	interrupt  kind = "interrupt"
)

// What the player says.
const (
	ready       kind = "ready"
	thinking    kind = "thinking"
	text        kind = "text"
	toolCall    kind = "tool_call"    // it must be answered
	toolStarted kind = "tool_started" // a tool of its own
	toolEnded   kind = "tool_ended"
	changed     kind = "changed"
	used        kind = "used"
	turnEnd     kind = "turn_end"
)

// A cue is one line from the driver to the player.
type cue struct {
	Type kind `json:"type"`

	// hello
	Agent   messages.Address `json:"agent,omitempty"`
	Dir     string           `json:"dir,omitempty"`
	Session string           `json:"session,omitempty"`
	Border  string           `json:"border,omitempty"`
	Tools   []string         `json:"tools,omitempty"` // that are offered, by their names
	Once    bool             `json:"once,omitempty"`  // it leaves after its turn
	Looks   bool             `json:"looks,omitempty"` // it changes no files

	ID string `json:"id,omitempty"` // of the turn, or of the tool_call that is answered

	// turn
	Attempt  int                  `json:"attempt,omitempty"`
	Task     messages.TaskID      `json:"task,omitempty"`
	Messages []messages.CCMessage `json:"messages,omitempty"`

	Text    string `json:"text,omitempty"` // turn, tool_result
	IsError bool   `json:"is_error,omitempty"`
}

// A word is one line from the player to the driver.
type word struct {
	Type kind   `json:"type"`
	Turn string `json:"turn,omitempty"`
	Text string `json:"text,omitempty"` // thinking, text, turn_end

	// tool_call, tool_started, tool_ended
	ID    string          `json:"id,omitempty"`
	Name  string          `json:"name,omitempty"`
	Input json.RawMessage `json:"input,omitempty"` // not tool_ended

	// changed
	Path   string                  `json:"path,omitempty"`
	Change messages.FileChangeKind `json:"change,omitempty"`

	// used
	InputTokens  int64 `json:"input_tokens,omitempty"`
	OutputTokens int64 `json:"output_tokens,omitempty"`

	// turn_end
	Class   messages.Class `json:"class,omitempty"`
	Session string         `json:"session,omitempty"`
	Border  string         `json:"border,omitempty"`
}
