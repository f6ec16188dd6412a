package config_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kurogo/config"
	"kurogo/messages"
)

func ids(roles []messages.Role) []string {
	out := make([]string, len(roles))
	for i, r := range roles {
		out[i] = r.ID
	}
	return out
}

func TestTheRolesOfTheDocumentAreBuiltIn(t *testing.T) {
	t.Parallel()
	for _, story := range []struct{ language, name, prompt, server string }{
		{"ja", "コード実装者", "あなたはコード実装の専門家です。与えられた仕様や指示に基づき、高品質なコードを実装してください。", "kurogo MCP の `report_result`"},
		{"en", "Code implementer", "You are an expert in implementing code.", "`report_result` tool of the kurogo MCP server"},
	} {
		list := load(t, `language = "`+story.language+`"`).RoleList()
		if diff := cmp.Diff([]string{"code-review", "impl-code", "impl-test", "research", "text-review"}, ids(list)); diff != "" {
			t.Fatal(diff)
		}
		if r := list[1]; r.Name != story.name || !strings.HasPrefix(r.SystemPrompt, story.prompt) {
			t.Errorf("got %+v", r)
		}
		for _, r := range list {
			if r.Driver != "cursor" || r.Model != "claude-4-sonnet" || r.HealthPrompt != "Hello, respond with exactly: OK" ||
				r.Isolation != messages.IsolationNone || r.Tools == nil {
				t.Errorf("%+v", r)
			}
			if !strings.Contains(r.SystemPrompt, story.server) {
				t.Errorf("%s/%s never reports", story.language, r.ID)
			}
		}
	}
}

func TestARoleSaysEverythingThatItMay(t *testing.T) {
	t.Parallel()
	c := load(t, `
health_check = "off"
[roles.scribe]
name = "Scribe"
driver = "codex"
model = "m"
system_prompt = "Write."
health_check_prompt = "Well?"
tools = ["Read"]
isolation = "worktree"
turn_budget = 0.25
[roles.impl-code]
`)
	want := messages.Role{
		ID: "scribe", Name: "Scribe", Driver: "codex", Model: "m", SystemPrompt: "Write.", HealthPrompt: "Well?",
		Tools: []string{"Read"}, Isolation: messages.IsolationWorktree,
	}
	list := c.RoleList()
	if diff := cmp.Diff(want, list[1]); diff != "" || c.HealthCheck != config.HealthOff {
		t.Error(diff, c.HealthCheck)
	}
	if c.RoleBudget("scribe") != 250_000 || c.RoleBudget("impl-code") != 500_000 {
		t.Errorf("budgets %d and %d", c.RoleBudget("scribe"), c.RoleBudget("impl-code"))
	}
	list[1].Tools[0] = "Bash"
	if got := c.RoleList()[1].Tools[0]; got != "Read" {
		t.Errorf("the list is somebody else's to change: %q", got)
	}
}

func TestARoleOnAnotherDriverDoesNotKeepTheModel(t *testing.T) {
	t.Parallel()
	c := load(t, "[roles.impl-code]\ndriver = \"claude\"\n[roles.impl-test]\nmodel = \"mine\"\n")
	if len(c.Roles) != 2 || c.Roles["impl-code"].Model != "" || c.Roles["impl-test"].Model != "mine" {
		t.Errorf("got %+v", c.Roles)
	}
}

func TestADriverAndItsModelAreChosenForRolesThatNameNone(t *testing.T) {
	t.Parallel()
	const file = "[roles.impl-code]\n[roles.impl-test]\nmodel = \"mine\"\n[roles.research]\ndriver = \"codex\"\n"
	c := load(t, file)
	c.UseRoleDriver("claude", "opus")
	for id, want := range map[string][2]string{"impl-code": {"claude", "opus"}, "impl-test": {"claude", "mine"}, "research": {"codex", ""}} {
		if r := c.Roles[id]; r.Driver != want[0] || r.Model != want[1] {
			t.Errorf("%s runs on %s with %q", id, r.Driver, r.Model)
		}
	}
	c.UseRoleDriver("rehearsal", "")
	if r := c.Roles["impl-code"]; r.Driver != "rehearsal" || r.Model != "" {
		t.Errorf("who decides again decides anew: %+v", r)
	}
	if r := load(t, `driver = "rehearsal"`).Roles["impl-code"]; r.Driver != "rehearsal" || r.Model != "" {
		t.Errorf("the driver of all is not the driver of roles: %+v", r)
	}
}
