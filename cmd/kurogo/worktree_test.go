package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"kurogo/messages"
)

// An agent changes what it likes; its difference, applied to the repository,
// makes the same files there.
func TestTheDifferenceIsWhatWasDone(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.write("repo/README", "not committed\n")
	h.write("repo/new", "not even known\n")
	a := h.guest("impl-code-1-abcd", "src")
	dir, _ := h.enter(a)
	tree := filepath.Dir(dir)
	if filepath.Base(dir) != "src" || tree != h.at("state/worktrees/impl-code-1-abcd") {
		t.Fatalf("it works in %s", dir)
	}
	if b, err := os.ReadFile(tree + "/README"); err != nil || string(b) != "one\n" {
		t.Errorf("it finds %q, %v", b, err)
	}
	if _, err := os.Stat(tree + "/new"); !os.IsNotExist(err) {
		t.Errorf("it finds what is not committed: %v", err)
	}
	h.write(dir+"/main.c", "int main(void) { return 0; }\n")
	h.gitIn(tree, "commit", "-aqm", "by the agent itself")
	h.write(dir+"/picture", "\x89PNG\x00\x01\x02")
	h.write(tree+"/built", "ignored")
	h.write(tree+"/a b/ü", "name")
	h.gitIn(tree, "rm", "-q", "README")
	diff := h.leave(a)
	if strings.Contains(diff, "kurogo") || strings.Contains(diff, "ignored") {
		t.Error(diff)
	}
	h.kept[a.ID] = messages.Run{Diff: diff}
	h.write("patch", diff)
	h.git("checkout", "-q", "README")
	h.git("apply", "--index", h.at("patch"))
	got := h.git("status", "--porcelain", "-z")
	if want := "A  a b/ü\x00M  src/main.c\x00A  src/picture\x00D  README\x00?? new\x00"; sorted(got) != sorted(want) {
		t.Errorf("applied: %q\n%s", got, diff)
	}
	h.open()
	h.empty()
}

func sorted(list string) string {
	parts := strings.Split(list, "\x00")
	for i := range parts {
		for j := range i {
			if parts[i] < parts[j] {
				parts[i], parts[j] = parts[j], parts[i]
			}
		}
	}
	return strings.Join(parts, "\x00")
}

func TestWhoChangesNothingLeavesNothing(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.write("repo/later/file", "not committed")
	a := h.guest("impl-code-1-abcd", "later")
	dir, _ := h.enter(a)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		t.Errorf("a directory without anything committed: %v", err)
	}
	if diff := h.leave(a); diff != "" {
		t.Error(diff)
	}
	h.empty()
}

// What is too large for a result, or no text, is in a file as it is.
func TestTheWholeOfALargeDifferenceIsKept(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	for name, text := range map[string]string{
		"cut: ":      strings.Repeat("a line of many\n", 100<<10),
		"not all of": "latin1: \xe9\n",
	} {
		a := h.guest("impl-code-1-abcd")
		dir, _ := h.enter(a)
		h.write(dir+"/large", text)
		diff := h.leave(a)
		if len(diff) > diffMost || !strings.Contains(diff, "large") || strings.HasSuffix(diff, "[cut]\n") != (len(text) > diffMost) {
			t.Errorf("%d bytes: %.100q … %q", len(diff), diff, diff[len(diff)-20:])
		}
		said, _, _ := strings.Cut(diff, "\n")
		_, file, ok := strings.Cut(said, " /")
		if !ok || !strings.HasPrefix(said, "# kurogo: ") || !strings.Contains(said, name) {
			t.Fatalf("it says %s, want %s", said, name)
		}
		h.kept[a.ID] = messages.Run{Diff: diff}
		h.open() // the next owner leaves it alone
		h.git("apply", "/"+file)
		if b, err := os.ReadFile(h.repo + "/large"); err != nil || string(b) != text {
			t.Errorf("applied: %d bytes, %v", len(b), err)
		}
		os.Remove(h.repo + "/large")
	}
}

// What git cannot tell of is not thrown away.
func TestAWorktreeWithARepositoryInItIsKept(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	a := h.guest("impl-code-1-abcd")
	dir, _ := h.enter(a)
	h.write(dir+"/README", "two\n")
	for _, repo := range []string{"born", "grown"} {
		h.write(dir+"/"+repo+"/work", "of hours")
		h.gitIn(dir+"/"+repo, "init", "-q")
	}
	h.gitIn(dir+"/grown", "add", ".")
	h.gitIn(dir+"/grown", "commit", "-qm", "its own")
	diff := h.leave(a)
	if !strings.Contains(diff, "# kurogo: the worktree is kept at "+dir) || !strings.Contains(diff, "+two") {
		t.Error(diff)
	}
	h.rooms = h.open()
	for _, repo := range []string{"born", "grown"} {
		if b, err := os.ReadFile(dir + "/" + repo + "/work"); err != nil || string(b) != "of hours" {
			t.Errorf("%s: %q, %v", repo, b, err)
		}
	}
	h.git("worktree", "remove", "--force", dir)
	h.open()
	h.open()
	h.empty()
}

// The next owner finds what the agents of a fallen one have done, once.
func TestTheWorkOfTheLostIsFound(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	lost, told, idle := h.guest("impl-code-1-0001"), h.guest("impl-code-1-0002"), h.guest("impl-code-1-0003")
	for _, a := range []messages.Agent{lost, told, idle} {
		dir, _ := h.enter(a)
		if a.ID != idle.ID {
			h.write(dir+"/README", string(a.ID)+"\n")
		}
	}
	h.kept[lost.ID] = messages.Run{Last: "I was about to"}
	h.leave(told) // … and we fell before the journal heard of it
	h.open()
	clear(h.kept) // … and fell again
	h.kept[lost.ID] = messages.Run{Last: "I was about to"}
	h.open()
	h.open()
	h.empty()
	for _, a := range []messages.Agent{lost, told} {
		if diff := h.kept[a.ID].Diff; !strings.Contains(diff, "+"+string(a.ID)) {
			t.Errorf("%s: %q", a.ID, diff)
		}
	}
	if _, ok := h.kept[idle.ID]; ok || h.kept[lost.ID].Last != "I was about to" {
		t.Errorf("%+v", h.kept)
	}
}

// Whoever dies in the middle leaves nothing that looks like an agent's work.
func TestAFallInTheMiddle(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	a := h.guest("impl-code-1-abcd")
	h.enter(a)
	note, err := readTree(h.tree(a.ID))
	if err != nil {
		t.Fatal(err)
	}
	for name, fall := range map[string]func(){
		"before git had begun":         func() { os.RemoveAll(note.path); h.git("worktree", "prune"); note.Git = "" },
		"before all files were there":  func() { os.Remove(note.path + "/README"); note.Git = "" },
		"before the directory was one": func() { os.Rename(note.path, note.path+".gone") },
		"while it was removed":         func() { os.Rename(note.path, note.path+".gone"); os.Remove(note.path + ".gone/README") },
		"while the note was written":   func() { os.WriteFile(note.note()+".new", []byte("{"), 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			whole := *note
			fall()
			if err := note.write(); err != nil {
				t.Fatal(err)
			}
			*note = whole
			h.rooms = h.open()
			h.empty()
			if len(h.kept) > 0 {
				t.Errorf("the journal heard %+v", h.kept)
			}
			h.enter(a)
		})
	}
}

// An agent that is ended while its room is prepared leaves nothing; neither does
// one that comes again.
func TestEnteringIsUndone(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	a := h.guest("impl-code-1-abcd")
	for i := range 200 {
		h.write("repo/many/"+strings.Repeat("x", i+1), "text")
	}
	h.git("add", ".")
	h.git("commit", "-qm", "many")
	ctx, cancel := context.WithCancel(t.Context())
	begun := make(chan error)
	go func() {
		_, _, err := h.Enter(ctx, a)
		begun <- err
	}()
	for { // until git is at work
		if _, err := os.Stat(h.tree(a.ID) + noteSuffix); err == nil {
			cancel()
			break
		}
	}
	if err := <-begun; err != nil && !errors.Is(err, context.Canceled) {
		t.Error(err)
	} else if err == nil {
		h.leave(a) // git was faster
	}
	h.empty()

	dir, _ := h.enter(a)
	h.write(dir+"/README", "of the first time")
	h.enter(a)
	if diff := h.leave(a); diff != "" {
		t.Errorf("the second time has %s", diff)
	}
	h.empty()
}

// An agent that tampers with its worktree gets nothing run outside of its life.
func TestAnAgentCannotMakeUsRunPrograms(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	trap := h.at("trap")
	h.write("trap", "#!/bin/sh\ntouch "+h.at("sprung")+"\ncat\n")
	if err := os.Chmod(trap, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, hook := range []string{"post-checkout", "post-index-change", "reference-transaction"} {
		h.write("repo/.git/hooks/"+hook, "#!/bin/sh\ntouch "+h.at("sprung")+"\n")
		if err := os.Chmod(h.repo+"/.git/hooks/"+hook, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	a := h.guest("impl-code-1-abcd")
	dir, _ := h.enter(a)
	if err := os.Remove(dir + "/.git"); err != nil {
		t.Fatal(err)
	}
	for _, repo := range []string{dir, dir + "/inner"} {
		h.write(repo+"/.gitattributes", "* filter=trap diff=trap\n")
		h.gitIn(filepath.Dir(dir), "init", "-q", repo)
		for key, value := range map[string]string{
			"core.fsmonitor": trap, "core.hooksPath": h.repo + "/.git/hooks", "filter.trap.clean": trap, "filter.trap.process": trap,
			"diff.trap.textconv": trap, "diff.external": trap,
		} {
			h.gitIn(repo, "config", key, value)
		}
	}
	diff, err := h.Leave(t.Context(), a)
	if err != nil || !strings.Contains(diff, "+* filter=trap") {
		t.Errorf("%v: %s", err, diff)
	}
	if _, err := os.Stat(h.at("sprung")); !os.IsNotExist(err) {
		t.Error("a program of the agent has run")
	}
}

// An agent may take its worktree away, or the user his repository.
func TestWhatIsGoneIsNotMissed(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	a := h.guest("impl-code-1-abcd")
	dir, _ := h.enter(a)
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if diff := h.leave(a); diff != "" {
		t.Error(diff)
	}
	h.empty()
	dir, _ = h.enter(a)
	h.write(dir+"/README", "two\n")
	if err := os.RemoveAll(h.repo); err != nil {
		t.Fatal(err)
	}
	diff, err := h.Leave(t.Context(), a)
	if err != nil || !strings.Contains(diff, "kept at "+dir+", because its difference could not be told") {
		t.Errorf("%v: %s", err, diff)
	}
	if b, err := os.ReadFile(dir + "/README"); err != nil || string(b) != "two\n" {
		t.Errorf("the work: %q, %v", b, err)
	}
}

// A worktree within a worktree begins from its commit and belongs to the same
// repository.
func TestAChildOfAnIsolatedAgent(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	parent := h.guest("impl-code-1-0001")
	dir, _ := h.enter(parent)
	h.write(dir+"/README", "by the parent\n")
	if out, err := exec.Command("git", "-C", dir, "-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "-qam", "parent").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	child := messages.Agent{ID: "impl-code-1-0002", Isolation: messages.IsolationWorktree, Dir: dir}
	below, _ := h.enter(child)
	if b, err := os.ReadFile(below + "/README"); err != nil || string(b) != "by the parent\n" {
		t.Errorf("%q, %v", b, err)
	}
	h.write(below+"/README", "by the child\n")
	h.leave(parent) // first
	if diff := h.leave(child); !strings.Contains(diff, "-by the parent\n+by the child") {
		t.Error(diff)
	}
	h.open()
	h.open()
	h.empty()
}

// Where the time runs out, the work waits for the next owner.
func TestThereIsNoTimeToTell(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	a := h.guest("impl-code-1-abcd")
	dir, _ := h.enter(a)
	h.write(dir+"/README", "two\n")
	late, cancel := context.WithCancel(t.Context())
	cancel()
	if diff, err := h.Leave(late, a); !errors.Is(err, context.Canceled) || diff != "" {
		t.Errorf("%q, %v", diff, err)
	}
	h.sweep(late, h)
	if b, err := os.ReadFile(dir + "/README"); err != nil || string(b) != "two\n" {
		t.Errorf("%q, %v", b, err)
	}
	h.open()
	if diff := h.kept[a.ID].Diff; !strings.HasPrefix(diff, "diff --git") || !strings.Contains(diff, "+two") {
		t.Error(diff)
	}
	h.open()
	h.empty()
}

// In the journal of somebody else nobody would find it: then it is in a file.
func TestTheWorkOfTheUnknownIsKept(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	a := h.guest("impl-code-1-abcd")
	dir, _ := h.enter(a)
	h.write(dir+"/README", "two\n")
	h.kept = nil
	h.open()
	if b, err := os.ReadFile(dir + ".diff"); err != nil || !strings.Contains(string(b), "+two") {
		t.Errorf("%s, %v", b, err)
	}
	if left := h.left(); len(left) != 1 {
		t.Errorf("left behind: %q", left)
	}
}
