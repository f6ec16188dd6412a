package claude

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strconv"

	"kurogo/drivers/process"
	"kurogo/messages"
)

// credentials are the variables with which the CLI needs no login.
var credentials = []string{"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"}

// passed are the variables of ours that the CLI needs besides the allow-list.
var passed = append([]string{"ANTHROPIC_BASE_URL"}, credentials...)

// settings make of a program for people one for us: it changes nothing behind
// our back, calls nobody but the model, expands no @path in a message, leaves
// nothing running behind a turn, shows our tools at once, and writes a turn down
// before it says that the turn has ended.
var settings = map[string]string{
	"CLAUDE_CODE_DISABLE_ATTACHMENTS":          "1",
	"CLAUDE_CODE_DISABLE_BACKGROUND_TASKS":     "1",
	"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
	"CLAUDE_CODE_EAGER_FLUSH":                  "1",
	"DISABLE_AUTOUPDATER":                      "1",
	"DISABLE_ERROR_REPORTING":                  "1",
	"DISABLE_TELEMETRY":                        "1",
	"ENABLE_TOOL_SEARCH":                       "false",
}

// environ is the environment of a life. It makes the directories that it names.
func (o Options) environ(home string) ([]string, error) {
	add := maps.Clone(settings)
	add["CLAUDE_CODE_MAX_RETRIES"] = strconv.Itoa(o.retries())
	allow := passed
	dirs := map[string]string{"CLAUDE_CODE_TMPDIR": "tmp"} // also of the socket by which sessions find one another
	if o.shared() {
		allow = append([]string{"CLAUDE_CONFIG_DIR"}, passed...)
	} else {
		dirs["CLAUDE_CONFIG_DIR"] = "claude"
	}
	if home == "" && !o.shared() {
		return nil, messages.Invalid("home", "an isolated claude needs a directory of its own")
	}
	for name, dir := range dirs {
		if home == "" {
			continue
		}
		dir = filepath.Join(home, dir)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, fmt.Errorf("make home: %w", err)
		}
		add[name] = dir
	}
	maps.Copy(add, o.Env)
	return process.Environ(os.Environ(), add, allow...), nil
}
