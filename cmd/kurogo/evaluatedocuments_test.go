package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"kurogo/messages"
)

// A shelf is a project with documents, and something beside it.
type shelf struct {
	*testing.T
	documents
	outside string
}

func newShelf(t *testing.T) *shelf {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := &shelf{t, documents{project: filepath.Join(base, "project"), limit: 100, kept: []string{".git"}}, filepath.Join(base, "outside")}
	s.put("project/a.md", "one\n")
	s.put("project/sub/b.md", "two\n")
	s.put("project/.git/hooks/pre-commit", "hook\n")
	s.put("project/large.md", strings.Repeat("x", 101))
	s.put("outside/secret.md", "secret\n")
	for link, to := range map[string]string{
		"leak.md": "../outside/secret.md", "away": "../outside", "a-link.md": "sub/b.md", "loop.md": "loop.md", "dangling.md": "nowhere.md",
	} {
		if err := os.Symlink(to, filepath.Join(s.project, link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := unix.Mkfifo(filepath.Join(s.project, "pipe.md"), 0o600); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *shelf) at(path string) string { return filepath.Join(filepath.Dir(s.project), path) }

func (s *shelf) put(path, text string) {
	s.Helper()
	if err := os.MkdirAll(filepath.Dir(s.at(path)), 0o700); err != nil {
		s.Fatal(err)
	}
	if err := os.WriteFile(s.at(path), []byte(text), 0o600); err != nil {
		s.Fatal(err)
	}
}

func (s *shelf) is(path, want string) {
	s.Helper()
	if got, err := os.ReadFile(s.at(path)); err != nil || string(got) != want {
		s.Errorf("%s is %q, %v, want %q", path, got, err, want)
	}
}

// clean wants nothing of ours beside the documents.
func (s *shelf) clean() {
	s.Helper()
	for _, dir := range []string{"project", "project/sub", "outside"} {
		entries, err := os.ReadDir(s.at(dir))
		if err != nil {
			s.Fatal(err)
		}
		for _, e := range entries {
			if strings.HasSuffix(e.Name(), ".kurogo") {
				s.Errorf("%s/%s was left behind", dir, e.Name())
			}
		}
	}
}

func TestDocumentsAreRead(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	sub := filepath.Join(s.project, "sub")
	for _, c := range []struct {
		dir, path, want string
		code            messages.Code
	}{
		{s.project, "a.md", "one\n", ""},
		{s.project, "sub/../a.md", "one\n", ""},
		{sub, "b.md", "two\n", ""},
		{sub, "../a.md", "one\n", ""}, // it is still in the project
		{s.project, filepath.Join(s.project, "a.md"), "one\n", ""},
		{s.project, "a-link.md", "two\n", ""},
		{s.outside, "secret.md", "secret\n", ""}, // a root of the workspace
		{s.outside, "../project/a.md", "", messages.CodeDenied},
		{s.project, "../outside/secret.md", "", messages.CodeDenied},
		{s.project, filepath.Join(s.outside, "secret.md"), "", messages.CodeDenied},
		{s.project, "leak.md", "", messages.CodeDenied},
		{s.project, "away/secret.md", "", messages.CodeDenied},
		{s.project, "loop.md", "", messages.CodeDenied},
		{s.project, "nowhere.md", "", messages.CodeNotFound},
		{s.project, "dangling.md", "", messages.CodeNotFound},
		{s.project, "a.md/b.md", "", messages.CodeNotFound},
		{s.project, "sub", "", messages.CodeInvalid},
		{s.project, "pipe.md", "", messages.CodeInvalid},
		{s.project, "large.md", "", messages.CodeInvalid},
	} {
		got, err := s.read(c.dir, c.path)
		e := messages.AsError(err)
		switch {
		case c.code == "" && (err != nil || string(got) != c.want):
			t.Errorf("%s from %s: %q, %v", c.path, c.dir, got, err)
		case c.code != "" && (e == nil || e.Code != c.code || e.Remedy == "" || got != nil):
			t.Errorf("%s from %s: %q, %v, want %s", c.path, c.dir, got, err, c.code)
		}
	}
	if _, err := s.read(s.project, "large.md"); !strings.Contains(err.Error(), "101 bytes are over the limit document_bytes = 100") {
		t.Error(err)
	}
}

func TestADocumentIsReplaced(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	if err := os.Chmod(s.at("project/sub/b.md"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(s.at("project/sub/b.md"), s.at("outside/twin.md")); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time a former life has done it
		if err := s.replace(s.project, "a-link.md", "two\n", "better\n"); err != nil {
			t.Fatal(err)
		}
	}
	s.is("project/sub/b.md", "better\n")
	s.is("outside/twin.md", "two\n")
	link, err := os.Lstat(s.at("project/a-link.md"))
	if err != nil || link.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link has become %v, %v", link.Mode(), err)
	}
	if info, err := os.Stat(s.at("project/sub/b.md")); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the mode has become %v, %v", info.Mode(), err)
	}
	s.clean()
}

func TestADocumentIsNotReplaced(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	for _, c := range []struct {
		path, before string
		code         messages.Code
	}{
		{"a.md", "what it was yesterday\n", messages.CodeConflict},
		{"a.md", "one", messages.CodeConflict}, // only its beginning
		{"nowhere.md", "", messages.CodeNotFound},
		{"../outside/secret.md", "secret\n", messages.CodeDenied},
		{"leak.md", "secret\n", messages.CodeDenied},
		{"away/secret.md", "secret\n", messages.CodeDenied},
		{".git/hooks/pre-commit", "hook\n", messages.CodeDenied},
		{"sub/../.git/hooks/pre-commit", "hook\n", messages.CodeDenied},
		{"pipe.md", "", messages.CodeInvalid},
	} {
		if err := s.replace(s.project, c.path, c.before, "better\n"); !messages.IsCode(err, c.code) {
			t.Errorf("%s: %v, want %s", c.path, err, c.code)
		}
	}
	s.is("project/a.md", "one\n")
	s.is("outside/secret.md", "secret\n")
	s.is("project/.git/hooks/pre-commit", "hook\n")
	s.clean()
}
