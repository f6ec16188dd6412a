package config_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kurogo/config"
)

func TestADriverKeepsWhatTheFileLeavesOut(t *testing.T) {
	t.Parallel()
	c := load(t, "[drivers.claude]\nargs = [\"-v\"]\n[drivers.other]\nkind = \"codex\"\nenv = { A = \"b\" }\n")
	if d := c.Drivers["claude"]; d.Command != "claude" || d.Kind != "claude" || len(d.Args) != 1 {
		t.Errorf("claude is %+v", d)
	}
	if d := c.Drivers["other"]; d.Command != "codex" || d.Env["A"] != "b" {
		t.Errorf("other is %+v", d)
	}
	if d, ok := c.Drivers["rehearsal"]; !ok || d.Kind != "rehearsal" {
		t.Errorf("rehearsal is %+v", d)
	}
}

func TestAProgramOfOnesOwnIsDescribedInFull(t *testing.T) {
	t.Parallel()
	c := load(t, `
[drivers.mine]
kind = "command"
command = "/opt/mine"
output = "ndjson"
type = "event"
session = "ids.session"
[drivers.mine.events]
assistant = { each = "message.content" }
"assistant.text" = { kind = "said", text = "text", join = true, when = { partial = "true" } }
done = { kind = "ended", text = "result", good = { is_error = "false" }, input_tokens = "usage.in", cost = "usd" }
`)
	want := config.Driver{
		Kind: "command", Command: "/opt/mine", Output: "ndjson", Type: "event", Session: "ids.session",
		Events: map[string]config.DriverEvent{
			"assistant":      {Each: "message.content"},
			"assistant.text": {Kind: "said", Text: "text", Join: true, When: map[string]string{"partial": "true"}},
			"done":           {Kind: "ended", Text: "result", Good: map[string]string{"is_error": "false"}, InputTokens: "usage.in", Cost: "usd"},
		},
	}
	if diff := cmp.Diff(want, c.Drivers["mine"]); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if d := load(t, "").Drivers["cursor"]; d.Command != "" || d.Kind != "cursor" {
		t.Errorf("cursor is %+v: it looks for its own names", d)
	}
}
