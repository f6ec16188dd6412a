package claude

import (
	"strings"

	"kurogo/messages"
)

// What the CLI complains of when it cannot go on with a session.
const (
	noSession = "No conversation found with session ID"
	noMessage = "No message found with message.uuid"
)

// A clue is a phrase of the CLI that says what went wrong.
type clue struct {
	phrase string
	class  messages.Class
}

// complaints say more than the status with which it left.
var complaints = []clue{
	{"unknown option", messages.ClassInvalid},
	{"cannot be used with root", messages.ClassInvalid},
	{"is already in use", messages.ClassInvalid},
	{noSession, messages.ClassInvalid},
	{noMessage, messages.ClassInvalid},
	{"Error parsing streaming input line", messages.ClassProtocol},
	{"Not logged in", messages.ClassAuth},
}

// Judge looks into what it complained of.
func (*dialogue) Judge(e messages.Exit) messages.Exit {
	for line := range strings.Lines(e.Stderr) {
		for _, c := range complaints {
			if strings.Contains(line, c.phrase) {
				e.Class, e.Reason = c.class, "claude: "+messages.Cut(strings.TrimSpace(line), 300)
				return e
			}
		}
	}
	return e
}
