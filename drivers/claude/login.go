package claude

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"kurogo/drivers/process"
	"kurogo/messages"
)

// A Login is with what the CLI would call the model.
type Login struct {
	In     bool   // somebody is logged in, or there is a key
	Method string // as the CLI names it: "api_key", "claude.ai", "none"
	Config string // Isolated or Shared
}

// LoggedIn asks the CLI for its login. No model is called and nothing is spent.
// Errors: unavailable when the command is missing or cannot tell.
func LoggedIn(ctx context.Context, o Options) (Login, error) {
	l := Login{Config: Isolated}
	if o.shared() {
		l.Config = Shared
	}
	env := process.Environ(os.Environ(), o.Env, append([]string{"CLAUDE_CONFIG_DIR"}, passed...)...)
	stdout, _, _, err := process.Exec{}.Run(ctx, "", env, append(append([]string{o.command()}, o.Args...), "auth", "status")...)
	if err != nil {
		return l, fmt.Errorf("ask for login: %w", err)
	}
	var said struct {
		In     *bool  `json:"loggedIn"`
		Method string `json:"authMethod"`
	}
	if err := json.Unmarshal(stdout, &said); err != nil || said.In == nil {
		return l, messages.Errorf(messages.CodeUnavailable, "this version of %q does not tell whether it is logged in", o.command()).
			Try("run it once by hand")
	}
	l.In, l.Method = *said.In, said.Method
	return l, nil
}
