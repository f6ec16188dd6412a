package ndjson

import (
	"kurogo/drivers/process"
	"kurogo/messages"
)

// A Protocol knows the lines of one kind of agent, for one life. A session never
// calls two of its methods at once.
type Protocol interface {
	// Hello is what the agent hears first.
	Hello() ([]byte, error)

	// Turn is the line that begins a turn.
	Turn(t messages.Turn) ([]byte, error)

	// Answer is the line that answers a DriverToolAsked.
	Answer(r messages.ToolResult) ([]byte, error)

	// Interrupt is the line that breaks off the turn that is on.
	Interrupt(turn string) ([]byte, error)

	// Hear reads one line. What it does not understand is a warning; an error is
	// a line that it knows and cannot read, and ends the life.
	Hear(line process.Line) (Heard, error)

	// Judge may know better than the exit status why a life ended by itself.
	Judge(e messages.Exit) messages.Exit
}

// Heard is what a line means. An event without a turn belongs to the one that is
// on. DriverReady and DriverTurnEnded open and close what the session counts.
type Heard struct {
	Events  []messages.DriverEvent
	Replies [][]byte // lines that the agent waits for
}

// Warning is a line that only warns.
func Warning(text string) Heard {
	return Heard{Events: []messages.DriverEvent{{Kind: messages.DriverWarned, Text: text}}}
}
