package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kurogo/messages"
)

// A commit is known to the index without anybody asking it: git's hook tells, and
// the house hears. What is not committed waits for a question.
func TestAHookWakesTheIndex(t *testing.T) {
	t.Parallel()
	th := newTheatre(t)
	git(t, th.project, "init", "-q")
	commit := func(text string) (head string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(th.project, "a.go"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		git(t, th.project, "add", "-A")
		git(t, th.project, "commit", "-qm", "x")
		return strings.TrimSpace(git(t, th.project, "rev-parse", "HEAD"))
	}
	first := commit("package a\n")
	o := th.serve()
	defer o.kill()
	stands := func(head string) {
		t.Helper()
		var status messages.IndexStatus
		if !soon(func() bool {
			status = must[messages.IndexStatus](th, messages.GetIndexStatus{})
			return status.Head == head
		}) {
			t.Fatalf("the index is in step with %q, not %q", status.Head, head)
		}
	}
	stands(first)
	th.run("hook", "install")
	stands(commit("package a\n\nfunc Swing() {}\n"))
}
