package cursor_test

import (
	"os"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"kurogo/drivers/cursor"
	"kurogo/drivers/drivertest"
	"kurogo/drivers/process"
	"kurogo/messages"
)

// verb makes the test binary a Cursor CLI. So does its name, if it is called
// like one.
const verb = "fake-agent"

func TestMain(m *testing.M) {
	switch name := filepath.Base(os.Args[0]); {
	case len(os.Args) > 2 && os.Args[1] == verb:
		fake(os.Args[2], os.Args[3:])
		return
	case name == "agent" || name == "cursor-agent":
		fake(string(drivertest.Speaks), os.Args[1:])
		return
	}
	if err := process.Adopt(); err != nil {
		panic(err)
	}
	goleak.VerifyTestMain(m)
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
