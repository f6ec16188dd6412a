package ndjson

import (
	"context"
	"errors"
	"fmt"
	"time"

	"kurogo/drivers/process"
	"kurogo/messages"
)

// A OneShot knows the lines of an agent that takes one turn and ends by itself.
// A session never calls two of its methods at once.
type OneShot interface {
	// Turn is what begins the agent: arguments after those of its command, and
	// all that its stdin will ever hold.
	Turn(t messages.Turn) (args []string, input []byte, err error)

	// Hear reads one line, as a Protocol does. Nobody can be replied to.
	Hear(line process.Line) (Heard, error)

	// Close hears that there are no more lines. Who has no word for the end of a
	// turn ends it here.
	Close() Heard

	// Judge may know better than the exit status, and than the silence at the
	// end, why there was no good end.
	Judge(e messages.Exit) messages.Exit
}

// Once makes a life of one turn. It is ready at once, because its process begins
// with the turn: some CLIs take the prompt as an argument, and others give up
// when their stdin stays empty. raw tells every line as DriverRaw.
//
// The events of such a life come in this order:
//
//	ready            before Once returns
//	…                what the agent says; even what it says after its result
//	turn_ended       once, when the process is gone and the verdict is known
//	exited           with the class of the turn, then the channel is closed
//
// The verdict is the result and the exit status together. A good result with a
// bad status is a failure; status 0 without a result is of the class protocol; a
// failed result keeps its own class; who lives on after its result for the grace
// of the command is ended, and the result counts. A turn that could not be begun
// ends the life in the same order, beside the error of Send. Stop ends it with
// the class killed, whatever is said from then on; a life that is stopped before
// its turn has ended well and has no turn_ended.
//
// Errors: unavailable when the command is missing, invalid when its directory is.
func Once(ctx context.Context, c process.Command, p OneShot, raw bool) (*Session, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("start %s: %w", c.Path, err)
	}
	if err := process.Check(c); err != nil {
		return nil, err
	}
	if c.Soft == process.CloseInput {
		c.Soft = process.Terminate // its input is closed from the beginning
	}
	s := newSession(Raw(solo{p}, raw))
	s.once = &once{OneShot: p, command: c, left: make(chan struct{})}
	s.happen(messages.DriverEvent{Kind: messages.DriverReady})
	return s, nil
}

// once is what a session of one turn knows besides.
type once struct {
	OneShot
	command process.Command

	result *messages.TurnEnd // what the agent said of its end
	leave  *time.Timer       // runs once there is a result
	left   chan struct{}     // closed when who lived on has been ended
	stayed bool
}

// solo is a OneShot in a session's ears. Nobody speaks to it.
type solo struct{ OneShot }

var errDeaf = errors.New("this agent takes one turn and hears nothing else")

func (solo) Hello() ([]byte, error)                     { return nil, errDeaf }
func (solo) Turn(messages.Turn) ([]byte, error)         { return nil, errDeaf }
func (solo) Answer(messages.ToolResult) ([]byte, error) { return nil, errDeaf }
func (solo) Interrupt(string) ([]byte, error)           { return nil, errDeaf }
