package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	"kurogo/drivers/process"
	"kurogo/messages"
	"kurogo/transport/local"
)

// mcpConfig is a house for MCP: its own ports, and nobody who spends anything.
// One agent plays at a time, and never ends; all the others wait for it.
const mcpConfig = `driver = "rehearsal"
health_check = "off"
[server]
listen = "127.0.0.1:0"
mcp_websocket_listen = ""
[limits]
max_concurrent = 1
[drivers.rehearsal]
performance = "play.toml"
`

const mcpGrace = 2 * time.Second // that a server has to leave

const mcpPlay = `[[scene]]
who = "role:research"
[[scene.line]]
hang = true
`

// An mcpStage is a directory in which the real binary serves MCP.
type mcpStage struct {
	*bench
	dir string
}

func (b *bench) mcpStage() (*mcpStage, error) {
	dir, err := b.subdir("mcp")
	if err != nil {
		return nil, err
	}
	home := filepath.Join(dir, "kurogo")
	for _, d := range []string{home, filepath.Join(dir, "project")} {
		if err := os.Mkdir(d, 0o750); err != nil {
			return nil, err
		}
	}
	for name, text := range map[string]string{"kurogo.toml": mcpConfig, "play.toml": mcpPlay} {
		if err := os.WriteFile(filepath.Join(home, name), []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	return &mcpStage{b, dir}, nil
}

// command is a verb of the real binary on this stage.
func (s *mcpStage) command(args ...string) process.Command {
	env := map[string]string{"HOME": s.dir, "XDG_CONFIG_HOME": s.dir, "KUROGO_STATE_DIR": s.dir}
	return process.Command{Path: s.kurogo, Args: args, Env: process.Environ(os.Environ(), env), Dir: filepath.Join(s.dir, "project"), Grace: mcpGrace}
}

// own starts the owner. stop ends it.
func (s *mcpStage) own(ctx context.Context) (*mcpOwner, error) {
	p, client, err := s.serve(ctx, s.dir)
	if err != nil {
		return nil, err
	}
	defer client.Close()
	o := &mcpOwner{mcpStage: s, process: p}
	if err := o.learn(ctx, client); err != nil {
		o.stop(ctx)
		return nil, err
	}
	return o, nil
}

// An mcpOwner is a house that serves, and how to get in by network.
type mcpOwner struct {
	*mcpStage
	process        *process.Process
	address, token string
}

func (o *mcpOwner) learn(ctx context.Context, client *local.Client) error {
	answer, err := client.Ask(ctx, messages.GetStatus{})
	if err != nil {
		return err
	}
	token, err := os.ReadFile(filepath.Join(o.dir, "token"))
	if err != nil {
		return err
	}
	o.address, o.token = answer.(messages.Status).HTTP, strings.TrimSpace(string(token))
	return nil
}

func (o *mcpOwner) stop(ctx context.Context) { o.process.Stop(ctx) }
