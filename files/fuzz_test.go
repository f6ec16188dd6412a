package files

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kurogo/messages"
)

// Whatever is called a patch, it is refused by line, or every hunk of it does what
// its lines say to a file that has just its old lines.
func FuzzPatch(f *testing.F) {
	for _, text := range []string{
		"--- a/a.md\n+++ b/a.md\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n",
		"diff --git a/x.md b/y.md\nrename from x.md\nrename to y.md\n--- a/x.md\n+++ b/y.md\n@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+y\n",
		"--- /dev/null\n+++ b/a.md\n@@ -0,0 +1,2 @@\n+x\n+y", "--- \"a/\\346.md\"\n+++ b/c\n@@ -1 +0,0 @@\n-x\n", "@@ -1 +1 @@\n", "--- a\n+++ b\n@@ -999999999,1 +1 @@\n-a\n+b\n@@ -1 +1 @@\n\n+\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		patches, err := parsePatch(text)
		if err != nil {
			if e := messages.AsError(err); e.Code != messages.CodeInvalid || e.Field != "patch" || e.Remedy == "" {
				t.Fatalf("%q is refused with %v", text, err)
			}
			return
		}
		for _, p := range patches {
			if p.from == "" && p.to == "" {
				t.Fatalf("%q: a file without a name", text)
			}
			for _, h := range p.hunks {
				alone := filePatch{from: "f", to: "f", hunks: []hunk{h}}
				alone.hunks[0].at = 1
				after, err := alone.apply([]byte(strings.Join(h.old, "")))
				if err != nil {
					continue // a line without an end in the middle
				}
				if want := strings.Join(h.new, ""); len(h.old) > 0 && string(after) != want {
					t.Fatalf("%q: a hunk makes %q, want %q", text, after, want)
				}
			}
			_, _ = p.apply(bytes.Repeat([]byte("x\n"), 100))
		}
	})
}

// Whatever is called a path, it leads inside or is refused.
func FuzzPath(f *testing.F) {
	for _, path := range []string{"a.md", "../x", "/etc/passwd", "a/../../b", "a//b/./c", "..", "a\x00", "\u202e", "a\\..\\b", strings.Repeat("x", 300)} {
		f.Add(path)
	}
	w, err := Open(f.TempDir(), Options{})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = w.Close() })
	f.Fuzz(func(t *testing.T, path string) {
		rel, err := w.clean(path)
		if err != nil {
			if e := messages.AsError(err); e.Field != "path" || e.Remedy == "" {
				t.Fatalf("%q is refused with %v", path, err)
			}
			return
		}
		if !filepath.IsLocal(rel) || strings.ContainsAny(rel, "\\\x00") {
			t.Fatalf("%q is %q", path, rel)
		}
		if again, err := w.clean(rel); err != nil || again != rel {
			t.Fatalf("%q is %q, which is %q, %v", path, rel, again, err)
		}
		if f, _, err := w.open(path, rel); err == nil {
			f.Close()
			t.Fatalf("%q opens something in an empty directory", path)
		}
		if _, err := os.Stat(w.Dir()); err != nil {
			t.Fatal(err)
		}
	})
}
