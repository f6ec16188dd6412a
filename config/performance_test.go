package config_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kurogo/config"
	"kurogo/messages"
)

func script(t *testing.T, text string) string {
	t.Helper()
	p := filepath.Join(t.TempDir(), "play.toml")
	if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return p
}

func TestAScriptIsReadWhole(t *testing.T) {
	t.Parallel()
	got, err := config.LoadPerformance(script(t, `
title = "T"
task = "do it"
[[scene]]
name = "first"
who = "grand_boss"
on = "task_request"
from = "user"
match = "(?i)noren"
attempt = 2
[[scene.line]]
wait = "200ms"
think = "hm"
[[scene.line]]
send = { to = "middle_manager", content = "{{content}}", thinking = "why", priority = "urgent", ttl = 3, expect = "denied" }
[[scene.line]]
write = { path = "a/b.txt", content = "" }
[[scene.line]]
use = { tool = "Grep", args = '{"pattern":"x"}', wait = "1s" }
[[scene.line]]
[scene.line.report]
status = "failure"
summary = "S"
response = "R"
edited_files = ["a"]
created_files = ["b", "c"]
error_message = "E"
expect = "conflict"
[[scene.line]]
hang = true
[[scene.line]]
crash = 3
`), "ja")
	if err != nil {
		t.Fatal(err)
	}
	want := messages.Performance{Title: "T", Task: "do it", Scenes: []messages.Scene{{
		Name: "first", Who: "grand_boss", On: messages.TaskRequest, From: messages.User, Match: "(?i)noren", Attempt: 2,
		Lines: []messages.Line{
			{Wait: 200 * time.Millisecond, Think: "hm"},
			{Send: &messages.Cue{
				To: "middle_manager", Type: messages.TaskRequest, Content: "{{content}}", Thinking: "why",
				Priority: messages.Urgent, TTL: 3, Expect: messages.CodeDenied,
			}},
			{Write: &messages.Prop{Path: "a/b.txt"}},
			{Use: &messages.Gesture{Tool: "Grep", Args: `{"pattern":"x"}`, Wait: time.Second}},
			{Report: &messages.Account{
				Status: messages.ResultFailure, Summary: "S", Response: "R", Edited: []string{"a"}, Created: []string{"b", "c"},
				Error: "E", Expect: messages.CodeConflict,
			}},
			{Hang: true},
			{Crash: 3},
		},
	}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestABrokenScriptIsRefusedWithEveryLine(t *testing.T) {
	t.Parallel()
	p := script(t, `titel = "T"
[[scene]]
on = "task_requst"
match = "("
attempt = -1
[[scene.line]]
think = "a"
say = "b"
[[scene.line]]
wait = "soon"
[[scene.line]]
wait = "-1s"
send = { type = "letter", priority = "now", ttl = -1, expect = "no" }
[[scene.line]]
write = { path = "../x", content = "" }
[[scene.line]]
crash = 300
[[scene.line]]
use = { args = "{x", wait = "-1s" }
[[scene.line]]
report = { status = "done", summary = " ", expect = "no", editedFiles = [] }
[[scene]]
who = "grand_boss"
`)
	_, err := config.LoadPerformance(p, "en")
	var ps config.Problems
	if !errors.As(err, &ps) {
		t.Fatalf("got %v", err)
	}
	var got []string
	for _, problem := range ps {
		got = append(got, strings.TrimPrefix(problem.String(), p+":"))
		if problem.Remedy == "" {
			t.Errorf("no remedy for %s", problem)
		}
	}
	want := []string{
		`1: titel: unknown key. Remedy: write "title"`,
		`2: scene[0].who: nobody plays this scene`,
		`3: scene[0].on: "task_requst" is not known here`,
		`4: scene[0].match: error parsing regexp`,
		`5: scene[0].attempt: -1 is no attempt`,
		`6: scene[0].line[0]: this line does 2 things`,
		`9: scene[0].line[1]: this line does 0 things`,
		`10: scene[0].line[1].wait: "soon" is no duration`,
		`12: scene[0].line[2].wait: -1s has already passed`,
		`13: scene[0].line[2].send.expect: "no" is not known here`,
		`13: scene[0].line[2].send.priority: "now" is not known here`,
		`13: scene[0].line[2].send.to: this goes to nobody`,
		`13: scene[0].line[2].send.ttl: -1 seconds have already passed`,
		`13: scene[0].line[2].send.type: "letter" is not known here`,
		`15: scene[0].line[3].write.path: "../x" leads elsewhere`,
		`17: scene[0].line[4].crash: 300 is no exit status`,
		`19: scene[0].line[5].use.args: this is no JSON`,
		`19: scene[0].line[5].use.tool: no tool is used`,
		`19: scene[0].line[5].use.wait: -1s has already passed`,
		`21: scene[0].line[6].report.editedFiles: unknown key. Remedy: write "edited_files"`,
		`21: scene[0].line[6].report.expect: "no" is not known here`,
		`21: scene[0].line[6].report.status: "done" is not known here`,
		`21: scene[0].line[6].report.summary: this reports nothing`,
		`22: scene[1]: nothing happens in this scene`,
	}
	if len(got) != len(want) {
		t.Fatalf("got %d problems, want %d:\n%s", len(got), len(want), strings.Join(got, "\n"))
	}
	for i := range want {
		if !strings.HasPrefix(got[i], want[i]) {
			t.Errorf("got  %s\nwant %s", got[i], want[i])
		}
	}
}

func TestAMissingOrEmptyScriptIsRefused(t *testing.T) {
	t.Parallel()
	for _, p := range []string{filepath.Join(t.TempDir(), "none.toml"), t.TempDir(), script(t, ""), script(t, "[[")} {
		var ps config.Problems
		if _, err := config.LoadPerformance(p, "ja"); !errors.As(err, &ps) || ps[0].File != p {
			t.Errorf("%s: got %v", p, err)
		}
	}
}

func TestADriverMayBringItsOwnPerformance(t *testing.T) {
	t.Parallel()
	dir := write(t, map[string]string{
		"kurogo.toml": "[drivers.rehearsal]\nperformance = \"play.toml\"\n",
		"play.toml":   "[[scene]]\nwho = \"grand_boss\"\n[[scene.line]]\nsay = \"hi\"\n",
	})
	c, err := config.Load(config.Source{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Drivers["rehearsal"].Performance; got != filepath.Join(dir, "play.toml") {
		t.Errorf("performance %q", got)
	}
}

// FuzzLoadPerformance: whatever the text, there is an answer; what is accepted
// survives being written and read again.
func FuzzLoadPerformance(f *testing.F) {
	f.Add("[[scene]]\nwho = \"a\"\n[[scene.line]]\nsay = \"b\"\n")
	f.Add("[[scene]]\nwho = 1\n[[scene.line]]\nsend = []\n")
	f.Add("scene = [{ who = \"a\", line = [{ babble = \"\\u0000\" }] }]")
	f.Add("[[scene]]\nwho = \"a\"\n[[scene.line]]\nuse = { tool = \"Read\", args = \"{}\", wait = \"1ms\" }\n")
	f.Add("[[scene]]\nwho = \"a\"\n[[scene.line]]\n[scene.line.report]\nstatus = \"success\"\nsummary = \"b\"\ncreated_files = [\"\", \"c\"]\n")
	f.Add("scene = 3")
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text string) {
		p := filepath.Join(dir, "fuzz.toml")
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		got, err := config.LoadPerformance(p, "ja")
		if err != nil {
			var ps config.Problems
			if !errors.As(err, &ps) || len(ps) == 0 {
				t.Fatalf("got %v, want Problems", err)
			}
			return
		}
		again(t, got)
	})
}
