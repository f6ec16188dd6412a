package config_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kurogo/messages"
)

func TestTheCrewOfSevenIsBuiltIn(t *testing.T) {
	t.Parallel()
	c := load(t, "")
	h := c.Hierarchy()
	specialists := []messages.Address{
		"analysis_specialist", "coding_specialist", "research_specialist", "testing_specialist", "writing_specialist",
	}
	if len(h) != 7 || !cmp.Equal(h.Tops(), []messages.Address{"grand_boss"}) {
		t.Fatalf("crew %v with tops %v", h.Names(), h.Tops())
	}
	talks := map[messages.Address][]messages.Address{
		"grand_boss":     {"middle_manager"},
		"middle_manager": append([]messages.Address{"grand_boss"}, specialists...),
	}
	up := map[messages.Address]messages.Address{"grand_boss": messages.User, "middle_manager": "grand_boss"}
	for _, s := range specialists {
		talks[s], up[s] = []messages.Address{"middle_manager"}, "middle_manager"
	}
	for name, p := range h {
		if p.Name != name || p.ReportsTo != up[name] || p.Driver != "claude" || p.Gather != messages.All || !p.RoleCheck {
			t.Errorf("%s is %+v", name, p)
		}
		if diff := cmp.Diff(talks[name], p.TalksTo); diff != "" {
			t.Errorf("%s talks to (-want +got)\n%s", name, diff)
		}
	}
}

func TestEachPersonaIsSomebodyInBothLanguages(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for _, language := range []string{"ja", "en"} {
		c := load(t, `language = "`+language+`"`)
		for name, p := range c.Personas {
			who := language + "/" + name
			if other, ok := seen[p.SystemPrompt]; ok {
				t.Errorf("%s and %s have one prompt", who, other)
			}
			seen[p.SystemPrompt] = who
			if p.Title == "" || p.Title == name {
				t.Errorf("%s has the title %q", who, p.Title)
			}
			lines := strings.Split(p.SystemPrompt, "\n")
			if len(lines) < 30 || len(lines) > 60 {
				t.Errorf("%s has %d lines", who, len(lines))
			}
			for _, must := range []string{name, p.Title, string(p.ReportsTo), string(p.TalksTo[0]), "send_message(to, content, type, thinking, metadata)", "task_failed", "task_request"} {
				if !strings.Contains(p.SystemPrompt, must) {
					t.Errorf("%s does not mention %q", who, must)
				}
			}
			if strings.Contains(p.SystemPrompt, "{{") {
				t.Errorf("%s has a placeholder left", who)
			}
			if japanese := strings.ContainsAny(p.SystemPrompt, "のはを"); japanese != (language == "ja") {
				t.Errorf("%s is in the wrong language", who)
			}
		}
	}
	if !strings.Contains(load(t, "").Personas["grand_boss"].SystemPrompt, "穏やか") {
		t.Error("the grand boss is not calm")
	}
}

func TestOnlyListedPersonasExistAndKeepTheirDefaults(t *testing.T) {
	t.Parallel()
	c := load(t, `
language = "en"
[personas.grand_boss]
model = "opus"
[personas.critic]
title = "Critic"
reports_to = "grand_boss"
system_prompt = "You are {{name}}.\n{{rules}}"
gather = "each"
role_check = false
`)
	h := c.Hierarchy()
	if diff := cmp.Diff([]messages.Address{"critic", "grand_boss"}, h.Names()); diff != "" {
		t.Fatal(diff)
	}
	boss, critic := h["grand_boss"], h["critic"]
	if boss.Title != "Grand Boss" || boss.Model != "opus" || boss.ReportsTo != messages.User || !strings.Contains(boss.SystemPrompt, "calm") {
		t.Errorf("boss %+v", boss)
	}
	if diff := cmp.Diff([]messages.Address{"critic"}, boss.TalksTo); diff != "" {
		t.Errorf("boss talks to (-want +got)\n%s", diff)
	}
	if critic.Gather != messages.Each || critic.RoleCheck || !strings.Contains(critic.SystemPrompt, "You report to `grand_boss`") {
		t.Errorf("critic %+v", critic)
	}
}

func TestADriverIsChosenForThoseWhoNameNone(t *testing.T) {
	t.Parallel()
	c := load(t, `
[personas.grand_boss]
driver = "codex"
[personas.middle_manager]
`)
	c.UseDriver("rehearsal")
	h := c.Hierarchy()
	if h["grand_boss"].Driver != "codex" || h["middle_manager"].Driver != "rehearsal" {
		t.Errorf("got %q and %q", h["grand_boss"].Driver, h["middle_manager"].Driver)
	}
	if got := load(t, `driver = "hermes"`).Hierarchy()["middle_manager"].Driver; got != "hermes" {
		t.Errorf("got %q", got)
	}
}

func TestAHierarchyIsNobodyElsesToChange(t *testing.T) {
	t.Parallel()
	c := load(t, "")
	c.Hierarchy()["grand_boss"].TalksTo[0] = "nobody"
	if got := c.Hierarchy()["grand_boss"].TalksTo[0]; got != "middle_manager" {
		t.Errorf("got %q", got)
	}
}
