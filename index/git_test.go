package index_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kurogo/messages"
)

func goFile(i int) string {
	return fmt.Sprintf("package p\n\n// Number%d is counted.\nfunc Number%d() int { return %d }\n", i, i, i)
}

// A repository that has no commit yet has files, too.
func TestNoCommitsYet(t *testing.T) {
	s := newRepo(t)
	s.write("loose.go", goFile(1))
	s.write("staged.go", goFile(2))
	s.git("add", "staged.go")
	if stats := s.sync(); stats.Added != 2 {
		t.Errorf("%+v", stats)
	}
	if head := s.x.Status().Head; head != "" {
		t.Errorf("it is in step with %s", head)
	}
	if stats := s.sync(); stats.Parsed != 0 || stats.Deleted != 0 {
		t.Errorf("again: %+v", stats)
	}
	s.commit()
	if stats := s.sync(); stats.Parsed != 0 || stats.Added+stats.Modified+stats.Deleted != 0 {
		t.Errorf("after the first commit: %+v", stats)
	}
	s.wantFresh("counted")
}

// Leaving a branch and coming back parses nothing twice, nor does a rebase.
func TestBranches(t *testing.T) {
	s := newRepo(t)
	for i := range 20 {
		s.write(fmt.Sprintf("p/f%d.go", i), goFile(i))
	}
	s.commit()
	s.sync()
	s.git("checkout", "--quiet", "-b", "other")
	for i := range 10 {
		s.write(fmt.Sprintf("p/f%d.go", i), goFile(100+i))
	}
	s.remove("p/f19.go")
	s.write("q/new.go", goFile(200))
	s.commit()
	if stats := s.sync(); stats.Parsed != 11 || stats.Modified != 10 || stats.Deleted != 1 || stats.Added != 1 {
		t.Errorf("on the branch: %+v", stats)
	}
	s.wantFresh("Number105", "counted")
	s.git("checkout", "--quiet", "main")
	if stats := s.sync(); stats.Parsed != 0 || stats.Modified != 10 || stats.Deleted != 1 || stats.Added != 1 {
		t.Errorf("back: %+v", stats)
	}
	s.wantFresh("Number105", "counted")
	s.write("p/main.go", goFile(300))
	s.commit()
	s.sync()
	s.git("checkout", "--quiet", "other")
	s.git("rebase", "--quiet", "main")
	if stats := s.sync(); stats.Parsed != 0 {
		t.Errorf("after the rebase: %+v", stats)
	}
	s.wantFresh("Number105", "counted", "Number300")
}

// History that is rewritten and tidied away leaves nothing to compare with.
func TestTheIndexedCommitIsGone(t *testing.T) {
	s := newRepo(t)
	s.write("a.go", goFile(1))
	s.write("gone.go", goFile(2))
	s.commit()
	s.sync()
	s.remove("gone.go")
	s.git("checkout", "--quiet", "--orphan", "fresh")
	s.commit()
	s.git("branch", "-D", "main")
	s.git("reflog", "expire", "--expire=now", "--all")
	s.git("gc", "--quiet", "--prune=now")
	if stats := s.sync(); stats.Parsed != 0 || stats.Deleted != 1 {
		t.Errorf("%+v", stats)
	}
	s.wantFresh("counted")
}

// A directory that is renamed costs rows, not parsing, committed or not.
func TestRenamedDirectory(t *testing.T) {
	s := newRepo(t)
	const files = 700 // more than one batch
	for i := range files {
		s.write(fmt.Sprintf("old/f%d.go", i), goFile(i))
	}
	s.commit()
	s.sync()
	s.git("mv", "old", "new")
	s.commit()
	if stats := s.sync(); stats.Parsed != 0 || stats.Renamed != files || stats.Deleted+stats.Added != 0 {
		t.Errorf("committed: %+v", stats)
	}
	if err := os.Rename(filepath.Join(s.root, "new"), filepath.Join(s.root, "newer")); err != nil {
		t.Fatal(err)
	}
	if stats := s.sync(); stats.Parsed != 0 || stats.Renamed != files {
		t.Errorf("not committed: %+v", stats)
	}
	s.wantFirst("Number432", "newer/f432.go#L3-L4")
	s.wantFresh("Number432")
	if got := s.x.Status().Parsed; got != files {
		t.Errorf("parsed %d contents in all, there are %d", got, files)
	}
}

// The work tree counts, not only what is committed: changed, staged, loose,
// taken back, ignored later.
func TestWorkTree(t *testing.T) {
	s := newRepo(t)
	s.write("a.go", goFile(1))
	s.write("b.go", goFile(2))
	s.commit()
	s.sync()
	s.write("a.go", goFile(11))
	s.write("b.go", goFile(12))
	s.git("add", "b.go")
	s.write("loose.go", goFile(13))
	if stats := s.sync(); stats.Modified != 2 || stats.Added != 1 {
		t.Errorf("changed: %+v", stats)
	}
	s.wantFresh("counted")
	s.git("reset", "--quiet", "--hard")
	if stats := s.sync(); stats.Modified != 2 || stats.Parsed != 0 {
		t.Errorf("taken back: %+v", stats)
	}
	s.wantFresh("counted")
	s.write(".gitignore", "loose.go\n")
	if stats := s.sync(); stats.Deleted != 1 {
		t.Errorf("ignored: %+v", stats)
	}
	s.wantFresh("counted")
	s.write(".kurogoignore", "b.*\n")
	if stats := s.sync(); stats.Deleted != 1 {
		t.Errorf("ignored by us: %+v", stats)
	}
	s.wantFresh("counted")
	s.remove(".kurogoignore")
	if stats := s.sync(); stats.Added != 1 || stats.Parsed != 0 {
		t.Errorf("wanted again: %+v", stats)
	}
	s.wantFresh("counted")
	s.write("sub/deep/c.go", goFile(7))
	s.write("deep/d.go", goFile(8))
	s.commit()
	s.sync()
	for _, kept := range []string{"deep/\n", "nothing\n"} {
		s.write("sub/.kurogoignore", kept)
		s.sync()
		found := slices.ContainsFunc(s.places("Number7"), func(at string) bool { return strings.HasPrefix(at, "sub/deep/") })
		if found == (kept == "deep/\n") {
			t.Errorf("sub ignores %q: found: %v", kept, found)
		}
		s.wantFirst("Number8", "deep/d.go#L3-L4")
		s.wantFresh("counted")
		s.commit()
	}
	s.remove("sub/.kurogoignore")
	s.sync()
	s.wantFresh("counted")
}

// A work tree beside the first, and a directory below the top, are roots too.
func TestWorktreesAndDirectories(t *testing.T) {
	s := newRepo(t)
	s.write("a.go", goFile(1))
	s.write("sub/b.go", goFile(2))
	s.commit()
	s.sync()
	first := s.root
	beside := filepath.Join(t.TempDir(), "beside")
	s.git("worktree", "add", "--quiet", "-b", "side", beside)
	s.root = beside
	s.write("sub/c.go", goFile(3))
	if stats := s.sync(); stats.Parsed != 1 || stats.Added != 1 {
		t.Errorf("beside: %+v", stats)
	}
	s.wantFresh("counted")
	s.root = filepath.Join(first, "sub")
	if stats := s.sync(); stats.Parsed != 0 {
		t.Errorf("below: %+v", stats)
	}
	s.wantPlaces("Number2", "b.go#L3-L4")
	s.wantFresh("counted")
	s.write("d.go", goFile(4))
	s.git("add", "--all")
	s.git("commit", "--quiet", "--message=x")
	if stats := s.sync(); stats.Added != 1 || stats.Parsed != 1 {
		t.Errorf("below, later: %+v", stats)
	}
	s.wantFresh("counted")
}

// Names may hold anything, and links lead nowhere.
func TestOddFiles(t *testing.T) {
	for _, make := range []func(*testing.T) *stage{newRepo, newDirectory} {
		s := make(t)
		odd := []string{"a\nb.go", "tab\there.go", ` space .go`, `quote".go`, "日本語.go", "-dash.go", ":colon.go", "back\\slash.go", "*star?.go"}
		for i, name := range odd {
			s.write(name, goFile(i))
		}
		for link, to := range map[string]string{"loop": "loop", "self": ".", "up": "..", "dangling": "nowhere", "other.go": "日本語.go"} {
			if err := os.Symlink(to, filepath.Join(s.root, link)); err != nil {
				t.Fatal(err)
			}
		}
		s.sync()
		for i, name := range odd {
			s.wantFirst(fmt.Sprintf("Number%d", i), name+"#L3-L4")
		}
		if s.opt.Git != nil {
			s.commit()
		}
		s.sync()
		for i, name := range odd {
			s.write(name, goFile(50+i))
		}
		if stats := s.sync(); stats.Modified != len(odd) || stats.Deleted != 0 {
			t.Errorf("%+v", stats)
		}
		s.wantFresh("counted")
		if files := s.x.Status().Files; files != len(odd) {
			t.Errorf("%d files, want %d: links are not followed", files, len(odd))
		}
	}
}

// The same bytes under a name of another language are cut as that is: what was
// known of them says nothing.
func TestAnotherLanguage(t *testing.T) {
	s := newRepo(t)
	s.write("a.txt", goFile(1))
	s.commit()
	s.sync()
	s.wantFirst("counted", "a.txt#L1-L4")
	s.git("mv", "a.txt", "a.go")
	s.commit()
	if stats := s.sync(); stats.Parsed != 1 {
		t.Errorf("%+v", stats)
	}
	s.wantFirst("counted", "a.go#L3-L4")
	s.wantFresh("counted")
}

// Without git, what is ignored above a path counts for it, too.
func TestIngestIgnores(t *testing.T) {
	s := newDirectory(t)
	s.write("a/b/keep.go", goFile(1))
	s.write(".gitignore", "gen/\n*.tmp.go\n")
	s.write("a/.gitignore", "!b/wanted.tmp.go\n")
	s.sync()
	for i, name := range []string{"a/gen/x.go", "a/b/y.tmp.go", "a/b/wanted.tmp.go"} {
		s.write(name, goFile(10+i))
	}
	got, err := s.x.Ingest(t.Context(), messages.Ingest{Paths: []string{"a/gen", "a/gen/x.go", "a/b"}})
	if err != nil || got.Added != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	s.wantFirst("Number12", "a/b/wanted.tmp.go#L3-L4")
	s.wantFresh("counted")
}

// What a hook or a gateway says is only where to look.
func TestIngestAndPrune(t *testing.T) {
	s := newRepo(t)
	s.write(".gitignore", "secret/\n")
	s.write("a.go", goFile(1))
	s.write("dir/b.go", goFile(2))
	if _, err := s.x.Ingest(t.Context(), messages.Ingest{Paths: []string{"a.go"}}); !messages.IsCode(err, messages.CodeUnavailable) {
		t.Errorf("before any sync: %v", err)
	}
	s.commit()
	s.sync()
	s.write("a.go", goFile(11))
	s.write("dir/c.go", goFile(3))
	s.write("secret/d.go", goFile(4))
	s.remove("dir/b.go")
	got, err := s.x.Ingest(t.Context(), messages.Ingest{Paths: []string{"dir", "secret/d.go"}, Diff: &messages.PathDiff{Modified: []string{"a.go"}}})
	if err != nil || got.Added != 1 || got.Modified != 1 || got.Deleted != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	s.wantFresh("counted")
	if stats := s.sync(); stats.Added+stats.Modified+stats.Deleted+stats.Parsed != 0 {
		t.Errorf("a sync finds more: %+v", stats)
	}
	if err := os.Rename(filepath.Join(s.root, "dir/c.go"), filepath.Join(s.root, "e.go")); err != nil {
		t.Fatal(err)
	}
	got, err = s.x.Ingest(t.Context(), messages.Ingest{Diff: &messages.PathDiff{Renamed: []messages.Renamed{{From: "dir/c.go", To: "e.go"}}}})
	if err != nil || got.Renamed != 1 || got.Parsed != 0 {
		t.Errorf("%+v, %v", got, err)
	}
	s.commit()
	s.sync()
	s.wantFresh("counted")
	got, err = s.x.Prune(t.Context(), messages.Prune{Paths: []string{"e.go", "nothing.go"}})
	if err != nil || got.Deleted != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	if found := s.places("Number3"); slices.Contains(found, "e.go#L3-L4") {
		t.Errorf("what was pruned is found: %q", found)
	}
	for _, bad := range []string{"../x", "/etc", "a/../../b"} {
		if _, err := s.x.Ingest(t.Context(), messages.Ingest{Paths: []string{bad}}); !messages.IsCode(err, messages.CodeInvalid) {
			t.Errorf("ingest %s: %v", bad, err)
		}
		if _, err := s.x.Prune(t.Context(), messages.Prune{Paths: []string{bad}}); !messages.IsCode(err, messages.CodeInvalid) {
			t.Errorf("prune %s: %v", bad, err)
		}
	}
}

// More paths than a command line holds are looked at, too, and what git ignores
// among them is not wanted.
func TestIngestOfManyPaths(t *testing.T) {
	s := newRepo(t)
	s.write(".gitignore", "secret/\n")
	s.write("a.go", goFile(1))
	s.commit()
	s.sync()
	s.write("a.go", goFile(11))
	s.write("secret/b.go", goFile(12))
	paths := []string{"a.go", "secret/b.go"}
	for i := range 90_000 {
		paths = append(paths, fmt.Sprintf("nobody/knows/this/directory/%d.go", i))
	}
	got, err := s.x.Ingest(t.Context(), messages.Ingest{Paths: paths})
	if err != nil || got.Modified != 1 || got.Added != 0 {
		t.Errorf("%+v, %v", got, err)
	}
	s.wantFresh("counted")
}
