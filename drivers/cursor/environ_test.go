package cursor_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kurogo/drivers/cursor"
	"kurogo/drivers/drivertest"
	"kurogo/messages"
)

// told is how an agent was started: its environment and its arguments.
func told(t *testing.T, o cursor.Options, spec messages.Spec, text string) (all []string, argv string) {
	t.Helper()
	said := ended(whole(t, faked(tells, o), spec, text)).Text
	return strings.Split(said, "\n"), said[strings.LastIndex(said, "\n-p\n")+1:]
}

func TestWhatALifeIsStartedWith(t *testing.T) {
	t.Setenv("CURSOR_CONFIG_DIR", "/home/me/.cursor")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "canary")
	t.Setenv("CURSOR_API_KEY", "canary of ours")
	home := t.TempDir()
	spec := messages.Spec{
		Home: home, Model: "claude-4-sonnet", SystemPrompt: "You are an actor.\n", Env: map[string]string{"CURSOR_API_KEY": "of the caller"},
		MCP: messages.MCPServer{URL: "http://127.0.0.1:9696/mcp", Token: "canary of a token"},
	}
	got, argv := told(t, cursor.Options{}, spec, "[from user]\nDo it.")
	want := strings.Join([]string{
		"-p", "--force", "--trust", "--model", "claude-4-sonnet", "--output-format", "stream-json", "--stream-partial-output", "--approve-mcps",
		"You are an actor.\n\n[from user]\nDo it.",
	}, "\n")
	if argv != want {
		t.Errorf("argv %q, want %q", argv, want)
	}
	for _, name := range []string{"CURSOR_CONFIG_DIR=" + filepath.Join(home, "cursor"), "CURSOR_API_KEY=of the caller", "TERM=dumb"} {
		if !slices.Contains(got, name) {
			t.Errorf("no %s in %q", name, got)
		}
	}
	if strings.Contains(strings.Join(got, "\n"), "canary") {
		t.Errorf("it knows too much: %q", got)
	}
}

func TestOurServerIsWrittenForTheAgentAlone(t *testing.T) {
	home := t.TempDir()
	file := filepath.Join(home, "cursor", "mcp.json")
	spec := messages.Spec{Home: home, MCP: messages.MCPServer{URL: "http://127.0.0.1:9696/mcp", Token: "t0ken"}}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	told(t, cursor.Options{}, spec, "Do it.")
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Servers map[string]struct {
			URL     string            `json:"url"`
			Headers map[string]string `json:"headers"`
		} `json:"mcpServers"`
	}
	if err := json.Unmarshal(b, &got); err != nil || got.Servers["kurogo"].URL != spec.MCP.URL || got.Servers["kurogo"].Headers["Authorization"] != "Bearer t0ken" {
		t.Errorf("%s, %v", b, err)
	}
	for path, mode := range map[string]os.FileMode{file: 0o600, filepath.Dir(file): 0o700} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
	spec.MCP = messages.MCPServer{}
	if _, argv := told(t, cursor.Options{}, spec, "Do it."); strings.Contains(argv, "--approve-mcps") {
		t.Errorf("argv %q", argv)
	}
	if _, err := os.Stat(file); !os.IsNotExist(err) {
		t.Errorf("the server of a former life is still there: %v", err)
	}
}

func TestTheSharedConfigurationIsLeftAlone(t *testing.T) {
	mine := t.TempDir()
	t.Setenv("CURSOR_CONFIG_DIR", mine)
	o := cursor.Options{Config: cursor.Shared, Env: map[string]string{"CURSOR_API_KEY": "x"}}
	spec := messages.Spec{Home: t.TempDir(), MCP: messages.MCPServer{URL: "http://127.0.0.1:1/mcp", Token: "t0ken"}}
	all := whole(t, faked(tells, o), spec, "Do it.")
	if said := ended(all).Text; !strings.Contains(said, "CURSOR_CONFIG_DIR="+mine) || strings.Contains(said, "--approve-mcps") {
		t.Errorf("%q", said)
	}
	if w := of(all, messages.DriverWarned); len(w) != 1 || !strings.Contains(w[0].Text, "does not get the tools") {
		t.Errorf("warned %+v", w)
	}
	if _, err := os.Stat(filepath.Join(mine, "mcp.json")); !os.IsNotExist(err) {
		t.Errorf("something was written: %v", err)
	}
}

func TestPermission(t *testing.T) {
	for permission, want := range map[string]string{
		"": "-p\n--force\n--trust\n--output-format", cursor.Allow: "-p\n--force\n--trust\n--output-format",
		cursor.Edits: "-p\n--trust\n--output-format", cursor.Deny: "-p\n--trust\n--mode\nask\n--output-format",
	} {
		if _, argv := told(t, cursor.Options{Permission: permission}, messages.Spec{}, "Do it."); !strings.HasPrefix(argv, want) {
			t.Errorf("%q: %q, want %q", permission, argv, want)
		}
	}
	if _, argv := told(t, cursor.Options{Permission: cursor.Allow}, messages.Spec{ReadOnly: true}, "Look."); !strings.HasPrefix(argv, "-p\n--trust\n--mode\nask\n") {
		t.Errorf("who may only look: %q", argv)
	}
}

func TestWhatLooksLikeAnOptionIsNone(t *testing.T) {
	for text, want := range map[string]string{
		"-p is an option":  "[turn turn-1]\n-p is an option",
		"  /clear":         "[turn turn-1]\n  /clear",
		"nul \x00 \xff":    "nul \uFFFD \uFFFD",
		"[from user]\nHi.": "[from user]\nHi.",
	} {
		_, argv := told(t, cursor.Options{}, messages.Spec{}, text)
		if !strings.HasSuffix(argv, "--stream-partial-output\n"+want) {
			t.Errorf("%q became %q", text, argv)
		}
	}
}

// The CLI is found under its new name before its old one.
func TestTheCommandHasTwoNames(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	d := cursor.New(cursor.Options{Env: map[string]string{"CURSOR_API_KEY": "x", "GORACE": "atexit_sleep_ms=0"}})
	if _, err := d.Probe(t.Context()); !messages.IsCode(err, messages.CodeUnavailable) || !strings.Contains(err.Error(), "install the Cursor CLI") {
		t.Errorf("nothing is there: %v", err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"cursor-agent", "agent"} {
		if err := os.Symlink(self, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		if caps, err := d.Probe(t.Context()); err != nil || len(caps.Models) != 3 {
			t.Errorf("%s: %+v, %v", name, caps, err)
		}
		if end := ended(whole(t, d, messages.Spec{}, "Do it.")); end.Text != drivertest.Last {
			t.Errorf("%s: %+v", name, end)
		}
	}
}
