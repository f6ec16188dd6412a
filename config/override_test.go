package config_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"kurogo/config"
)

// words are what keys with a closed vocabulary are set to here; the others are
// set by their type.
var words = map[string]string{
	"language":                    "en",
	"driver":                      "rehearsal",
	"health_check":                "off",
	"server.listen":               "127.0.0.1:7777",
	"server.mcp_websocket_listen": "",
	"server.auth":                 "none",
	"reconnect.max_delay":         "61s",
	"log.level":                   "debug",
	"evaluation.driver":           "heuristic",
	"evaluation.prompt_file":      "/x/prompt.md",
	"evaluation.target_score":     "7.5",
	"workspace.root":              "src",
	"workspace.roots":             "/srv/a, ../b",
	"workspace.extensions":        ".go, .mod",
	"workspace.kept":              "secrets",
	"evaluation.mock":             "true",
	"evaluation.model":            "some-model",
	"evaluation.improver":         "text-review",
	"run.planner":                 "research",
	"run.executor":                "impl-test",
	"run.verify_programs":         "go, /opt/check",
	"run.sandbox":                 "required",
	"run.approve":                 "auto",
	"run.mcp_url":                 "http://127.0.0.1:1/mcp",
	"run.rag_url":                 "https://rag.example",
	"index.enabled":               "false",
	"index.extensions":            ".go",
	"index.embedder.kind":         "ollama",
	"index.embedder.endpoint":     "http://127.0.0.1:2",
	"index.embedder.model":        "small",
	"index.embedder.api_key_env":  "OTHER_KEY",
	"chat.driver":                 "rehearsal",
	"chat.role":                   "text-review",
	"chat.evaluator":              "heuristic",
	"notify.webhook":              "https://hook.example/x?y=z",
	"notify.on":                   "failure",
}

func TestEveryKeyHasAVariableAndAFlag(t *testing.T) {
	t.Parallel()
	dir := write(t, map[string]string{})
	given := []string{"KUROGO_INDEX_EMBEDDER_MODEL=m"} // a kind of embedder wants one
	plain, err := config.Load(config.Source{Dir: dir, Environ: given})
	if err != nil {
		t.Fatal(err)
	}
	variables := config.Variables()
	if len(variables) < 35 {
		t.Fatalf("only %d keys: the walk over Config lost some", len(variables))
	}
	for key, variable := range variables {
		t.Run(key, func(t *testing.T) {
			t.Parallel()
			value := words[key]
			if _, ok := words[key]; !ok {
				value = other(t, field(t, plain, key))
			}
			byVariable, err := config.Load(config.Source{Dir: dir, Environ: append(slices.Clip(given), variable+"="+value)})
			if err != nil {
				t.Fatal(err)
			}
			byFlag, err := config.Load(config.Source{Dir: dir, Environ: given, Overrides: map[string]string{key: value}})
			if err != nil {
				t.Fatal(err)
			}
			if cmp.Equal(field(t, plain, key).Interface(), field(t, byVariable, key).Interface()) {
				t.Errorf("%s=%s changed nothing", variable, value)
			}
			if diff := cmp.Diff(byVariable, byFlag, cmpopts.IgnoreUnexported(config.Persona{}, config.Role{})); diff != "" {
				t.Errorf("the flag does something else:\n%s", diff)
			}
		})
	}
}

// other is a value of v's type that differs from v's.
func other(t *testing.T, v reflect.Value) string {
	t.Helper()
	switch v.Interface().(type) {
	case bool:
		return "true"
	case int:
		return "77"
	case float64:
		return "1.5"
	}
	if v.Type().String() == "time.Duration" {
		return "7s"
	}
	t.Fatalf("say in words what to set a %s to", v.Type())
	return ""
}

func field(t *testing.T, c config.Config, key string) reflect.Value {
	t.Helper()
	v := reflect.ValueOf(c)
	for _, name := range strings.Split(key, ".") {
		i := 0
		for ; i < v.NumField() && v.Type().Field(i).Tag.Get("toml") != name; i++ {
		}
		if i == v.NumField() {
			t.Fatalf("no field for %s", key)
		}
		v = v.Field(i)
	}
	return v
}

func TestVariablesReachWhatTheUserNamed(t *testing.T) {
	t.Parallel()
	c := load(
		t, "[drivers.my-tool]\nkind = \"command\"\ncommand = \"x\"\n",
		"KUROGO_DRIVERS_MY_TOOL_COMMAND=/opt/tool",
		"KUROGO_DRIVERS_CLAUDE_ARGS=--verbose, --debug",
		"KUROGO_PERSONAS_GRAND_BOSS_MODEL=opus",
		"KUROGO_ROLES_IMPL_CODE_MODEL=other",
	)
	if got := c.Drivers["my-tool"].Command; got != "/opt/tool" {
		t.Errorf("command %q", got)
	}
	if diff := cmp.Diff([]string{"--verbose", "--debug"}, c.Drivers["claude"].Args); diff != "" {
		t.Error(diff)
	}
	if got := c.Personas["grand_boss"].Model; got != "opus" || len(c.Personas) != 7 {
		t.Errorf("model %q in a crew of %d: a variable must not replace the crew", got, len(c.Personas))
	}
	if got := c.Roles["impl-code"].Model; got != "other" {
		t.Errorf("model %q", got)
	}
}

func TestTheOldNamesStillWork(t *testing.T) {
	t.Parallel()
	c := load(t, `server.listen = "127.0.0.1:1"`, "KUROMAJUTSU_PORT=4321", "KUROMAJUTSU_LOG_LEVEL=error")
	if c.Server.Listen != "127.0.0.1:4321" || c.Log.Level != "error" {
		t.Errorf("got %q, %q", c.Server.Listen, c.Log.Level)
	}
	c = load(t, "", "KUROMAJUTSU_PORT=4321", "KUROGO_SERVER_LISTEN=127.0.0.1:5")
	if c.Server.Listen != "127.0.0.1:5" {
		t.Errorf("the new name must win, got %q", c.Server.Listen)
	}
}
