package main_test

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"kurogo/messages"
)

// An npmScript is a program of npm, with the node that runs it.
type npmScript struct{ node, path string }

// npm finds what make test-cli installed, or skips the test by the name of what
// is missing. path is below node_modules.
func npm(t *testing.T, path string) npmScript {
	t.Helper()
	dir := os.Getenv("KUROGO_TEST_CLI_DIR")
	if dir == "" {
		t.Skip("there are no packages of npm: name where they are installed by KUROGO_TEST_CLI_DIR")
	}
	s := npmScript{filepath.Join(dir, "node_modules", "node", "bin", "node"), filepath.Join(dir, "node_modules", path)}
	for _, file := range []string{s.node, s.path} {
		if _, err := os.Stat(file); err != nil {
			t.Skipf("it is not installed: %v", err)
		}
	}
	return s
}

// command runs the script as somebody who has nothing but a home.
func (s npmScript) command(th *theatre, args ...string) *exec.Cmd {
	c := exec.Command(s.node, append([]string{s.path}, args...)...)
	c.Dir = th.project
	c.Env = []string{"HOME=" + th.home, "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "NO_COLOR=1"}
	return c
}

// An inspector is the MCP Inspector before one server, in one era of the
// protocol.
type inspector struct {
	npmScript
	*theatre
	target []string
	modern bool
}

// serverInfo is in the _meta of what is answered in the modern era, and in no
// other.
const serverInfo = "io.modelcontextprotocol/serverInfo"

// Every tool is listed and used by the MCP Inspector, over stdio and HTTP, in
// both eras of the protocol.
func TestCLIInspector(t *testing.T) {
	t.Parallel()
	script := npm(t, "@modelcontextprotocol/inspector/clients/launcher/build/index.js")
	th, s := rehearse(t, "")
	targets := map[string][]string{
		"stdio": {binary, "mcp", "--project", th.project, "-e", "KUROGO_STATE_DIR=" + th.state},
		"http":  {"http://" + s.HTTP + "/mcp", "--transport", "http", "--header", "Authorization: Bearer " + strings.TrimSpace(th.run("token"))},
	}
	t.Run("every way", func(t *testing.T) {
		for carrier, target := range targets {
			for _, era := range []string{"legacy", "modern"} {
				t.Run(carrier+" "+era, func(t *testing.T) {
					t.Parallel()
					i := inspector{script, th, append(target[:len(target):len(target)], "--protocol-era", era), era == "modern"}
					i.list(t)
					visit(t, i.call)
				})
			}
		}
	})
	t.Run("without the token", func(t *testing.T) {
		i := inspector{script, th, []string{"http://" + s.HTTP + "/mcp", "--transport", "http", "--stored-auth-only"}, false}
		if result, told, status := i.run(t, "--method", "tools/list"); status == 0 {
			t.Errorf("it was let in: %v %s", result, told)
		}
	})
}

// run asks the server once and gives the result, what was said on stderr, and the
// exit status.
func (i inspector) run(t *testing.T, args ...string) (result map[string]any, told string, status int) {
	t.Helper()
	c := i.command(i.theatre, slices.Concat([]string{"--cli"}, i.target, args, []string{"--format", "json", "--quiet"})...)
	out, err := c.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		told, status = string(exit.Stderr), exit.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	var printed struct {
		Result map[string]any `json:"result"`
	}
	if err := json.Unmarshal(out, &printed); err != nil && status == 0 {
		t.Fatalf("%v: %v: %s", args, err, out)
	}
	return printed.Result, told, status
}

// list finds the whole catalogue, with schemas in which the Inspector's strict
// look finds no error, and all that is told of a tool.
func (i inspector) list(t *testing.T) {
	t.Helper()
	result, told, status := i.run(t, "--method", "tools/list", "--strict")
	if status != 0 {
		t.Fatalf("exit status %d: %s", status, told)
	}
	var names []string
	listed, _ := result["tools"].([]any)
	for _, tool := range listed {
		names = append(names, at(tool, "name"))
		for _, path := range []string{
			"title", "description", "inputSchema.type", "outputSchema.type",
			"annotations.readOnlyHint", "annotations.destructiveHint", "annotations.idempotentHint", "annotations.openWorldHint",
		} {
			if at(tool, path) == "" {
				t.Errorf("%s has no %s", at(tool, "name"), path)
			}
		}
	}
	if want := catalogue(); !slices.Equal(names, want) {
		t.Errorf("listed %q, want %q", names, want)
	}
}

// call is a [visitor]. An error is told by exit status 5, and by no structured
// content.
func (i inspector) call(t *testing.T, tool string, input json.RawMessage) (any, messages.Code) {
	t.Helper()
	result, told, status := i.run(t, "--method", "tools/call", "--tool-name", tool, "--tool-args-json", string(input))
	meta, _ := result["_meta"].(map[string]any)
	if _, modern := meta[serverInfo]; modern != i.modern {
		t.Fatalf("%s: the eras are mixed up: %v %s", tool, result, told)
	}
	code, text := messages.Code(at(meta["kurogo/error"], "code")), at(result, "content.0.text")
	switch {
	case code != "":
		if status != 5 || result["isError"] != true || result["structuredContent"] != nil || !strings.HasPrefix(text, string(code)+": ") {
			t.Errorf("%s: exit status %d: %v", tool, status, result)
		}
		return text, code
	case status != 0:
		t.Fatalf("%s %s: exit status %d: %s", tool, input, status, told)
	}
	var mirror any
	if err := json.Unmarshal([]byte(text), &mirror); err != nil || !reflect.DeepEqual(mirror, result["structuredContent"]) {
		t.Errorf("%s: the text is not the content: %v: %v", tool, err, result)
	}
	return mirror, ""
}
