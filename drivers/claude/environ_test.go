package claude_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kurogo/drivers/claude"
	"kurogo/messages"
)

// told is how a claude was started: its environment and its arguments.
func told(t *testing.T, config string, spec messages.Spec) []string {
	t.Helper()
	o := fakeOptions(tells, config)
	o.Config = config
	return strings.Split(begin(t, claude.New(o), spec).Turn("[from user]\nDo it.").Text, "\n")
}

func TestWithAKeyALifeHasAConfigurationOfItsOwn(t *testing.T) {
	for _, name := range []string{"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"} {
		t.Setenv(name, "")
	}
	t.Setenv("CLAUDE_CONFIG_DIR", "/home/me/.claude")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "canary")
	home := t.TempDir()
	spec := messages.Spec{Home: home, SystemPrompt: "canary of a prompt"}

	got := told(t, "", spec)
	if !slices.Contains(got, "CLAUDE_CONFIG_DIR=/home/me/.claude") {
		t.Errorf("without a key the login is not shared: %q", got)
	}
	t.Setenv("ANTHROPIC_API_KEY", "test-key")
	got = told(t, "", spec)
	for _, want := range []string{
		"CLAUDE_CONFIG_DIR=" + filepath.Join(home, "claude"), "CLAUDE_CODE_TMPDIR=" + filepath.Join(home, "tmp"),
		"ANTHROPIC_API_KEY=test-key", "CLAUDE_CODE_DISABLE_ATTACHMENTS=1", "CLAUDE_CODE_MAX_RETRIES=1",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("no %s in %q", want, got)
		}
	}
	if strings.Contains(strings.Join(got, "\n"), "canary") {
		t.Errorf("it knows too much: %q", got)
	}
	if got := told(t, claude.Shared, spec); !slices.Contains(got, "CLAUDE_CONFIG_DIR=/home/me/.claude") {
		t.Errorf("shared is not shared: %q", got)
	}
}

func TestAResumedLifeForksAtTheBorder(t *testing.T) {
	got := strings.Join(told(t, claude.Shared, messages.Spec{Session: "s", Border: "b", Model: "m"}), " ")
	for _, want := range []string{"--resume s --fork-session --resume-session-at b", "--model m", "--system-prompt-snapshot off", "--strict-mcp-config"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %q", want, got)
		}
	}
}
