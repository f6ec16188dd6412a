package main

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"kurogo/messages"
)

// A site is a project and the directory that holds its state, which is never in
// the project itself.
type site struct {
	project string // absolute, links resolved
	state   string // absolute, mode 0700
	props   string // where the shipped performance writes its files; "" = below the state
}

func (s site) journal() string   { return filepath.Join(s.state, "kurogo.db") }
func (s site) socket() string    { return filepath.Join(s.state, "kurogo.sock") }
func (s site) lock() string      { return filepath.Join(s.state, "kurogo.lock") }
func (s site) startLock() string { return filepath.Join(s.state, "start.lock") }
func (s site) log() string       { return filepath.Join(s.state, "kurogo.log") }

// streams is where the output of agents is kept.
func (s site) streams() string { return filepath.Join(s.state, "streams") }

// worktrees is where isolated agents work.
func (s site) worktrees() string { return filepath.Join(s.state, "worktrees") }

// stage is where the shipped performance writes its files: what is only played
// must not touch the project.
func (s site) stage() string { return cmp.Or(s.props, filepath.Join(s.state, "stage")) }

// home is where one agent may keep its configuration and temporary files.
func (s site) home(agent messages.Address) string {
	return filepath.Join(s.state, "agents", string(agent))
}

// writable says what is wrong with a state directory that cannot be used.
func (s site) writable() error {
	if err := unix.Access(s.state, unix.W_OK|unix.X_OK); err != nil {
		return messages.Errorf(messages.CodeUnavailable, "the state directory %s cannot be written: %v", s.state, err).
			Try("make it writable, or name another with KUROGO_STATE_DIR")
	}
	return nil
}

// findSite decides which project is meant: the flag, KUROGO_PROJECT, the git
// repository around dir, or dir. The whole disk and the home directory are
// nobody's project.
func findSite(flag, dir string, getenv func(string) string) (site, error) {
	project, named := flag, true
	if project == "" {
		project = getenv("KUROGO_PROJECT")
	}
	if project == "" {
		project, named = repository(dir), false
	}
	if !filepath.IsAbs(project) {
		project = filepath.Join(dir, project)
	}
	real, err := filepath.EvalSymlinks(project)
	if err != nil {
		return site{}, messages.Invalid("project", "%v", err).Try("name an existing directory with --project")
	}
	if info, err := os.Stat(real); err != nil || !info.IsDir() {
		return site{}, messages.Invalid("project", "%s is no directory", real).Try("name a directory with --project")
	}
	home, _ := filepath.EvalSymlinks(getenv("HOME"))
	if real == "/" || real == home {
		how := "you are in it"
		if named {
			how = "it was named"
		}
		return site{}, messages.Invalid("project", "%s is no project (%s)", real, how).Try("cd into a project, or name one with --project")
	}
	state, err := stateDir(real, getenv)
	return site{project: real, state: state}, err
}

// repository is the nearest directory upwards that git calls its own, or dir.
func repository(dir string) string {
	for d := dir; ; d = filepath.Dir(d) {
		if _, err := os.Stat(filepath.Join(d, ".git")); err == nil {
			return d
		}
		if d == filepath.Dir(d) {
			return dir
		}
	}
}

// stateDir names the project's state directory and makes it.
func stateDir(project string, getenv func(string) string) (string, error) {
	dir := getenv("KUROGO_STATE_DIR")
	if dir == "" {
		base := getenv("XDG_STATE_HOME")
		if base == "" {
			if getenv("HOME") == "" {
				return "", messages.Errorf(messages.CodeInvalid, "neither HOME nor XDG_STATE_HOME is set").Try("set KUROGO_STATE_DIR")
			}
			base = filepath.Join(getenv("HOME"), ".local", "state")
		}
		sum := sha256.Sum256([]byte(project))
		dir = filepath.Join(base, "kurogo", plain(filepath.Base(project))+"-"+hex.EncodeToString(sum[:4]))
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("find state directory: %w", err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", messages.Errorf(messages.CodeUnavailable, "make state directory: %v", err).Try("name another with KUROGO_STATE_DIR")
	}
	return dir, nil
}

// plain keeps of a name what is short and harmless in a path: a socket's path
// must fit into about a hundred bytes.
func plain(name string) string {
	out := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return '_'
	}, name)
	return out[:min(len(out), 24)]
}
