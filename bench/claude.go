package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"kurogo/drivers/claude"
	"kurogo/drivers/process"
	"kurogo/messages"
)

// findClaude is the real Claude Code, where there is one: named by
// KUROGO_TEST_CLAUDE, or installed by `make test-cli`.
func findClaude() (string, error) {
	if path := os.Getenv("KUROGO_TEST_CLAUDE"); path != "" {
		return process.Look(path)
	}
	dir := os.Getenv("KUROGO_TEST_CLI_DIR")
	if dir == "" {
		dir = filepath.Join("bin", "cli")
	}
	for _, name := range []string{"claude", filepath.Join("node_modules", ".bin", "claude")} {
		if path, err := process.Look(filepath.Join(dir, name)); err == nil {
			return path, nil
		}
	}
	return "", errors.New("there is no Claude Code: make test-cli installs it, or name one by KUROGO_TEST_CLAUDE")
}

// claudeVerb makes this program a Claude Code that never calls a model.
const claudeVerb = "fake-claude"

// fakeClaude drives fakes instead of the real one.
func fakeClaude() (messages.Driver, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program: %w", err)
	}
	return claude.New(claude.Options{
		Command: self, Args: []string{claudeVerb}, Config: claude.Isolated, Env: map[string]string{"GOMAXPROCS": "1"},
	}), nil
}

// pretend is such a process: it says which options it has, or it lives, and
// answers each turn at the length of a real one.
func pretend(args []string, in io.Reader, out io.Writer) error {
	all := strings.Join(args, " ")
	switch {
	case strings.Contains(all, "--version"):
		_, err := io.WriteString(out, "2.1.999 (Claude Code)\n")
		return err
	case strings.Contains(all, "--help"):
		_, err := io.WriteString(out, "--print --input-format --output-format --verbose --model --resume --fork-session --strict-mcp-config"+
			" --setting-sources --disable-slash-commands --disallowedTools --allowedTools --mcp-config --max-budget-usd\n")
		return err
	}
	lines, say, session := process.NewReader(in, 1<<20), json.NewEncoder(out), messages.NewID()
	for {
		line, err := lines.Next()
		if err != nil {
			return nil //nolint:nilerr // whoever spoke to us has left
		}
		var heard struct {
			Type string `json:"type"`
			ID   string `json:"request_id"`
		}
		if err := json.Unmarshal(line.Text, &heard); err != nil {
			return err
		}
		for _, word := range answer(heard.Type, heard.ID, session) {
			if err := say.Encode(word); err != nil {
				return err
			}
		}
	}
}

// answer is what a Claude Code says to a line.
func answer(kind, request, session string) []any {
	type line = map[string]any
	if kind != "user" {
		return []any{line{"type": "control_response", "response": line{"subtype": "success", "request_id": request, "response": line{"commands": strings.Repeat("x", 5000)}}}}
	}
	said := func(role string, blocks ...any) line {
		return line{"type": role, "uuid": messages.NewID(), "session_id": session, "message": line{"model": "m", "content": blocks}}
	}
	return []any{
		line{"type": "system", "subtype": "init", "session_id": session, "mcp_servers": []line{{"name": "kurogo", "status": "connected"}}, "tools": strings.Repeat("x", 3000)},
		said("assistant", line{"type": "tool_use", "id": "t", "name": "Read", "input": line{"file_path": "x"}}),
		said("user", line{"type": "tool_result", "tool_use_id": "t", "content": strings.Repeat("x", 30_000)}),
		said("assistant", line{"type": "text", "text": strings.Repeat("x", 4000)}),
		line{"type": "result", "subtype": "success", "session_id": session, "result": strings.Repeat("x", 4000), "usage": line{"input_tokens": 100, "output_tokens": 20}},
	}
}

// finish hears a session to the end of its turn.
func finish(ctx context.Context, s messages.Session) error {
	for {
		select {
		case e, ok := <-s.Events():
			switch {
			case !ok || e.Kind == messages.DriverExited:
				return fmt.Errorf("the agent has left: %s %s", e.Exit.Reason, e.Exit.Stderr)
			case e.Kind == messages.DriverTurnEnded && e.End.Class != messages.ClassNone:
				return fmt.Errorf("the turn failed: %s", e.End.Text)
			case e.Kind == messages.DriverTurnEnded:
				return nil
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
