package main_test

import (
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"kurogo/drivers/modeltest"
)

// A screen is a terminal with the program before it.
type screen struct {
	*testing.T
	keys *os.File
	mu   sync.Mutex
	said strings.Builder
}

func (s *screen) shows() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.said.String()
}

func (s *screen) types(keys, until string) {
	s.Helper()
	if _, err := s.keys.WriteString(keys); err != nil {
		s.Fatal(err)
	}
	if !soon(func() bool { return strings.Contains(s.shows(), until) }) {
		s.Fatalf("after %q the screen does not show %q:\n%q", keys, until, s.shows())
	}
}

// sits puts a verb before a terminal.
func (p *parlour) sits(args ...string) (s *screen, ended func() int) {
	p.Helper()
	keys, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		p.Skip("there are no terminals here")
	}
	number, err := unix.IoctlGetInt(int(keys.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(keys.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err != nil {
		p.Fatal(err)
	}
	far, err := os.OpenFile("/dev/pts/"+strconv.Itoa(number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		p.Fatal(err)
	}
	c := p.kurogo(args...)
	c.Stdin, c.Stdout, c.Stderr = far, far, far
	c.Env = append(c.Env, "TERM=xterm", "COLUMNS=80")
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := c.Start(); err != nil {
		p.Fatal(err)
	}
	far.Close()
	s = &screen{T: p.T, keys: keys}
	var reading sync.WaitGroup
	reading.Go(func() {
		buf := make([]byte, 4096)
		for {
			n, err := keys.Read(buf)
			s.mu.Lock()
			s.said.Write(buf[:n])
			s.mu.Unlock()
			if err != nil {
				return // the program has gone
			}
		}
	})
	return s, func() int {
		_ = c.Wait()
		reading.Wait()
		keys.Close()
		return c.ProcessState.ExitCode()
	}
}

// At a terminal what was typed comes back by the arrow keys, also what was typed
// when the session was last talked in; a key that means nothing asks nobody.
func TestChatRemembersWhatWasTyped(t *testing.T) {
	t.Parallel()
	p := newParlour(t, "en", says("what is it?", modeltest.Step{Text: "a stage"}), says("what is it, then?", modeltest.Step{Text: "a play"}))
	p.opens()
	s, ended := p.sits("chat", "--no-color")
	s.types("what is it?\r", "a stage\r\n")
	s.types("\x1b[24~\x1b[A\x7f, then?\r", "a play\r\n")
	s.types("\x1b[A", "what is it, then?\x1b[K") // and it is not sent
	s.types("\x15/sessions\r", "  what is it?\r\n")
	_, id, _ := strings.Cut(s.shows(), "\n* ")
	s.types("\x04", "")
	if code := ended(); code != 0 || strings.Contains(s.shows(), "kurogo: ") {
		t.Errorf("%d %q", code, s.shows())
	}
	s, ended = p.sits("chat", "--no-color", "--session", strings.Fields(id)[0])
	s.types("\x1b[A\x1b[A", "› what is it?\x1b[K")
	s.types("\x03", "\x1b[?2004l") // Ctrl-C, while a line is typed
	if code := ended(); code != 130 {
		t.Errorf("Ctrl-C ends with %d: %q", code, s.shows())
	}
	n := 0
	for _, r := range p.model.Requests() {
		if asked("?")(r) {
			n++
		}
	}
	if n != 2 {
		t.Errorf("the model was asked %d times", n)
	}
}
