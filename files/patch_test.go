package files_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"testing"

	"kurogo/files"
	"kurogo/messages"
)

const two = "--- a/a.md\n+++ b/a.md\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n--- a/b.md\n+++ b/b.md\n@@ -1 +1,2 @@\n one\n+two\n"

// What a patch makes of files, told by pairs: before → after.
func TestPatches(t *testing.T) {
	for what, c := range map[string]struct {
		patch  string
		before map[string]string
		after  map[string]string
	}{
		"two files": {two, map[string]string{"a.md": "one\ntwo\nthree\n", "b.md": "one\n"}, map[string]string{"a.md": "one\nTWO\nthree\n", "b.md": "one\ntwo\n"}},
		"a new file, with prose around": {
			"Here is the patch:\n\ndiff --git a/n/new.md b/n/new.md\nnew file mode 100644\nindex 0000000..1111111\n--- /dev/null\n+++ b/n/new.md\n@@ -0,0 +1,2 @@\n+x\n+y\n-- \n2.40\n",
			nil,
			map[string]string{"n/new.md": "x\ny\n"},
		},
		"a deleted file":       {"--- a/a.md\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-x\n-y\n", map[string]string{"a.md": "x\ny\n"}, map[string]string{"a.md": "-"}},
		"a renamed file":       {"diff --git a/a.md b/b.md\nsimilarity index 100%\nrename from a.md\nrename to b.md\n", map[string]string{"a.md": "x"}, map[string]string{"a.md": "-", "b.md": "x"}},
		"renamed and changed":  {"diff --git a/a.md b/b.md\nrename from a.md\nrename to b.md\n--- a/a.md\n+++ b/b.md\n@@ -1 +1 @@\n-x\n+y\n", map[string]string{"a.md": "x\n"}, map[string]string{"a.md": "-", "b.md": "y\n"}},
		"no prefix, and times": {"--- a.md\t2026-01-01 00:00:00\n+++ a.md\t2026-01-02 00:00:00\n@@ -1 +1 @@\n-x\n+y\n", map[string]string{"a.md": "x\n"}, map[string]string{"a.md": "y\n"}},
		"two copies":           {"--- a.md.orig\n+++ a.md\n@@ -1 +1 @@\n-x\n+y\n", map[string]string{"a.md": "x\n"}, map[string]string{"a.md": "y\n"}},
		"a name in quotes":     {"--- \"a/\\346\\227\\245.md\"\n+++ \"b/\\346\\227\\245.md\"\n@@ -1 +1 @@\n-x\n+y\n", map[string]string{"日.md": "x\n"}, map[string]string{"日.md": "y\n"}},
		"an end without line end": {
			"--- a/a.md\n+++ b/a.md\n@@ -1,2 +1,2 @@\n x\n-y\n\\ No newline at end of file\n+z\n\\ No newline at end of file\n",
			map[string]string{"a.md": "x\ny"},
			map[string]string{"a.md": "x\nz"},
		},
		"a line end at last": {"--- a/a.md\n+++ b/a.md\n@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+x\n", map[string]string{"a.md": "x"}, map[string]string{"a.md": "x\n"}},
		"lines that moved":   {"--- a/a.md\n+++ b/a.md\n@@ -1,2 +1,2 @@\n x\n-y\n+z\n", map[string]string{"a.md": "1\n2\n3\nx\ny\n"}, map[string]string{"a.md": "1\n2\n3\nx\nz\n"}},
		"the nearest of equals": {
			"--- a/a.md\n+++ b/a.md\n@@ -4 +4 @@\n-x\n+y\n", map[string]string{"a.md": "x\n1\n2\nx\n3\nx\n"}, map[string]string{"a.md": "x\n1\n2\ny\n3\nx\n"},
		},
		"two hunks":                 {"--- a/a.md\n+++ b/a.md\n@@ -1,1 +1,2 @@\n 1\n+new\n@@ -3 +4 @@\n-3\n+three\n", map[string]string{"a.md": "1\n2\n3\n"}, map[string]string{"a.md": "1\nnew\n2\nthree\n"}},
		"an insert without context": {"--- a/a.md\n+++ b/a.md\n@@ -2,0 +3 @@\n+new\n", map[string]string{"a.md": "1\n2\n3\n"}, map[string]string{"a.md": "1\n2\nnew\n3\n"}},
		"a trimmed blank line":      {"--- a/a.md\n+++ b/a.md\n@@ -1,3 +1,3 @@\n 1\n\n-3\n+three\n", map[string]string{"a.md": "1\n\n3\n"}, map[string]string{"a.md": "1\n\nthree\n"}},
		"a removed line that looks like a head": {
			"--- a/a.md\n+++ b/a.md\n@@ -1,2 +1 @@\n--- x\n 2\n", map[string]string{"a.md": "-- x\n2\n"}, map[string]string{"a.md": "2\n"},
		},
		"foreign line ends":             {"--- a/a.md\n+++ b/a.md\n@@ -1,2 +1,2 @@\n x\r\n-y\r\n+z\r\n", map[string]string{"a.md": "x\r\ny\r\n"}, map[string]string{"a.md": "x\r\nz\r\n"}},
		"a patch without last line end": {"--- a/a.md\n+++ b/a.md\n@@ -1 +1 @@\n-x\n+y", map[string]string{"a.md": "x\n"}, map[string]string{"a.md": "y\n"}},
	} {
		t.Run(what, func(t *testing.T) {
			s := newStage(t, files.Options{Delete: true})
			for path, content := range c.before {
				s.has(path, content)
			}
			out, err := s.patch("t", c.patch)
			s.must(err)
			if len(out) < 1 {
				t.Errorf("it tells %+v", out)
			}
			for path, content := range c.after {
				s.wants(path, content)
			}
			_, err = s.undo("t", false)
			s.must(err)
			for path := range c.after {
				want, was := c.before[path]
				if !was {
					want = "-"
				}
				s.wants(path, want)
			}
			s.unharmed()
		})
	}
}

// A patch that cannot be applied as a whole changes nothing, and the refusal names
// its line or its file.
func TestRefusedPatches(t *testing.T) {
	for patch, want := range map[string]struct {
		status int
		says   string
	}{
		"":                                    {400, "no file"},
		"hello\n":                             {400, "no file"},
		"--- a/a.md\n":                        {400, "+++"},
		"--- a/a.md\n@@ -1 +1 @@\n-x\n+y\n":   {400, "+++"},
		"--- a/a.md\n+++ b/a.md\n":            {400, "no hunk"},
		"--- a/a.md\n+++ b/a.md\n@@ one @@\n": {400, "line 3"},
		"--- a/a.md\n+++ b/a.md\n@@ -1,2 +1 @@\n-x\n":                                                                      {400, "1 old and 0 new"},
		"--- a/a.md\n+++ b/a.md\n@@ -1 +1 @@\n-x\nhello\n":                                                                 {400, "line 5"},
		"--- a/a.md\n+++ b/a.md\n@@ -1 +1 @@\n x\n":                                                                        {400, "changes nothing"},
		"--- a/a.md\n+++ b/a.md\n@@ -1 +1,0 @@\n-x\n-y\n+z\n":                                                              {400, "not in"},
		"--- a/a.md\n+++ b/a.md\n@@ -1 +1 @@\n-nobody\n+y\n":                                                               {400, "not in"},
		"--- a/no.md\n+++ b/no.md\n@@ -1 +1 @@\n-x\n+y\n":                                                                  {404, "no.md"},
		"--- /dev/null\n+++ b/a.md\n@@ -0,0 +1 @@\n+y\n":                                                                   {409, "exists"},
		"--- a/a.md\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n":                                                                 {403, "deleting is off"},
		"--- a/../out/secret.txt\n+++ b/../out/secret.txt\n@@ -1 +1 @@\n-SECRET\n+x\n":                                     {400, "out of the workspace"},
		"--- a/.git/config.md\n+++ b/.git/config.md\n@@ -1 +1 @@\n-x\n+y\n":                                                {403, "read-only"},
		"--- a/a.sh\n+++ b/a.sh\n@@ -1 +1 @@\n-x\n+y\n":                                                                    {400, "extension"},
		"diff --git a/a.md b/a.md\nold mode 100644\nnew mode 100755\n":                                                     {400, "mode"},
		"diff --git a/x b/x\nGIT binary patch\n":                                                                           {400, "binary"},
		two + "--- a/./a.md\n+++ b/./a.md\n@@ -1 +1 @@\n-one\n+y\n":                                                        {400, "twice"},
		two + "--- a/latin.md\n+++ b/latin.md\n@@ -1 +1 @@\n-x\n+y\n":                                                      {415, "UTF-8"},
		two + "--- a/c.md\n+++ b/c.md\n@@ -1 +1 @@\n-" + strings.Repeat("c", 50) + "\n+" + strings.Repeat("c", 101) + "\n": {413, "max_bytes"},
	} {
		s := newStage(t, files.Options{MaxBytes: 100})
		s.has("a.md", "one\ntwo\nthree\n")
		s.has("b.md", "one\n")
		s.has("c.md", strings.Repeat("c", 50)+"\n")
		s.has("latin.md", "x\xe9\n")
		s.has(".git/config.md", "x\n")
		_, err := s.patch("t", patch)
		refused(t, err, want.status, want.says)
		s.wants("a.md", "one\ntwo\nthree\n")
		s.wants("b.md", "one\n")
		s.unharmed()
	}
}

// A meddler changes a file at the moment at which the past is told of another.
type meddler struct {
	files.Past
	at     string
	meddle func()
}

func (m *meddler) Keep(ctx context.Context, task, path string, before []byte, existed bool, mode fs.FileMode) error {
	if path == m.at && !strings.HasPrefix(task, "patch:") {
		m.meddle()
	}
	return m.Past.Keep(ctx, task, path, before, existed, mode)
}

// Where one file of a patch has changed since it was read, those that had their
// new content already get the old one back.
func TestAPatchThatIsCutOffIsTakenBack(t *testing.T) {
	past, err := files.OpenAttic(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	m := &meddler{Past: past, at: "b.md"}
	s := newStage(t, files.Options{Past: m})
	s.has("a.md", "one\ntwo\nthree\n")
	s.has("b.md", "one\n")
	m.meddle = func() { s.has("b.md", "mine now\n") }
	_, err = s.patch("t", "--- /dev/null\n+++ b/n/new.md\n@@ -0,0 +1 @@\n+n\n"+two)
	refused(t, err, 409, "b.md", "somebody else")
	s.wants("a.md", "one\ntwo\nthree\n")
	s.wants("b.md", "mine now\n")
	s.wants("n/new.md", "-")
	if tasks, err := past.Tasks(t.Context()); err != nil || len(tasks) != 1 {
		t.Errorf("the past holds %q, %v", tasks, err)
	}
	s.unharmed()
}

const patchedFiles = 6

// patchForEver changes many files from one number to the next, by patches, and
// never ends.
func patchForEver(dir string) {
	past, err := files.OpenAttic(dir + "/attic")
	if err != nil {
		panic(err)
	}
	w, err := files.Open(dir+"/in", files.Options{Past: past})
	if err != nil {
		panic(err)
	}
	if _, err := w.Recover(context.Background()); err != nil {
		panic(err)
	}
	first, err := w.Read(context.Background(), messages.ReadFile{Path: "f0.md"})
	if err != nil {
		panic(err)
	}
	var n int
	_, _ = fmt.Sscan(first.Content, &n)
	fmt.Println("ready")
	for ; ; n++ {
		var b strings.Builder
		for f := range patchedFiles {
			fmt.Fprintf(&b, "--- a/f%d.md\n+++ b/f%d.md\n@@ -1 +1 @@\n-%d\n+%d\n", f, f, n, n+1)
		}
		if _, err := w.Patch(context.Background(), messages.ApplyPatch{Patch: b.String()}); err != nil {
			panic(err)
		}
	}
}

// However a patch is cut off, every file is old or new, never half written; after
// Recover all of them are the same.
func TestPatchesUnderKill(t *testing.T) {
	t.Parallel()
	s := newStage(t, files.Options{})
	for f := range patchedFiles {
		s.has(fmt.Sprintf("f%d.md", f), "1\n")
	}
	s.must(s.Close())
	torn := 0
	for round := range 8 {
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), "KUROGO_TEST_PATCHER="+strings.TrimSuffix(s.in, "/in"))
		c.Stderr = os.Stderr
		out, err := c.StdoutPipe()
		s.must(err)
		s.must(c.Start())
		line := make([]byte, 6)
		if _, err := out.Read(line); err != nil {
			t.Fatalf("round %d: the patcher says nothing: %v", round, err)
		}
		was := s.disk("f0.md")
		for s.disk("f0.md") == was { // it works; sooner or later is never the same moment
		}
		s.must(c.Process.Kill())
		_ = c.Wait()
		for f := range patchedFiles {
			if got := s.disk(fmt.Sprintf("f%d.md", f)); !strings.HasSuffix(got, "\n") || len(got) < 2 {
				t.Errorf("f%d.md is %q", f, got)
			}
			if f > 0 && s.disk(fmt.Sprintf("f%d.md", f)) != s.disk("f0.md") {
				torn++
			}
		}
		past, err := files.OpenAttic(s.attic)
		s.must(err)
		w, err := files.Open(s.in, files.Options{Past: past})
		s.must(err)
		_, err = w.Recover(t.Context())
		s.must(err)
		s.must(w.Close())
		for f := 1; f < patchedFiles; f++ {
			if s.disk(fmt.Sprintf("f%d.md", f)) != s.disk("f0.md") {
				t.Errorf("round %d: f%d.md is %q, f0.md is %q", round, f, s.disk(fmt.Sprintf("f%d.md", f)), s.disk("f0.md"))
			}
		}
	}
	t.Logf("%d files were on the other side when a patcher was killed", torn)
}
