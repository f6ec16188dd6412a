package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"kurogo/messages"
)

// A hotel is the rooms of a site beside a repository, and a journal that knows
// every agent; none, when kept is nil.
type hotel struct {
	*testing.T
	*rooms
	repo string
	kept map[messages.AgentID]messages.Run
}

func newHotel(t *testing.T) *hotel {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is missing")
	}
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	h := &hotel{T: t, repo: filepath.Join(base, "repo"), kept: map[messages.AgentID]messages.Run{}}
	h.write("repo/README", "one\n")
	h.write("repo/src/main.c", "int main;\n")
	h.write("repo/.gitignore", "built\n")
	h.git("init", "-q")
	h.git("add", ".")
	h.git("commit", "-q", "-m", "first")
	h.rooms = h.open()
	return h
}

// open is what the next owner does.
func (h *hotel) open() *rooms {
	h.Helper()
	r, err := openRooms(h.Context(), site{state: h.at("state"), props: h.at("stage")}, drivers{shipped: map[string]bool{"player": true}}, h, slog.New(slog.DiscardHandler))
	if err != nil {
		h.Fatal(err)
	}
	return r
}

func (h *hotel) at(path string) string { return filepath.Join(filepath.Dir(h.repo), path) }

func (h *hotel) write(path, text string) {
	h.Helper()
	if !filepath.IsAbs(path) {
		path = h.at(path)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		h.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		h.Fatal(err)
	}
}

func (h *hotel) git(args ...string) string {
	h.Helper()
	return h.gitIn(h.repo, args...)
}

func (h *hotel) gitIn(dir string, args ...string) string {
	h.Helper()
	c := exec.Command("git", append([]string{"-c", "user.name=A", "-c", "user.email=a@example.com"}, args...)...)
	c.Dir = dir
	out, err := c.CombinedOutput()
	if err != nil {
		h.Fatalf("git %q: %v: %s", args, err, out)
	}
	return string(out)
}

// Agent and Commit make the hotel a ledger.
func (h *hotel) Agent(_ context.Context, id messages.AgentID) (messages.AgentDetail, error) {
	if h.kept == nil {
		return messages.AgentDetail{}, messages.Errorf(messages.CodeNotFound, "there is no agent %s", id)
	}
	return messages.AgentDetail{Agent: messages.Agent{ID: id, Run: h.kept[id]}}, nil
}

func (h *hotel) Commit(_ context.Context, c messages.Change) (messages.Outcome, error) {
	if k, ok := c.(messages.KeepRun); ok {
		h.kept[k.Agent] = k.Run
	}
	return messages.Outcome{}, nil
}

func (h *hotel) guest(id string, below ...string) messages.Agent {
	return messages.Agent{
		ID: messages.AgentID(id), Role: "impl-code", Isolation: messages.IsolationWorktree,
		Dir: filepath.Join(append([]string{h.repo}, below...)...),
	}
}

func (h *hotel) enter(a messages.Agent) (dir, home string) {
	h.Helper()
	dir, home, err := h.Enter(h.Context(), a)
	if err != nil {
		h.Fatal(err)
	}
	return dir, home
}

func (h *hotel) leave(a messages.Agent) string {
	h.Helper()
	diff, err := h.Leave(h.Context(), a)
	if err != nil {
		h.Fatal(err)
	}
	return diff
}

// left is what there is in the state directory, and what git knows besides the
// repository itself.
func (h *hotel) left() (out []string) {
	h.Helper()
	for _, dir := range []string{"homes", "worktrees"} {
		entries, err := os.ReadDir(h.at("state/" + dir))
		if err != nil && !os.IsNotExist(err) {
			h.Fatal(err)
		}
		for _, e := range entries {
			out = append(out, dir+"/"+e.Name())
		}
	}
	for line := range strings.Lines(h.git("worktree", "list", "--porcelain")) {
		if path, ok := strings.CutPrefix(strings.TrimSpace(line), "worktree "); ok && path != h.repo {
			out = append(out, "git: "+path)
		}
	}
	return out
}

func (h *hotel) empty() {
	h.Helper()
	if left := h.left(); len(left) > 0 {
		h.Errorf("left behind: %q", left)
	}
}

func TestAnAgentWorksWhereItWasAskedTo(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	a := messages.Agent{ID: "impl-code-1-abcd", Isolation: messages.IsolationNone, Dir: h.repo}
	dir, home := h.enter(a)
	if info, err := os.Stat(home); err != nil || dir != h.repo || info.Mode().Perm() != 0o700 || !strings.HasPrefix(home, h.at("state")) {
		t.Errorf("%s, %s, %v", dir, home, err)
	}
	other, its := h.enter(messages.Agent{ID: "impl-code-1-abce", Dir: h.repo})
	if its == home || other != dir {
		t.Errorf("two share %s", home)
	}
	h.write(home+"/config/key", "secret")
	if err := os.Chmod(home+"/config", 0o500); err != nil {
		t.Fatal(err)
	}
	if diff := h.leave(a); diff != "" {
		t.Errorf("a difference: %s", diff)
	}
	if _, err := os.Stat(home); !os.IsNotExist(err) {
		t.Errorf("the home is still there: %v", err)
	}
	if _, err := os.Stat(its); err != nil {
		t.Errorf("the other's home is gone: %v", err)
	}
	h.open()
	h.empty()
}

// Who only plays does not touch the project; who only says how it is sees
// nothing of it.
func TestWhoDoesNoWorkIsKeptOut(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	if dir, _ := h.enter(messages.Agent{ID: "a-1-0001", Driver: "player", Dir: h.repo}); dir != h.at("stage") {
		t.Errorf("a player is in %s", dir)
	}
	dir, home := h.enter(messages.Agent{ID: "a-0-health"})
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 || filepath.Dir(dir) != home {
		t.Errorf("%s has %v, %v", dir, entries, err)
	}
	if dir, _ := h.enter(messages.Agent{ID: "a-1-0002", Driver: "player", Dir: h.repo, Isolation: messages.IsolationWorktree}); !strings.HasPrefix(dir, h.at("state")) {
		t.Errorf("a player with a worktree is in %s", dir)
	}
}

// Whatever an id is, its room is below the rooms, and nobody else's.
func TestRoomNames(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for _, id := range []string{
		"impl-code-1753000000-a1b2", "", ".", "..", "/", "../../etc", "a/b", "a_b", "a\x00b", "a b", "黒衣-1-abcd", "黒子-1-abcd", ".json",
		strings.Repeat("a", 101), strings.Repeat("a", 102), strings.Repeat("é", 300),
	} {
		name := roomName(messages.AgentID(id))
		if name == "" || len(name) > 120 || strings.ContainsAny(name, "./\\\x00 ") {
			t.Errorf("%q is called %q", id, name)
		}
		if other, ok := seen[name]; ok {
			t.Errorf("%q and %q are both called %q", id, other, name)
		}
		seen[name] = id
	}
	if name := roomName("impl-code-1753000000-a1b2"); name != "impl-code-1753000000-a1b2" {
		t.Errorf("an id is called %q", name)
	}
}

func TestRoomsThatCannotBeHad(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.write("plain/file", "x")
	h.write("empty/file", "x")
	h.gitIn(h.at("empty"), "init", "-q")
	for _, c := range []struct {
		dir, isolation, want string
	}{
		{"plain", "worktree", "no git repository"},
		{"empty", "worktree", "has no commit"},
		{"repo/.git", "worktree", "no git repository"},
		{"nowhere", "worktree", "no directory"},
		{"nowhere", "none", "no directory"},
		{"plain/file", "none", "no directory"},
	} {
		a := messages.Agent{ID: "impl-code-1-abcd", Role: "impl-code", Dir: h.at(c.dir), Isolation: messages.Isolation(c.isolation)}
		_, _, err := h.Enter(t.Context(), a)
		if e := messages.AsError(err); e == nil || e.Code != messages.CodeInvalid || e.Field != "workingDirectory" || e.Remedy == "" || !strings.Contains(e.Message, c.want) {
			t.Errorf("%s in %s: %v", c.isolation, c.dir, err)
		}
		h.empty()
	}
	if _, err := h.Leave(t.Context(), h.guest("nobody-1-abcd")); err == nil {
		t.Error("who never came can leave")
	}
}

func TestWithoutGitThereIsNoWorktree(t *testing.T) {
	h := newHotel(t)
	t.Setenv("PATH", h.at("nothing"))
	_, _, err := h.Enter(t.Context(), h.guest("impl-code-1-abcd"))
	if e := messages.AsError(err); e.Code != messages.CodeInvalid || e.Field != "workingDirectory" || !strings.Contains(e.Error(), "install git") {
		t.Error(err)
	}
}

// Many agents of one repository come and go at once; each sees its own work.
func TestManyWorktreesAtOnce(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	const many = 8
	heard := make(chan error)
	for i := range many {
		go func() {
			for round := range 3 {
				if err := h.stay(h.guest(fmt.Sprintf("impl-code-%d-%04d", round, i))); err != nil {
					heard <- err
					return
				}
			}
			heard <- nil
		}()
	}
	for range many {
		if err := <-heard; err != nil {
			t.Error(err)
		}
	}
	h.open()
	h.open()
	h.empty()
	if got := h.git("status", "--porcelain"); got != "" {
		t.Errorf("the repository has changed: %s", got)
	}
}

func (h *hotel) stay(a messages.Agent) error {
	dir, _, err := h.Enter(h.Context(), a)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "README"), []byte(a.ID), 0o600); err != nil {
		return err
	}
	diff, err := h.Leave(h.Context(), a)
	if err == nil && (!strings.Contains(diff, "+"+string(a.ID)) || strings.Count(diff, "diff --git") != 1) {
		err = fmt.Errorf("%s has changed %s", a.ID, diff)
	}
	return err
}
