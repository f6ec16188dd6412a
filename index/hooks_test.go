package index_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kurogo/index"
	"kurogo/messages"
)

func TestHooks(t *testing.T) {
	s := newRepo(t)
	queue := filepath.Join(t.TempDir(), "it's a queue")
	hooks := filepath.Join(s.root, ".git", "hooks")
	os.RemoveAll(hooks)
	theirs := "#!/usr/bin/env bash\nset -e\necho theirs >>.git/theirs\nexit 0\n"
	s.write(".git/hooks/post-commit", theirs)
	if err := os.Chmod(filepath.Join(hooks, "post-commit"), 0o755); err != nil {
		t.Fatal(err)
	}
	written, err := index.InstallHooks(t.Context(), git, s.root, queue)
	if err != nil || len(written) != 5 {
		t.Fatalf("%q, %v", written, err)
	}
	if written, err := index.InstallHooks(t.Context(), git, s.root, queue); err != nil || len(written) != 0 {
		t.Errorf("again: %q, %v", written, err)
	}
	s.write("a.go", goFile(1))
	s.commit() // pre-commit, post-commit
	s.git("checkout", "--quiet", "-b", "other")
	if lines, err := index.Drain(queue); err != nil || lines != 3 {
		t.Errorf("%d lines, %v", lines, err)
	}
	if lines, err := index.Drain(queue); err != nil || lines != 0 {
		t.Errorf("then %d lines, %v", lines, err)
	}
	if said, err := os.ReadFile(filepath.Join(s.root, ".git/theirs")); err != nil || string(said) != "theirs\n" {
		t.Errorf("their hook said %q, %v", said, err)
	}
	// A queue that cannot be written stops nobody and says nothing.
	if _, err := index.InstallHooks(t.Context(), git, s.root, "/nowhere/queue"); err != nil {
		t.Fatal(err)
	}
	s.commit()
	if lines, err := index.Drain(queue); err != nil || lines != 2 {
		t.Errorf("beside it there are %d lines, %v", lines, err)
	}
	if removed, err := index.RemoveHooks(t.Context(), git, s.root, queue); err != nil || len(removed) != 5 {
		t.Errorf("%q, %v", removed, err)
	}
	removed, err := index.RemoveHooks(t.Context(), git, s.root, "/nowhere/queue")
	if err != nil || len(removed) != 5 {
		t.Errorf("%q, %v", removed, err)
	}
	left, err := os.ReadDir(hooks)
	if err != nil || len(left) != 1 {
		t.Errorf("left are %v, %v", left, err)
	}
	if text, _ := os.ReadFile(filepath.Join(hooks, "post-commit")); string(text) != theirs {
		t.Errorf("their hook is %q now", text)
	}
}

// A hook that we could only break is left alone, and so are the others.
func TestHooksRefuse(t *testing.T) {
	s := newRepo(t)
	os.RemoveAll(filepath.Join(s.root, ".git", "hooks"))
	s.write(".git/hooks/post-merge", "#!/usr/bin/env python3\nprint(1)\n")
	if err := os.Chmod(filepath.Join(s.root, ".git/hooks/post-merge"), 0o755); err != nil {
		t.Fatal(err)
	}
	_, err := index.InstallHooks(t.Context(), git, s.root, "q")
	if !messages.IsCode(err, messages.CodeConflict) || !strings.Contains(err.Error(), "post-merge") {
		t.Errorf("%v", err)
	}
	left, _ := os.ReadDir(filepath.Join(s.root, ".git", "hooks"))
	if len(left) != 1 {
		t.Errorf("left are %v", left)
	}
	if _, err := index.InstallHooks(t.Context(), git, t.TempDir(), "q"); !messages.IsCode(err, messages.CodeInvalid) {
		t.Errorf("outside a repository: %v", err)
	}
}

// Hooks stand where the repository says, and what a crash left of a queue is
// taken the next time.
func TestHooksPathAndQueue(t *testing.T) {
	s := newRepo(t)
	s.git("config", "core.hooksPath", "myhooks")
	if written, err := index.InstallHooks(t.Context(), git, s.root, "q"); err != nil || filepath.Dir(written[0]) != filepath.Join(s.root, "myhooks") {
		t.Errorf("%q, %v", written, err)
	}
	queue := filepath.Join(t.TempDir(), "queue")
	os.WriteFile(queue+".taken", []byte("post-commit\n"), 0o600)
	os.WriteFile(queue, []byte("post-merge\npost-commit\n"), 0o600)
	s2 := newStage(t, index.Options{Queue: queue})
	if got := s2.x.Status().Queued; got != 2 {
		t.Errorf("%d lines wait", got)
	}
	if lines, err := index.Drain(queue); err != nil || lines != 3 {
		t.Errorf("%d lines, %v", lines, err)
	}
}

// Two work trees of one repository share its hooks, and each is told; who leaves
// takes his own line along and no other.
func TestHooksOfTwoWorkTrees(t *testing.T) {
	s := newRepo(t)
	s.write("a.go", goFile(1))
	s.commit()
	beside := filepath.Join(t.TempDir(), "beside")
	s.git("worktree", "add", "--quiet", "-b", "side", beside)
	queues := map[string]string{s.root: filepath.Join(t.TempDir(), "one"), beside: filepath.Join(t.TempDir(), "two")}
	for root, queue := range queues {
		if written, err := index.InstallHooks(t.Context(), git, root, queue); err != nil || len(written) != 5 {
			t.Fatalf("%s: %q, %v", root, written, err)
		}
	}
	told := func() (lines []int) {
		s.write("a.go", goFile(len(s.git("rev-list", "--all"))))
		s.commit()
		for _, root := range []string{s.root, beside} {
			n, err := index.Drain(queues[root])
			if err != nil {
				t.Error(err)
			}
			lines = append(lines, n)
		}
		return lines
	}
	if got := told(); !slices.Equal(got, []int{2, 2}) {
		t.Errorf("a commit is told of in %d lines, want 2 and 2", got)
	}
	if removed, err := index.RemoveHooks(t.Context(), git, s.root, queues[s.root]); err != nil || len(removed) != 5 {
		t.Errorf("%q, %v", removed, err)
	}
	if got := told(); !slices.Equal(got, []int{0, 2}) {
		t.Errorf("then in %d, want 0 and 2", got)
	}
}

// A hook that somebody has turned off stays off: it might refuse every commit.
func TestHooksStayOff(t *testing.T) {
	s := newRepo(t)
	theirs := "#!/bin/sh\nexit 1\n"
	s.write(".git/hooks/pre-commit", theirs)
	written, err := index.InstallHooks(t.Context(), git, s.root, filepath.Join(t.TempDir(), "queue"))
	if err != nil || len(written) != 4 {
		t.Errorf("%q, %v", written, err)
	}
	s.write("a.go", goFile(1))
	s.commit()
	if text, err := os.ReadFile(filepath.Join(s.root, ".git/hooks/pre-commit")); err != nil || string(text) != theirs {
		t.Errorf("it is %q now, %v", text, err)
	}
}
