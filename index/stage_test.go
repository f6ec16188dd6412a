package index_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kurogo/index"
	"kurogo/messages"
)

// git is the real one, with nobody's configuration.
func git(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com")
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("git %s: %w: %s", args[0], err, said.String())
	}
	return strings.TrimSuffix(string(out), "\n"), err
}

// A stage is a root and its index.
type stage struct {
	*testing.T
	root, db string
	x        *index.Index
	opt      index.Options
}

func newStage(t *testing.T, opt index.Options) *stage {
	t.Helper()
	s := &stage{T: t, root: t.TempDir(), db: filepath.Join(t.TempDir(), "index.db"), opt: opt}
	s.open()
	t.Cleanup(func() { s.x.Close() })
	return s
}

// newDirectory is one without git.
func newDirectory(t *testing.T) *stage {
	t.Helper()
	return newStage(t, index.Options{})
}

// newRepo is a stage with git.
func newRepo(t *testing.T) *stage {
	t.Helper()
	s := newStage(t, index.Options{Git: git})
	s.git("init", "--quiet", "--initial-branch=main")
	return s
}

func (s *stage) open() {
	s.Helper()
	x, err := index.Open(s.Context(), s.db, s.opt)
	if err != nil {
		s.Fatal(err)
	}
	s.x = x
}

func (s *stage) reopen() {
	s.Helper()
	if err := s.x.Close(); err != nil {
		s.Fatal(err)
	}
	s.open()
}

func (s *stage) git(args ...string) string {
	s.Helper()
	out, err := git(s.Context(), s.root, args...)
	if err != nil {
		s.Fatal(err)
	}
	return out
}

func (s *stage) commit() {
	s.Helper()
	s.git("add", "--all")
	s.git("commit", "--quiet", "--allow-empty", "--message=x")
}

func (s *stage) write(name, text string) {
	s.Helper()
	file := filepath.Join(s.root, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		s.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		s.Fatal(err)
	}
}

func (s *stage) remove(name string) {
	s.Helper()
	if err := os.RemoveAll(filepath.Join(s.root, name)); err != nil {
		s.Fatal(err)
	}
}

func (s *stage) sync() index.Stats {
	s.Helper()
	stats, err := s.x.Sync(s.Context(), s.root)
	if err != nil {
		s.Fatal(err)
	}
	return stats
}

// ask asks what must be answered.
func (s *stage) ask(q messages.Search) messages.Found {
	s.Helper()
	found, err := s.x.Search(s.Context(), q)
	if err != nil {
		s.Fatal(err)
	}
	return found
}

func (s *stage) search(query string) messages.Found {
	s.Helper()
	return s.ask(messages.Search{Query: query})
}

// places are the keys of what was found.
func (s *stage) places(query string) (out []string) {
	s.Helper()
	for _, c := range s.search(query).Chunks {
		out = append(out, c.Path+"#"+c.Span)
	}
	return out
}

func (s *stage) wantPlaces(query string, want ...string) {
	s.Helper()
	if got := s.places(query); !slices.Equal(got, want) {
		s.Errorf("%q is found at %q, want %q", query, got, want)
	}
}

// wantFirst is for queries that find more.
func (s *stage) wantFirst(query, want string) {
	s.Helper()
	if got := s.places(query); len(got) == 0 || got[0] != want {
		s.Errorf("%q is found at %q, want %q first", query, got, want)
	}
}

// told is all that an index holds, one passage a line, and what it answers, down
// to the score.
func (s *stage) told(queries ...string) string {
	s.Helper()
	var b strings.Builder
	for c, err := range s.x.Passages(s.Context()) {
		if err != nil {
			s.Fatal(err)
		}
		fmt.Fprintf(&b, "%q %s %q %q\n", c.Path, c.Span, c.Symbol, c.Text)
	}
	for _, q := range queries {
		for _, granularity := range []messages.Granularity{messages.SpanGranularity, messages.FileGranularity} {
			found := s.ask(messages.Search{Query: q, Granularity: granularity, TopK: 50})
			fmt.Fprintf(&b, "%s %s: %v\n", granularity, q, found)
		}
	}
	return b.String()
}

// fresh is what an index tells that is made from nothing.
func (s *stage) fresh(queries ...string) string {
	s.Helper()
	other := &stage{T: s.T, root: s.root, db: filepath.Join(s.TempDir(), "fresh.db"), opt: s.opt}
	other.open()
	defer other.x.Close()
	other.sync()
	return other.told(queries...)
}

func (s *stage) wantFresh(queries ...string) {
	s.Helper()
	if got, want := s.told(queries...), s.fresh(queries...); got != want {
		s.Errorf("the index tells\n%s\na fresh one\n%s", got, want)
	}
}

const greeting = `package app

// Greet says hello to whoever is there.
func Greet(name string) string {
	return "hello, " + name
}

// Leave closes the door.
func Leave() {}
`
