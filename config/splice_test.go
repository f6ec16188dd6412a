package config_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kurogo/config"
	"kurogo/messages"
)

// A generated document is made of pieces of which each knows whose it is and has
// a comment of its own.
type piece struct {
	text, comment string
	owner         string // the role that it is about; "" = none
	shared        bool   // one line about several roles
}

type forge struct {
	t      *rapid.T
	pieces []piece
	roles  []string
	fresh  int
}

// What stands in a document for a value, and behind a key: all the forms in which
// TOML writes things, and texts that look like something else.
var rawValues = []string{
	`"plain"`, `'lit # eral'`, `"a \"b\" \\ \u00e9 # no"`, `42`, `-1.5e3`, `true`, `1979-05-27T07:32:00Z`, `[]`, `[1, [2, 3], "]"]`,
	`{ x = 1, "y z" = '}' }`, `{}`, "[\n  \"a\", # in a list ]\n  'b',\n]", "\"\"\"\n[roles.fake]\n# not one\nmodel = \"x\"\n\"\"\"",
	"'''\n# neither\n'''", "\"\"\"two\n# lines\"\"\"", "'''quote''''", `""`, `''`, `""""""`,
}

var roleKeys = []string{"model", "name", "system_prompt", `"odd key"`, "tools", "env.deep", "'q'"}

func (f *forge) pick(label string, of ...string) string {
	return rapid.SampledFrom(of).Draw(f.t, label)
}

func (f *forge) coin(label string) bool { return rapid.Bool().Draw(f.t, label) }

func (f *forge) mark() string {
	f.fresh++
	return fmt.Sprintf("# c%d%s", f.fresh, f.pick("tail", ".", ". [x] = {", ". 日本 \"", ".  "))
}

func (f *forge) blank() {
	if f.coin("blank") {
		f.pieces = append(f.pieces, piece{text: ""})
	}
}

// line adds one with its comment behind it.
func (f *forge) line(owner, text string) {
	c := f.mark()
	f.pieces = append(f.pieces, piece{text: text + f.pick("gap", " ", "", "\t\t") + c, comment: c, owner: owner})
}

func (f *forge) remark(owner string) {
	if f.coin("remark") {
		c := f.mark()
		f.pieces = append(f.pieces, piece{text: f.pick("in", "", "  ") + c, comment: c, owner: owner})
	}
}

// keys adds some keys of a role below prefix.
func (f *forge) keys(owner, prefix string, least int) {
	in := f.pick("indent", "", "  ", "\t")
	names := rapid.Permutation(roleKeys).Draw(f.t, "keys")[:rapid.IntRange(least, 4).Draw(f.t, "count")]
	for _, name := range names {
		f.remark(owner)
		f.line(owner, in+prefix+name+f.pick("equals", " = ", "=", "\t=  ")+f.pick("value", rawValues...))
	}
}

// braces are some keys of a role on one line.
func (f *forge) braces() string {
	names := rapid.Permutation(roleKeys).Draw(f.t, "keys")[:rapid.IntRange(0, 3).Draw(f.t, "count")]
	for i, name := range names {
		names[i] = name + " = " + f.pick("short", `"x"`, `'y}'`, `[1, 2]`, `{ a = 1 }`, `7`)
	}
	return "{" + f.pick("open", "", " ") + strings.Join(names, f.pick("comma", ", ", ",")) + f.pick("close", "", " ") + "}"
}

func quoted(id string) string {
	if strings.Contains(id, " ") {
		return `"` + id + `"`
	}
	return id
}

// small adds a role below prefix, in braces or by dots.
func (f *forge) small(id, prefix string) {
	f.roles = append(f.roles, id)
	f.remark(id)
	if f.coin("inline") {
		f.line(id, prefix+quoted(id)+" = "+f.braces())
		return
	}
	f.keys(id, prefix+quoted(id)+".", 1)
}

// table adds a role with a header, and perhaps a table below it.
func (f *forge) table(id string) {
	f.roles = append(f.roles, id)
	f.pieces = append(f.pieces, piece{text: ""})
	f.remark("") // away from the table, unless no line is between
	f.pieces = append(f.pieces, piece{text: ""})
	f.remark(id)
	switch f.pick("header", "plain", "spaced", "below") {
	case "below":
		f.line(id, "[roles."+quoted(id)+".sub]")
		f.line(id, "x = 1")
		return
	case "spaced":
		f.line(id, " [ roles . "+quoted(id)+" ]")
	default:
		f.line(id, "[roles."+quoted(id)+"]")
	}
	f.keys(id, "", 0)
	f.remark(id)
	if f.coin("sub") {
		f.pieces = append(f.pieces, piece{text: ""})
		f.remark(id)
		f.line(id, "[roles."+quoted(id)+".sub]")
		f.line(id, "x = 1")
	}
}

// other adds a table that is about no role.
func (f *forge) other() {
	f.fresh++
	f.pieces = append(f.pieces, piece{text: ""})
	f.remark("")
	f.line("", f.pick("table", fmt.Sprintf("[t%d]", f.fresh), fmt.Sprintf(`[o."r.%d"]`, f.fresh), "[[many]]"))
	f.keys("", "", 0)
	f.blank()
}

// forgeDocument draws a document with at least two roles.
func forgeDocument(t *rapid.T) (text string, f *forge) {
	f = &forge{t: t}
	f.remark("")
	f.pieces = append(f.pieces, piece{text: ""})
	f.keys("", "root.", 0)
	f.pieces = append(f.pieces, piece{text: ""})
	form := f.pick("form", "headers", "dotted", "section", "braces")
	switch form {
	case "braces":
		f.roles = []string{"a", "b c", "d"}
		c := f.mark()
		all := fmt.Sprintf(`roles = { a = %s, "b c" = %s, d.model = "x" } %s`, f.braces(), f.braces(), c)
		f.pieces = append(f.pieces, piece{text: all, comment: c, shared: true})
	case "dotted":
		f.small("a", "roles.")
		f.small("b c", "roles.")
	}
	f.other()
	if form == "section" {
		f.pieces = append(f.pieces, piece{text: ""})
		f.line("", "[roles]")
		f.small("a", "")
		f.small("b c", "  ")
		f.small("d", "")
	}
	if form != "braces" {
		f.table("e")
		f.other()
		f.table("f g")
		f.table("h")
	}
	if f.coin("more") {
		f.other()
	}
	lines := make([]string, len(f.pieces))
	for i, p := range f.pieces {
		lines[i] = p.text
	}
	text = strings.Join(lines, "\n")
	if f.coin("end") {
		text += "\n"
	}
	if f.coin("crlf") {
		text = strings.ReplaceAll(text, "\n", "\r\n")
		for i, p := range f.pieces {
			f.pieces[i].text = strings.ReplaceAll(p.text, "\n", "\r\n")
		}
	}
	if f.coin("bom") {
		text = "\ufeff" + text
	}
	return text, f
}

// survives asks for every piece in its order: whole where it is not about the
// role, at least its comment where it is; or nothing of it, if the role is gone.
func (f *forge) survives(after, role string, gone bool) {
	f.t.Helper()
	rest := after
	for _, p := range f.pieces {
		token := p.text
		switch {
		case p.comment == "":
			continue
		case p.owner == role && gone:
			if strings.Contains(after, p.comment) {
				f.t.Fatalf("%q is about %s and still there:\n%s", p.comment, role, after)
			}
			continue
		case p.owner == role, p.shared:
			token = p.comment
		}
		_, behind, ok := strings.Cut(rest, token)
		if !ok {
			f.t.Fatalf("%q is gone, or not where it was:\n%s", token, after)
		}
		rest = behind
	}
}

func tree(t *rapid.T, text string) map[string]any {
	t.Helper()
	out := map[string]any{}
	if err := toml.Unmarshal([]byte(text), &out); err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	return out
}

var hostileText = rapid.Custom(func(t *rapid.T) string {
	return strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{
		"a", " ", `"`, `""`, `"""`, "'", "'''", `\`, "\n", "\r", "\t", "# [x] = {,}", "\x00", "\x7f", "\x1b", "日", "\u2028",
	})).Draw(t, "parts"), "")
})

func drawValues(t *rapid.T) map[string]string {
	return rapid.MapOfN(rapid.SampledFrom([]string{"model", "name", "system_prompt", "odd key", "new"}), hostileText, 1, 4).Draw(t, "values")
}

func TestAnAssignmentChangesOnlyItsKeys(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text, f := forgeDocument(t)
		want := tree(t, text)
		role, values := f.pick("role", f.roles...), drawValues(t)
		table := want["roles"].(map[string]any)[role].(map[string]any)
		for key, value := range values {
			table[key] = value
		}
		after, err := config.Assign(text, "roles", role, values)
		if err != nil {
			t.Fatalf("%v:\n%s", err, text)
		}
		if diff := cmp.Diff(want, tree(t, after)); diff != "" {
			t.Fatalf("-want +got\n%s\n%s", diff, after)
		}
		f.survives(after, role, false)
	})
}

func TestANewTableLeavesTheOthersAlone(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text, f := forgeDocument(t)
		want, values := tree(t, text), drawValues(t)
		table := map[string]any{}
		for key, value := range values {
			table[key] = value
		}
		want["roles"].(map[string]any)["new one"] = table
		after, err := config.AddTable(text, "roles", "new one", values)
		if err != nil {
			t.Fatalf("%v:\n%s", err, text)
		}
		if diff := cmp.Diff(want, tree(t, after)); diff != "" {
			t.Fatalf("-want +got\n%s\n%s", diff, after)
		}
		f.survives(after, "", false)
	})
}

func TestATableGoesWithItsCommentsAndNoOthers(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text, f := forgeDocument(t)
		want, role := tree(t, text), f.pick("role", f.roles...)
		delete(want["roles"].(map[string]any), role)
		after, err := config.CutTable(text, "roles", role)
		if err != nil {
			t.Fatalf("%v:\n%s", err, text)
		}
		if diff := cmp.Diff(want, tree(t, after)); diff != "" {
			t.Fatalf("-want +got\n%s\n%s", diff, after)
		}
		f.survives(after, role, true)
	})
}

func TestEveryTextCanBeWrittenInEveryStyle(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := hostileText.Draw(t, "text")
		instead := rapid.SampledFrom([]string{"", `"x"`, `'x'`, `"""x"""`, "\"\"\"\nx\"\"\"", "\"\"\"\r\nx\"\"\"", `'''x'''`, "5", "[1]"}).Draw(t, "instead")
		inline := rapid.Bool().Draw(t, "inline")
		said := config.Quote(instead, text, inline)
		if got := tree(t, "v = "+said)["v"]; got != text {
			t.Fatalf("%s says %q, want %q", said, got, text)
		}
		if inline && strings.Contains(said, "\n") {
			t.Fatalf("%q breaks the line of a table in braces", said)
		}
	})
}

// Bytes around a change that no tree would miss.
func TestWhatStandsBesideAChangeStaysByteForByte(t *testing.T) {
	t.Parallel()
	const bom = "\ufeff"
	set := func(text string) (string, error) { return config.Assign(text, "r", "a", map[string]string{"k": "v"}) }
	cut := func(text string) (string, error) { return config.CutTable(text, "r", "a") }
	for name, story := range map[string]struct {
		edit         func(string) (string, error)
		before, want string
	}{
		"blanks before a comment":      {set, "[r.a]\nk = 5 \t # x\n", "[r.a]\nk = \"v\" \t # x\n"},
		"blanks at the end of a line":  {set, "[r.a]\nk = true  \nj = 1", "[r.a]\nk = \"v\"  \nj = 1"},
		"breaks of lines":              {set, "[r.a]\r\nj = 1 # x\r\n", "[r.a]\r\nj = 1 # x\r\nk = \"v\"\r\n"},
		"… at the end":                 {set, "[r.a]\r\nj = 1", "[r.a]\r\nj = 1\r\nk = \"v\""},
		"the mark before a header":     {set, bom + "[r.a] # x\n", bom + "[r.a] # x\nk = \"v\"\n"},
		"the mark before a key":        {set, bom + "r.a.k = 1", bom + "r.a.k = \"v\""},
		"the mark before what goes":    {cut, bom + "# x\n[r.a]\nk = 1\n\n[r.b]\n", bom + "[r.b]\n"},
		"the mark before all there is": {cut, bom + "[r.b]\n\n\n[r.a]\n\n", bom + "[r.b]\n"},
		"one empty line of two":        {cut, "[r.b]\r\n\r\n[r.a]\r\nk = 1\r\n\r\n# c\r\n[r.c]\r\n", "[r.b]\r\n\r\n# c\r\n[r.c]\r\n"},
		"comments in braces":           {cut, "r = { b = {}, # b\n  a = {} # a\n}\n", "r = { b = {} # b\n # a\n}\n"},
	} {
		got, err := story.edit(story.before)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(story.want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
}

func TestAFormThatCannotBeChangedInPlaceIsRefused(t *testing.T) {
	t.Parallel()
	_, err := config.Assign("[[r.a]]\nk = 1\n", "r", "a", map[string]string{"k": "v"})
	wantCode(t, err, messages.CodeConflict, "r.a is written in a form")
}

// FuzzTableEdit holds the editors to what the library reads: whatever they make of any
// document says what was asked for, or there is an error.
func FuzzTableEdit(f *testing.F) {
	f.Add(trickyDocument, "server", "odd name", "list")
	f.Add("\ufeffroles = { a = { b = 1, }, } # x\r\n", "roles", "a", "c")
	f.Add("[roles]\na.b = 1\n[roles.c]\n", "roles", "a", "b")
	f.Add("[[roles.a]]\nx = 1\n", "roles", "a", "x")
	f.Fuzz(func(t *testing.T, text, section, id, key string) {
		before := map[string]any{}
		if toml.Unmarshal([]byte(text), &before) != nil {
			return
		}
		for name, edit := range map[string]func() (string, error){
			"assign": func() (string, error) { return config.Assign(text, section, id, map[string]string{key: "a\nb"}) },
			"add":    func() (string, error) { return config.AddTable(text, section, id, map[string]string{key: "a\nb"}) },
			"cut":    func() (string, error) { return config.CutTable(text, section, id) },
		} {
			out, err := edit()
			if err != nil {
				continue
			}
			after := map[string]any{}
			if err := toml.Unmarshal([]byte(out), &after); err != nil {
				t.Errorf("%s: %v:\n%s", name, err, out)
			}
			all, _ := after[section].(map[string]any)
			table, there := all[id].(map[string]any)
			if name == "cut" && there || name != "cut" && table[key] != "a\nb" {
				t.Errorf("%s did not do what it says:\n%s", name, out)
			}
		}
	})
}
