package main

import (
	"slices"
	"testing"

	"kurogo/config"
	"kurogo/drivers/claude"
	"kurogo/drivers/codex"
)

// A client lends its keys to the agents it orders, each to those of its own kind
// and none in the place of what the configuration says.
func TestWhatIsConfiguredIsNotBorrowed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		settings config.Driver
		has, not []string
	}{
		"nothing is configured": {config.Driver{Kind: claude.Kind}, []string{"ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"}, []string{"OPENAI_API_KEY"}},
		"another kind":          {config.Driver{Kind: codex.Kind}, []string{"OPENAI_API_KEY"}, []string{"ANTHROPIC_API_KEY"}},
		"a model of its own": {
			config.Driver{Kind: claude.Kind, Env: map[string]string{"ANTHROPIC_BASE_URL": "http://127.0.0.1:1", "ANTHROPIC_API_KEY": ""}},
			[]string{"ANTHROPIC_AUTH_TOKEN"},
			[]string{"ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY"},
		},
	} {
		got := borrowed(c.settings)
		for _, key := range c.has {
			if !slices.Contains(got, key) {
				t.Errorf("%s: %s is not borrowed", name, key)
			}
		}
		for _, key := range c.not {
			if slices.Contains(got, key) {
				t.Errorf("%s: %s is borrowed", name, key)
			}
		}
	}
	if !slices.Contains(lent[claude.Kind], "ANTHROPIC_BASE_URL") {
		t.Error("the list itself was changed")
	}
}
