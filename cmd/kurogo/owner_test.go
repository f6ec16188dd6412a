package main_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"kurogo/messages"
	"kurogo/stores/sqlite"
	"kurogo/transport/local"
)

// A theatre is a project with a state directory, in which owners come and go.
type theatre struct {
	*testing.T
	home, project, state string
}

func newTheatre(t *testing.T) *theatre {
	t.Helper()
	state, err := os.MkdirTemp("", "k") //nolint:usetesting // a socket lies in it: its path must be short
	if err != nil {
		t.Fatal(err)
	}
	th := &theatre{t, t.TempDir(), t.TempDir(), state}
	t.Cleanup(func() {
		if t.Failed() {
			log, _ := os.ReadFile(filepath.Join(state, "test.log"))
			t.Logf("the owners' log ends:\n%s", log[max(0, len(log)-8000):])
		}
		_ = os.RemoveAll(state)
	})
	return th
}

// kurogo is the real program in the theatre.
func (th *theatre) kurogo(args ...string) *exec.Cmd {
	c := exec.Command(binary, args...)
	c.Dir = th.project
	c.Env = []string{"HOME=" + th.home, "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "KUROGO_STATE_DIR=" + th.state}
	return c
}

// run runs a verb, which must succeed, and returns its stdout.
func (th *theatre) run(args ...string) string {
	th.Helper()
	c := th.kurogo(args...)
	out, err := c.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			out = append(out, exit.Stderr...)
		}
		th.Fatalf("kurogo %q: %v\n%s", args, err, out)
	}
	return string(out)
}

// An owner is one life of the daemon.
type owner struct {
	*theatre
	cmd   *exec.Cmd
	ended chan struct{}
}

// serve starts an owner and returns when it serves.
func (th *theatre) serve() *owner {
	th.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		th.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	log, err := os.OpenFile(filepath.Join(th.state, "test.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		th.Fatal(err)
	}
	defer func() { _ = log.Close() }()
	c := th.kurogo("serve", "--ready-fd", "3")
	c.Stderr, c.ExtraFiles = log, []*os.File{w}
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	err = c.Start()
	_ = w.Close()
	if err != nil {
		th.Fatal(err)
	}
	o := &owner{th, c, make(chan struct{})}
	go func() {
		_ = c.Wait()
		close(o.ended)
	}()
	word := make([]byte, 4096)
	if n, err := r.Read(word); err != nil || string(word[:n]) != "ready\n" {
		o.kill()
		th.Fatalf("the owner does not serve: %v: %s", err, word[:n])
	}
	return o
}

// kill is the worst that can happen to it.
func (o *owner) kill() {
	_ = o.cmd.Process.Kill()
	<-o.ended
}

func (th *theatre) dial(ctx context.Context) (*local.Client, error) {
	return local.Dial(ctx, filepath.Join(th.state, "kurogo.sock"), local.Hello{Version: "test", Schema: sqlite.Schema()})
}

// ask asks the owner once.
func ask[T messages.Message](ctx context.Context, th *theatre, m messages.Message) (T, error) {
	var none T
	c, err := th.dial(ctx)
	if err != nil {
		return none, err
	}
	defer c.Close()
	answer, err := c.Ask(ctx, m)
	if err != nil {
		return none, err
	}
	return answer.(T), nil
}
