package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kurogo/messages"
)

// A desktop is a user with a home and a project, and what install says to him.
type desktop struct {
	t             *testing.T
	home, project string
	environ       []string
	program       *program
	out, err      bytes.Buffer
}

func newDesktop(t *testing.T) *desktop {
	t.Helper()
	d := &desktop{t: t, home: t.TempDir(), project: t.TempDir()}
	d.environ = []string{"HOME=" + d.home}
	return d
}

// install runs the verb as the verb above it will.
func (d *desktop) install(args ...string) error {
	d.t.Helper()
	d.out.Reset()
	d.err.Reset()
	p := &program{out: &d.out, err: &d.err, environ: d.environ}
	p.site.project = d.project
	p.cfg.Language, p.cfg.Server.Listen = "en", "0.0.0.0:9696"
	if d.program != nil {
		p.flags = d.program.flags
	}
	c := p.mcpInstall()
	c.SilenceErrors, c.SilenceUsage = true, true
	c.SetArgs(args)
	return c.ExecuteContext(d.t.Context())
}

func (d *desktop) must(args ...string) {
	d.t.Helper()
	if err := d.install(args...); err != nil {
		d.t.Fatal(err)
	}
}

func (d *desktop) read(file string) string {
	d.t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		d.t.Fatal(err)
	}
	return string(b)
}

func (d *desktop) write(file, text string, mode os.FileMode) string {
	d.t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		d.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), mode); err != nil {
		d.t.Fatal(err)
	}
	return file
}

// left is what is in a directory.
func (d *desktop) left(dir string) string {
	d.t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		d.t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

func TestEachClientIsToldInItsOwnFile(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args    string
		file    string
		project bool // its file is the project's own
	}{
		{"cursor", ".cursor/mcp.json", true},
		{"claude", ".mcp.json", true},
		{"gemini", ".gemini/settings.json", true},
		{"vscode", ".vscode/mcp.json", true},
		{"codex", ".codex/config.toml", false},
		{"codex --user", ".codex/config.toml", false},
		{"cursor --user", ".cursor/mcp.json", false},
		{"claude --user", ".claude.json", false},
		{"gemini --user", ".gemini/settings.json", false},
	} {
		t.Run(c.args, func(t *testing.T) {
			t.Parallel()
			d := newDesktop(t)
			base, other := d.home, d.project
			if c.project {
				base, other = d.project, d.home
			}
			d.must(strings.Fields(c.args)...)
			text := d.read(filepath.Join(base, c.file))
			self, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(text, self) || strings.Contains(text, d.project) != c.project {
				t.Errorf("got\n%s", text)
			}
			if !strings.Contains(d.err.String(), filepath.Join(base, c.file)) || d.out.Len() > 0 {
				t.Errorf("it said %q and printed %q", d.err.String(), d.out.String())
			}
			if left := d.left(other); left != "" {
				t.Errorf("elsewhere there is %s", left)
			}
			// Once more: nothing changes, and there is nothing to keep.
			d.must(strings.Fields(c.args)...)
			if again := d.read(filepath.Join(base, c.file)); again != text || !strings.Contains(d.err.String(), "already") {
				t.Errorf("once more: %q\n%s", d.err.String(), again)
			}
			if left := d.left(filepath.Dir(filepath.Join(base, c.file))); left != filepath.Base(c.file) {
				t.Errorf("there is %s", left)
			}
		})
	}
}

func TestANamedProjectStandsInTheUsersFile(t *testing.T) {
	t.Parallel()
	d := newDesktop(t)
	d.program = &program{}
	d.program.flags.project = d.project
	d.must("codex")
	if text := d.read(filepath.Join(d.home, ".codex/config.toml")); !strings.Contains(text, `"--project", "`+d.project+`"`) {
		t.Errorf("got\n%s", text)
	}
}

func TestTheClientsOwnVariablesSayWhereItsFileIs(t *testing.T) {
	t.Parallel()
	d := newDesktop(t)
	elsewhere := t.TempDir()
	d.environ = append(d.environ, "CODEX_HOME="+elsewhere+"/codex", "CLAUDE_CONFIG_DIR="+elsewhere+"/claude")
	d.must("codex")
	d.must("claude", "--user")
	if left := d.left(elsewhere+"/codex") + " " + d.left(elsewhere+"/claude"); left != "config.toml .claude.json" {
		t.Errorf("there is %s", left)
	}
}

func TestWhatWasThereIsKept(t *testing.T) {
	t.Parallel()
	d := newDesktop(t)
	const before = "{\n  \"secret\": 1\n}\n"
	real := d.write(filepath.Join(d.home, "dotfiles", "claude.json"), before, 0o600)
	link := filepath.Join(d.home, ".claude.json")
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	d.must("claude", "--user")
	if got := d.read(real + ".bak"); got != before {
		t.Errorf("the copy is %q", got)
	}
	if got := d.read(link); !strings.HasPrefix(got, "{\n  \"secret\": 1,\n  \"mcpServers\"") {
		t.Errorf("got %s", got)
	}
	for _, file := range []string{real, real + ".bak"} {
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", file, info.Mode(), err)
		}
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v", err)
	}
	if left := d.left(filepath.Dir(real)); left != "claude.json claude.json.bak" {
		t.Errorf("there is %s", left)
	}
}

func TestPrintWritesNothing(t *testing.T) {
	t.Parallel()
	d := newDesktop(t)
	d.must("cursor", "--print", "--http")
	var got struct {
		MCPServers map[string]struct {
			URL     string
			Headers map[string]string
		}
	}
	if err := json.Unmarshal(d.out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if k := got.MCPServers["kurogo"]; k.URL != "http://127.0.0.1:9696/mcp" || k.Headers["Authorization"] != "Bearer ${env:KUROGO_TOKEN}" {
		t.Errorf("got %+v", got)
	}
	if left := d.left(d.project) + d.left(d.home); left != "" || !strings.Contains(d.err.String(), filepath.Join(".cursor", "mcp.json")) {
		t.Errorf("there is %s; it said %s", left, d.err.String())
	}
}

func TestHTTPSaysWhereTheTokenComesFrom(t *testing.T) {
	t.Parallel()
	d := newDesktop(t)
	d.must("claude", "--http")
	if !strings.Contains(d.err.String(), "export KUROGO_TOKEN=") {
		t.Errorf("it said %q", d.err.String())
	}
	if strings.Contains(d.read(filepath.Join(d.project, ".mcp.json")), "Bearer ${KUROGO_TOKEN}") != true {
		t.Error("there is no variable")
	}
}

func TestJSONSaysWhatWasDone(t *testing.T) {
	t.Parallel()
	d := newDesktop(t)
	d.program = &program{}
	d.program.flags.json = true
	file := d.write(filepath.Join(d.project, ".mcp.json"), "{}", 0o644)
	for _, want := range []installation{{"claude", file, true, file + ".bak"}, {"claude", file, false, ""}} {
		d.must("claude")
		var got installation
		if err := json.Unmarshal(d.out.Bytes(), &got); err != nil || got != want {
			t.Errorf("got %+v, %v, want %+v", got, err, want)
		}
	}
}

func TestWhatCannotBeInstalledIsRefusedAndNothingIsWritten(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		args   []string
		file   string // in the project, with text
		text   string
		setup  func(*desktop)
		code   messages.Code
		says   string
		remedy string
	}{
		"nobody":        {args: []string{"emacs"}, code: messages.CodeInvalid, says: `"emacs" is no client`, remedy: "claude, codex, cursor, gemini, vscode"},
		"broken":        {args: []string{"cursor"}, file: ".cursor/mcp.json", text: "{\n \"a\": }", code: messages.CodeConflict, says: "mcp.json: line 2 is no JSON", remedy: "nothing was written"},
		"a list":        {args: []string{"claude"}, file: ".mcp.json", text: `{"mcpServers": []}`, code: messages.CodeConflict, says: "mcpServers is no object", remedy: "nothing was written"},
		"latin":         {args: []string{"claude"}, file: ".mcp.json", text: "{\"a\": \"\xe9\"}", code: messages.CodeConflict, says: "is not UTF-8", remedy: "--print"},
		"no home":       {args: []string{"codex"}, setup: func(d *desktop) { d.environ = nil }, code: messages.CodeInvalid, says: "HOME is not set", remedy: "set it"},
		"inside":        {args: []string{"claude"}, setup: func(d *desktop) { d.environ = append(d.environ, "KUROGO_SOCKET=/x") }, code: messages.CodeDenied, says: "inside an agent", remedy: "unset"},
		"user's vscode": {args: []string{"vscode", "--user"}, code: messages.CodeInvalid, says: "profile", remedy: "--user"},
		"a directory":   {args: []string{"claude"}, file: ".mcp.json/x", code: messages.CodeUnavailable, says: "is a directory"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesktop(t)
			if c.file != "" {
				d.write(filepath.Join(d.project, c.file), c.text, 0o644)
			}
			if c.setup != nil {
				c.setup(d)
			}
			e := messages.AsError(d.install(c.args...))
			if e == nil || e.Code != c.code || !strings.Contains(e.Message, c.says) || !strings.Contains(e.Remedy, c.remedy) {
				t.Fatalf("got %v", e)
			}
			if c.file == "" {
				if left := d.left(d.project) + d.left(d.home); left != "" {
					t.Errorf("there is %s", left)
				}
				return
			}
			if got := d.read(filepath.Join(d.project, c.file)); got != c.text {
				t.Errorf("the file is %q", got)
			}
			if left := d.left(filepath.Dir(filepath.Join(d.project, c.file))); left != filepath.Base(c.file) {
				t.Errorf("there is %s", left)
			}
		})
	}
}
