package claude

import (
	"context"
	"os"
	"regexp"
	"strings"

	"kurogo/drivers/inquire"
	"kurogo/drivers/process"
	"kurogo/messages"
)

// needed are the options without which a life cannot be what it must be. Two
// more, --permission-prompt-tool and --resume-session-at, no help names: a
// version without them says so when it starts (judge.go).
var needed = []string{
	"--print", "--input-format", "--output-format", "--verbose", "--model", "--resume", "--fork-session",
	"--strict-mcp-config", "--setting-sources", "--disable-slash-commands", "--disallowedTools", "--allowedTools", "--mcp-config",
}

// snapshot makes a resumed session heed a system prompt that has changed since.
// Versions that know no such option always do.
const snapshot = "--system-prompt-snapshot"

// budget ends a turn that has become too dear. What it counts is the session, so
// it is for lives of one turn.
const budget = "--max-budget-usd"

// What newer versions have besides: a form for the last words, a list of all tools
// that there are, and text as it comes.
const (
	formed  = "--json-schema"
	only    = "--tools"
	partial = "--include-partial-messages"
)

// features is what one version of the CLI can do.
type features struct {
	version  string
	snapshot bool
	cap      bool
	schema   bool
	only     bool
	partial  bool
}

var version = regexp.MustCompile(`^\d+\.\d+\.\d+\S*`)

// features asks the CLI itself what it can do; that costs nothing but time.
// Errors: unavailable, naming what is missing.
func (d *driver) features(ctx context.Context) (features, error) {
	path, err := process.Look(d.command())
	if err != nil {
		e := messages.AsError(err)
		return features{}, e.Try("install Claude Code (npm install -g @anthropic-ai/claude-code), or name it in kurogo.toml")
	}
	return d.found.Of(path, func(string) (features, error) { return d.ask(ctx) })
}

func (d *driver) ask(ctx context.Context) (features, error) {
	said, err := d.run(ctx, "--version")
	if err != nil {
		return features{}, err
	}
	f := features{version: version.FindString(strings.TrimSpace(said))}
	if f.version == "" {
		return f, messages.Errorf(messages.CodeUnavailable, "%q is not Claude Code: its version is %q", d.command(), messages.Cut(said, 80)).
			Try("name the right command in kurogo.toml")
	}
	help, err := d.run(ctx, "--help")
	if err != nil {
		return f, err
	}
	has := inquire.ReadHelp(help)
	if missing := has.Missing(needed); len(missing) > 0 {
		return f, messages.Errorf(messages.CodeUnavailable, "Claude Code %s has no %s", f.version, strings.Join(missing, ", ")).
			Try("update it (npm install -g @anthropic-ai/claude-code)")
	}
	f.snapshot, f.cap = has[snapshot], has[budget]
	f.schema, f.only, f.partial = has[formed], has[only], has[partial]
	return f, nil
}

// run runs the CLI to its end and returns what it said.
func (d *driver) run(ctx context.Context, args ...string) (string, error) {
	env := process.Environ(os.Environ(), d.Env, passed...)
	return inquire.Run(ctx, env, append([]string{d.command()}, d.Args...), args...)
}
