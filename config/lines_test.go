package config_test

import (
	"strings"
	"testing"

	"github.com/BurntSushi/toml"

	"kurogo/config"
)

const trickyDocument = `# [not.a.table]
title = "a # no comment" # a comment
text = """
[fake]
key = "value" \""" still inside
""""" # two quotes of the text, three that end it
raw = '''
a = 1'''
"quoted.key" . 'second' = 1
"esc\u0061ped" = 1

[ server . "odd name" ]
list = [ "x]", # a comment ]
  { a = 1, b = "}" },
  [ 1, 2 ],
]
inline = { c = { d = '#' }, e.f = 2 }

[[scene]]
name = "one"
[[scene.line]]
say = "x"
[[scene.line]]
say = "y"
[scene.line.send]
to = "z"
[[scene]]
[[scene.line]]
say = "w"
`

func TestEachKeyIsFoundOnItsLine(t *testing.T) {
	t.Parallel()
	found := config.Lines(trickyDocument)
	for _, want := range []struct {
		line int
		at   []any
	}{
		{2, []any{"title"}},
		{3, []any{"text"}},
		{7, []any{"raw"}},
		{9, []any{"quoted.key", "second"}},
		{10, []any{"escaped"}},
		{12, []any{"server"}},
		{12, []any{"server", "odd name"}},
		{13, []any{"server", "odd name", "list", 0}},
		{14, []any{"server", "odd name", "list", 1, "b"}},
		{15, []any{"server", "odd name", "list", 2, 1}},
		{17, []any{"server", "odd name", "inline", "c", "d"}},
		{17, []any{"server", "odd name", "inline", "e", "f"}},
		{20, []any{"scene", 0, "name"}},
		{22, []any{"scene", 0, "line", 0, "say"}},
		{24, []any{"scene", 0, "line", 1, "say"}},
		{26, []any{"scene", 0, "line", 1, "send", "to"}},
		{27, []any{"scene", 1}},
		{29, []any{"scene", 1, "line", 0, "say"}},
	} {
		if got := found[config.ID(want.at...)]; got != want.line {
			t.Errorf("%v is on line %d, want %d", want.at, got, want.line)
		}
	}
	for _, ghost := range [][]any{{"fake"}, {"not"}, {"key"}, {"a"}} {
		if line, ok := found[config.ID(ghost...)]; ok {
			t.Errorf("%v is no key, but was found on line %d", ghost, line)
		}
	}
}

func TestAMissingKeyIsBlamedOnWhatIsAroundIt(t *testing.T) {
	t.Parallel()
	if got := config.LineOf("x = 1\n[personas.bob]\n", "personas", "bob", "reports_to"); got != 2 {
		t.Errorf("line %d, want 2", got)
	}
	if got := config.LineOf("x = 1\n", "personas"); got != 0 {
		t.Errorf("line %d, want 0", got)
	}
}

// FuzzLines holds the index to what the library has parsed: every key that it
// knows must have a line that exists. On anything else the index must end.
func FuzzLines(f *testing.F) {
	f.Add(trickyDocument)
	f.Add("\ufeffa = 1\r\n[b]\r\nc = 2\r\n")
	f.Add("a = [[[[[[")
	f.Add(strings.Repeat("[", 5000) + strings.Repeat("{", 5000))
	f.Add(strings.Repeat("a.", 300) + "a = 1")
	f.Add("a = \"\"\"\\")
	f.Add("= 1\n.a = 2\n[[]]\n[.]")
	f.Add(config.Template([]string{"claude"}, "ja"))
	f.Fuzz(func(t *testing.T, text string) {
		found := config.Lines(text)
		last := strings.Count(text, "\n") + 1
		for key, line := range found {
			if line < 1 || line > last {
				t.Errorf("%q is on line %d of %d", key, line, last)
			}
		}
		tree := map[string]any{}
		if err := toml.Unmarshal([]byte(text), &tree); err == nil {
			everyKey(t, found, tree, nil)
		}
	})
}

func everyKey(t *testing.T, found map[string]int, v any, at []any) {
	t.Helper()
	if _, ok := found[config.ID(at...)]; !ok && len(at) > 0 && len(at) < 50 {
		t.Errorf("%q has no line", at)
	}
	switch v := v.(type) {
	case map[string]any:
		for name, value := range v {
			everyKey(t, found, value, append(at[:len(at):len(at)], name))
		}
	case []map[string]any:
		for i, value := range v {
			everyKey(t, found, value, append(at[:len(at):len(at)], i))
		}
	case []any:
		for i, value := range v {
			everyKey(t, found, value, append(at[:len(at):len(at)], i))
		}
	}
}
