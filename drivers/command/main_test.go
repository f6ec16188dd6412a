package command_test

import (
	"os"
	"testing"

	"kurogo/drivers/command"
	"kurogo/drivers/drivertest"
	"kurogo/messages"
)

// verb makes the test binary a program that reads a prompt and answers it.
const verb = "fake-program"

func TestMain(m *testing.M) { drivertest.Main(m, verb, fake) }

// events is how the fake's NDJSON is read.
var events = map[string]command.Event{
	"think": {Kind: command.Thought, Text: "text"},
	"say":   {Kind: command.Said, Text: "text"},
	"end":   {Kind: command.Ended, Text: "text", Good: map[string]string{"ok": "true"}, InputTokens: "used.in", Cost: "used.usd"},
}

// faked is a driver whose program behaves so.
func faked(behaviour string, o command.Options) messages.Driver {
	o.Command, o.Args = os.Args[0], append([]string{verb, behaviour}, o.Args...)
	env := map[string]string{"GORACE": "atexit_sleep_ms=0"}
	for name, value := range o.Env {
		env[name] = value
	}
	o.Env = env
	return command.New(o)
}

func TestExam(t *testing.T) {
	drivertest.Exam(t, func(_ *testing.T, b drivertest.Behaviour) (messages.Driver, messages.Spec) {
		spec := messages.Spec{SystemPrompt: "You are an actor."}
		if b == drivertest.Missing {
			return command.New(command.Options{Command: "no-such-program"}), spec
		}
		return faked(string(b), command.Options{Output: command.NDJSON, Events: events}), spec
	})
}
