package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"kurogo/drivers/process"
	"kurogo/messages"
)

// A worktree is the note that lies beside a git worktree of an agent. It is
// written before there is anything to find, so that nothing stays behind
// unnoticed, whenever we fall.
type worktree struct {
	Agent  messages.AgentID `json:"agent"`
	Common string           `json:"common"`         // git's directory of the repository
	Base   string           `json:"base"`           // the commit that it began from
	Git    string           `json:"git,omitempty"`  // git's directory of the worktree; "" until all files are there
	Kept   string           `json:"kept,omitempty"` // why it is not removed

	path string
}

func (r *rooms) trees() string { return r.site.worktrees() }

func (r *rooms) tree(id messages.AgentID) string { return filepath.Join(r.trees(), roomName(id)) }

const noteSuffix, patchSuffix = ".json", ".diff"

func (t *worktree) note() string  { return t.path + noteSuffix }
func (t *worktree) patch() string { return t.path + patchSuffix }

func (t *worktree) there() bool {
	_, err := os.Lstat(t.path)
	return err == nil
}

func (t *worktree) write() error {
	b, err := json.Marshal(t)
	if err == nil {
		err = os.WriteFile(t.note()+".new", b, 0o600)
	}
	if err == nil {
		err = os.Rename(t.note()+".new", t.note())
	}
	if err != nil {
		return fmt.Errorf("note worktree: %w", err)
	}
	return nil
}

func readTree(path string) (*worktree, error) {
	t := &worktree{path: path}
	b, err := os.ReadFile(t.note())
	if err == nil {
		err = json.Unmarshal(b, t)
	}
	if err != nil {
		return nil, fmt.Errorf("read note of worktree: %w", err)
	}
	return t, nil
}

// plant makes the agent's worktree: the last commit of the repository around the
// directory that it was asked to work in. What is not committed there stays
// there. It returns the same directory within the worktree.
func (r *rooms) plant(ctx context.Context, a messages.Agent) (dir string, err error) {
	top, err := r.git(ctx, a.Dir, "rev-parse", "--show-toplevel")
	switch {
	case messages.IsCode(err, messages.CodeUnavailable):
		return "", unfit(a, "git is missing").Try(`install git, or set isolation = "none" for the role ` + a.Role)
	case ctx.Err() != nil:
		return "", err
	case err != nil:
		return "", unfit(a, "it is in no git repository: %v", err).Try(`run git init and commit, or set isolation = "none" for the role ` + a.Role)
	}
	t := &worktree{Agent: a.ID, path: r.tree(a.ID)}
	if t.Base, err = r.git(ctx, top, "rev-parse", "--verify", "HEAD^{commit}"); err != nil {
		if ctx.Err() != nil {
			return "", err
		}
		return "", unfit(a, "its repository %s has no commit", top).Try(`commit something, or set isolation = "none" for the role ` + a.Role)
	}
	if t.Common, err = r.git(ctx, top, "rev-parse", "--git-common-dir"); err != nil {
		return "", err
	}
	if !filepath.IsAbs(t.Common) {
		t.Common = filepath.Join(top, t.Common)
	}
	below, err := within(top, a.Dir)
	if err != nil {
		return "", err
	}
	if old, err := readTree(t.path); err == nil { // of a former attempt
		if err := r.remove(ctx, old); err != nil {
			return "", err
		}
	}
	if err := r.grow(ctx, t, top, below); err != nil {
		return "", errors.Join(err, r.remove(ctx, t))
	}
	return filepath.Join(t.path, below), nil
}

func unfit(a messages.Agent, format string, args ...any) *messages.Error {
	return messages.Invalid("workingDirectory", a.Dir+" cannot have a worktree: "+format, args...)
}

// within is the path from top to dir, with all links resolved.
func within(top, dir string) (string, error) {
	top, err := filepath.EvalSymlinks(top)
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err == nil {
		dir, err = filepath.Rel(top, dir)
	}
	if err != nil || !filepath.IsLocal(dir) {
		return "", messages.Invalid("workingDirectory", "%s is not within %s", dir, top).Try("name a directory of the repository")
	}
	return dir, nil
}

func (r *rooms) grow(ctx context.Context, t *worktree, top, below string) (err error) {
	if err := t.write(); err != nil {
		return err
	}
	r.listing.Lock()
	_, err = r.git(ctx, top, "worktree", "add", "--quiet", "--detach", "--no-checkout", t.path, t.Base)
	r.listing.Unlock()
	if err != nil {
		return err
	}
	git, err := r.git(ctx, t.path, "rev-parse", "--absolute-git-dir")
	if err == nil {
		_, err = r.git(ctx, t.path, "reset", "--quiet", "--hard", "--no-recurse-submodules")
	}
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(t.path)
	if err != nil {
		return fmt.Errorf("open worktree: %w", err)
	}
	defer root.Close()
	if err := root.MkdirAll(below, 0o755); err != nil { // it may hold nothing that is committed
		return fmt.Errorf("make directory in worktree: %w", err)
	}
	t.Git = git
	return t.write()
}

// remove takes a worktree away with all that is known of it.
func (r *rooms) remove(ctx context.Context, t *worktree) error {
	return errors.Join(r.uproot(ctx, t), t.forget())
}

// forget removes the note, and a patch that results hold whole.
func (t *worktree) forget() error {
	if _, whole, err := t.read(); err == nil && whole {
		_ = os.Remove(t.patch()) // there may be none
	}
	if err := os.Remove(t.note()); err != nil {
		return fmt.Errorf("forget worktree: %w", err)
	}
	return nil
}

// uproot removes the directory and git's entry of it. A directory that is only
// half there would look like one whose files the agent deleted: so it first gets
// a name that nobody looks for.
func (r *rooms) uproot(ctx context.Context, t *worktree) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), tidyTimeout)
	defer cancel()
	const gone = ".gone"
	if err := os.Rename(t.path, t.path+gone); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove worktree: %w", err)
	}
	if err := clearAway(t.path + gone); err != nil {
		return fmt.Errorf("remove worktree: %w", err)
	}
	r.listing.Lock()
	defer r.listing.Unlock()
	// An entry that is not there, or whose repository is gone, needs no removing.
	if _, err := r.git(ctx, r.trees(), "--git-dir="+t.Common, "worktree", "remove", "--force", "--force", t.path); err != nil {
		r.log.Debug("remove worktree", "agent", t.Agent, "err", err)
	}
	return nil
}

// tidyTimeout bounds what must be done although nobody waits any more.
const tidyTimeout = 20 * time.Second

// git runs git in dir and returns what it says on stdout, without the last line's
// end. Of its configuration nothing may start programs of its own here.
func (r *rooms) git(ctx context.Context, dir string, args ...string) (string, error) {
	env := process.Environ(os.Environ(), map[string]string{"GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"})
	quiet := []string{
		"git", "-c", "core.hooksPath=" + os.DevNull, "-c", "core.fsmonitor=false", "-c", "gc.auto=0", "-c", "maintenance.auto=false",
		"-c", "diff.noprefix=false", "-c", "diff.mnemonicPrefix=false", "-c", "diff.submodule=short", "-c", "advice.addEmbeddedRepo=false",
	}
	out, said, code, err := r.exec.Run(ctx, dir, env, append(quiet, args...)...)
	if err == nil && code != 0 {
		err = errors.New(short(clean(said), 500))
	}
	if err != nil {
		return "", fmt.Errorf("git %s: %w", firstWord(args), err)
	}
	return strings.TrimSuffix(string(out), "\n"), nil
}

// firstWord is the verb of a git command line.
func firstWord(args []string) string {
	for _, a := range args {
		if !strings.HasPrefix(a, "-") {
			return a
		}
	}
	return ""
}
