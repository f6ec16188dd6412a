package main_test

import (
	"bufio"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Two versions of the protocol's conformance suite: the released one, and the
// one that knows 2026-07-28.
const (
	suite     = "@modelcontextprotocol/conformance/dist/index.js"
	nextSuite = "conformance-next/dist/index.js"
)

// What of the suite our servers do not pass stands in a file, each for a reason.
const expectedFailures = "../../transport/mcp/conformance/testdata/expected-failures.yml"

// The conformance suite passes: whole with a server that has all that it calls,
// and where it needs nothing special with kurogo itself.
func TestCLIConformance(t *testing.T) {
	t.Parallel()
	released, next := npm(t, suite), npm(t, nextSuite)
	th, s := rehearse(t, `auth = "none"`)
	fixture := "http://" + serveFixture(t) + "/mcp"
	product := "http://" + s.HTTP + "/mcp"
	t.Run("the fixture", func(t *testing.T) {
		for name, run := range map[string]struct {
			npmScript
			args     []string
			expected []string
		}{
			"the active suite": {released, nil, nil},
			"2025-11-25":       {next, []string{"--requirements", "2025-11-25"}, nil},
			"2026-07-28":       {next, []string{"--requirements", "2026-07-28", "--expected-failures", absolute(t, expectedFailures)}, listed(t)},
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				examine(t, th, run.npmScript, fixture, true, run.expected, run.args...)
			})
		}
	})
	t.Run("the product", func(t *testing.T) {
		for version, scenarios := range map[string][]string{
			"":           {"server-initialize", "ping", "tools-list", "dns-rebinding-protection", "server-sse-multiple-streams"},
			"2025-11-25": {"server-initialize", "server-session-lifecycle", "ping", "tools-list", "dns-rebinding-protection"},
			"2026-07-28": {"server-stateless", "tools-list", "http-header-validation", "dns-rebinding-protection", "server-sse-multiple-streams"},
		} {
			for _, scenario := range scenarios {
				t.Run(strings.TrimSpace(scenario+" "+version), func(t *testing.T) {
					t.Parallel()
					script, args := released, []string{"--scenario", scenario}
					if version != "" {
						script, args = next, append(args, "--spec-version", version)
					}
					examine(t, th, script, product, scenario != "server-stateless", lacking[scenario], args...)
				})
			}
		}
	})
}

// lacking is what cannot be seen without tools that only a fixture has.
var lacking = map[string][]string{"server-stateless": {
	"server-stateless:sep-2575-server-rejects-undeclared-capability",
	"server-stateless:sep-2575-missing-capability-http-400",
	"server-stateless:sep-2575-http-server-no-independent-requests-on-stream",
	"server-stateless:sep-2575-server-no-log-without-loglevel",
}}

// serveFixture runs the server that has what the suite calls, and gives its
// address.
func serveFixture(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "fixture")
	if out, err := exec.Command("go", "build", "-o", program, "kurogo/transport/mcp/conformance/testdata/fixture").CombinedOutput(); err != nil {
		t.Fatalf("build the fixture: %v\n%s", err, out)
	}
	c := exec.Command(program, "-listen", "127.0.0.1:0")
	c.Stderr = t.Output()
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Signal(os.Interrupt)
		if err := c.Wait(); err != nil {
			t.Errorf("the fixture ended with %v", err)
		}
	})
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(address)
}

// check is one thing that the suite looked at.
type check struct {
	ID      string `json:"id"`
	Status  string `json:"status"`
	Message string `json:"errorMessage"`
}

// when is what the suite puts behind the name of a scenario.
var when = regexp.MustCompile(`^server-(.+)-\d{4}-\d\d-\d\dT.*$`)

// examine runs the suite and sees that what it finds wrong is just what is
// expected, also in those scenarios by which it does not judge.
func examine(t *testing.T, th *theatre, s npmScript, server string, passes bool, expected []string, args ...string) {
	t.Helper()
	results := t.TempDir()
	c := s.command(th, append([]string{"server", "--url", server, "-o", results}, args...)...)
	out, err := c.CombinedOutput()
	if passes != (err == nil) {
		t.Errorf("it ended with %v:\n%s", err, out)
	}
	open := map[string]bool{}
	for _, e := range expected {
		open[e] = true
	}
	files, _ := filepath.Glob(filepath.Join(results, "*", "checks.json"))
	passed := 0
	for _, file := range files {
		name := when.FindStringSubmatch(filepath.Base(filepath.Dir(file)))
		text, err := os.ReadFile(file)
		var checks []check
		if err == nil {
			err = json.Unmarshal(text, &checks)
		}
		if err != nil || name == nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, c := range checks {
			whole, one := name[1], name[1]+":"+c.ID
			switch c.Status {
			case "SUCCESS":
				passed++
			case "FAILURE", "WARNING":
				if !slices.Contains(expected, whole) && !slices.Contains(expected, one) {
					t.Errorf("%s: %s", one, c.Message)
				}
				delete(open, whole)
				delete(open, one)
			}
		}
	}
	for e := range maps.Keys(open) {
		t.Errorf("%s is expected to fail, and does not", e)
	}
	if passed == 0 {
		t.Errorf("nothing was looked at:\n%s", out)
	}
	t.Logf("%d scenarios, %d checks passed, %d known not to", len(files), passed, len(expected))
}

// listed reads the file of what is known not to pass.
func listed(t *testing.T) (entries []string) {
	t.Helper()
	text, err := os.ReadFile(expectedFailures)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if entry, ok := strings.CutPrefix(strings.TrimSpace(line), "- "); ok {
			entries = append(entries, entry)
		}
	}
	return entries
}

func absolute(t *testing.T, path string) string {
	t.Helper()
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return path
}
