package codex

import (
	"cmp"
	"maps"
	"slices"

	"kurogo/messages"
)

// Options says which codex, and how it may work.
type Options struct {
	Command    string            // "" = "codex"
	Args       []string          // before our own
	Env        map[string]string // added to the allow-list; a key counts only here and in Spec.Env
	Config     string            // Isolated, Shared, or "" = Isolated where there is a key
	Permission string            // Allow, Edits, Deny or "" = Deny; or the CLI's own word for a sandbox
	MaxRetries int               // of one request to the model within the CLI; 0 = 1, less = none

	taken bool // the user's own configuration has a server of our name
}

// Where a life keeps the CLI's own configuration, login and sessions.
const (
	Isolated = "isolated" // below Spec.Home, without the user's login
	Shared   = "shared"   // the user's own
)

// What a life may do. The CLI has no list of tools; it has a sandbox around all
// of them, and nobody is asked.
const (
	Allow = "allow" // everything that the user may
	Edits = "edits" // change files below its directory; commands run, in the sandbox, without a network
	Deny  = "deny"  // read
)

// sandboxes are the CLI's own words for that.
var sandboxes = map[string]string{
	"": "read-only", Deny: "read-only", Edits: "workspace-write", Allow: "danger-full-access",
	"read-only": "read-only", "workspace-write": "workspace-write", "danger-full-access": "danger-full-access",
}

func (o Options) command() string { return cmp.Or(o.Command, "codex") }

func (o Options) sandbox() string { return sandboxes[o.Permission] }

func (o Options) retries() int {
	if o.MaxRetries == 0 {
		return 1
	}
	return max(0, o.MaxRetries)
}

// with is the same for a life that brings variables of its own.
func (o Options) with(env map[string]string) Options {
	o.Env = maps.Clone(o.Env)
	if o.Env == nil {
		o.Env = map[string]string{}
	}
	maps.Copy(o.Env, env)
	return o
}

// keys are the variables that hold an API key, the first of them first.
var keys = []string{"CODEX_API_KEY", "OPENAI_API_KEY"}

// key is the variable that holds the API key, "" if none does.
func (o Options) key() string {
	for _, name := range keys {
		if o.Env[name] != "" {
			return name
		}
	}
	return ""
}

// shared reports whether lives use the user's own configuration: they must where
// there is no key, because an isolated one has no login.
func (o Options) shared() bool {
	if o.Config != "" {
		return o.Config == Shared
	}
	return o.key() == ""
}

func (o Options) check() error {
	if !slices.Contains([]string{"", Isolated, Shared}, o.Config) {
		return messages.Invalid("config", "%q is neither %q nor %q", o.Config, Isolated, Shared)
	}
	if o.sandbox() == "" {
		return messages.Invalid("permission", "codex has no %q: it cannot tell one tool from another", o.Permission).
			Try("write \"allow\", \"edits\" or \"deny\"")
	}
	return nil
}
