package cursor_test

import (
	"os"
	"path/filepath"
	"testing"

	"kurogo/drivers/cursor"
	"kurogo/drivers/drivertest"
	"kurogo/messages"
)

// verb makes the test binary a Cursor CLI. So does its name, if it is called
// like one.
const verb = "fake-agent"

func TestMain(m *testing.M) {
	if name := filepath.Base(os.Args[0]); name == "agent" || name == "cursor-agent" {
		fake(string(drivertest.Speaks), os.Args[1:])
		return
	}
	drivertest.Main(m, verb, fake)
}

// faked is a driver whose CLI behaves so.
func faked(behaviour string, o cursor.Options) messages.Driver {
	o.Command, o.Args = os.Args[0], []string{verb, behaviour}
	env := map[string]string{"GORACE": "atexit_sleep_ms=0"}
	if o.Config != cursor.Shared {
		env["CURSOR_API_KEY"] = "test-key"
	}
	for name, value := range o.Env {
		env[name] = value
	}
	o.Env = env
	return cursor.New(o)
}

func TestExam(t *testing.T) {
	drivertest.Exam(t, func(t *testing.T, b drivertest.Behaviour) (messages.Driver, messages.Spec) {
		t.Helper()
		spec := messages.Spec{SystemPrompt: "You are an actor.", Model: "claude-4-sonnet", Home: t.TempDir()}
		if b == drivertest.Missing {
			return cursor.New(cursor.Options{Command: "no-such-agent"}), spec
		}
		return faked(string(b), cursor.Options{}), spec
	})
}
