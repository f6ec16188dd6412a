package main_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kurogo/messages"
)

// A misreading is a document that cannot be judged, or a wish that cannot be
// heeded: as the arguments of evaluate_document, and at a terminal; nil where that
// cannot be said.
type misreading struct {
	what, args    string
	terminal      []string
	input         string // on standard input
	code          messages.Code
	field, remedy string
}

func misreadings(t *testing.T, th *theatre) []misreading {
	t.Helper()
	outside := filepath.Join(th.home, "secret.md")
	for file, text := range map[string]string{
		"good.md": "# Good\n", "empty.md": "", "blank.md": " \n\t\n", "binary.md": "a\x00b", "latin.md": "caf\xe9\n", "large.md": strings.Repeat("x", 10<<20),
	} {
		th.write(file, text)
	}
	for path, text := range map[string]string{outside: "# Secret\n", filepath.Join(th.project, ".git"): "gitdir: elsewhere\n"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(outside, filepath.Join(th.project, "leak.md")); err != nil {
		t.Fatal(err)
	}
	all := []misreading{
		{what: "an empty text", args: `{"content":""}`, terminal: []string{"-"}, code: "invalid", field: "content", remedy: "write something"},
		{what: "nothing", args: `{}`, terminal: []string{"-"}, code: "invalid", field: "content", remedy: "write something"},
		{what: "a binary text", args: `{"content":"a\u0000b"}`, terminal: []string{"-"}, input: "a\x00b", code: "invalid", field: "content", remedy: "UTF-8"},
		{what: "a large text", args: `{"content":"` + strings.Repeat("x", 1<<20+1) + `"}`, terminal: []string{"-"}, input: strings.Repeat("x", 1<<20+1), code: "invalid", field: "content", remedy: "evaluation.document_bytes"},
		{what: "two documents", args: `{"content":"x","document_path":"good.md"}`, code: "invalid", field: "document_path", remedy: "one of the two"},
	}
	for _, c := range []struct {
		path   string
		code   messages.Code
		remedy string
	}{
		{"empty.md", "invalid", "write something"},
		{"blank.md", "invalid", "write something"},
		{"binary.md", "invalid", "UTF-8"},
		{"latin.md", "invalid", "save it as UTF-8"},
		{"large.md", "invalid", "evaluation.document_bytes"},
		{"nowhere.md", "not_found", "path"},
		{"good.md/x", "not_found", "path"},
		{"../secret.md", "denied", "of the project"},
		{outside, "denied", "of the project"},
		{"leak.md", "denied", "of the project"},
		{".", "invalid", "document"},
	} {
		all = append(all, misreading{what: "the file " + c.path, args: fmt.Sprintf(`{"document_path":%q}`, c.path), terminal: []string{c.path}, code: c.code, field: "document_path", remedy: c.remedy})
	}
	for _, c := range []struct{ rubric, terminal, field, remedy string }{
		{`{"colour":1}`, "colour=1", "rubric.colour", "completeness, accuracy, clarity, usability"},
		{`{"clarity":-1}`, "clarity=-1", "rubric.clarity", "0 or more"},
		{`{"clarity":0,"accuracy":0}`, "clarity=0,accuracy=0", "rubric", "above 0"},
		{`{}`, "", "rubric", "above 0"},
		{"", "clarity=NaN", "rubric.clarity", "0 or more"},
		{"", "clarity=Inf", "rubric.clarity", "0 or more"},
		{"", "clarity=1e999", "rubric.clarity", "0 or more"},
		{"", "clarity=much", "rubric.clarity", "0 or more"},
		{`{"clarity":"much"}`, "", "rubric.clarity", "a number"},
	} {
		m := misreading{what: "the rubric " + c.rubric + c.terminal, code: "invalid", field: c.field, remedy: c.remedy}
		if c.rubric != "" {
			m.args = `{"document_path":"good.md","rubric":` + c.rubric + `}`
		}
		if c.terminal != "" {
			m.terminal = []string{"good.md", "--rubric", c.terminal}
		}
		all = append(all, m)
	}
	for _, target := range []string{"-0.1", "10.1", "1e9"} {
		all = append(all, misreading{
			what: "the target " + target, args: `{"document_path":"good.md","target_score":` + target + `}`, terminal: []string{"good.md", "--target", target},
			code: "invalid", field: "target_score", remedy: "8.0",
		})
	}
	return append(
		all,
		misreading{what: "the target NaN", terminal: []string{"good.md", "--target", "NaN"}, code: "invalid", field: "target_score", remedy: "8.0"},
		misreading{what: "another evaluator", terminal: []string{"good.md", "--evaluator", "gpt"}, code: "invalid", field: "evaluator", remedy: "heuristic"},
		misreading{what: "too many rounds", terminal: []string{"good.md", "--improve", "--max", "101"}, code: "invalid", field: "max_iterations", remedy: "1 to 100"},
		misreading{what: "a file that is kept", terminal: []string{".git", "--improve"}, code: "denied", field: "document_path", remedy: "without writing"},
		misreading{what: "no time", terminal: []string{"good.md", "--timeout", "-1s"}, code: "invalid", field: "timeout", remedy: "10m"},
	)
}

// refuses makes a blunder by all ways and at the terminal, and compares what is
// said: one sentence, wherever it comes in.
func (th *theatre) refuses(m misreading, ways []*way) {
	th.Helper()
	heard := map[string]string{}
	for _, d := range ways {
		if m.args == "" {
			break
		}
		answer, can, err := d.use("evaluate_document", m.args)
		if !can {
			continue
		}
		var e *messages.Error
		if !errors.As(err, &e) {
			th.Errorf("%s through %s: %v %.300s", m.what, d.name, err, answer)
			continue
		}
		if e.Code != m.code || e.Field != m.field || e.Message == "" || !strings.Contains(e.Remedy, m.remedy) {
			th.Errorf("%s through %s: want %s of %q: %v", m.what, d.name, m.code, m.field, e)
		}
		heard[e.Error()] = d.name
	}
	if m.terminal != nil {
		got := th.does(m.input, append([]string{"evaluate"}, m.terminal...)...)
		if want := "kurogo: " + string(m.code) + ": "; got.status != m.code.Exit() || !strings.HasPrefix(got.err, want) || !strings.Contains(got.err, m.remedy) || got.out != "" {
			th.Errorf("%s at the terminal: %+v, want %d and %q", m.what, got, m.code.Exit(), want)
		}
		heard[strings.TrimSuffix(strings.TrimPrefix(got.err, "kurogo: "), "\n")] = "the terminal"
	}
	if len(heard) > 1 {
		th.Errorf("%s is refused in %d ways: %q", m.what, len(heard), heard)
	}
}

// sums is what the files of the project are.
func (th *theatre) sums() map[string][sha256.Size]byte {
	th.Helper()
	out := map[string][sha256.Size]byte{}
	files, err := filepath.Glob(filepath.Join(th.project, "*"))
	if err != nil {
		th.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			th.Fatal(err)
		}
		out[file] = sha256.Sum256(text)
	}
	return out
}

// TestWhatCannotBeJudged makes every blunder by the pipe, HTTP, both WebSockets,
// REST and at the terminal: one sentence each, no evaluation, and no file changes.
func TestWhatCannotBeJudged(t *testing.T) {
	t.Parallel()
	th, _ := openStudio(t, "", drafts...)
	all := misreadings(t, th)
	ways := th.ways(must[messages.Status](th, messages.GetStatus{}), strings.TrimSpace(th.run("token")), false)
	before := th.sums()
	for _, m := range all {
		th.refuses(m, ways)
	}
	if jobs := must[messages.Jobs](th, messages.ListJobs{}); jobs.Total != 0 {
		t.Errorf("there are %d jobs: %+v", jobs.Total, jobs.Jobs)
	}
	if after := th.sums(); fmt.Sprint(after) != fmt.Sprint(before) {
		t.Error("a file has changed")
	}
}

// Where somebody insists on an evaluator that is not there, nobody judges; nor does
// anybody with a template in which a document has no place.
func TestNobodyToJudge(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		settings string
		want     misreading
	}{
		"no CLI": {
			"mock = false\n[drivers.nobody]\nkind = \"command\"\ncommand = \"there-is-no-such-program\"\n",
			misreading{what: "no CLI", code: "unavailable", remedy: "USE_MOCK_EVALUATOR"},
		},
		"no place in the template": {
			"prompt_file = \"bad.md\"\n[drivers.nobody]\nkind = \"command\"\ncommand = \"true\"\n",
			misreading{what: "a template", code: "invalid", field: "prompt_file", remedy: "{{document_content}}"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			th := newTheatre(t)
			th.write("kurogo.toml", strings.Replace(studio, "[evaluation]\ndriver = \"rehearsal\"\nimprover = \"writer\"\n", "[evaluation]\ndriver = \"nobody\"\n"+c.settings, 1))
			th.write("play.toml", "[[scene]]\nwho = \"role:*\"\n[[scene.line]]\nsay = \"OK\"\n")
			th.write("bad.md", "How good is it?")
			o := th.serve()
			t.Cleanup(func() {
				th.run("stop")
				o.endedWell()
			})
			c.want.args, c.want.terminal, c.want.input = `{"content":"# Good\n"}`, []string{"-"}, "# Good\n"
			th.refuses(c.want, th.ways(must[messages.Status](th, messages.GetStatus{}), strings.TrimSpace(th.run("token")), false))
		})
	}
}
