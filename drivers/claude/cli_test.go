package claude_test

import (
	"testing"

	"kurogo/drivers/claude"
	"kurogo/drivers/drivertest"
	"kurogo/drivers/modeltest"
	"kurogo/messages"
)

// stage makes a theatre. The CLI has a home and a configuration of its own, and
// a key that means nothing.
func stage(t *testing.T, o claude.Options, rules ...modeltest.Rule) *drivertest.Theatre {
	t.Helper()
	o.Command = drivertest.CLI(t, "claude")
	model := modeltest.New(t)
	model.Add(rules...)
	home := t.TempDir()
	o.Config = claude.Isolated
	env := map[string]string{"ANTHROPIC_BASE_URL": model.URL, "ANTHROPIC_API_KEY": "test-key", "HOME": home}
	for k, v := range o.Env {
		env[k] = v
	}
	o.Env = env
	return &drivertest.Theatre{T: t, Model: model, Driver: claude.New(o), Spec: messages.Spec{
		Agent: "grand_boss", Model: "claude-haiku-4-5", SystemPrompt: "You are the GRAND BOSS. 大ボスです。",
		Dir: t.TempDir(), Home: home, Tools: []messages.Tool{drivertest.SendMessage},
	}}
}

func says(text string) modeltest.Step { return modeltest.Step{Text: text} }

func uses(name string, input any) modeltest.Step {
	return modeltest.Step{Tools: []modeltest.Tool{{Name: name, Input: input}}}
}

var sends = uses("mcp__kurogo__send_message", map[string]string{"to": "middle_manager", "content": "Do it."})
