package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"kurogo/drivers/process"
	"kurogo/messages"
)

// rooms are where agents work: in the directory that they were asked to work in,
// or in a git worktree of it; and each has a home for the configuration of its
// CLI, which ends with it. It implements actors.Rooms.
type rooms struct {
	site    site
	log     *slog.Logger
	exec    process.Exec
	shipped map[string]bool // the drivers whose agents play: they must not touch the project
	listing sync.Mutex      // over git's list of a repository's worktrees
}

// A ledger is where the rooms write down what lost agents left behind.
type ledger interface {
	Agent(ctx context.Context, id messages.AgentID) (messages.AgentDetail, error)
	Commit(ctx context.Context, c messages.Change) (messages.Outcome, error)
}

// sweepTimeout bounds how long opening may take because of rooms: whoever
// started the owner waits. What is left then is swept at the next opening.
const sweepTimeout = 10 * time.Second

// openRooms opens the rooms of a site before anybody works there. So what is in
// them belongs to agents of a former owner, and is put away.
func openRooms(ctx context.Context, s site, d drivers, l ledger, log *slog.Logger) (*rooms, error) {
	r := &rooms{site: s, log: log, shipped: d.shipped}
	if err := os.MkdirAll(r.trees(), 0o700); err != nil {
		return nil, messages.Errorf(messages.CodeUnavailable, "make rooms: %v", err).Try("make the state directory writable")
	}
	ctx, cancel := context.WithTimeout(ctx, sweepTimeout)
	defer cancel()
	r.sweep(ctx, l)
	return r, nil
}

// sweep puts away what former owners left. It is no reason not to open.
func (r *rooms) sweep(ctx context.Context, l ledger) {
	complain := func(path string, err error) {
		if err != nil {
			r.log.Warn("sweep rooms", "path", path, "err", err)
		}
	}
	complain(r.homes(), clearAway(r.homes()))
	entries, err := os.ReadDir(r.trees())
	complain(r.trees(), err)
	for _, e := range entries {
		if ctx.Err() != nil {
			complain(r.trees(), ctx.Err())
			return
		}
		path := filepath.Join(r.trees(), e.Name())
		if tree, noted := strings.CutSuffix(path, noteSuffix); noted {
			complain(path, r.sweepTree(ctx, l, tree))
		} else if _, err := os.Lstat(path + noteSuffix); e.IsDir() && err != nil {
			complain(path, clearAway(path)) // git has heard of none
		}
	}
}

// sweepTree ends a worktree of a former owner. What its agent had changed goes
// into the journal, which may take it lazily: so note and patch stay until a later
// opening finds it there.
func (r *rooms) sweepTree(ctx context.Context, l ledger, path string) error {
	t, err := readTree(path)
	if err != nil || t.Kept != "" && t.there() {
		return err
	}
	diff, err := r.fell(ctx, t)
	if err != nil || diff == "" {
		return err
	}
	a, err := l.Agent(ctx, t.Agent)
	switch {
	case messages.IsCode(err, messages.CodeNotFound): // the journal is another one
		r.log.Warn("found the work of an unknown agent", "agent", t.Agent, "patch", t.patch())
		return os.Remove(t.note())
	case err != nil:
		return err
	case a.Run.Diff == "":
		r.log.Warn("found the work of a lost agent", "agent", t.Agent)
		a.Run.Diff = diff
		if _, err = l.Commit(ctx, messages.KeepRun{Agent: t.Agent, Run: a.Run, Now: time.Now()}); err == nil {
			_, err = l.Commit(ctx, messages.Due{Now: time.Now()}) // is answered when what came before it is durable
		}
		return err
	case t.there(): // it was kept just now
		return nil
	}
	return t.forget()
}

func (r *rooms) homes() string { return filepath.Join(r.site.state, "homes") }

// home is short, because a CLI may put a socket below it.
func (r *rooms) home(id messages.AgentID) string {
	return filepath.Join(r.homes(), digest(id))
}

func digest(id messages.AgentID) string {
	sum := sha256.Sum256([]byte(id))
	return hex.EncodeToString(sum[:6])
}

// roomName is the agent's id where it can be the name of a file.
func roomName(id messages.AgentID) string {
	clean := strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' {
			return c
		}
		return '_'
	}, string(id))
	if clean == string(id) && clean != "" && len(clean) <= 100 {
		return clean
	}
	return clean[:min(len(clean), 40)] + "-" + digest(id)
}

// Enter prepares an agent's room. Errors: invalid when the directory cannot be
// used as the role wants it.
func (r *rooms) Enter(ctx context.Context, a messages.Agent) (dir, home string, err error) {
	home = r.home(a.ID)
	if err := clearAway(home); err != nil { // of an incarnation that fell
		return "", "", fmt.Errorf("enter room: %w", err)
	}
	if err := os.MkdirAll(home, 0o700); err != nil {
		return "", "", fmt.Errorf("enter room: %w", err)
	}
	if dir, err = r.enter(ctx, a, home); err != nil {
		return "", "", errors.Join(err, clearAway(home))
	}
	return dir, home, nil
}

func (r *rooms) enter(ctx context.Context, a messages.Agent, home string) (dir string, err error) {
	if a.Dir == "" { // it only says how it is
		dir = filepath.Join(home, "empty")
		return dir, os.Mkdir(dir, 0o700)
	}
	if info, err := os.Stat(a.Dir); err != nil || !info.IsDir() {
		return "", messages.Invalid("workingDirectory", "%s is no directory any more", a.Dir).Try("make it again, or name another one")
	}
	switch {
	case a.Isolation == messages.IsolationWorktree:
		return r.plant(ctx, a)
	case r.shipped[a.Driver]:
		return r.site.stage(), nil
	}
	return a.Dir, nil
}

// Leave gives an agent's room back. diff is what the agent changed in its
// worktree.
func (r *rooms) Leave(ctx context.Context, a messages.Agent) (diff string, err error) {
	if a.Isolation == messages.IsolationWorktree {
		t, missing := readTree(r.tree(a.ID))
		if missing != nil {
			return "", errors.Join(missing, clearAway(r.home(a.ID)))
		}
		diff, err = r.fell(ctx, t)
	}
	return diff, errors.Join(err, clearAway(r.home(a.ID)))
}

// clearAway removes a directory with everything in it, also what an agent has
// made read-only.
func clearAway(dir string) error {
	err := os.RemoveAll(dir)
	if err == nil {
		return nil
	}
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, _ error) error { // RemoveAll says what did not help
		if e != nil && e.IsDir() {
			_ = os.Chmod(path, 0o700) //nolint:gosec // a directory must be entered to be emptied
		}
		return nil
	})
	return os.RemoveAll(dir)
}
