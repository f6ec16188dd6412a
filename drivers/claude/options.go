package claude

import (
	"maps"
	"os"

	"kurogo/messages"
)

// Options says which claude, and how it may work.
type Options struct {
	Command    string            // "" = "claude"
	Args       []string          // before our own
	Env        map[string]string // added to the allow-list
	Config     string            // Isolated, Shared, or "" = by what is found
	Permission string            // Allow, Deny or "" = Deny, or the tools that are allowed: "Bash,Write"
	MaxRetries int               // of one request to the model within the CLI; 0 = 1, less = none
}

// Where a life keeps the CLI's own configuration, login and sessions.
const (
	Isolated = "isolated" // below Spec.Home, without the user's login
	Shared   = "shared"   // the user's own
)

// What may be used of the tools for which the CLI asks.
const (
	Allow = "allow"
	Deny  = "deny"
)

// with adds the variables of one life.
func (o Options) with(env map[string]string) Options {
	if len(env) > 0 {
		o.Env = maps.Clone(o.Env)
		if o.Env == nil {
			o.Env = map[string]string{}
		}
		maps.Copy(o.Env, env)
	}
	return o
}

func (o Options) command() string {
	if o.Command == "" {
		return "claude"
	}
	return o.Command
}

func (o Options) retries() int {
	if o.MaxRetries == 0 {
		return 1
	}
	return max(0, o.MaxRetries)
}

// shared reports whether lives use the user's own configuration: they must where
// there is neither a key nor a token, because an isolated one has no login.
func (o Options) shared() bool {
	if o.Config != "" {
		return o.Config == Shared
	}
	for _, name := range credentials {
		if o.Env[name] != "" || os.Getenv(name) != "" {
			return false
		}
	}
	return true
}

func (o Options) check() error {
	switch o.Config {
	case "", Isolated, Shared:
		return nil
	}
	return messages.Invalid("config", "%q is neither %q nor %q", o.Config, Isolated, Shared)
}
