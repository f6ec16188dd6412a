package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const program = `package toy

// Twice is two times n.
func Twice(n int) int { return n + n }
`

const programTest = `package toy

import "testing"

func TestTwice(t *testing.T) {
	if Twice(3) != 6 {
		t.Fatal("three twice is not six")
	}
}

func TestSleepy(t *testing.T) {
	if Twice(1) < 0 {
		t.Fatal("never")
	}
}

func TestSick(t *testing.T) { t.Fatal("as ever") }
`

const body = "--- old\nreturn n + n\n--- new\nreturn n * n\n"

// examine runs the tool on a toy module.
func examine(t *testing.T, mutants string) (output string, err error) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module toy\n\ngo 1.26\n", "toy.go": program, "toy_test.go": programTest, "mutants.txt": mutants,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var out strings.Builder
	err = run(t.Context(), []string{"-dir", dir}, &out)
	if text, _ := os.ReadFile(filepath.Join(dir, "toy.go")); string(text) != program {
		t.Error("the tree was touched")
	}
	return out.String(), err
}

func TestAMutantThatIsCaught(t *testing.T) {
	out, err := examine(t, "# a comment\n\n== squared\nfile: toy.go\ntest: . TestTwice\nwant: three twice is not six\n"+body)
	if err != nil || !strings.Contains(out, "1 mutants, all caught") {
		t.Errorf("%v\n%s", err, out)
	}
}

// Everything that is not plainly caught fails, and says why.
func TestMutantsThatEscape(t *testing.T) {
	for name, story := range map[string]struct{ mutants, says string }{
		"it survives": {
			"== m\nfile: toy.go\ntest: . TestSleepy\nwant: never\n" + body,
			"no test noticed it",
		},
		"its old text is not there": {
			"== m\nfile: toy.go\ntest: . TestTwice\nwant: six\n--- old\nreturn 2 * n\n--- new\nreturn n\n",
			"0 times, not once",
		},
		"its old text is there often": {
			"== m\nfile: toy.go\ntest: . TestTwice\nwant: six\n--- old\nTwice\n--- new\nThrice\n",
			"2 times, not once",
		},
		"it does not compile": {
			"== m\nfile: toy.go\ntest: . TestTwice\nwant: six\n--- old\nreturn n + n\n--- new\nreturn m\n",
			"does not compile",
		},
		"another text": {
			"== m\nfile: toy.go\ntest: . TestTwice\nwant: one task, one answer\n" + body,
			`without saying "one task, one answer"`,
		},
		"no such file": {
			"== m\nfile: gone.go\ntest: . TestTwice\nwant: six\n" + body,
			"no such file",
		},
		"one of two": {
			"== good\nfile: toy.go\ntest: . TestTwice\nwant: six\n" + body + "\n== bad\nfile: toy.go\ntest: . TestSleepy\nwant: never\n" + body,
			"1 of 2 mutants escaped",
		},
		"the test is sick": {
			"== m\nfile: toy.go\ntest: . TestSick\nwant: as ever\n" + body,
			"unchanged, . -run TestSick fails",
		},
		"the test is not there": {
			"== m\nfile: toy.go\ntest: . TestNothing\nwant: six\n" + body,
			"runs no test",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, err := examine(t, story.mutants)
			if err == nil {
				t.Fatalf("all is said to be well:\n%s", out)
			}
			if all := out + err.Error(); !strings.Contains(all, story.says) {
				t.Errorf("it does not say %q:\n%s", story.says, all)
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	for text, says := range map[string]string{
		"file: x":                           "line 1",
		"== m\nflie: x":                     `"flie" is no key`,
		"== m\nwhat":                        "no key: value",
		"== m\nfile: x\ntest: . T\nwant: w": "old is missing",
		"== m\nfile: x\ntest: .\nwant: w\n" + body:                    "pattern is missing",
		"== m\nfile: x\ntest: . T\nwant: w\n--- old\na\n--- new\na":   "are the same",
		strings.Repeat("== m\nfile: x\ntest: . T\nwant: w\n"+body, 2): "there twice",
	} {
		if _, err := parse(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %q", text, err, says)
		}
	}
}

// Old and new keep their lines and their indentation; the empty lines behind
// them belong to nobody.
func TestParseKeepsLines(t *testing.T) {
	got, err := parse("== m\nfile: x\ntest: ./x/... A|B\nwant: w: v\n--- old\n\tone\n\n\ttwo\n--- new\n\n\n# next\n== n\nfile: y\ntest: . T\nwant: w\n--- old\na\n--- new\nb")
	if err != nil || len(got) != 2 {
		t.Fatalf("%v, %v", got, err)
	}
	if m := got[0]; m.old != "\tone\n\n\ttwo" || m.new != "" || m.run != "A|B" || m.want != "w: v" || m.pkg != "./x/..." {
		t.Errorf("%+v", m)
	}
}
