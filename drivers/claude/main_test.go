package claude_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"kurogo/drivers/claude"
	"kurogo/drivers/drivertest"
	"kurogo/messages"
)

// verb makes the test binary a claude that speaks the stream-json protocol.
const verb = "fake-claude"

func TestMain(m *testing.M) { drivertest.Main(m, verb, fake) }

// faked is a driver whose claude behaves so.
func faked(behaviour string, o claude.Options) messages.Driver {
	f := fakeOptions(behaviour, o.Config)
	f.Permission = o.Permission
	return claude.New(f)
}

func fakeOptions(behaviour, config string) claude.Options {
	if config == "" {
		config = claude.Shared
	}
	return claude.Options{
		Command: os.Args[0], Args: []string{verb, behaviour}, Config: config, Env: map[string]string{"GORACE": "atexit_sleep_ms=0"},
	}
}

func TestExam(t *testing.T) {
	for name, once := range map[string]bool{"many turns": false, "one turn": true} {
		t.Run(name, func(t *testing.T) {
			drivertest.Exam(t, func(t *testing.T, b drivertest.Behaviour) (messages.Driver, messages.Spec) {
				t.Helper()
				spec := messages.Spec{OneShot: once, SystemPrompt: "You are an actor.", Home: t.TempDir()}
				if !once {
					spec.Tools = []messages.Tool{drivertest.SendMessage}
				}
				if b == drivertest.Missing {
					return claude.New(claude.Options{Command: "no-such-claude"}), spec
				}
				return faked(string(b), claude.Options{}), spec
			})
		})
	}
}

// help is what the fake says of itself: the options of the real one that the
// driver needs.
func help(without string) string {
	var b strings.Builder
	for _, name := range []string{
		"--print", "--input-format", "--output-format", "--verbose", "--model", "--resume", "--fork-session",
		"--strict-mcp-config", "--setting-sources", "--disable-slash-commands", "--disallowedTools", "--system-prompt-snapshot",
		"--allowedTools", "--mcp-config", "--max-budget-usd", "--json-schema", "--tools", "--include-partial-messages",
	} {
		if name != without {
			fmt.Fprintf(&b, "  %s <value>   something\n", name)
		}
	}
	return b.String()
}
