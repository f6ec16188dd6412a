package main_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"kurogo/messages"
)

// A full disk refuses what is new, by name, and loses nothing that was accepted:
// an answer that finds no room waits until there is some.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	th := newTheatre(t)
	th.smallDisk()
	th.write("kurogo.toml", "language = \"en\"\n[drivers.rehearsal]\nperformance = \"play.toml\"\n")
	th.write("play.toml", `[[scene]]
who = "grand_boss"
match = "before"
[[scene.line]]
wait = "400ms"
write = { path = "worked.txt", content = "yes" }
[[scene.line]]
say = "worked"
[[scene]]
who = "grand_boss"
[[scene.line]]
say = "done"
`)
	o := th.serve()
	t.Cleanup(func() { o.kill() })
	th.run("submit", "first", "--wait") // the player is up
	task := strings.TrimSpace(th.run("submit", "before"))
	th.fillDisk()
	refused := func() bool {
		_, err := ask[messages.Accepted](context.Background(), th, messages.Submit{Message: messages.CCMessage{Content: "too much"}})
		return messages.IsCode(err, messages.CodeUnavailable) && strings.Contains(err.Error(), "the disk is full. Remedy: free some space")
	}
	eventually(t, "a submission is refused because the disk is full", refused)
	eventually(t, "the work is done that cannot be written down", func() bool {
		_, err := os.Stat(filepath.Join(th.project, "worked.txt"))
		return err == nil && refused()
	})
	out, err := th.kurogo("submit", "too much").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "kurogo: unavailable: write journal: the disk is full. Remedy: ") {
		t.Errorf("submit on a full disk: %v: %s", err, out)
	}
	if err := os.Remove(filepath.Join(th.state, "ballast")); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the task that was on completes", func() bool {
		return strings.Contains(th.run("task", task), "grand_boss  completed")
	})
	if out := th.run("submit", "afterwards", "--wait"); !strings.Contains(out, "done") {
		t.Errorf("afterwards: %s", out)
	}
	if out := th.run("doctor", "--journal", "--json"); strings.Contains(out, `"subject"`) {
		t.Errorf("the journal breaks its promises: %s", out)
	}
	th.run("stop")
	eventually(t, "every process is gone", func() bool { return len(traces(th.home)) == 0 })
}

// A disk that became read-only is named, and what is on it is not lost.
func TestReadOnlyDisk(t *testing.T) {
	t.Parallel()
	th := newTheatre(t)
	th.smallDisk()
	th.write("kurogo.toml", "language = \"en\"\n[drivers.rehearsal]\nperformance = \"play.toml\"\n")
	th.write("play.toml", "[[scene]]\nwho = \"grand_boss\"\n[[scene.line]]\nsay = \"done\"\n")
	th.run("submit", "first", "--wait")
	th.run("stop")
	eventually(t, "the owner has closed its files", func() bool { return len(traces(th.home)) == 0 })
	th.remount(syscall.MS_RDONLY)
	for _, args := range [][]string{{"submit", "second"}, {"serve"}, {"submit", "second", "--standalone"}, {"doctor"}, {"doctor", "--journal"}} {
		c := th.kurogo(args...)
		out, _ := c.CombinedOutput()
		if c.ProcessState.ExitCode() != messages.CodeUnavailable.Exit() || !strings.Contains(string(out), "read-only") || !strings.Contains(string(out), "KUROGO_STATE_DIR") {
			t.Errorf("kurogo %q on a read-only disk: %s: %s", args, c.ProcessState, out)
		}
	}
	th.remount(0)
	if out := th.run("tasks"); !strings.Contains(out, "first") || strings.Contains(out, "second") {
		t.Errorf("afterwards: %s", out)
	}
	th.run("stop")
}

// smallDisk puts the state directory on a disk of its own.
func (th *theatre) smallDisk() {
	th.Helper()
	if err := syscall.Mount("tmpfs", th.state, "tmpfs", 0, "size=4m,mode=0700"); err != nil {
		th.Skipf("no small disk can be made here, so this story is left out: mount: %v", err)
	}
	th.Cleanup(func() { _ = syscall.Unmount(th.state, syscall.MNT_DETACH) })
}

func (th *theatre) remount(flags uintptr) {
	th.Helper()
	if err := syscall.Mount("tmpfs", th.state, "tmpfs", syscall.MS_REMOUNT|flags, "size=4m,mode=0700"); err != nil {
		th.Fatal(err)
	}
}

func (th *theatre) write(name, text string) {
	th.Helper()
	if err := os.WriteFile(filepath.Join(th.project, name), []byte(text), 0o600); err != nil {
		th.Fatal(err)
	}
}

// fillDisk leaves not a byte.
func (th *theatre) fillDisk() {
	th.Helper()
	f, err := os.Create(filepath.Join(th.state, "ballast"))
	if err != nil {
		th.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	for size := 64 << 10; size > 0; size /= 2 {
		for err = nil; err == nil; _, err = f.Write(make([]byte, size)) {
			continue
		}
		if !errors.Is(err, syscall.ENOSPC) {
			th.Fatal(err)
		}
	}
}
