package config_test

import (
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"kurogo/config"
)

func TestWhatInitWritesLoads(t *testing.T) {
	t.Parallel()
	for _, language := range []string{"ja", "en"} {
		for _, story := range []struct {
			found  []string
			driver string
		}{
			{nil, ""},
			{[]string{"something-else"}, ""},
			{[]string{"codex", "cursor-agent"}, "codex"},
			{[]string{"cursor-agent"}, "cursor"},
			{[]string{"agent"}, "cursor"},
			{[]string{"codex", "claude"}, "claude"},
		} {
			c := load(t, config.Template(story.found, language))
			if c.Language != language || c.Driver != story.driver {
				t.Errorf("%v: got language %q and driver %q, want %q and %q", story.found, c.Language, c.Driver, language, story.driver)
			}
		}
	}
}

var commented = regexp.MustCompile(`(?m)^#([a-z"\[])`)

func TestUncommentedItSaysEverythingAndTheDefaults(t *testing.T) {
	t.Parallel()
	for _, language := range []string{"ja", "en"} {
		text := commented.ReplaceAllString(config.Template(nil, language), "$1")
		full := load(t, text)
		plain := load(t, `language = "`+language+`"`)
		if diff := cmp.Diff(plain, full, cmp.FilterPath(func(p cmp.Path) bool {
			switch p.String() {
			case "Path", "Driver", "Drivers", "Roles", "Personas":
				return true
			}
			return false
		}, cmp.Ignore()), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("the template shows other defaults than there are:\n%s", diff)
		}
		if len(full.Personas) != 7 {
			t.Errorf("the template lists %d personas", len(full.Personas))
		}
		for _, part := range []any{
			config.Config{},
			config.Server{},
			config.Limits{},
			config.Timeouts{},
			config.Reconnect{},
			config.Log{},
			config.Driver{},
			config.Role{},
			config.Persona{},
			config.Evaluation{},
			config.Weights{},
			config.Run{},
			config.Workspace{},
			config.Index{},
			config.Embedder{},
			config.Chat{},
			config.Notify{},
		} {
			for i := range reflect.TypeOf(part).NumField() {
				key := reflect.TypeOf(part).Field(i).Tag.Get("toml")
				if key != "" && key != "-" && !strings.Contains(text, key) {
					t.Errorf("%s: %T.%s is not mentioned", language, part, key)
				}
			}
		}
	}
}
