package config_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kurogo/config"
	"kurogo/messages"
)

func model(id, name string) messages.RoleEdit { return messages.RoleEdit{ID: id, Model: &name} }

func prompt(id, text string) messages.RoleEdit { return messages.RoleEdit{ID: id, SystemPrompt: &text} }

// base is what an edit of that role would be based on now.
func base(t *testing.T, path, id string) string {
	t.Helper()
	c, err := config.PlanRoleEdit(path, messages.RoleEdit{ID: id})
	if err != nil || c.Diff != "" {
		t.Fatal(c.Diff, err)
	}
	return c.Before
}

func wantCode(t *testing.T, err error, code messages.Code, says string) {
	t.Helper()
	e := messages.AsError(err)
	if e == nil || e.Code != code || e.Remedy == "" || !strings.Contains(e.Error(), says) {
		t.Errorf("got %v, want %s about %q with a remedy", err, code, says)
	}
}

const twoRoles = "# ours\n[roles.a]\nmodel = \"x\"\n[roles.b]\nsystem_prompt_file = \"prompts/b.md\"\n"

func TestAnEditOfWhatHasChangedSinceIsAConflict(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]struct{ file, text, role string }{
		"somebody else edited the file":     {"kurogo.toml", strings.Replace(twoRoles, "x", "z", 1), "a"},
		"… or only a comment":               {"kurogo.toml", strings.Replace(twoRoles, "ours", "mine", 1), "a"},
		"… or took half of it away":         {"kurogo.toml", "[roles.a]\n\n", "a"},
		"… or the file that has the prompt": {"prompts/b.md", "Other.", "b"},
		"… or all of it":                    {"kurogo.toml", "", "a"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := write(t, map[string]string{"kurogo.toml": twoRoles, "prompts/b.md": "B."})
			path := filepath.Join(dir, "kurogo.toml")
			seen := base(t, path, change.role)
			if change.text == "" {
				os.Remove(path)
			} else if err := os.WriteFile(filepath.Join(dir, change.file), []byte(change.text), 0o644); err != nil {
				t.Fatal(err)
			}
			before := readAll(t, dir)
			_, err := config.ApplyRoleEdit(path, seen, prompt(change.role, "C."))
			wantCode(t, err, messages.CodeConflict, "has changed since")
			if diff := cmp.Diff(before, readAll(t, dir)); diff != "" {
				t.Errorf("it was written anyway:\n%s", diff)
			}
		})
	}
	dir := write(t, map[string]string{"kurogo.toml": twoRoles, "prompts/b.md": "B."})
	_, err := config.ApplyRoleEdit(filepath.Join(dir, "kurogo.toml"), "", model("a", "y"))
	wantCode(t, err, messages.CodeConflict, "has changed since")
}

func TestOfManyEditsAtOnceNoneIsLost(t *testing.T) {
	t.Parallel()
	const editors = 8
	var text strings.Builder
	for i := range editors {
		text.WriteString("[roles.r" + strconv.Itoa(i) + "] # r" + strconv.Itoa(i) + "\nmodel = \"old\"\n")
	}
	dir := write(t, map[string]string{"kurogo.toml": text.String()})
	path := filepath.Join(dir, "kurogo.toml")
	var all sync.WaitGroup
	for i := range editors {
		all.Go(func() {
			e := model("r"+strconv.Itoa(i), "new")
			for {
				c, err := config.PlanRoleEdit(path, e)
				if err == nil {
					_, err = config.ApplyRoleEdit(path, c.Before, e)
				}
				if !messages.IsCode(err, messages.CodeConflict) {
					if err != nil {
						t.Error(err)
					}
					return
				}
			}
		})
	}
	all.Wait()
	if diff := cmp.Diff(strings.ReplaceAll(text.String(), "old", "new"), readAll(t, dir)["kurogo.toml"]); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestAReplacedFileKeepsItsModeAndItsLinks(t *testing.T) {
	t.Parallel()
	dir := write(t, map[string]string{"real/kurogo.toml": twoRoles, "project/prompts/b.md": "B.", "real/prompts/b.md": "never read"})
	real, link := filepath.Join(dir, "real/kurogo.toml"), filepath.Join(dir, "project/kurogo.toml")
	if err := os.Chmod(real, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../real/kurogo.toml", link); err != nil {
		t.Fatal(err)
	}
	if _, err := config.ApplyRoleEdit(link, base(t, link, "a"), model("a", "y")); err != nil {
		t.Fatal(err)
	}
	if _, err := config.ApplyRoleEdit(link, base(t, link, "b"), prompt("b", "New.")); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		".git/HEAD": "", "real/kurogo.toml": strings.Replace(twoRoles, `"x"`, `"y"`, 1), "real/prompts/b.md": "never read",
		"project/kurogo.toml": strings.Replace(twoRoles, `"x"`, `"y"`, 1), "project/prompts/b.md": "New.",
	}
	if diff := cmp.Diff(want, readAll(t, dir)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Error("the link is none any more", err)
	}
	if info, err := os.Stat(real); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	lost := filepath.Join(dir, "lost.toml")
	if err := os.Symlink("nowhere.toml", lost); err != nil {
		t.Fatal(err)
	}
	_, err := config.ApplyRoleEdit(lost, "", model("research", "m"))
	wantCode(t, err, messages.CodeUnavailable, "lost.toml")
}

func TestAPromptOutsideOfTheProjectIsNotWritten(t *testing.T) {
	t.Parallel()
	dir := write(t, map[string]string{"beside/p.md": "Theirs.", "project/kurogo.toml": `
[roles.a]
system_prompt_file = "../beside/p.md"
[roles.b]
system_prompt_file = "in.md"
`})
	if err := os.Symlink("../beside/p.md", filepath.Join(dir, "project/in.md")); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "project/kurogo.toml")
	for _, id := range []string{"a", "b"} {
		_, err := config.PlanRoleEdit(path, prompt(id, "Mine."))
		wantCode(t, err, messages.CodeInvalid, "outside of")
		if c, err := config.PlanRoleEdit(path, prompt(id, "Theirs.")); err != nil || c.Diff != "" {
			t.Errorf("what is so already needs no writing, got %q, %v", c.Diff, err)
		}
	}
}

func TestWhatCannotBeWrittenStaysWhole(t *testing.T) {
	t.Parallel()
	if os.Getuid() == 0 {
		t.Skip("nothing is forbidden to root")
	}
	dir := write(t, map[string]string{"kurogo.toml": twoRoles, "prompts/b.md": "B."})
	path := filepath.Join(dir, "kurogo.toml")
	if err := os.Chmod(path, 0o400); err != nil {
		t.Fatal(err)
	}
	_, err := config.ApplyRoleEdit(path, base(t, path, "a"), model("a", "y"))
	wantCode(t, err, messages.CodeDenied, "kurogo.toml")
	if got := readAll(t, dir)["kurogo.toml"]; got != twoRoles {
		t.Errorf("it says now %q", got)
	}
}

func TestAnEditWaitsForNobodyForEver(t *testing.T) {
	t.Parallel()
	dir := write(t, map[string]string{"kurogo.toml": twoRoles, "prompts/b.md": "B."})
	path := filepath.Join(dir, "kurogo.toml")
	held, err := os.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	if err := syscall.Flock(int(held.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	_, err = config.LockFolder(path, 0)
	wantCode(t, err, messages.CodeBusy, "another edit")
	held.Close()
	unlock, err := config.LockFolder(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	unlock()
	if _, err := config.ApplyRoleEdit(filepath.Join(dir, "no/where.toml"), "", model("research", "m")); err == nil {
		t.Error("there is no such folder")
	}
}

func TestWhatAnEditorSavesBetweenTwoLooksIsNotLost(t *testing.T) {
	t.Parallel()
	dir := write(t, map[string]string{"f": "saved"})
	wantCode(t, config.ReplaceFile(filepath.Join(dir, "f"), "seen", "ours"), messages.CodeConflict, "changed since")
	wantCode(t, config.ReplaceFile(filepath.Join(dir, "new/f"), "", "ours"), messages.CodeUnavailable, "write")
	if err := config.ReplaceFile(filepath.Join(dir, "f"), "saved", "ours"); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(map[string]string{".git/HEAD": "", "f": "ours"}, readAll(t, dir)); diff != "" {
		t.Error(diff)
	}
}

func TestBreaksOfLinesAloneAreNoChange(t *testing.T) {
	t.Parallel()
	dir := write(t, map[string]string{
		"kurogo.toml":  "[roles.a] # x\r\nsystem_prompt = \"\"\"\r\none\r\ntwo\"\"\"\r\n[roles.b]\r\nsystem_prompt_file = \"prompts/b.md\"\r\n",
		"prompts/b.md": "one\r\ntwo",
	})
	path := filepath.Join(dir, "kurogo.toml")
	for _, id := range []string{"a", "b"} {
		if c, err := config.PlanRoleEdit(path, prompt(id, "one\ntwo")); err != nil || c.Diff != "" || c.PromptPath != "" {
			t.Errorf("%s: %v\n%s", id, err, c.Diff)
		}
		c, err := config.PlanRoleEdit(path, model(id, "m"))
		if err != nil || !strings.Contains(c.Diff, "\n+model = \"m\"\r\n") || strings.Contains(c.Diff, "\n-") {
			t.Errorf("%s: %v\n%s", id, err, c.Diff)
		}
	}
}

func TestADiffIsWhatPatchReads(t *testing.T) {
	t.Parallel()
	lines := func(from, to int) string {
		var b strings.Builder
		for i := from; i <= to; i++ {
			b.WriteString(strconv.Itoa(i) + "\n")
		}
		return b.String()
	}
	long := lines(1, 30)
	for name, story := range map[string]struct{ before, after, want string }{
		"no change":         {"a\n", "a\n", ""},
		"a new file":        {"", "a\nb\n", "--- f\n+++ f\n@@ -0,0 +1,2 @@\n+a\n+b\n"},
		"an emptied one":    {"a\n", "", "--- f\n+++ f\n@@ -1,1 +0,0 @@\n-a\n"},
		"no break at end":   {"a", "b", "--- f\n+++ f\n@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n"},
		"two far apart":     {long, strings.Replace(strings.Replace(long, "\n5\n", "\nfive\n", 1), "\n20\n", "\n", 1), "--- f\n+++ f\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n@@ -17,7 +17,6 @@\n 17\n 18\n 19\n-20\n 21\n 22\n 23\n"},
		"two close by":      {lines(1, 9), strings.NewReplacer("2", "x", "8", "y").Replace(lines(1, 9)), "--- f\n+++ f\n@@ -1,9 +1,9 @@\n 1\n-2\n+x\n 3\n 4\n 5\n 6\n 7\n-8\n+y\n 9\n"},
		"a line in between": {"a\nb\n", "a\nx\nb\n", "--- f\n+++ f\n@@ -1,2 +1,3 @@\n a\n+x\n b\n"},
	} {
		if diff := cmp.Diff(story.want, config.Unified("f", story.before, story.after)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
	if got := config.Unified("f", lines(1, 3000), lines(2001, 5000)); strings.Count(got, "\n-") != 2000 && strings.Count(got, "\n-") != 3000 {
		t.Errorf("a large change takes %d lines out", strings.Count(got, "\n-"))
	}
}
