package config_test

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kurogo/config"
	"kurogo/messages"
)

func TestTheVariablesOfTheDocumentsAreHeard(t *testing.T) {
	t.Parallel()
	file := "[workspace]\nroot = \"x\"\n[drivers.hermes]\napi = \"openai\"\n"
	dir := write(t, map[string]string{"sub/kurogo.toml": file})
	c, err := config.Load(config.Source{Dir: dir, Path: "sub/kurogo.toml", Environ: []string{
		"EVALUATION_PROMPT_PATH=prompts/judge.md", "USE_MOCK_EVALUATOR=TRUE",
		"EC_APP_ROOT=src", "EC_ALLOW_EXT=py; .go,,md", "EC_MAX_BYTES=1000",
		"EC_OLLAMA_ENDPOINT=http://10.0.0.1:11434", "EC_MODEL_NAME=hermes3",
		"EC_MCP_URL=http://127.0.0.1:1", "EC_RAG_URL=http://127.0.0.1:2",
	}})
	if err != nil {
		t.Fatal(err)
	}
	if want := filepath.Join(dir, "prompts/judge.md"); c.Evaluation.PromptFile != want {
		t.Errorf("prompt %q, want %q: a variable is not beside the file", c.Evaluation.PromptFile, want)
	}
	if c.Evaluation.Mock == nil || !*c.Evaluation.Mock {
		t.Error("the mock was asked for")
	}
	if diff := cmp.Diff([]string{".py", ".go", ".md"}, c.Workspace.Extensions); diff != "" || c.Workspace.Root != "src" || c.Workspace.MaxBytes != 1000 {
		t.Errorf("got %+v", c.Workspace)
	}
	if d := c.Drivers["hermes"]; d.Endpoint != "http://10.0.0.1:11434" || d.Model != "hermes3" || d.API != "openai" {
		t.Errorf("got %+v", d)
	}
	if c.Run.MCPURL != "http://127.0.0.1:1" || c.Run.RAGURL != "http://127.0.0.1:2" {
		t.Errorf("got %+v", c.Run)
	}
	c = load(t, "", "USE_MOCK_EVALUATOR=0", "EC_MAX_BYTES=1", "KUROGO_WORKSPACE_MAX_BYTES=2", "EC_ALLOW_EXT=")
	if c.Evaluation.Mock == nil || *c.Evaluation.Mock || c.Workspace.MaxBytes != 2 || len(c.Workspace.Extensions) != 6 {
		t.Errorf("our own name must win and an empty one says nothing, got %+v", c.Workspace)
	}
	if c := load(t, ""); c.Evaluation.Mock != nil {
		t.Error("nobody spoke of the mock")
	}
}

func TestADriverThatCallsAModelHasItsDefaults(t *testing.T) {
	t.Parallel()
	c := load(t, `
[drivers.cloud]
kind = "hermes"
api = "openai"
native_tools = false
temperature = 0.5
`)
	want := config.Driver{
		Kind: "hermes", API: "ollama", Endpoint: "http://127.0.0.1:11434", APIKeyEnv: "OPENAI_API_KEY",
		MaxTokens: 4096, ContextTokens: 16384, MaxAnswerBytes: 8388608, NativeTools: true,
	}
	if diff := cmp.Diff(want, c.Drivers["hermes"]); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	want.API, want.Endpoint, want.NativeTools, want.Temperature = "openai", "https://api.openai.com/v1", false, 0.5
	if diff := cmp.Diff(want, c.Drivers["cloud"]); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if d := c.Drivers["claude"]; d.NativeTools || d.MaxTokens != 0 {
		t.Errorf("claude is %+v: it calls no model itself", d)
	}
}

func TestARoleIsFoundForEveryPart(t *testing.T) {
	t.Parallel()
	for name, story := range map[string]struct{ file, improver, planner, executor, chat, driver string }{
		"of the built-in ones": {"", "text-review", "research", "impl-code", "research", "cursor"},
		"those that are named": {
			"[evaluation]\nimprover = \"research\"\n[run]\nplanner = \"impl-test\"\nexecutor = \"text-review\"\n[chat]\nrole = \"code-review\"\ndriver = \"codex\"",
			"research", "impl-test", "text-review", "code-review", "codex",
		},
		"of a person's own": {"[roles.zz]\n[roles.impl-doc]\ndriver = \"claude\"\n", "impl-doc", "impl-doc", "impl-doc", "impl-doc", "claude"},
		"of none":           {"roles = {}\n", "", "", "", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := load(t, story.file)
			got := []string{c.ImproverRole(), c.PlannerRole(), c.ExecutorRole(), c.ChatRole(), c.ChatDriver()}
			if diff := cmp.Diff([]string{story.improver, story.planner, story.executor, story.chat, story.driver}, got); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

func TestWeightsAreARubric(t *testing.T) {
	t.Parallel()
	want := messages.Rubric{Completeness: 0.3, Accuracy: 0.3, Clarity: 0.2, Usability: 0.2}
	if got := load(t, "").Evaluation.Weights.Rubric(); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestAnEmbedderKnowsWhereItsKindIs(t *testing.T) {
	t.Parallel()
	e := load(t, "[index.embedder]\nkind = \"ollama\"\nmodel = \"nomic-embed-text\"").Index.Embedder
	if e.Endpoint != "http://127.0.0.1:11434" || e.APIKeyEnv != "OPENAI_API_KEY" {
		t.Errorf("got %+v", e)
	}
	if x := load(t, "[index]\nwatch = \"0s\"").Index; x.Watch != 0 || x.Embedder.Endpoint != "" {
		t.Errorf("got %+v", x)
	}
}

func TestInitOpensTheExtensionsOfTheLanguagesItFinds(t *testing.T) {
	t.Parallel()
	for name, story := range map[string]struct{ names, want []string }{
		"nothing":                     {nil, nil},
		"only what is open anyway":    {[]string{"README.md", "a.json", "LICENSE"}, nil},
		"by an extension":             {[]string{"cmd/main.go"}, []string{".go", ".mod"}},
		"by a name":                   {[]string{"sub/Cargo.toml"}, []string{".rs", ".toml"}},
		"each once, and sorted":       {[]string{"x.ts", "y.js", "go.mod", "z.go"}, []string{".cjs", ".css", ".go", ".html", ".js", ".jsx", ".mjs", ".mod", ".mts", ".ts", ".tsx"}},
		"the defaults are not listed": {[]string{"a.py"}, []string{".cfg", ".pyi", ".toml"}},
		"a dot file has no language":  {[]string{".go/x", ".profile"}, nil},
	} {
		if diff := cmp.Diff(story.want, config.LanguageExtensions(story.names)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
	for _, language := range []string{"ja", "en"} {
		c := load(t, config.Template(nil, language, ".go", ".mod"))
		if diff := cmp.Diff([]string{".py", ".md", ".txt", ".json", ".yaml", ".yml", ".go", ".mod"}, c.Workspace.Extensions); diff != "" {
			t.Errorf("%s (-want +got)\n%s", language, diff)
		}
	}
}
