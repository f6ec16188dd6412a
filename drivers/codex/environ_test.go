package codex_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kurogo/drivers/codex"
	"kurogo/messages"
)

// A start is how a codex was started, as it tells itself.
type start struct {
	Env, Args   []string
	Began, Told string
}

func told(t *testing.T, o codex.Options, spec messages.Spec) start {
	t.Helper()
	return toldBy(t, tells, o, spec)
}

func toldBy(t *testing.T, as string, o codex.Options, spec messages.Spec) start {
	t.Helper()
	var s start
	end := begin(t, faked(as, o), spec).Turn(words)
	if err := json.Unmarshal([]byte(end.Text), &s); err != nil {
		t.Fatalf("%v: %+v", err, end)
	}
	return s
}

func (s start) has(setting string) bool { return slices.Contains(s.Args, setting) }

var key = map[string]string{"OPENAI_API_KEY": "test-key"}

func TestWithAKeyALifeHasAConfigurationOfItsOwn(t *testing.T) {
	t.Setenv("CODEX_HOME", "/home/me/.codex")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "canary")
	t.Setenv("OPENAI_API_KEY", "canary") // of ours, and nobody gave it to this life
	for mode, spec := range modes {
		spec.Home, spec.SystemPrompt = t.TempDir(), "a long personality"
		got := told(t, codex.Options{}, spec)
		if !slices.Contains(got.Env, "CODEX_HOME=/home/me/.codex") || strings.Contains(strings.Join(got.Args, "\n"), "model_provider") {
			t.Errorf("%s: without a key the login is not shared: %q", mode, got)
		}
		spec.Env = key
		got = told(t, codex.Options{}, spec)
		for _, want := range []string{
			"CODEX_HOME=" + filepath.Join(spec.Home, "codex"), "TMPDIR=" + filepath.Join(spec.Home, "tmp"), "OPENAI_API_KEY=test-key",
		} {
			if !slices.Contains(got.Env, want) {
				t.Errorf("%s: no %s in %q", mode, want, got.Env)
			}
		}
		if all := strings.Join(append(got.Env, got.Args...), "\n"); strings.Contains(all, "canary") || strings.Contains(all, "personality") {
			t.Errorf("%s: it knows, or shows, too much: %q", mode, all)
		}
		if b, err := os.ReadFile(filepath.Join(spec.Home, "codex", "config.toml")); err != nil || string(b) != "developer_instructions = \"a long personality\"\n" {
			t.Errorf("%s: its configuration is %s, %v", mode, b, err)
		}
		if got := told(t, codex.Options{Config: codex.Shared}, spec); !slices.Contains(got.Env, "CODEX_HOME=/home/me/.codex") {
			t.Errorf("%s: shared is not shared: %q", mode, got.Env)
		}
		// Whoever names the user's own home does not lose what is in it.
		spec.Env = map[string]string{"OPENAI_API_KEY": "test-key", "CODEX_HOME": t.TempDir()}
		told(t, codex.Options{}, spec)
		if left, err := os.ReadDir(spec.Env["CODEX_HOME"]); err != nil || len(left) > 0 {
			t.Errorf("%s: %v, %v", mode, left, err)
		}
	}
}

func TestWhatALifeIsStartedWith(t *testing.T) {
	for mode, spec := range modes {
		spec.Env, spec.Model, spec.MCP = key, "gpt-fake", messages.MCPServer{URL: "http://127.0.0.1:9/mcp", Token: "token-of-this-agent"}
		got := told(t, codex.Options{MaxRetries: -1}, spec)
		for _, want := range []string{
			"check_for_update_on_startup=false", "analytics.enabled=false", `approval_policy="never"`, "agents.enabled=false", "features.goals=false", "features.multi_agent=false",
			"features.unbounded_connection_retries=false",
			`shell_environment_policy.exclude=["KUROGO_TOKEN","CODEX_API_KEY","OPENAI_API_KEY"]`, `model_provider="kurogo"`,
			`mcp_servers.kurogo={url="http://127.0.0.1:9/mcp",bearer_token_env_var="KUROGO_TOKEN",default_tools_approval_mode="approve"}`,
		} {
			if !got.has(want) {
				t.Errorf("%s: no %s in %q", mode, want, got.Args)
			}
		}
		args := strings.Join(got.Args, " ")
		for _, want := range []string{`base_url="https://api.openai.com/v1",env_key="OPENAI_API_KEY"`, "request_max_retries=0,stream_max_retries=0"} {
			if !strings.Contains(args, want) {
				t.Errorf("%s: no %s in %s", mode, want, args)
			}
		}
		if strings.Contains(args, "token-of-this-agent") || !slices.Contains(got.Env, "KUROGO_TOKEN=token-of-this-agent") {
			t.Errorf("%s: the token is not where it belongs: %q", mode, got)
		}
		spec.Env = map[string]string{"CODEX_API_KEY": "k", "OPENAI_BASE_URL": "http://127.0.0.1:9/v1"}
		if args := strings.Join(told(t, codex.Options{}, spec).Args, " "); !strings.Contains(args, `{name="kurogo",base_url="http://127.0.0.1:9/v1",env_key="CODEX_API_KEY"`) {
			t.Errorf("%s: another service is not asked: %s", mode, args)
		}
	}
}

// The user's own codex may know a kurogo already. Ours stands beside it, and an
// agent does not come to it as the user.
func TestTheUsersOwnKurogoIsNotTheAgents(t *testing.T) {
	for mode, spec := range modes {
		spec.MCP = messages.MCPServer{URL: "http://127.0.0.1:9/mcp", Token: "token-of-this-agent"}
		for as, want := range map[string][2]string{tells: {"mcp_servers.kurogo={url=", "mcp_servers.kurogo.enabled"}, namesake: {"mcp_servers.kurogo_agent={url=", "mcp_servers.kurogo={"}} {
			got := toldBy(t, as, codex.Options{Config: codex.Shared}, spec)
			if args := strings.Join(got.Args, " "); !strings.Contains(args, want[0]) || strings.Contains(args, want[1]) || (as == namesake) != got.has("mcp_servers.kurogo.enabled=false") {
				t.Errorf("%s %s: %q", mode, as, got.Args)
			}
		}
		spec.Env = key
		if got := toldBy(t, namesake, codex.Options{}, spec); got.has("mcp_servers.kurogo.enabled=false") {
			t.Errorf("%s: nobody else is in a configuration of its own: %q", mode, got.Args)
		}
	}
}

func TestTheSandboxFollowsThePermission(t *testing.T) {
	for permission, want := range map[string]string{
		"": "read-only", codex.Deny: "read-only", codex.Edits: "workspace-write", codex.Allow: "danger-full-access", "workspace-write": "workspace-write",
	} {
		o := codex.Options{Permission: permission}
		if got := told(t, o, modes["exec"]); !strings.Contains(strings.Join(got.Args, " "), "--sandbox "+want) {
			t.Errorf("%q: %q", permission, got.Args)
		}
		if got := told(t, o, modes["app-server"]); !strings.Contains(got.Began, `"sandbox":"`+want+`"`) {
			t.Errorf("%q: %s", permission, got.Began)
		}
	}
}

// A session goes on at its border, under its new system prompt if that has
// changed.
func TestAResumedLifeForksAtTheBorder(t *testing.T) {
	spec := messages.Spec{SystemPrompt: "Be kind."}
	end := begin(t, faked(tells, codex.Options{}), spec).Turn(words)
	spec.Session, spec.Border = end.Session, end.Border
	turn, _, _ := strings.Cut(end.Border, "@")
	got := told(t, codex.Options{}, spec)
	if !strings.HasPrefix(got.Began, "thread/fork ") || !strings.Contains(got.Began, `"lastTurnId":"`+turn+`"`) || !strings.Contains(got.Began, `"threadId":"`+end.Session+`"`) {
		t.Errorf("it began by %s", got.Began)
	}
	if got.Told != "" {
		t.Errorf("a prompt that is the same was told again: %s", got.Told)
	}
	spec.SystemPrompt = "Be strict."
	if got := told(t, codex.Options{}, spec); !strings.Contains(got.Told, `Be strict.`) || !strings.Contains(got.Told, `"role":"developer"`) {
		t.Errorf("it was told %s", got.Told)
	}

	spec = messages.Spec{OneShot: true, SystemPrompt: "Be kind."}
	end = begin(t, faked(tells, codex.Options{}), spec).Turn(words)
	spec.Session, spec.Border = end.Session, end.Border
	if got := told(t, codex.Options{}, spec); !strings.HasSuffix(strings.Join(got.Args, " "), " fork "+end.Session+" -") || got.Began != words+"\n" {
		t.Errorf("exec went on by %q with %q", got.Args, got.Began)
	}
	spec.SystemPrompt = "Be strict."
	if got := told(t, codex.Options{}, spec); !strings.Contains(got.Began, "Be strict.\n\n"+words) {
		t.Errorf("exec was told %q", got.Began)
	}
}

func TestATextInTOML(t *testing.T) {
	for text, want := range map[string]string{
		"": `""`, "a\"b\\c\n": `"a\"b\\c\n"`, "<日本語>": `"<日本語>"`, "\x7f\x00": `"\u007f\u0000"`, "\xff": `"\ufffd"`,
	} {
		if got := codex.Quote(text); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}
