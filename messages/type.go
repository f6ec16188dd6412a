package messages

import (
	"slices"
	"strings"
	"time"
)

// A Type says what a CCMessage is for.
type Type string

// The message types of the protocol.
const (
	TaskRequest  Type = "task_request"
	TaskResponse Type = "task_response"
	TaskComplete Type = "task_complete"
	TaskFailed   Type = "task_failed"
	Info         Type = "info"
	Progress     Type = "progress"
	TypeError    Type = "error"
	Ping         Type = "ping"
	Pong         Type = "pong"
	Shutdown     Type = "shutdown"
)

// Types lists every message type, those that start a turn first.
func Types() []Type {
	return []Type{TaskRequest, TaskResponse, TaskComplete, TaskFailed, Info, TypeError, Progress, Ping, Pong, Shutdown}
}

func (t Type) valid() bool { return slices.Contains(Types(), t) }

// Turns reports whether a message of this type is journalled and costs its
// recipient a turn. The others go from actor to actor and are only logged.
func (t Type) Turns() bool {
	switch t {
	case TaskRequest, TaskResponse, TaskComplete, TaskFailed, Info, TypeError:
		return true
	case Progress, Ping, Pong, Shutdown:
	}
	return false
}

// Answers reports whether a message of this type ends the task it answers.
func (t Type) Answers() bool { return t == TaskComplete || t == TaskFailed }

// A Priority moves a message forward in its recipient's inbox. The zero value
// is normal.
type Priority string

// The four priorities.
const (
	Low    Priority = "low"
	Normal Priority = "normal"
	High   Priority = "high"
	Urgent Priority = "urgent"
)

func (p Priority) valid() bool {
	switch p {
	case "", Low, Normal, High, Urgent:
		return true
	}
	return false
}

// Boost is how much earlier a message counts as having arrived. A boost ages
// away: no flood of urgent messages can starve an old one for ever.
func (p Priority) Boost() time.Duration {
	switch p {
	case Low:
		return 0
	case High:
		return 300 * time.Second
	case Urgent:
		return 900 * time.Second
	case Normal, "":
	}
	return 60 * time.Second
}

// ReplyBoost comes on top of the priority for answers: they free a waiting task.
const ReplyBoost = 120 * time.Second

func list[S ~string](words []S) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = string(w)
	}
	return strings.Join(out, ", ")
}
