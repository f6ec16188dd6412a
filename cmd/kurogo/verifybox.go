package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"kurogo/config"
	"kurogo/drivers/process"
	"kurogo/files"
	"kurogo/messages"
)

// The levels at which a program of a run is shut in.
const (
	boxBubble = "bubblewrap"
	boxNone   = "none"
)

// A box shuts a program in, where bubblewrap can do so: it reads what the system
// has, but neither our own state nor the places where keys usually are; it writes
// below the root, in a /tmp and a cache of its own; it has no network, and sees no
// other process. It ends with us.
type box struct {
	cfg  config.Run
	site site

	mu     sync.Mutex
	tried  bool
	bubble bool
	why    string // it is not
}

// trying bounds how long the box may take to say that it works.
const trying = 10 * time.Second

// level says what holds, and why it is no better.
func (b *box) level(ctx context.Context) (level, why string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.tried {
		b.bubble, b.why = b.try(ctx)
		b.tried = ctx.Err() == nil
	}
	if b.bubble {
		return boxBubble, ""
	}
	return boxNone, b.why
}

// try runs ourselves in the box: that it is installed does not mean that this
// kernel lets it.
func (b *box) try(ctx context.Context) (works bool, why string) {
	if b.cfg.Sandbox == config.SandboxOff {
		return false, "run.sandbox is off"
	}
	if !installed("bwrap") {
		return false, "bubblewrap is not installed"
	}
	self, err := os.Executable()
	if err != nil {
		return false, err.Error()
	}
	ctx, cancel := context.WithTimeout(ctx, trying)
	defer cancel()
	argv := append([]string{"bwrap"}, append(frame(), "--chdir", "/", "--", self, "version")...)
	_, said, code, err := process.Exec{}.Run(ctx, "/", nil, argv...)
	switch {
	case err != nil:
		return false, messages.AsError(err).Message
	case code != 0:
		return false, "bubblewrap does not work here: " + clean(messages.Cut(said, 200))
	}
	return true, ""
}

// frame is what every box has.
func frame() []string {
	return []string{
		"--die-with-parent", "--new-session", "--unshare-net", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--cap-drop", "ALL",
		"--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc",
	}
}

// secretPlaces are where people keep keys, below their home.
var secretPlaces = []string{
	".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".config/gcloud", ".config/gh", ".netrc", ".git-credentials", ".npmrc", ".pypirc",
	".claude", ".claude.json", ".codex", ".cursor", ".config/cursor", ".password-store", ".local/share/keyrings", ".local/state/kurogo",
}

// doors are sockets behind which somebody does what he is told: a network of one's
// own does not close them.
var doors = []string{"/run/user", "/run/dbus", "/run/docker.sock", "/run/podman", "/run/containerd", "/run/systemd/private", "/run/snapd.socket"}

// wrap puts a command into the box. What is said later hides what was said before.
func (b *box) wrap(root, cache string, argv []string) (path string, args []string) {
	args = frame()
	hide := func(place string) {
		switch info, err := os.Stat(place); {
		case place == "", err != nil:
		case info.IsDir():
			args = append(args, "--tmpfs", place)
		default:
			args = append(args, "--ro-bind", "/dev/null", place)
		}
	}
	if home, err := os.UserHomeDir(); err == nil {
		for _, place := range secretPlaces {
			hide(filepath.Join(home, place))
		}
	}
	for _, place := range append(slices.Clone(doors), os.Getenv("XDG_RUNTIME_DIR")) {
		hide(place)
	}
	args = append(args, "--tmpfs", "/tmp", "--setenv", "TMPDIR", "/tmp")
	if inDir(argv[0], "/tmp") { // it would be hidden itself
		args = append(args, "--ro-bind", argv[0], argv[0])
	}
	hide(b.site.state)
	args = append(args, "--bind", cache, cache, "--bind", root, root)
	for _, name := range files.Kept {
		if kept := filepath.Join(root, name); exists(kept) {
			args = append(args, "--ro-bind", kept, kept)
		}
	}
	args = append(args, "--chdir", root, "--")
	return "bwrap", append(args, argv...)
}

func inDir(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, "../")
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// sandbox says in the doctor's words what holds for what a run starts.
func (p *program) sandbox(ctx context.Context) finding {
	b := &box{cfg: p.cfg.Run, site: p.site}
	level, why := b.level(ctx)
	if level == boxBubble {
		return finding{"sandbox", true, "bubblewrap: what a run verifies with has no network, sees none of the usual places of keys, and writes below its root only"}
	}
	return finding{"sandbox", p.cfg.Run.Sandbox != config.SandboxRequired, "none (" + why + "): what a run verifies with may do whatever you may"}
}
