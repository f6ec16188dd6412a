package main_test

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kurogo/messages"
)

// On a fresh machine, with neither a model nor a CLI, the rehearsal plays: honestly
// labelled, and only through the gateway. So it does in Japanese.
func TestTheRehearsalOfARun(t *testing.T) {
	t.Parallel()
	for _, lang := range []string{"en", "ja"} {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			th := newTheatre(t)
			s := &shop{theatre: th}
			t.Cleanup(func() { th.run("stop") })
			set := []string{"--lang", lang, "--set", "driver=rehearsal", "--set", "server.listen=127.0.0.1:0", "--set", "server.mcp_websocket_listen=", "--root", "./app"}
			first := s.order("Sew a noren", set...)
			if first.status != 0 || first.Status != "done" || !slices.Equal(first.Files, []string{"rehearsal/run.md"}) || first.steps() != "note:done:1 look:done:1" {
				t.Fatalf("%+v", first)
			}
			note, err := os.ReadFile(filepath.Join(th.project, "app", "rehearsal", "run.md"))
			if err != nil || !strings.Contains(string(note), "(rehearsal)") || !strings.Contains(string(note), "\nSew a noren\n") || !strings.Contains(first.Text, "(rehearsal)") {
				t.Errorf("%s, %v; %s", note, err, first.Text)
			}
			again := s.order("Sew a noren", set...)
			if again.status != 0 || again.Diff != "" || len(again.Files) != 0 || !slices.Equal(s.tools(again.Job), []string{"write_file conflict", "read_file"}) {
				t.Errorf("%+v, tools %q", again, s.tools(again.Job))
			}
			s.sound()
		})
	}
}

// A run as people see it: its progress line by line, its difference, its trace as a
// tree and as lines, and over REST the same.
func TestWhatIsShownOfARun(t *testing.T) {
	t.Parallel()
	s := openShop(t, "ollama", "")
	s.plans("make it", messages.PlanStep{ID: "s1", Work: "write it", Files: []string{"one.md"}, Verify: [][]string{{"kurogo-holds", "one.md", "two"}}})
	s.says("It was done before, but this failed", "Mended.", overwritten("one.md", "one two\n"))
	s.says("Your step: s1", "Written.", used("read_file", "none.md"), written("one.md", "one\n"))
	o := s.does("", "run", "--task", "make it")
	for _, line := range []string{"planned; steps: 1", "s1 begins", "read_file: not_found", "not verified: kurogo-holds one.md two", "does not hold", "s1 is repaired (attempt 2)", "verified: kurogo-holds one.md two", "s1 is done", "Mended.", "done; steps verified: 1", "files changed: 1 (one.md); to take them back: kurogo undo "} {
		if !strings.Contains(o.err, line) {
			t.Errorf("%q is not told:\n%s", line, o.err)
		}
	}
	if o.status != 0 || o.out != "--- /dev/null\n+++ b/one.md\n@@ -0,0 +1 @@\n+one two\n" {
		t.Errorf("%d %s", o.status, o.out)
	}
	id := must[messages.Jobs](s.theatre, messages.ListJobs{Kind: messages.JobRun}).Jobs[0].ID
	if list := s.run("runs"); !strings.Contains(list, string(id)) || !strings.Contains(list, "make it") {
		t.Errorf("runs: %s", list)
	}
	if one := s.run("runs", string(id)); !strings.Contains(one, "s1 is repaired") || !strings.Contains(one, "+one two") {
		t.Errorf("runs ID: %s", one)
	}
	tree := s.run("trace", string(id))
	for _, line := range []string{"├─ plan, steps: 1", "├─ s1 done (attempt 2)", `│  ├─ write_file {"content"`, "│  ├─ $ kurogo-holds one.md two  exit 1", "│  └─ $ kurogo-holds one.md two ", "└─ done"} {
		if !strings.Contains(tree, line) {
			t.Errorf("the tree has no %q:\n%s", line, tree)
		}
	}
	lines := s.run("trace", string(id), "--json")
	var kinds []string
	for line := range strings.Lines(lines) {
		var e struct {
			Trace messages.JobID `json:"trace_id"`
			Kind  string
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil || e.Trace != id {
			t.Errorf("%s: %v", line, err)
		}
		kinds = append(kinds, e.Kind)
	}
	if got := strings.Join(kinds, " "); got != "task plan step tool_call tool_result tool_call tool_result step verify step tool_call tool_result step verify step diff final" {
		t.Errorf("the trace has %s", got)
	}
	if audit := s.run("audit", "--trace", string(id), "--json"); strings.Count(audit, "\n") != 3 || !strings.Contains(audit, `"agent:run-`) {
		t.Errorf("audit: %s", audit)
	}

	status := must[messages.Status](s.theatre, messages.GetStatus{})
	defer http.DefaultClient.CloseIdleConnections()
	token := strings.TrimSpace(s.run("token"))
	for path, want := range map[string]string{
		"/api/runs": string(id), "/api/runs/" + string(id): `"exit":0`, "/api/runs/" + string(id) + "/trace": `"kind":"verify"`, "/api/stats": `"repairs":1`, "/api/approvals": "[]",
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+status.HTTP+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(res.Body)
		_ = res.Body.Close()
		if err != nil || res.StatusCode != http.StatusOK || !strings.Contains(string(body), want) {
			t.Errorf("%s: %d %s, %v", path, res.StatusCode, body, err)
		}
	}
}
