package files_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"kurogo/files"
	"kurogo/messages"
)

// everything tries all that the gateway can do with a path, and tells whether a
// secret came out. What it may write is harmless.
func (s *stage) everything(path string) (leaked bool) {
	ctx := s.t.Context()
	provenance := messages.Provenance{Task: s.task}
	content, _ := s.read(path)
	list, _ := s.List(ctx, messages.ListFiles{Path: path})
	found, _ := s.Search(ctx, messages.SearchText{Path: path, Pattern: secret})
	_, _ = s.Stat(ctx, messages.StatFile{Path: path})
	for _, mode := range []messages.WriteMode{create, overwrite, adds} {
		_, _ = s.Write(ctx, messages.WriteFile{Path: path, Content: "PWN", Mode: mode, Provenance: provenance})
	}
	_, _ = s.patch(s.task, "--- a/"+path+"\n+++ b/"+path+"\n@@ -1 +1 @@\n-"+secret+"\n\\ No newline at end of file\n+PWN\n")
	_, _ = s.patch(s.task, "--- /dev/null\n+++ b/"+path+"\n@@ -0,0 +1 @@\n+PWN\n")
	_, _ = s.Delete(ctx, messages.DeleteFile{Path: path, Provenance: provenance})
	for _, f := range list.Files {
		leaked = leaked || f.Name == canary
	}
	return leaked || strings.Contains(content, secret) || len(found.Matches) > 0
}

// openDir is a number under which the root can be named shortly.
func (s *stage) openDir() uintptr {
	d, err := os.Open(s.in)
	s.must(err)
	s.t.Cleanup(func() { _ = d.Close() })
	return d.Fd()
}

var lax = files.Options{Delete: true, Quota: files.Quota{Changes: 1 << 30, Bytes: 1 << 40}}

// The list of attacks: what os.Root stops and what it does not.
func TestAttackList(t *testing.T) {
	attacks := map[string]struct {
		prepare func(s *stage)
		paths   []string
	}{
		"paths": {nil, []string{
			"../out/secret.txt", "d/../../out/secret.txt", "$out/secret.txt", "./../out/secret.txt", "..", "d/../..", "$in/../out/secret.txt", "$in-x/a.txt",
			"ok.txt/../../out/secret.txt", "no/../../out/secret.txt", "..\\out\\secret.txt", "ok.txt\x00/../x.txt", "\xff.txt", "/proc/self/root$out/secret.txt", "//$out/secret.txt",
			strings.Repeat("a/", 3000) + "x.txt", strings.Repeat("a", 5000), "%2e%2e/out/secret.txt", "～/secret.txt", ".../secret.txt", "d/e/../../../out/secret.txt",
		}},
		"links outward": {func(s *stage) {
			for name, to := range map[string]string{
				"abs.txt": s.out + "/secret.txt", "rel.txt": "../out/secret.txt", "dir": "../out", "chain": "dir", "tricky.txt": "d/../../out/secret.txt",
				"dangle.txt": "../out/new.txt", "loop.txt": "loop.txt", "magic.txt": "/proc/self/root" + s.out + "/secret.txt", "two.txt": "rel.txt", "inside": "d/e",
			} {
				s.must(os.Symlink(to, s.in+"/"+name))
			}
		}, []string{
			"abs.txt", "rel.txt", "dir", "dir/secret.txt", "dir/new.txt", "dir/sub/new.txt", "chain/secret.txt", "tricky.txt", "dangle.txt", "loop.txt", "magic.txt", "two.txt",
			"inside/../../../out/secret.txt", "chain/../secret.txt",
		}},
		"hard links": {func(s *stage) { s.must(os.Link(s.out+"/secret.txt", s.in+"/hard.txt")) }, []string{"hard.txt", "d/../hard.txt"}},
		"hard links in our own name": {func(s *stage) {
			s.must(os.Link(s.out+"/secret.txt", s.in+"/hard.txt"))
			s.must(os.Link(s.out+"/secret.txt", s.in+"/.kurogo-feed"))
		}, []string{"hard.txt", ".kurogo-feed", ".KUROGO-feed"}},
		"fifos": {func(s *stage) { s.must(syscall.Mkfifo(s.in+"/fifo.txt", 0o644)) }, []string{"fifo.txt", "fifo.txt/x.txt", "fifo.txt/../x.txt"}},
		"sockets": {func(s *stage) {
			fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
			s.must(err)
			short := fmt.Sprintf("/proc/self/fd/%d/s.txt", s.openDir()) // a socket's name is short
			s.must(unix.Bind(fd, &unix.SockaddrUnix{Name: short}))
			s.must(unix.Close(fd))
		}, []string{"s.txt"}},
		"devices": {func(s *stage) {
			if err := syscall.Mknod(s.in+"/zero.txt", syscall.S_IFCHR|0o666, int(unix.Mkdev(1, 5))); err != nil {
				s.t.Skip(err) // not root
			}
		}, []string{"zero.txt"}},
		"sparse giants": {func(s *stage) {
			s.has("sparse.txt", "x")
			s.must(os.Truncate(s.in+"/sparse.txt", 1<<40))
		}, []string{"sparse.txt"}},
		"mounts": {func(s *stage) {
			if err := syscall.Mount("kurogo", s.in+"/d", "tmpfs", 0, ""); err != nil {
				s.t.Skip(err) // not root, or not allowed
			}
			s.must(os.WriteFile(s.in+"/d/secret.txt", []byte(secret), 0o644))
			s.t.Cleanup(func() { _ = syscall.Unmount(s.in+"/d", syscall.MNT_DETACH) })
		}, []string{"d/secret.txt", "d", "d/new.txt", "d/e/new.txt"}},
		"another root in the same place": {func(s *stage) {
			s.must(os.Rename(s.in, s.in+"-moved"))
			s.must(os.Symlink("out", s.in))
		}, []string{"secret.txt", "new.txt"}},
	}
	for what, a := range attacks {
		t.Run(what, func(t *testing.T) {
			s := newStage(t, lax)
			s.task = "attack"
			s.has("ok.txt", "ok")
			s.must(os.MkdirAll(s.in+"/d/e", 0o755))
			if a.prepare != nil {
				a.prepare(s)
			}
			for _, path := range a.paths {
				path = strings.NewReplacer("$out", s.out, "$in", s.in).Replace(path)
				if s.everything(path) {
					t.Errorf("%.60q leaks", path)
				}
			}
			if b, err := os.ReadFile(s.out + "/secret.txt"); err != nil || string(b) != secret {
				t.Errorf("the secret is %q, %v", b, err)
			}
			if names, _ := os.ReadDir(s.out); len(names) != 2 {
				t.Errorf("outside there is %v", names)
			}
		})
	}
}

// What the gateway writes is never run by the user's own tools.
func TestAHookIsNotWritten(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip(err)
	}
	s := newStage(t, files.Options{Extensions: []string{"", ".md"}})
	run := func(args ...string) {
		c := exec.Command(git, append([]string{"-C", s.in, "-c", "user.name=a", "-c", "user.email=a@b"}, args...)...)
		c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v", out, err)
		}
	}
	run("init", "-q")
	s.must(os.Symlink(".git", s.in+"/g"))
	s.must(os.Symlink(".git/hooks", s.in+"/h"))
	for _, path := range []string{".git/hooks/pre-commit", "g/hooks/pre-commit", "h/pre-commit", ".Git/hooks/pre-commit", "d/../.git/hooks/pre-commit", ".git./hooks/pre-commit"} {
		refused(t, s.write(path, "#!/bin/sh\ntouch "+s.out+"/pwned\n", create), 403)
	}
	run("commit", "-q", "--allow-empty", "-m", "x")
	s.unharmed()
}

// A link inside leads inside, for readers; its end must be of an allowed kind.
func TestLinksInside(t *testing.T) {
	s := newStage(t, files.Options{})
	s.has("d/a.md", "a")
	s.has(".env", "KEY=1")
	for name, to := range map[string]string{"l.md": "d/a.md", "d/up.md": "../l.md", "k": "d", "env.md": ".env"} {
		s.must(os.Symlink(to, s.in+"/"+name))
	}
	for _, path := range []string{"l.md", "d/up.md", "k/a.md", "k/up.md"} {
		if got, err := s.read(path); err != nil || got != "a" {
			t.Errorf("%s: %q, %v", path, got, err)
		}
	}
	_, err := s.read("env.md")
	refused(t, err, 400, "extension")
	for _, path := range []string{"l.md", "k/a.md", "k/new.md"} {
		refused(t, s.write(path, "x", overwrite), 403, "symbolic link")
	}
	s.wants("d/a.md", "a")
}

// Ten thousand paths, put together of what attackers use, lead nowhere.
func TestHostilePaths(t *testing.T) {
	t.Parallel()
	s := newStage(t, lax)
	s.has("a/b/ok.txt", "ok")
	for name, to := range map[string]string{"l": "../out", "a/l": "../../out", "a/b/l": s.out, "f.txt": "../out/secret.txt", "i": "a", "a/n.txt": "../../out/new.txt"} {
		s.must(os.Symlink(to, s.in+"/"+name))
	}
	s.must(os.Link(s.out+"/secret.txt", s.in+"/a/h.txt"))
	parts := []string{"..", ".", "", "a", "b", "l", "i", "out", "secret.txt", "ok.txt", "f.txt", "h.txt", "n.txt", "new.txt", "...", ".. ", "..\\", "%2e%2e", "~", "\x00", "\u202e", "C:", "proc", "self", "root", s.out, s.in, "in", ".git", ".kurogo-x"}
	rng := rand.New(rand.NewPCG(1, 7))
	escapes := 0
	for range 10_000 {
		var b strings.Builder
		if rng.IntN(5) == 0 {
			b.WriteByte('/')
		}
		for i := range 1 + rng.IntN(8) {
			if i > 0 {
				b.WriteByte('/')
			}
			b.WriteString(parts[rng.IntN(len(parts))])
		}
		path := b.String()
		leaked := s.everything(path)
		if got, err := os.ReadFile(s.out + "/secret.txt"); leaked || err != nil || string(got) != secret {
			t.Errorf("%q: leaked %v, the secret is %q, %v", path, leaked, got, err)
			escapes++
		}
	}
	if names, _ := os.ReadDir(s.out); len(names) != 2 {
		t.Errorf("outside there is %v", names)
	}
	t.Logf("10000 hostile paths, %d escapes", escapes)
}

// An attacker beside us who swaps a directory for a link, and moves it out, gains
// nothing.
func TestARenamingAttacker(t *testing.T) {
	t.Parallel()
	s := newStage(t, lax)
	s.has("sw/secret.txt", "fine")
	s.has("mv/d/secret.txt", "fine")
	s.must(os.Symlink("../out", s.in+"/lnk"))
	s.must(os.Symlink("../out/secret.txt", s.in+"/flnk"))
	s.has("f.txt", "fine")
	s.has("pipe/a.txt", "fine")
	s.must(mkfifo(s.in + "/fifo"))
	var stop atomic.Bool
	done := make(chan struct{})
	go func() {
		defer close(done)
		for !stop.Load() {
			_ = unix.Renameat2(unix.AT_FDCWD, s.in+"/sw", unix.AT_FDCWD, s.in+"/lnk", unix.RENAME_EXCHANGE)
			_ = unix.Renameat2(unix.AT_FDCWD, s.in+"/f.txt", unix.AT_FDCWD, s.in+"/flnk", unix.RENAME_EXCHANGE)
			_ = unix.Renameat2(unix.AT_FDCWD, s.in+"/pipe", unix.AT_FDCWD, s.in+"/fifo", unix.RENAME_EXCHANGE)
			_ = os.Rename(s.in+"/mv/d", s.out+"/d")
			_ = os.Rename(s.out+"/d", s.in+"/mv/d")
		}
	}()
	end := time.Now().Add(500 * time.Millisecond)
	tries := 0
	for ; time.Now().Before(end); tries++ {
		for _, path := range []string{"sw/secret.txt", "f.txt", "pipe/a.txt", "mv/d/../../../out/secret.txt"} {
			if got, _ := s.read(path); strings.Contains(got, secret) {
				t.Fatalf("%s leaks", path)
			}
		}
		for _, path := range []string{"sw/new.txt", "f.txt", "pipe/new.txt", "sw/secret.txt"} {
			_ = s.write(path, "PWN", overwrite)
		}
	}
	stop.Store(true)
	<-done
	if b, err := os.ReadFile(s.out + "/secret.txt"); err != nil || string(b) != secret {
		t.Errorf("the secret is %q, %v", b, err)
	}
	if _, err := os.Stat(s.out + "/new.txt"); err == nil {
		t.Error("a file was written outside")
	}
	t.Logf("%d rounds", tries)
}
