package files_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kurogo/files"
	"kurogo/messages"
)

// A stage is a workspace with something secret beside it.
type stage struct {
	*files.Workspace
	t              testing.TB
	in, out, attic string
	task           string // of everything
}

func newStage(tb testing.TB, o files.Options) *stage {
	tb.Helper()
	base, err := filepath.EvalSymlinks(inMemory(tb))
	if err != nil {
		tb.Fatal(err)
	}
	s := &stage{t: tb, in: filepath.Join(base, "in"), out: filepath.Join(base, "out"), attic: filepath.Join(base, "attic")}
	for _, dir := range []string{s.in, s.out} {
		s.must(os.Mkdir(dir, 0o755))
	}
	s.must(os.WriteFile(s.out+"/secret.txt", []byte(secret), 0o644))
	s.must(os.Mkdir(s.out+"/"+canary, 0o755)) // its name is told by whoever lists what is outside
	if o.Past == nil {
		past, err := files.OpenAttic(s.attic)
		s.must(err)
		o.Past = past
	}
	s.Workspace, err = files.Open(s.in, o)
	s.must(err)
	tb.Cleanup(func() { s.must(s.Close()) })
	return s
}

const (
	secret = "SECRET"
	canary = "canary"
)

func (s *stage) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// inMemory is a directory that costs no syncs, where the machine has one: these
// tests ask what is written, not whether the disk keeps it.
func inMemory(tb testing.TB) string {
	tb.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "kurogo-") //nolint:usetesting // t.TempDir is on a disk
	if err != nil {
		return tb.TempDir()
	}
	tb.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// has writes a file as the user would.
func (s *stage) has(path, content string) {
	s.t.Helper()
	s.must(os.MkdirAll(filepath.Dir(s.in+"/"+path), 0o755))
	s.must(os.WriteFile(s.in+"/"+path, []byte(content), 0o644))
}

// disk is what stands there, "-" for nothing.
func (s *stage) disk(path string) string {
	s.t.Helper()
	b, err := os.ReadFile(s.in + "/" + path)
	if errors.Is(err, fs.ErrNotExist) {
		return "-"
	}
	s.must(err)
	return string(b)
}

func (s *stage) wants(path, content string) {
	s.t.Helper()
	if got := s.disk(path); got != content {
		s.t.Errorf("%s holds %.100q, want %.100q", path, got, content)
	}
}

func (s *stage) read(path string) (string, error) {
	c, err := s.Read(s.t.Context(), messages.ReadFile{Path: path})
	return c.Content, err
}

func (s *stage) write(path, content string, mode messages.WriteMode) error {
	_, err := s.Write(s.t.Context(), messages.WriteFile{Path: path, Content: content, Mode: mode})
	return err
}

func (s *stage) patch(task, text string) ([]messages.FileOutcome, error) {
	return s.Patch(s.t.Context(), messages.ApplyPatch{Patch: text, Provenance: messages.Provenance{Task: task}})
}

func (s *stage) undo(task string, force bool) ([]messages.FileOutcome, error) {
	return s.Undo(s.t.Context(), messages.UndoTask{Force: force, Provenance: messages.Provenance{Task: task}})
}

// unharmed sees that nothing outside was touched, and nothing of ours is left
// inside.
func (s *stage) unharmed() {
	s.t.Helper()
	if b, err := os.ReadFile(s.out + "/secret.txt"); err != nil || string(b) != secret {
		s.t.Errorf("outside: %q, %v", b, err)
	}
	if names, err := os.ReadDir(s.out); err != nil || len(names) != 2 {
		s.t.Errorf("outside there is %v, %v", names, err)
	}
	s.must(filepath.WalkDir(s.in, func(path string, e fs.DirEntry, err error) error {
		if err == nil && strings.HasPrefix(e.Name(), ".kurogo-") {
			s.t.Errorf("%s was left", path)
		}
		return err
	}))
}

// refused wants a refusal with this status and a remedy, that says these parts.
func refused(tb testing.TB, err error, status int, parts ...string) {
	tb.Helper()
	var e *messages.Error
	if !errors.As(err, &e) {
		tb.Errorf("got %v, want a refusal with %d", err, status)
		return
	}
	if messages.FileHTTP(e) != status || e.Remedy == "" || e.Field == "" && status != 403 {
		tb.Errorf("refused with %d at %q: %v; want %d, a field and a remedy", messages.FileHTTP(e), e.Field, e, status)
	}
	for _, part := range parts {
		if !strings.Contains(e.Error(), part) {
			tb.Errorf("refusal %q does not say %q", e, part)
		}
	}
}
