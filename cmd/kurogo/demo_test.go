package main_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// perform runs the demo with a home of its own and returns what it says, once
// nothing of it is left.
func perform(t *testing.T, args ...string) (stdout, stderr string) {
	t.Helper()
	home := t.TempDir()
	tmp := filepath.Join(home, "tmp")
	if err := os.Mkdir(tmp, 0o700); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(binary, append([]string{"demo"}, args...)...)
	c.Dir = home // the home is no project, and the demo needs none
	c.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "TMPDIR=" + tmp, "LANG=C.UTF-8"}
	for _, cache := range []string{"GOCACHE", "GOROOT", "GOPATH"} { // it builds what the crew wrote
		if out, err := exec.Command("go", "env", cache).Output(); err == nil {
			c.Env = append(c.Env, cache+"="+strings.TrimSpace(string(out)))
		}
	}
	var out, told bytes.Buffer
	c.Stdout, c.Stderr = &out, &told
	if err := c.Run(); err != nil {
		t.Fatalf("demo: %v\n%s\n%s", err, out.String(), told.String())
	}
	if left := traces(home); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	if states, _ := filepath.Glob(filepath.Join(tmp, "kurogo-demo-state-*")); len(states) > 0 {
		t.Errorf("the demo left its state: %q", states)
	}
	return out.String(), told.String()
}

// Whoever watches the demo sees that it is a rehearsal, the conversation, every
// scene that it promises, and work that builds and runs.
func TestDemoShowsEverything(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "stage")
	out, told := perform(t, "--dir", dir)
	if !strings.Contains(told, "This is a rehearsal") {
		t.Errorf("it does not say that it is a rehearsal: %s", told)
	}
	for _, want := range []string{
		"user → grand_boss", "grand_boss → middle_manager", "middle_manager → coding_specialist", "(thinks)",
		"grand_boss → user  task_complete", "[rehearsal] ", "\nok", "go run .", "Nothing was lost",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("the demo does not show %q", want)
		}
	}
	if strings.Count(out, "✓") != 7 || strings.Contains(out, "✗") || strings.Contains(out, "\x1b") {
		t.Errorf("the scenes: %s", out[strings.Index(out, "What was to be seen"):])
	}
	if _, err := os.Stat(filepath.Join(dir, "main.go")); err != nil {
		t.Error(err)
	}
}

// A program that watches gets one JSON object a line, the verdict last.
func TestDemoAsJSON(t *testing.T) {
	t.Parallel()
	out, _ := perform(t, "--json", "--lang", "ja")
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	for _, line := range lines {
		var object map[string]json.RawMessage
		if err := json.Unmarshal([]byte(line), &object); err != nil {
			t.Fatalf("no JSON object: %q", line)
		}
	}
	var end struct {
		Rehearsal bool
		Scenes    []struct {
			Name string
			Ok   bool
		}
		Task struct{ Status string }
	}
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &end); err != nil {
		t.Fatal(err)
	}
	if !end.Rehearsal || end.Task.Status != "completed" || len(end.Scenes) != 7 {
		t.Errorf("the end: %+v", end)
	}
	for _, s := range end.Scenes {
		if !s.Ok {
			t.Errorf("the scene %s was not to be seen", s.Name)
		}
	}
}
