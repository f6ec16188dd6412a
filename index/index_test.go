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

	"go.uber.org/goleak"

	"kurogo/index"
	"kurogo/messages"
)

func TestMain(m *testing.M) {
	if root := os.Getenv("INDEX_TEST_ROOT"); root != "" {
		victim(root, os.Getenv("INDEX_TEST_DB"))
		return
	}
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("database/sql.(*DB).connectionOpener"))
}

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

func (s *stage) search(query string) messages.Found {
	s.Helper()
	found, err := s.x.Search(s.Context(), messages.Search{Query: query})
	if err != nil {
		s.Fatal(err)
	}
	return found
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

// all are the passages of an index, one a line.
func all(t *testing.T, x *index.Index) string {
	t.Helper()
	var b strings.Builder
	for c, err := range x.Passages(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%q %s %q %q\n", c.Path, c.Span, c.Symbol, c.Text)
	}
	return b.String()
}

// wantFresh compares the index with one that is made from nothing: the same
// passages, and the same answers down to the score.
func (s *stage) wantFresh(queries ...string) {
	s.Helper()
	fresh, err := index.Open(s.Context(), filepath.Join(s.TempDir(), "fresh.db"), s.opt)
	if err != nil {
		s.Fatal(err)
	}
	defer fresh.Close()
	if _, err := fresh.Sync(s.Context(), s.root); err != nil {
		s.Fatal(err)
	}
	if got, want := all(s.T, s.x), all(s.T, fresh); got != want {
		s.Errorf("the index holds\n%s\na fresh one\n%s", got, want)
	}
	for _, q := range queries {
		for _, granularity := range []messages.Granularity{messages.SpanGranularity, messages.FileGranularity} {
			ask := messages.Search{Query: q, Granularity: granularity, TopK: 50}
			got, err := s.x.Search(s.Context(), ask)
			if err != nil {
				s.Fatal(err)
			}
			want, err := fresh.Search(s.Context(), ask)
			if err != nil {
				s.Fatal(err)
			}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				s.Errorf("%q is answered with\n%v\nby a fresh index\n%v", q, got, want)
			}
		}
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

// F3 of the document: add, change, delete, rename; every answer names the lines
// it is drawn from, and they are there.
func TestF3(t *testing.T) {
	for name, make := range map[string]func(*testing.T) *stage{
		"git":       newRepo,
		"directory": newDirectory,
	} {
		t.Run(name, func(t *testing.T) {
			s := make(t)
			step := func(want index.Stats) {
				t.Helper()
				if name == "git" {
					s.commit()
				}
				got := s.sync()
				if got.Added != want.Added || got.Modified != want.Modified || got.Deleted != want.Deleted || got.Renamed != want.Renamed || got.Parsed != want.Parsed {
					t.Errorf("sync did %+v, want %+v", got, want)
				}
				s.evidence("Greet", "says hello", "closes the door", "farewell")
				s.wantFresh("Greet", "says hello", "closes the door")
			}
			s.write("app/main.go", greeting)
			step(index.Stats{Added: 1, Parsed: 1})
			s.wantPlaces("says hello", "app/main.go#L3-L6")

			s.write("app/main.go", strings.Replace(greeting, "hello, ", "farewell, ", 1)+"\nvar x = 1\n")
			step(index.Stats{Modified: 1, Parsed: 1})
			s.wantPlaces("farewell", "app/main.go#L3-L6")

			if err := os.Rename(filepath.Join(s.root, "app"), filepath.Join(s.root, "core")); err != nil {
				t.Fatal(err)
			}
			step(index.Stats{Renamed: 1})
			s.wantPlaces("farewell", "core/main.go#L3-L6")

			s.write("core/other.go", greeting)
			step(index.Stats{Added: 1}) // that content was here before
			s.remove("core/main.go")
			step(index.Stats{Deleted: 1})
			s.wantPlaces("farewell")
		})
	}
}

// evidence checks that every passage of an answer stands where it is said to.
func (s *stage) evidence(queries ...string) {
	s.Helper()
	for _, q := range queries {
		found := s.search(q)
		if len(found.StaleFiles) > 0 {
			s.Errorf("%q: %q are stale just after a sync", q, found.StaleFiles)
		}
		for _, c := range found.Chunks {
			text, err := os.ReadFile(filepath.Join(s.root, c.Path))
			if err != nil {
				s.Errorf("%q: %v", q, err)
				continue
			}
			var first, last int
			fmt.Sscanf(c.Span, "L%d-L%d", &first, &last)
			lines := strings.Split(string(text), "\n")
			if last > len(lines) || strings.Join(lines[first-1:last], "\n") != c.Text {
				s.Errorf("%q: %s#%s is not %q", q, c.Path, c.Span, c.Text)
			}
		}
	}
}

// An answer says what it cannot know: files that changed since.
func TestStaleFilesAreNamed(t *testing.T) {
	s := newStage(t, index.Options{})
	s.write("a.go", greeting)
	s.sync()
	if got := s.search("hello").StaleFiles; len(got) != 0 {
		t.Errorf("%q are stale", got)
	}
	s.write("a.go", greeting+"\n// more\n")
	if got := s.search("hello").StaleFiles; !slices.Equal(got, []string{"a.go"}) {
		t.Errorf("stale are %q, want a.go", got)
	}
	s.remove("a.go")
	if got := s.search("hello").StaleFiles; !slices.Equal(got, []string{"a.go"}) {
		t.Errorf("stale are %q, want a.go, which is gone", got)
	}
}

// What is asked wrongly is refused with the field's name and a remedy.
func TestSearchRefuses(t *testing.T) {
	s := newStage(t, index.Options{})
	_, err := s.x.Search(t.Context(), messages.Search{Query: "x"})
	if !messages.IsCode(err, messages.CodeUnavailable) {
		t.Errorf("an index of nothing answers %v", err)
	}
	s.write("a.go", greeting)
	s.sync()
	for field, q := range map[string]messages.Search{
		"query":       {Query: strings.Repeat("a ", 9000)},
		"top_k":       {Query: "x", TopK: 101},
		"granularity": {Query: "x", Granularity: "word"},
		"intent":      {Query: "x", Intent: "fun"},
	} {
		_, err := s.x.Search(t.Context(), q)
		if e := messages.AsError(err); e == nil || e.Code != messages.CodeInvalid || e.Field != field || e.Remedy == "" {
			t.Errorf("%+v: %v", q, err)
		}
	}
	if _, err := s.x.Search(t.Context(), messages.Search{Query: " \n"}); !messages.IsCode(err, messages.CodeInvalid) {
		t.Errorf("nothing was looked for: %v", err)
	}
	if got, err := s.x.Search(t.Context(), messages.Search{Query: "???"}); err != nil || len(got.Chunks) != 0 {
		t.Errorf("no word at all: %v, %v", got, err)
	}
}

// Filters, intents and granularities each do what they say.
func TestSearchNarrows(t *testing.T) {
	s := newStage(t, index.Options{})
	s.write("door/open.go", "package door\n\nfunc Open() { unlock() }\n\nfunc Again() { unlock(); unlock() }\n")
	s.write("door/open_test.go", "package door\n\nfunc TestOpen() { unlock() }\n")
	s.write("gate/open.go", "package gate\n\nfunc Open() { unlock() } // gate\n")
	s.sync()
	for _, c := range []struct {
		ask  messages.Search
		want string
	}{
		{messages.Search{Query: "unlock", TopK: 1}, "door/open.go"},
		{messages.Search{Query: "unlock", Filters: messages.SearchFilters{PathPrefix: "gate/"}}, "gate/open.go"},
		{messages.Search{Query: "unlock", TopK: 1, Intent: messages.IntentTests}, "door/open_test.go"},
		{messages.Search{Query: "TestOpen", TopK: 1}, "door/open_test.go"},
	} {
		found, err := s.x.Search(t.Context(), c.ask)
		if err != nil || len(found.Chunks) != 1 || found.Chunks[0].Path != c.want {
			t.Errorf("%+v: %v, %v, want %s", c.ask, found, err, c.want)
		}
	}
	found, err := s.x.Search(t.Context(), messages.Search{Query: "unlock", TopK: 2, Granularity: messages.FileGranularity})
	if err != nil || len(found.Chunks) != 2 || found.Chunks[0].Path == found.Chunks[1].Path {
		t.Errorf("for files: %v, %v", found, err)
	}
}

// The same text in two files is one answer that names both.
func TestCopiesAreNamed(t *testing.T) {
	s := newStage(t, index.Options{})
	s.write("a/x.go", greeting)
	s.write("b/x.go", "\n\n"+greeting)
	stats := s.sync()
	if stats.Parsed != 2 {
		t.Errorf("%+v", stats)
	}
	found := s.search("says hello")
	if len(found.Chunks) != 1 || found.Chunks[0].Path != "a/x.go" || !slices.Equal(found.Chunks[0].Also, []string{"b/x.go#L5-L8"}) {
		t.Errorf("found %+v", found.Chunks)
	}
	s.remove("a/x.go")
	s.sync()
	s.wantPlaces("says hello", "b/x.go#L5-L8")
}

// Two characters of Japanese are found wherever they stand, and nowhere else.
func TestJapanese(t *testing.T) {
	s := newStage(t, index.Options{})
	texts := map[string]string{
		"a.md": "# 設計\n\n差分同期の設計とチャンク戦略\n", "b.md": "# 評価\n\n評価ループは最大5回まで再試行する\n",
		"c.md": "# 履歴\n\nチャットの履歴を保存する。差分はない。\n", "d.md": "# 改名\n\n改名対応は埋め込みを再計算しない\n",
	}
	for name, text := range texts {
		s.write(name, text)
	}
	s.sync()
	for _, query := range []string{"差分", "改名", "履歴", "評価", "再計", "設計", "込み", "対応", "保存"} {
		var want, got []string
		for name, text := range texts {
			if strings.Contains(text, query) {
				want = append(want, name)
			}
		}
		for _, c := range s.search(query).Chunks {
			got = append(got, c.Path)
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s is found in %q, stands in %q", query, got, want)
		}
	}
}

// What was stored is there again, and a database that is none is made anew.
func TestReopen(t *testing.T) {
	s := newStage(t, index.Options{})
	s.write("a.go", greeting)
	s.write("b.md", "# Doors\n\nHow to close a door.\n")
	s.sync()
	before, status := all(t, s.x), s.x.Status()
	s.reopen()
	after := s.x.Status()
	if got := all(t, s.x); got != before {
		t.Errorf("after reopening it holds\n%s\nbefore\n%s", got, before)
	}
	if after.Root != status.Root || after.Files != 2 || after.Chunks != status.Chunks || after.Terms != status.Terms || !after.SyncedAt.Equal(status.SyncedAt) {
		t.Errorf("after reopening %+v, before %+v", after, status)
	}
	if stats := s.sync(); stats.Parsed != 0 || stats.Unchanged != 2 {
		t.Errorf("a sync after reopening: %+v", stats)
	}
	s.x.Close()
	if err := os.WriteFile(s.db, bytes.Repeat([]byte("no database "), 1000), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, suffix := range []string{"-wal", "-shm"} {
		os.Remove(s.db + suffix)
	}
	s.open()
	if stats := s.sync(); stats.Added != 2 {
		t.Errorf("a sync after a damage: %+v", stats)
	}
	s.wantFresh("door")
}
