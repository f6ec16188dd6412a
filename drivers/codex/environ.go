package codex

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"

	"kurogo/drivers/process"
	"kurogo/messages"
)

const (
	homeVariable  = "CODEX_HOME"
	baseVariable  = "OPENAI_BASE_URL"
	tokenVariable = "KUROGO_TOKEN" //nolint:gosec // the name of a secret: of our MCP server; the CLI's shells do not see it
)

// passed are the variables of ours that the CLI needs besides the allow-list. No
// key is among them.
var passed = []string{baseVariable, "OPENAI_ORGANIZATION", "OPENAI_PROJECT"}

// environ is the environment of a life. It makes the directories that it names,
// and the configuration of an isolated one.
func (o Options) environ(spec messages.Spec) ([]string, error) {
	add, allow := maps.Clone(o.Env), passed
	if add == nil {
		add = map[string]string{}
	}
	if spec.MCP.URL != "" {
		add[tokenVariable] = spec.MCP.Token
	}
	if o.shared() {
		allow = append([]string{homeVariable}, passed...)
	} else if spec.Home == "" {
		return nil, messages.Invalid("home", "an isolated codex needs a directory of its own")
	}
	if spec.Home != "" {
		// The CLI finds no sandbox when its home is below the temporary directory.
		dirs := map[string]string{"TMPDIR": filepath.Join(spec.Home, "tmp")}
		if !o.shared() {
			dirs[homeVariable] = filepath.Join(spec.Home, "codex")
		}
		for name, dir := range dirs {
			if err := os.MkdirAll(dir, 0o700); err != nil {
				return nil, fmt.Errorf("make home: %w", err)
			}
			add[name] = dir
		}
	}
	if !o.shared() {
		if err := o.unlocked(add[homeVariable]); err != nil {
			return nil, err
		}
		if err := writePersonality(add[homeVariable], spec.SystemPrompt); err != nil {
			return nil, err
		}
	}
	return process.Environ(os.Environ(), add, allow...), nil
}

// unlocked says whether an isolated home has anything to call the model with.
func (o Options) unlocked(home string) error {
	if _, err := os.Stat(filepath.Join(home, "auth.json")); err == nil || o.key() != "" {
		return nil
	}
	return messages.Errorf(messages.CodeUnavailable, "an isolated codex has no login, and there is no OPENAI_API_KEY").
		Try("set it in the driver's env, or write config = \"shared\" to use your own login")
}

// writePersonality gives an isolated home its system prompt: an argument is seen
// by everybody, and is too short for some.
func writePersonality(home, prompt string) error {
	file := filepath.Join(home, "config.toml")
	err := os.WriteFile(file, []byte("developer_instructions = "+quote(prompt)+"\n"), 0o600)
	if err != nil {
		return fmt.Errorf("write system prompt: %w", err)
	}
	return nil
}
