package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"kurogo/config"
	"kurogo/messages"
)

// mcpInstall makes us known to a client. It hangs below the verb mcp.
func (p *program) mcpInstall() *cobra.Command {
	var show, user, http bool
	names := make([]string, len(config.Clients()))
	for i, c := range config.Clients() {
		names[i] = string(c)
	}
	c := &cobra.Command{
		Use:   "install " + strings.Join(names, "|"),
		Short: "Tell an MCP client where to find this kurogo",
		Long: `Install puts kurogo into the file in which a client lists its MCP servers: the
project's, or with --user the user's (Codex has only that one). What others wrote
stays, and a copy of the file as it was is kept beside it (.bak).

In the project's file kurogo serves this project. In the user's it serves the one
in which the client works, unless --project names one.`,
		Example: "  kurogo mcp install cursor\n  kurogo mcp install claude --user\n  kurogo mcp install codex --print",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("name one client: %s", strings.Join(names, ", "))
			}
			return nil
		},
		ValidArgs: names,
		RunE: func(c *cobra.Command, args []string) error {
			if !slices.Contains(names, args[0]) {
				return messages.Invalid("client", "%q is no client that we know", args[0]).Try("use one of " + strings.Join(names, ", "))
			}
			client := config.Client(args[0])
			file, own, err := p.clientFile(client, user)
			if err != nil {
				return err
			}
			entry, err := p.entry(c.Context(), http, own)
			if err != nil {
				return err
			}
			if show {
				text, err := client.Edit("", entry)
				if err == nil {
					p.tell(p.say("belongs in"), file)
					_, err = fmt.Fprint(p.out, text)
				}
				return err
			}
			return p.install(client, file, entry)
		},
	}
	c.Flags().BoolVar(&show, "print", false, "print the entry, and write nothing")
	c.Flags().BoolVar(&user, "user", false, "write into the user's file, for all projects")
	c.Flags().BoolVar(&http, "http", false, "connect to a running kurogo by HTTP instead of starting one")
	return c
}

// clientFile is the file of a client, and whether it is the project's own.
func (p *program) clientFile(c config.Client, user bool) (file string, own bool, err error) {
	home := p.getenv("HOME")
	inProject := map[config.Client]string{
		config.ClaudeClient: ".mcp.json", config.CursorClient: ".cursor/mcp.json",
		config.GeminiClient: ".gemini/settings.json", config.VSCodeClient: ".vscode/mcp.json",
	}[c]
	if inProject != "" && !user {
		return filepath.Join(p.site.project, inProject), true, nil
	}
	if c == config.VSCodeClient {
		return "", false, messages.Invalid("user", "VS Code keeps the user's servers in a profile").Try("leave --user out, or add what --print shows with its command MCP: Open User Configuration")
	}
	if home == "" {
		return "", false, messages.Errorf(messages.CodeInvalid, "HOME is not set").Try("set it to the user's home directory")
	}
	return map[config.Client]string{
		config.ClaudeClient: filepath.Join(cmp.Or(p.getenv("CLAUDE_CONFIG_DIR"), home), ".claude.json"),
		config.CodexClient:  filepath.Join(cmp.Or(p.getenv("CODEX_HOME"), filepath.Join(home, ".codex")), "config.toml"),
		config.CursorClient: filepath.Join(home, ".cursor", "mcp.json"),
		config.GeminiClient: filepath.Join(home, ".gemini", "settings.json"),
	}[c], false, nil
}

// listens is where the owner listens, or where one will.
func (p *program) listens(ctx context.Context) string {
	client, err := p.dial(ctx)
	if err != nil {
		return p.cfg.Server.Listen
	}
	defer client.Close()
	s, err := askOn[messages.Status](ctx, client, messages.GetStatus{})
	if err != nil {
		return p.cfg.Server.Listen
	}
	return cmp.Or(s.HTTP, p.cfg.Server.Listen)
}

// entry is what the client is to know. In a file of all projects none is named,
// unless it was on the command line.
func (p *program) entry(ctx context.Context, http, own bool) (config.ServerEntry, error) {
	if http {
		host, port, err := net.SplitHostPort(p.listens(ctx))
		if err != nil || port == "0" {
			return config.ServerEntry{}, messages.Invalid("server.listen", "%q is no address to connect to", p.cfg.Server.Listen).Try("give it a port")
		}
		if ip := net.ParseIP(host); host == "" || ip.IsUnspecified() {
			host = "127.0.0.1"
		}
		return config.ServerEntry{URL: "http://" + net.JoinHostPort(host, port) + "/mcp", Token: p.cfg.Server.Auth != "none"}, nil
	}
	self, err := os.Executable()
	if err != nil {
		return config.ServerEntry{}, messages.Errorf(messages.CodeInternal, "find this program: %v", err)
	}
	e := config.ServerEntry{Command: self, Args: []string{"mcp"}, Variables: passed}
	if own || p.flags.project != "" {
		e.Args = append(e.Args, "--project", p.site.project)
	}
	return e, nil
}

// passed are the variables without which a kurogo that a client starts would be
// another one than the terminal's, or could lend agents no key.
var passed = append([]string{"KUROGO_PROJECT", "KUROGO_STATE_DIR", "XDG_STATE_HOME"}, keys...)

// install edits the file, and says what it did.
func (p *program) install(c config.Client, file string, e config.ServerEntry) error {
	if err := p.notInside(); err != nil {
		return err
	}
	if real, err := filepath.EvalSymlinks(file); err == nil {
		file = real // a link that somebody made stays a link
	}
	before, err := os.ReadFile(file)
	missing := errors.Is(err, fs.ErrNotExist)
	switch {
	case err != nil && !missing:
		return messages.Errorf(messages.CodeUnavailable, "read %s: %v", file, err)
	case !utf8.Valid(before):
		return messages.Errorf(messages.CodeConflict, "%s is not UTF-8", file).Try("correct it, or see what --print shows")
	}
	after, err := c.Edit(string(before), e)
	if err != nil {
		e := messages.AsError(err)
		e.Message = file + ": " + e.Message
		return e.Try("correct it, or add by hand what --print shows; nothing was written")
	}
	done := installation{Client: string(c), Path: file, Changed: missing || after != string(before)}
	if done.Changed {
		if done.Backup, err = replaceFile(file, before, []byte(after), missing); err != nil {
			return err
		}
	}
	if p.flags.json {
		return p.print(done)
	}
	p.tell(p.say(map[bool]string{true: "installed", false: "knew us"}[done.Changed]), c, file)
	if e.Token && c != config.VSCodeClient {
		p.tell("%s", p.say("token env"))
	}
	return nil
}

// An installation is what install did.
type installation struct {
	Client  string `json:"client"`
	Path    string `json:"path"`
	Changed bool   `json:"changed"`
	Backup  string `json:"backup,omitempty"`
}

// replaceFile puts after in the place of before, whole or not at all, and keeps
// before beside it.
func replaceFile(file string, before, after []byte, missing bool) (backup string, err error) {
	wrong := func(err error) error {
		return messages.Errorf(messages.CodeUnavailable, "write %s: %v", file, err).Try("make it writable, or see what --print shows")
	}
	mode := fs.FileMode(0o644)
	if missing {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil { //nolint:gosec // what a client makes for itself is as open
			return "", wrong(err)
		}
	} else {
		info, err := os.Stat(file)
		if err != nil {
			return "", wrong(err)
		}
		mode, backup = info.Mode().Perm(), file+".bak"
		if err := putFile(backup, before, mode); err != nil {
			return "", wrong(err)
		}
		// Claude Code writes its own file whenever it likes.
		if now, err := os.ReadFile(file); err != nil || !bytes.Equal(now, before) {
			return "", messages.Errorf(messages.CodeConflict, "%s was changed by somebody else at this moment", file).Try("try again")
		}
	}
	if err := putFile(file, after, mode); err != nil {
		return "", wrong(err)
	}
	return backup, nil
}

// putFile writes a file beside its place and then puts it there.
func putFile(file string, text []byte, mode fs.FileMode) error {
	f, err := os.CreateTemp(filepath.Dir(file), ".kurogo-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(f.Name()) }() // it is gone after the rename
	_, err = f.Write(text)
	if err == nil {
		err = errors.Join(f.Chmod(mode), f.Sync())
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), file)
}
