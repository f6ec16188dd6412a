package cursor

import (
	"cmp"

	"kurogo/drivers/process"
	"kurogo/messages"
)

// Options says which Cursor CLI, and how it may work.
type Options struct {
	Command    string            // "" = "agent", or "cursor-agent" where there is no such
	Args       []string          // before our own
	Env        map[string]string // added to the allow-list; Spec.Env wins over it
	Config     string            // Isolated, Shared, or "" = Isolated
	Permission string            // Allow, Edits or Deny; "" = Allow
}

// Where a life keeps the CLI's own configuration.
const (
	Isolated = "isolated" // below Spec.Home: without the user's login, with our MCP server
	Shared   = "shared"   // the user's own: with the login, without our MCP server
)

// What the CLI may do without asking.
const (
	Allow = "allow" // all
	Edits = "edits" // read and edit files, and run no commands
	Deny  = "deny"  // read
)

// key is the variable without which an isolated life has no login. It is never
// taken from our own environment.
const key = "CURSOR_API_KEY"

// names are what the CLI was called in its time, the newest first.
var names = []string{"agent", "cursor-agent"}

func (o Options) shared() bool { return o.Config == Shared }

func (o Options) check() error {
	switch o.Config {
	case "", Isolated, Shared:
	default:
		return messages.Invalid("config", "%q is neither %q nor %q", o.Config, Isolated, Shared)
	}
	switch o.Permission {
	case "", Allow, Edits, Deny:
		return nil
	}
	return messages.Invalid("permission", "cursor has no %q: it cannot tell one tool from another", o.Permission).
		Try(`say "allow", "edits" or "deny"`)
}

// command is the path of the CLI. Errors: unavailable, naming it and how to get
// it.
func (o Options) command() (string, error) {
	if o.Command == "" {
		for _, name := range names {
			if path, err := process.Look(name); err == nil {
				return path, nil
			}
		}
	}
	path, err := process.Look(cmp.Or(o.Command, names[0]))
	if err != nil {
		return "", messages.AsError(err).Try("install the Cursor CLI (cursor.com/cli), or name it in kurogo.toml")
	}
	return path, nil
}

// login says what is missing for a login, as far as that can be seen from here.
func (o Options) login(spec messages.Spec) error {
	if o.shared() || cmp.Or(spec.Env[key], o.Env[key]) != "" {
		return nil
	}
	return messages.Errorf(messages.CodeUnavailable, "there is no %s, and a configuration of its own has no login", key).
		Try(`set it where you call from or under env of the driver, or share your own login with config = "shared"`)
}
