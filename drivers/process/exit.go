package process

import (
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"

	"kurogo/messages"
)

// verdict says how a life ended. Only a status of 0 is a good end; whatever
// else happens after we asked for the end is our doing.
func verdict(command string, state *os.ProcessState, stopped bool, left int) messages.Exit {
	e := messages.Exit{Code: -1, Class: messages.ClassCrash, Reason: command + " ended and nobody knows how"}
	if state != nil {
		e.Code = state.ExitCode()
		e.Reason = fmt.Sprintf("%s ended with status %d", command, e.Code)
		if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
			e.Signal = unix.SignalName(ws.Signal())
			e.Reason = fmt.Sprintf("%s was ended by %s", command, e.Signal)
		}
	}
	switch {
	case e.Code == 0:
		e.Class = messages.ClassNone
	case stopped:
		e.Class = messages.ClassKilled
	}
	if left > 0 {
		e.Reason += fmt.Sprintf("; %d of the processes that it left behind would not die", left)
	}
	return e
}
