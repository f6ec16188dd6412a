package codex_test

import (
	"fmt"
	"maps"
	"os"
	"testing"

	"kurogo/drivers/codex"
	"kurogo/drivers/drivertest"
	"kurogo/messages"
)

// verb makes the test binary a codex that speaks both protocols.
const verb = "fake-codex"

func TestMain(m *testing.M) { drivertest.Main(m, verb, fake) }

// faked is a driver whose codex behaves so.
func faked[B ~string](behaviour B, o codex.Options) messages.Driver {
	env := map[string]string{"GORACE": "atexit_sleep_ms=0"}
	maps.Copy(env, o.Env)
	o.Command, o.Args, o.Env = os.Args[0], []string{verb, string(behaviour)}, env
	return codex.New(o)
}

func TestExam(t *testing.T) {
	for mode, once := range map[string]bool{"app-server": false, "exec": true} {
		t.Run(mode, func(t *testing.T) {
			drivertest.Exam(t, func(t *testing.T, b drivertest.Behaviour) (messages.Driver, messages.Spec) {
				t.Helper()
				spec := messages.Spec{OneShot: once, SystemPrompt: "You are an actor.", Home: t.TempDir(), Env: map[string]string{"OPENAI_API_KEY": "test-key"}}
				if !once {
					spec.Tools = []messages.Tool{drivertest.SendMessage}
				}
				if b == drivertest.Missing {
					return codex.New(codex.Options{Command: "no-such-codex"}), spec
				}
				return faked(b, codex.Options{}), spec
			})
		})
	}
}

// help is what the fake says of itself: the options of the real one that the
// driver needs.
func help(without string) string {
	text := ""
	for _, name := range []string{"--json", "--sandbox", "--skip-git-repo-check", "--cd", "--model", "--color", "--output-schema"} {
		if name != without {
			text += fmt.Sprintf("      %s <VALUE>\n          Something\n", name)
		}
	}
	return text
}

// schema is what the fake says of its app-server.
const schema = `{"thread/start":0,"thread/fork":0,"lastTurnId":0,"thread/inject_items":0,"turn/start":0,"turn/interrupt":0,
"turn/completed":0,"item/completed":0,"item/tool/call":0,"dynamicTools":0,"outputSchema":0,"model/list":0}`
