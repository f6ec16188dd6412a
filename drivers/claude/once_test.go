package claude_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kurogo/drivers/claude"
	"kurogo/drivers/drivertest"
	"kurogo/drivers/process"
	"kurogo/messages"
)

// What a life of one turn cannot ask us later is in its arguments; its token is
// where only it can read it.
func TestALifeOfOneTurnIsToldEverythingAtItsBeginning(t *testing.T) {
	home := t.TempDir()
	spec := messages.Spec{
		OneShot: true, Cap: 250_000, Home: home, Env: map[string]string{"FAKE_KEY": "of its caller"},
		MCP: messages.MCPServer{URL: "http://127.0.0.1:1/mcp", Token: "canary-of-a-token"},
	}
	o := fakeOptions(tells, claude.Isolated)
	o.Permission = "Edit, Write"
	all := strings.Split(begin(t, claude.New(o), spec).Turn("Do it.").Text, "\n")
	got := strings.Join(all, " ")
	file := filepath.Join(home, "mcp.json")
	for _, want := range []string{"--max-budget-usd 0.25", "--mcp-config=" + file, "--allowedTools=mcp__kurogo,Edit,Write", "--strict-mcp-config", "FAKE_KEY=of its caller"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %q", want, all)
		}
	}
	for _, never := range []string{"canary-of-a-token", "--permission-prompt-tool"} {
		if strings.Contains(got, never) {
			t.Errorf("%q is in %q", never, all)
		}
	}
	var config map[string]map[string]map[string]any
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, &config)
	}
	want := map[string]any{"type": "http", "url": spec.MCP.URL, "headers": map[string]any{"Authorization": "Bearer canary-of-a-token"}}
	if d := cmp.Diff(want, config["mcpServers"]["kurogo"]); d != "" || err != nil {
		t.Error(d, err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

func TestWhatOnlyALifeOfOneTurnIsTold(t *testing.T) {
	got := strings.Join(told(t, claude.Shared, messages.Spec{Cap: 250_000}), " ")
	for _, never := range []string{"--max-budget-usd", "--allowedTools"} { // the one counts the session, the other is ours to answer
		if strings.Contains(got, never) {
			t.Errorf("%q is in %q", never, got)
		}
	}
	all := begin(t, faked(tells, claude.Options{Permission: claude.Allow}), messages.Spec{OneShot: true}).Turn("Do it.").Text
	if !strings.Contains(all, "Bash,") || strings.Contains(all, "--max-budget-usd") {
		t.Errorf("%q", all)
	}
}

// A key that a caller brings makes the life an isolated one, and is nobody else's.
func TestAKeyOfTheCallerIsForThisLife(t *testing.T) {
	for _, name := range []string{"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"} {
		t.Setenv(name, "")
	}
	o := fakeOptions(tells, "")
	o.Config = ""
	d, home := claude.New(o), t.TempDir()
	spec := messages.Spec{OneShot: true, Home: home, Env: map[string]string{"ANTHROPIC_API_KEY": "of-one"}}
	got := strings.Split(begin(t, d, spec).Turn("Do it.").Text, "\n")
	for _, want := range []string{"ANTHROPIC_API_KEY=of-one", "CLAUDE_CONFIG_DIR=" + filepath.Join(home, "claude")} {
		if !slices.Contains(got, want) {
			t.Errorf("no %q in %q", want, got)
		}
	}
	spec.Env = nil
	if got := begin(t, d, spec).Turn("Do it.").Text; strings.Contains(got, "of-one") {
		t.Errorf("another has the key: %q", got)
	}
}

func TestToolsAreOfferedInOneWay(t *testing.T) {
	server := messages.MCPServer{URL: "http://127.0.0.1:1/mcp"}
	for name, spec := range map[string]messages.Spec{
		"in-band and by MCP": {MCP: server, Tools: []messages.Tool{drivertest.SendMessage}, Home: t.TempDir()},
		"without a home":     {MCP: server},
	} {
		if s, err := faked(string(drivertest.Speaks), claude.Options{}).Start(t.Context(), spec); !messages.IsCode(err, messages.CodeInvalid) {
			t.Errorf("%s: %v, %v", name, s, err)
		}
	}
}

// Lives of one turn start with it, and those that share the user's configuration
// one after another.
func TestSharedLivesOfOneTurnWaitForOneAnother(t *testing.T) {
	d := faked(string(drivertest.Mute), claude.Options{})
	first := begin(t, d, messages.Spec{OneShot: true})
	second := begin(t, d, messages.Spec{OneShot: true})
	first.Send("Do it.")
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	turn := messages.Turn{ID: "turn-1", Text: "Do it."}
	if err := second.Session.Send(ctx, turn); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("two started at once: %v", err)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	first.Session.Stop(stopped)
	if err := second.Session.Send(t.Context(), turn); err != nil {
		t.Error(err)
	}
}

func TestWhichFilesWereChanged(t *testing.T) {
	use := func(id, tool, input string) string {
		return `{"type":"assistant","message":{"content":[{"type":"tool_use","id":"` + id + `","name":"` + tool + `","input":` + input + `}]}}`
	}
	result := func(id, fields, outcome string) string {
		return `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"` + id + `"` + fields + `}]},"tool_use_result":` + outcome + `}`
	}
	d := claude.NewDialogue(messages.Spec{}, "")
	var got []messages.FileChange
	for _, line := range []string{
		use("1", "Write", `{"file_path":"new.txt"}`), use("2", "Write", `{"file_path":"old.txt"}`), use("3", "Edit", `{"file_path":"edited.txt"}`),
		use("4", "MultiEdit", `{"file_path":"much.txt"}`), use("5", "NotebookEdit", `{"notebook_path":"book.ipynb"}`),
		use("6", "Write", `{"file_path":"denied.txt"}`), use("7", "Bash", `{"file_path":"shell.txt"}`), use("8", "Read", `{"file_path":"read.txt"}`), use("9", "Edit", `{"file_path":7}`),
		result("1", "", `{"type":"create","filePath":"new.txt"}`), result("2", `,"is_error":false`, `{"type":"update"}`), result("3", "", `"ok"`),
		result("4", `,"is_error":null`, `null`), result("5", "", `{}`), result("6", `,"is_error":true`, `"Error: not granted"`),
		result("7", "", `{"type":"create"}`), result("8", "", `{"type":"create"}`), result("9", "", `{"type":"create"}`), result("1", "", `{"type":"create"}`),
	} {
		heard, err := d.Hear(process.Line{Text: []byte(line)})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range heard.Events {
			if e.Kind == messages.DriverChanged {
				got = append(got, e.File)
			}
		}
	}
	want := []messages.FileChange{
		{Path: "new.txt", Kind: messages.FileCreated},
		{Path: "old.txt", Kind: messages.FileEdited},
		{Path: "edited.txt", Kind: messages.FileEdited},
		{Path: "much.txt", Kind: messages.FileEdited},
		{Path: "book.ipynb", Kind: messages.FileEdited},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
}

func TestAnMCPServerThatIsNotThereIsAWarning(t *testing.T) {
	for servers, want := range map[string]string{
		`[{"name":"kurogo","status":"connected"}]`: "",
		`[{"name":"kurogo","status":"pending"}]`:   "",
		`[{"name":"kurogo","status":"failed"}]`:    "our MCP server is failed",
		`[]`:                                       "our MCP server is absent",
	} {
		d := claude.NewDialogue(messages.Spec{MCP: messages.MCPServer{URL: "http://127.0.0.1:1/mcp"}}, "")
		heard, err := d.Hear(process.Line{Text: []byte(`{"type":"system","subtype":"init","mcp_servers":` + servers + `}`)})
		got := ""
		for _, e := range heard.Events {
			got += e.Text
		}
		if err != nil || got != want {
			t.Errorf("%s: %q, %v", servers, got, err)
		}
	}
}
