package config_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kurogo/config"
	"kurogo/messages"
)

func TestNoFileIsTheBuiltInConfiguration(t *testing.T) {
	t.Parallel()
	c, err := config.Load(config.Source{Dir: write(t, map[string]string{})})
	if err != nil {
		t.Fatal(err)
	}
	if c.Path != "" || c.Language != "ja" || c.Server.Listen != "127.0.0.1:9696" || c.Limits.MaxConcurrent != 10 {
		t.Errorf("got %+v", c)
	}
	if diff := cmp.Diff(messages.DefaultLimits(), c.MessageLimits()); diff != "" {
		t.Errorf("limits (-want +got)\n%s", diff)
	}
	if c.Timeouts.ProcessStart != 30*time.Second || c.Reconnect.BackoffFactor != 2 {
		t.Errorf("got %+v %+v", c.Timeouts, c.Reconnect)
	}
}

func TestTheNearestFileIsFound(t *testing.T) {
	t.Parallel()
	here := write(t, map[string]string{
		"kurogo.toml":            `log.level = "debug"`,
		"named.toml":             `log.level = "error"`,
		"old.toml":               `log.level = "warn"`,
		"sub/deep/x":             "",
		"other/kurogo.toml":      `language = "en"`,
		"own/.git/HEAD":          "",
		"own/sub/x":              "",
		"xdg/kurogo/kurogo.toml": `log.level = "warn"`,
		"casa/work/x":            "",
	})
	at := func(p string) string { return filepath.Join(here, filepath.FromSlash(p)) }
	for name, story := range map[string]struct {
		dir, path string
		environ   []string
		want      string
	}{
		"in the working directory":           {dir: "", want: "kurogo.toml"},
		"above it":                           {dir: "sub/deep", want: "kurogo.toml"},
		"nearer is better":                   {dir: "other", want: "other/kurogo.toml"},
		"a flag beats all":                   {dir: "other", path: "../named.toml", environ: []string{"KUROGO_CONFIG=" + at("old.toml")}, want: "named.toml"},
		"a variable beats the search":        {dir: "other", environ: []string{"KUROGO_CONFIG=" + at("old.toml")}, want: "old.toml"},
		"the old variable, too":              {dir: "other", environ: []string{"KUROMAJUTSU_CONFIG=../old.toml"}, want: "old.toml"},
		"an empty variable names nothing":    {dir: "other", environ: []string{"KUROGO_CONFIG="}, want: "other/kurogo.toml"},
		"never above the repository":         {dir: "own/sub", want: ""},
		"never above the home":               {dir: "casa/work", environ: []string{"HOME=" + at("casa")}, want: ""},
		"then the user's own":                {dir: "own/sub", environ: []string{"XDG_CONFIG_HOME=" + at("xdg")}, want: "xdg/kurogo/kurogo.toml"},
		"a relative XDG directory is no one": {dir: "own/sub", environ: []string{"XDG_CONFIG_HOME=xdg"}, want: ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, err := config.Load(config.Source{Dir: at(story.dir), Path: story.path, Environ: story.environ})
			if err != nil {
				t.Fatal(err)
			}
			want := story.want
			if want != "" {
				want = at(want)
			}
			if c.Path != want {
				t.Errorf("read %q, want %q", c.Path, want)
			}
		})
	}
}

func TestFlagsBeatEnvironmentBeatFileBeatDefaults(t *testing.T) {
	t.Parallel()
	dir := write(t, map[string]string{"kurogo.toml": `log.level = "warn"`})
	src := config.Source{Dir: dir}
	for _, step := range []struct {
		add  func()
		want messages.Level
	}{
		{func() {}, messages.Warn},
		{func() { src.Environ = append(src.Environ, "KUROMAJUTSU_LOG_LEVEL=info") }, messages.LogInfo},
		{func() { src.Environ = append(src.Environ, "KUROGO_LOG_LEVEL=debug") }, messages.Debug},
		{func() { src.Overrides = map[string]string{"log.level": "error"} }, messages.LogErr},
	} {
		step.add()
		c, err := config.Load(src)
		if err != nil {
			t.Fatal(err)
		}
		if c.Log.Level != step.want {
			t.Errorf("level %q, want %q", c.Log.Level, step.want)
		}
	}
}

func TestPathsAreRelativeToTheFileThatNamesThem(t *testing.T) {
	t.Parallel()
	dir := write(t, map[string]string{
		"kurogo.toml": `
[personas.grand_boss]
prompt_file = "prompts/boss.md"
[evaluation]
prompt_file = "not/there.md" # falls back with a warning, elsewhere
[roles.r]
system_prompt_file = "prompts/role.md"
`,
		"prompts/boss.md": "I am {{name}} and report to {{reports_to}}.",
		"prompts/role.md": "{{name}} stays as it is in a role.",
		"sub/x":           "",
	})
	c, err := config.Load(config.Source{Dir: filepath.Join(dir, "sub")})
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Personas["grand_boss"]; got.SystemPrompt != "I am grand_boss and report to user." || got.PromptFile != filepath.Join(dir, "prompts/boss.md") {
		t.Errorf("got %+v", got)
	}
	if got := c.Evaluation.PromptFile; got != filepath.Join(dir, "not/there.md") {
		t.Errorf("evaluation prompt %q", got)
	}
	if got := c.Roles["r"]; got.SystemPrompt != "{{name}} stays as it is in a role." || got.Name != "r" || got.Model != "" {
		t.Errorf("got %+v", got)
	}
}
