package tools

import (
	"path/filepath"
	"time"

	"kurogo/messages"
)

// An agent may be allowed to run so long, and no shorter or longer.
const (
	minRun = time.Second
	maxRun = 24 * time.Hour
)

// An order is what one agent is to do, as a client says it.
type order struct {
	Role    string `json:"role"`
	Prompt  string `json:"prompt"`
	Dir     string `json:"workingDirectory"`
	Timeout int64  `json:"timeout_ms"`
}

// orderProps describe an order. The model is no argument: the role decides.
func (c *Catalogue) orderProps() []prop {
	prompt := limited("message_bytes", c.o.Limits.MessageBytes, "everything the agent needs to know: it does not see your conversation")
	prompt.min = 1
	return []prop{
		must("role", text(idChars, "who does the work: an id from list_roles, for example impl-code")),
		must("prompt", prompt),
		may("workingDirectory", text(pathChars, "where it works; a relative path counts from your own working directory, which is the default")),
		may("timeout_ms", whole(minRun.Milliseconds(), maxRun.Milliseconds(), "how long it may run; the default is limits.default_timeout of kurogo.toml")),
	}
}

var roleDecides = map[string]string{"model": "leave it out: the role decides the model; list_roles names each role's"}

// understood turns what a client said into what the house understands. at names the
// order in the arguments.
func (o order) understood(who messages.Caller, at string) (messages.Order, error) {
	dir, err := directory(who, join(at, "workingDirectory"), o.Dir)
	return messages.Order{Role: o.Role, Prompt: o.Prompt, Dir: dir, Timeout: time.Duration(o.Timeout) * time.Millisecond}, err
}

// directory resolves a relative path against where the client works, never
// against where we do.
func directory(who messages.Caller, field, dir string) (string, error) {
	switch {
	case dir == "":
		return "", nil // the house takes the caller's
	case filepath.IsAbs(dir):
		return filepath.Clean(dir), nil
	case who.Dir == "":
		return "", messages.Invalid(field, "%q is relative, and nobody said where this client works", dir).Try("give an absolute path")
	}
	return filepath.Join(who.Dir, dir), nil
}
