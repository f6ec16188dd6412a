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
	ready    kind = "ready"
	thinking kind = "thinking"
	text     kind = "text"
	toolCall kind = "tool_call"
	turnEnd  kind = "turn_end"
)

// A cue is one line from the driver to the player.
type cue struct {
	Type kind `json:"type"`

	// hello
	Agent   messages.Address `json:"agent,omitempty"`
	Dir     string           `json:"dir,omitempty"`
	Session string           `json:"session,omitempty"`
	Border  string           `json:"border,omitempty"`

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
	Type    kind            `json:"type"`
	Turn    string          `json:"turn,omitempty"`
	Text    string          `json:"text,omitempty"`    // thinking, text, turn_end
	ID      string          `json:"id,omitempty"`      // tool_call
	Name    string          `json:"name,omitempty"`    // tool_call
	Input   json.RawMessage `json:"input,omitempty"`   // tool_call
	Class   messages.Class  `json:"class,omitempty"`   // turn_end
	Session string          `json:"session,omitempty"` // turn_end
	Border  string          `json:"border,omitempty"`  // turn_end
}
