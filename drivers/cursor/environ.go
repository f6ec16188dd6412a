package cursor

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"

	"kurogo/drivers/process"
	"kurogo/messages"
)

// configDir is the variable that names the CLI's directory.
const configDir = "CURSOR_CONFIG_DIR"

// environ is the environment of a life. It makes the directory that it names,
// with our MCP server in it.
func (o Options) environ(spec messages.Spec) ([]string, error) {
	add := maps.Clone(o.Env)
	if add == nil {
		add = map[string]string{}
	}
	maps.Copy(add, spec.Env)
	if o.shared() {
		return process.Environ(os.Environ(), add, configDir), nil
	}
	if spec.Home == "" {
		return nil, messages.Invalid("home", "an isolated agent needs a directory of its own")
	}
	dir := filepath.Join(spec.Home, "cursor")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make home: %w", err)
	}
	if err := o.introduce(dir, spec); err != nil {
		return nil, err
	}
	add[configDir] = dir
	return process.Environ(os.Environ(), add), nil
}

// A server is an entry of mcp.json.
type server struct {
	URL     string            `json:"url"`
	Headers map[string]string `json:"headers,omitempty"`
}

// introduce writes our MCP server down, for this user's eyes only, or takes away
// what a former life was told: its token is dead.
func (o Options) introduce(dir string, spec messages.Spec) error {
	file := filepath.Join(dir, "mcp.json")
	if err := os.Remove(file); err != nil && !os.IsNotExist(err) { // else it would keep its mode
		return fmt.Errorf("write mcp.json: %w", err)
	}
	if !o.serves(spec) {
		return nil
	}
	ours := server{URL: spec.MCP.URL}
	if spec.MCP.Token != "" {
		ours.Headers = map[string]string{"Authorization": "Bearer " + spec.MCP.Token}
	}
	b, err := json.MarshalIndent(map[string]map[string]server{"mcpServers": {"kurogo": ours}}, "", "  ")
	if err != nil {
		return fmt.Errorf("write mcp.json: %w", err)
	}
	if err := os.WriteFile(file, append(b, '\n'), 0o600); err != nil {
		return fmt.Errorf("write mcp.json: %w", err)
	}
	return nil
}

// asking is the environment in which the CLI is asked what it can do, and how to
// tidy up after it. A key does not need the user's configuration, and two who
// ask must not race for its files.
func (o Options) asking() (env []string, done func(), err error) {
	if o.shared() || o.Env[key] == "" {
		return process.Environ(os.Environ(), o.Env, configDir), func() {}, nil
	}
	dir, err := os.MkdirTemp("", "kurogo-cursor-")
	if err != nil {
		return nil, nil, fmt.Errorf("ask cursor: %w", err)
	}
	add := maps.Clone(o.Env)
	add[configDir] = dir
	return process.Environ(os.Environ(), add), func() { _ = os.RemoveAll(dir) }, nil
}
