package claude_test

import (
	"os"
	"path/filepath"
	"testing"

	"kurogo/drivers/claude"
	"kurogo/drivers/modeltest"
	"kurogo/messages"
)

// cli is the real Claude Code, or skips the story by its name.
func cli(t *testing.T) string {
	t.Helper()
	paths := []string{os.Getenv("KUROGO_TEST_CLAUDE")}
	if dir := os.Getenv("KUROGO_TEST_CLI_DIR"); dir != "" {
		paths = append(paths, filepath.Join(dir, "claude"), filepath.Join(dir, "node_modules", ".bin", "claude"))
	}
	for _, path := range paths {
		if info, err := os.Stat(path); path != "" && err == nil && !info.IsDir() {
			return path
		}
	}
	t.Skip("there is no claude: name one by KUROGO_TEST_CLAUDE, or where it is installed by KUROGO_TEST_CLI_DIR")
	return ""
}

// A theatre is a real CLI before a scripted model.
type theatre struct {
	t      *testing.T
	model  *modeltest.Server
	driver messages.Driver
	spec   messages.Spec
}

// stage makes a theatre. The CLI has a home and a configuration of its own, and
// a key that means nothing.
func stage(t *testing.T, o claude.Options, rules ...modeltest.Rule) *theatre {
	t.Helper()
	o.Command = cli(t)
	model := modeltest.New(t)
	model.Add(rules...)
	home := t.TempDir()
	o.Config = claude.Isolated
	env := map[string]string{"ANTHROPIC_BASE_URL": model.URL, "ANTHROPIC_API_KEY": "test-key", "HOME": home}
	for k, v := range o.Env {
		env[k] = v
	}
	o.Env = env
	return &theatre{t: t, model: model, driver: claude.New(o), spec: messages.Spec{
		Agent: "grand_boss", Model: "claude-haiku-4-5", SystemPrompt: "You are the GRAND BOSS. 大ボスです。",
		Dir: t.TempDir(), Home: home, Tools: []messages.Tool{sendMessage},
	}}
}

func (th *theatre) begin() *life {
	th.t.Helper()
	l := begin(th.t, th.driver, th.spec)
	l.Until(messages.DriverReady)
	return l
}

// resume begins another life at the end of a turn.
func (th *theatre) resume(end messages.TurnEnd) *life {
	th.t.Helper()
	th.spec.Session, th.spec.Border = end.Session, end.Border
	return th.begin()
}

// lastRequest is what the model was asked last.
func (th *theatre) lastRequest() modeltest.Request {
	th.t.Helper()
	all := th.model.Requests()
	if len(all) == 0 {
		th.t.Fatal("the model was never asked")
	}
	return all[len(all)-1]
}

func says(text string) modeltest.Step { return modeltest.Step{Text: text} }

func uses(name string, input any) modeltest.Step {
	return modeltest.Step{Tools: []modeltest.Tool{{Name: name, Input: input}}}
}

var sends = uses("mcp__kurogo__send_message", map[string]string{"to": "middle_manager", "content": "Do it."})
