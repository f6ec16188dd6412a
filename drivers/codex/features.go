package codex

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"kurogo/drivers/inquire"
	"kurogo/drivers/process"
	"kurogo/messages"
)

// needed are the options of `codex exec` without which a life cannot be what it
// must be.
var needed = []string{"--json", "--sandbox", "--skip-git-repo-check", "--cd", "--model", "--color"}

// features is what one version of the CLI can do. What its app-server can do is
// asked of its own description: unknown fields it passes over in silence.
type features struct {
	stamp   string // of the file
	version string
	server  bool // it has an app-server that we can speak to
	tools   bool // which takes tools in-band
	forks   bool // and goes on from the end of a turn
	lists   bool // and knows the models
	schema  bool // last words can be made to fit a form, in both modes
}

var version = regexp.MustCompile(`^codex\S* (\d+\.\d+\.\d+\S*)`)

// features asks the CLI itself what it can do; that costs nothing but time.
// Errors: unavailable, naming what is missing.
func (d *driver) features(ctx context.Context) (features, error) {
	path, err := process.Look(d.command())
	if err != nil {
		e := messages.AsError(err)
		return features{}, e.Try("install the Codex CLI (npm install -g @openai/codex), or name it in kurogo.toml")
	}
	return d.found.Of(path, func(stamp string) (features, error) {
		home, leave, err := lodging()
		if err != nil {
			return features{}, err
		}
		defer leave()
		f, err := d.ask(ctx, home)
		f.stamp = stamp
		return f, err
	})
}

// lodging is a home of the CLI for as long as it is asked: even for its version
// it writes there.
func lodging() (home string, leave func(), err error) {
	if home, err = os.MkdirTemp("", "kurogo-codex-"); err != nil {
		return "", nil, fmt.Errorf("make home: %w", err)
	}
	return home, func() { _ = os.RemoveAll(home) }, nil
}

func (d *driver) ask(ctx context.Context, home string) (features, error) {
	said, err := d.run(ctx, home, "--version")
	if err != nil {
		return features{}, err
	}
	var f features
	if m := version.FindStringSubmatch(strings.TrimSpace(said)); m != nil {
		f.version = m[1]
	} else {
		return f, messages.Errorf(messages.CodeUnavailable, "%q is not the Codex CLI: its version is %q", d.command(), messages.Cut(said, 80)).
			Try("name the right command in kurogo.toml")
	}
	help, err := d.run(ctx, home, "exec", "--help")
	if err != nil {
		return f, err
	}
	has := inquire.ReadHelp(help)
	if missing := has.Missing(needed); len(missing) > 0 {
		return f, messages.Errorf(messages.CodeUnavailable, "codex exec %s has no %s", f.version, strings.Join(missing, ", ")).
			Try("update it (npm install -g @openai/codex)")
	}
	f.schema = has[formed]
	f.describe(d.description(ctx, home))
	return f, nil
}

// description is what the app-server says of its own protocol; nothing where it
// cannot.
func (d *driver) description(ctx context.Context, home string) []byte {
	out := filepath.Join(home, "schema")
	if _, err := d.run(ctx, home, "app-server", "generate-json-schema", "--experimental", "--out", out); err != nil {
		return nil
	}
	b, _ := os.ReadFile(filepath.Join(out, "codex_app_server_protocol.schemas.json")) // nothing, then
	return b
}

func (f *features) describe(schema []byte) {
	has := func(words ...string) bool {
		for _, word := range words {
			if !bytes.Contains(schema, []byte(`"`+word+`"`)) {
				return false
			}
		}
		return true
	}
	f.server = has("thread/start", "turn/start", "turn/interrupt", "turn/completed", "item/completed")
	f.tools = f.server && has("dynamicTools", "item/tool/call")
	f.forks = f.server && has("thread/fork", "lastTurnId", "thread/inject_items")
	f.lists = f.server && has("model/list")
	f.schema = f.schema && (!f.server || has("outputSchema"))
}

// run runs the CLI to its end and returns what it said.
func (d *driver) run(ctx context.Context, home string, args ...string) (string, error) {
	return inquire.Run(ctx, d.asking(home), append([]string{d.command()}, d.Args...), args...)
}

// asking is the environment in which it is only asked.
func (d *driver) asking(home string) []string {
	o := d.with(map[string]string{homeVariable: home})
	return process.Environ(os.Environ(), o.Env, passed...)
}
