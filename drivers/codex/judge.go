package codex

import (
	"strings"

	"kurogo/messages"
)

// What the CLI says when a session does not reach to its border.
const noTurn = "turn not found"

// complaints, in small letters, say more than the status with which it left.
var complaints = []clue{
	{"unexpected argument", messages.ClassInvalid},
	{"invalid value", messages.ClassInvalid},
	{"error loading config", messages.ClassInvalid},
	{"no rollout found", messages.ClassInvalid},
	{"not inside a trusted directory", messages.ClassInvalid},
	{"no prompt provided", messages.ClassInvalid},
	{"unrecognized subcommand", messages.ClassInvalid},
	{"not logged in", messages.ClassAuth},
}

// judge looks into what it complained of.
func judge(e messages.Exit) messages.Exit {
	for line := range strings.Lines(e.Stderr) {
		lower := strings.ToLower(line)
		for _, c := range complaints {
			if strings.Contains(lower, c.phrase) {
				e.Class, e.Reason = c.class, "codex: "+messages.Cut(strings.TrimSpace(line), 300)
				return e
			}
		}
	}
	return e
}

// Judge implements ndjson.Protocol.
func (*dialogue) Judge(e messages.Exit) messages.Exit { return judge(e) }

// Judge implements ndjson.OneShot.
func (*run) Judge(e messages.Exit) messages.Exit { return judge(e) }
