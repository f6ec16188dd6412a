package config_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTheRolesOfTheDocumentAreBuiltIn(t *testing.T) {
	t.Parallel()
	for _, story := range []struct{ language, name, prompt string }{
		{"ja", "コード実装者", "あなたはコード実装の専門家です。与えられた仕様や指示に基づき、高品質なコードを実装してください。"},
		{"en", "Code implementer", "You are an expert in implementing code."},
	} {
		c := load(t, `language = "`+story.language+`"`)
		want := []string{"code-review", "impl-code", "impl-test", "research", "text-review"}
		if diff := cmp.Diff(want, slices.Sorted(maps.Keys(c.Roles))); diff != "" {
			t.Fatal(diff)
		}
		if r := c.Roles["impl-code"]; r.Name != story.name || !strings.HasPrefix(r.SystemPrompt, story.prompt) {
			t.Errorf("got %+v", r)
		}
		for name, r := range c.Roles {
			if r.Driver != "cursor" || r.Model != "claude-4-sonnet" || r.HealthCheckPrompt != "Hello, respond with exactly: OK" {
				t.Errorf("%s is %+v", name, r)
			}
			if !strings.Contains(r.SystemPrompt, "`report_result`") {
				t.Errorf("%s/%s never reports", story.language, name)
			}
		}
	}
}

func TestARoleOnAnotherDriverDoesNotKeepTheModel(t *testing.T) {
	t.Parallel()
	c := load(t, "[roles.impl-code]\ndriver = \"claude\"\n[roles.impl-test]\nmodel = \"mine\"\n")
	if len(c.Roles) != 2 || c.Roles["impl-code"].Model != "" || c.Roles["impl-test"].Model != "mine" {
		t.Errorf("got %+v", c.Roles)
	}
}

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
