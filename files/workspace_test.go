package files_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"kurogo/files"
	"kurogo/messages"
)

const (
	create    = messages.WriteCreate
	overwrite = messages.WriteOverwrite
	adds      = messages.WriteAppend
)

// The document's table of statuses, each reached.
func TestStatuses(t *testing.T) {
	s := newStage(t, files.Options{MaxBytes: 100})
	s.has("a.md", "a")
	s.has("big.md", strings.Repeat("x", 101))
	s.has("full.md", strings.Repeat("x", 99))
	s.has("latin.md", "caf\xe9")
	s.has("nul.md", "a\x00b")
	s.has("image.png", "x")
	s.has("d/b.md", "b")
	s.has(".git/hooks/x.md", "x")
	read := func(path string) error { _, err := s.read(path); return err }
	list := func(path string) error { _, err := s.List(t.Context(), messages.ListFiles{Path: path}); return err }
	remove := func(path string) error {
		_, err := s.Delete(t.Context(), messages.DeleteFile{Path: path})
		return err
	}
	for what, c := range map[string]struct {
		err    error
		status int
		says   string
	}{
		"list nothing":           {list("no"), 404, "no"},
		"list outside":           {list(".."), 400, "out of the workspace"},
		"list a file":            {list("a.md"), 400, "no directory"},
		"read nothing":           {read("no.md"), 404, "no.md"},
		"read below a file":      {read("a.md/b.md"), 400, "no directory"},
		"read in no directory":   {read("no/b.md"), 404, ""},
		"read outside":           {read("../out/secret.txt"), 400, "out of the workspace"},
		"read absolute":          {read("/etc/passwd.txt"), 400, "out of the workspace"},
		"read a directory":       {read("d"), 400, "extension"},
		"read the root":          {read("."), 400, "directory"},
		"read no text":           {read("latin.md"), 415, "UTF-8"},
		"read a NUL":             {read("nul.md"), 415, "UTF-8"},
		"read too much":          {read("big.md"), 413, "max_bytes = 100"},
		"read a picture":         {read("image.png"), 400, "extension"},
		"read an empty path":     {read(""), 400, "empty"},
		"create again":           {s.write("a.md", "x", create), 409, "exists"},
		"write a foreign kind":   {s.write("a.exe", "x", create), 400, "extension"},
		"write too much":         {s.write("b.md", strings.Repeat("x", 101), create), 413, "max_bytes"},
		"append too much":        {s.write("full.md", "xx", adds), 413, "max_bytes"},
		"append to no text":      {s.write("latin.md", "x", adds), 415, "UTF-8"},
		"write no text":          {s.write("b.md", "\xff", create), 415, "UTF-8"},
		"write in no mode":       {s.write("b.md", "x", "truncate"), 400, "mode"},
		"write to a directory":   {s.write("d", "x", create), 400, "extension"},
		"write below a file":     {s.write("a.md/b.md", "x", create), 400, "no directory"},
		"write what is kept":     {s.write(".git/hooks/x.md", "x", overwrite), 403, "read-only"},
		"write kept in disguise": {s.write("d/.GIT\u200d/x.md", "x", create), 403, "read-only"},
		"delete while it is off": {remove("a.md"), 403, "off"},
	} {
		t.Run(what, func(t *testing.T) { refused(t, c.err, c.status, c.says) })
	}
	s.wants("a.md", "a")
	s.wants("b.md", "-")
	s.wants("full.md", strings.Repeat("x", 99))
	s.unharmed()
}

// A file is made with the directories on its way, lengthened and replaced, and
// keeps its mode.
func TestAFileGrows(t *testing.T) {
	s := newStage(t, files.Options{})
	s.must(s.write("./app/pkg/main.py", "a\n", create))
	s.must(s.write("app/pkg/../pkg/main.py", "b\n", adds))
	if got, err := s.read(s.in + "/app/pkg/main.py"); err != nil || got != "a\nb\n" {
		t.Errorf("read %q, %v", got, err)
	}
	s.must(os.Chmod(s.in+"/app/pkg/main.py", 0o750))
	s.must(s.write("app/pkg/main.py", "", overwrite))
	s.wants("app/pkg/main.py", "")
	if info, err := os.Stat(s.in + "/app/pkg/main.py"); err != nil || info.Mode().Perm() != 0o750 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	s.must(s.write("new.md", "", adds))
	s.wants("new.md", "")
	out, err := s.Write(t.Context(), messages.WriteFile{Path: "new.md", Content: "日本語", Mode: overwrite})
	s.must(err)
	if out.Action != messages.ChangedFile || out.Size != 9 || out.Before == out.After || len(out.After) != 64 {
		t.Errorf("the outcome is %+v", out)
	}
	s.unharmed()
}

// A refused write leaves no directory behind.
func TestARefusalLeavesNothing(t *testing.T) {
	s := newStage(t, files.Options{})
	s.has("d/a.md", "a")
	s.must(os.Mkdir(s.in+"/d/x.md", 0o755))
	refused(t, s.write("d/x.md", "x", create), 400, "directory")
	_, err := s.patch("", "--- /dev/null\n+++ b/n/e/w.md\n@@ -0,0 +1 @@\n+w\n--- a/d/a.md\n+++ b/d/a.md\n@@ -1 +1 @@\n-b\n+c\n")
	refused(t, err, 400, "not in")
	s.wants("d/a.md", "a")
	if _, err := os.Stat(s.in + "/n"); err == nil {
		t.Error("the directory of a file that did not come was left")
	}
}

func TestListing(t *testing.T) {
	s := newStage(t, files.Options{})
	for _, f := range []string{"b.md", "a.py", "c/d.md", ".env", ".kurogo-0123"} {
		s.has(f, "12345")
	}
	s.must(os.Symlink("b.md", s.in+"/link.md"))
	list := func(m messages.ListFiles) (names []string, truncated bool) {
		out, err := s.List(t.Context(), m)
		s.must(err)
		for _, f := range out.Files {
			name := f.Name
			if f.IsDir {
				name += "/"
			}
			if f.Size != nil {
				name += "=5"
				if *f.Size != 5 {
					t.Errorf("%s has %d bytes", f.Name, *f.Size)
				}
			}
			names = append(names, name)
		}
		return names, out.Truncated
	}
	for _, c := range []struct {
		m    messages.ListFiles
		want string
		more bool
	}{
		{messages.ListFiles{Path: "."}, ".env=5 a.py=5 b.md=5 c/ link.md", false},
		{messages.ListFiles{Path: "./", Extensions: []string{"md"}}, "b.md=5 c/ link.md", false},
		{messages.ListFiles{Path: s.in, Extensions: []string{".py", ".env"}}, ".env=5 a.py=5 c/", false},
		{messages.ListFiles{Path: ".", MaxItems: 2}, ".env=5 a.py=5", true},
		{messages.ListFiles{Path: "c"}, "d.md=5", false},
	} {
		names, more := list(c.m)
		if got := strings.Join(names, " "); got != c.want || more != c.more {
			t.Errorf("%+v lists %q, %v; want %q, %v", c.m, got, more, c.want, c.more)
		}
	}
}

func TestStat(t *testing.T) {
	s := newStage(t, files.Options{MaxBytes: 10})
	s.has("a.md", "12345")
	s.has("big.md", "12345678901")
	s.has(".git/x.md", "x")
	s.has("a.bin", "x")
	s.must(os.Symlink("a.md", s.in+"/l.md"))
	for path, want := range map[string]messages.FileStat{
		"a.md":      {Kind: messages.KindFile, Size: 5, Readable: true, Writable: true},
		"big.md":    {Kind: messages.KindFile, Size: 11},
		".git/x.md": {Kind: messages.KindFile, Size: 1, Readable: true},
		"a.bin":     {Kind: messages.KindFile, Size: 1},
		".git":      {Kind: messages.KindDirectory},
		"l.md":      {Kind: messages.KindLink},
	} {
		got, err := s.Stat(t.Context(), messages.StatFile{Path: path})
		s.must(err)
		if got.ModifiedAt == "" || got.Path != path {
			t.Errorf("%s: %+v", path, got)
		}
		if want.Path, want.ModifiedAt = got.Path, got.ModifiedAt; got != want {
			t.Errorf("%s is %+v, want %+v", path, got, want)
		}
	}
	_, err := s.Stat(t.Context(), messages.StatFile{Path: "no"})
	refused(t, err, 404)
}

func TestSearching(t *testing.T) {
	s := newStage(t, files.Options{MaxBytes: 1000})
	s.has("a.md", "one\r\nTwo (2)\nthree\n")
	s.has("b/c.py", "two = 2\nx = two(2)")
	s.has("b/latin.md", "two \xe9")
	s.has("b/big.md", strings.Repeat("two\n", 300))
	s.has(".git/two.md", "two")
	s.has("b/two.bin", "two")
	s.must(os.Symlink("../a.md", s.in+"/b/link.md"))
	find := func(m messages.SearchText) string {
		t.Helper()
		out, err := s.Search(t.Context(), m)
		s.must(err)
		var lines []string
		for _, f := range out.Matches {
			lines = append(lines, f.Path+":"+string(rune('0'+f.Line))+":"+f.Text)
		}
		if out.Truncated {
			lines = append(lines, "…")
		}
		return strings.Join(lines, "|")
	}
	for _, c := range []struct {
		m    messages.SearchText
		want string
	}{
		{messages.SearchText{Pattern: "two"}, "b/c.py:1:two = 2|b/c.py:2:x = two(2)"},
		{messages.SearchText{Pattern: "two(2)"}, "b/c.py:2:x = two(2)"},
		{messages.SearchText{Pattern: "two", IgnoreCase: true}, "a.md:2:Two (2)|b/c.py:1:two = 2|b/c.py:2:x = two(2)"},
		{messages.SearchText{Pattern: "two", IgnoreCase: true, Extensions: []string{"md"}}, "a.md:2:Two (2)"},
		{messages.SearchText{Pattern: `^t\w+$`, Regexp: true}, "a.md:3:three"},
		{messages.SearchText{Pattern: "two", Path: "b", MaxItems: 1}, "b/c.py:1:two = 2|…"},
		{messages.SearchText{Pattern: "one", Path: "a.md"}, "a.md:1:one"},
		{messages.SearchText{Pattern: "nobody"}, ""},
	} {
		if got := find(c.m); got != c.want {
			t.Errorf("%+v finds %q, want %q", c.m, got, c.want)
		}
	}
	for status, m := range map[int]messages.SearchText{400: {Pattern: "(", Regexp: true}, 404: {Pattern: "x", Path: "no"}} {
		_, err := s.Search(t.Context(), m)
		refused(t, err, status)
	}
	_, err := s.Search(t.Context(), messages.SearchText{Pattern: ""})
	refused(t, err, 400, "pattern")
}

// What one task may change is bounded; what another changes is its own.
func TestQuota(t *testing.T) {
	s := newStage(t, files.Options{Quota: files.Quota{Changes: 2, Bytes: 10}})
	write := func(task, path, content string) error {
		_, err := s.Write(t.Context(), messages.WriteFile{Path: path, Content: content, Mode: overwrite, Provenance: messages.Provenance{Task: task}})
		return err
	}
	s.must(write("t1", "a.md", "12345"))
	refused(t, write("t1", "b.md", "123456"), 403, "10 bytes")
	s.must(write("t1", "b.md", "12345"))
	refused(t, write("t1", "c.md", ""), 403, "2 changes")
	s.must(write("t2", "c.md", "x"))
	for range 5 {
		s.must(write("", "c.md", strings.Repeat("x", 9)))
	}
	_, err := s.patch("t2", "--- a/a.md\n+++ b/a.md\n@@ -1 +1 @@\n-12345\n\\ No newline at end of file\n+x\n--- a/b.md\n+++ b/b.md\n@@ -1 +1 @@\n-12345\n\\ No newline at end of file\n+x\n")
	refused(t, err, 403, "task")
	s.wants("a.md", "12345")
}

func TestDelete(t *testing.T) {
	s := newStage(t, files.Options{Delete: true})
	s.has("a.md", "a")
	s.has(".git/a.md", "a")
	s.must(os.Mkdir(s.in+"/d.md", 0o755))
	remove := func(path string) error {
		_, err := s.Delete(t.Context(), messages.DeleteFile{Path: path, Provenance: messages.Provenance{Task: "t"}})
		return err
	}
	s.must(remove("a.md"))
	s.wants("a.md", "-")
	refused(t, remove("a.md"), 404)
	refused(t, remove("d.md"), 400, "directory")
	refused(t, remove(".git/a.md"), 403)
	out, err := s.undo("t", false)
	s.must(err)
	if len(out) != 1 || out[0].Action != messages.MadeFile {
		t.Errorf("undo did %+v", out)
	}
	s.wants("a.md", "a")
}

func TestOpenWantsADirectory(t *testing.T) {
	s := newStage(t, files.Options{})
	for _, dir := range []string{s.in + "/no", s.out + "/secret.txt"} {
		if w, err := files.Open(dir, files.Options{}); !messages.IsCode(err, messages.CodeInvalid) {
			t.Errorf("%s: %v, %v", dir, w, err)
		}
	}
	if !slices.Contains(files.Kept, ".git") || s.Dir() != s.in {
		t.Errorf("the root is %s, want %s", s.Dir(), s.in)
	}
}
