package process

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"

	"kurogo/messages"
)

// Look finds a command as Start would. Errors: unavailable, naming it.
func Look(command string) (string, error) {
	path, err := exec.LookPath(command)
	if err == nil {
		path, err = filepath.Abs(path) // a life has a directory of its own
	}
	if err != nil {
		return "", missing(command, err)
	}
	return path, nil
}

func missing(command string, err error) *messages.Error {
	return messages.Errorf(messages.CodeUnavailable, "the command %q cannot be started: %v", command, err).
		Try("install it, or name another one in kurogo.toml")
}

// Check says, without starting it, what is missing of a command. Errors:
// unavailable when the program is missing, invalid when its directory is.
func Check(c Command) error {
	_, err := c.check()
	return err
}

func (c Command) check() (path string, err error) {
	if path, err = Look(c.Path); err != nil {
		return "", err
	}
	if info, err := os.Stat(c.Dir); c.Dir != "" && (err != nil || !info.IsDir()) {
		return "", messages.Invalid("dir", "%q is no directory", c.Dir).Try("make it, or name another one")
	}
	return path, nil
}

// Start begins one life; ctx bounds the start only. Whoever starts a process
// ranges over Lines, or else stops it. Errors: unavailable when the command is
// missing, invalid when its directory is.
func Start(ctx context.Context, c Command) (*Process, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("start %s: %w", c.Path, err)
	}
	path, err := c.check()
	if err != nil {
		return nil, err
	}
	pipes, err := newPipes()
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", c.Path, err)
	}
	defer pipes.closeTheirs()
	cmd := &exec.Cmd{
		Path:        path,
		Args:        append([]string{c.Path}, c.Args...),
		Env:         slices.Clone(c.Env),
		Dir:         c.Dir,
		Stdin:       pipes.theirIn,
		Stdout:      pipes.theirOut,
		Stderr:      pipes.theirErr,
		SysProcAttr: &syscall.SysProcAttr{Setpgid: true},
	}
	if c.Life != "" {
		cmd.Env = append(cmd.Env, Marker+"="+c.Life)
	}
	if err := ours.start(cmd); err != nil {
		pipes.closeOurs()
		if errors.Is(err, syscall.E2BIG) {
			return nil, messages.Invalid("args", "the arguments of %q are too long", c.Path).Try("send the prompt by stdin")
		}
		return nil, missing(c.Path, err)
	}
	return live(c, cmd, pipes), nil
}

// pipes are the six ends between a life and us.
type pipes struct {
	theirIn, ourIn   *os.File
	ourOut, theirOut *os.File
	ourErr, theirErr *os.File
}

func newPipes() (*pipes, error) {
	var p pipes
	for _, ends := range []struct{ read, write **os.File }{
		{&p.theirIn, &p.ourIn}, {&p.ourOut, &p.theirOut}, {&p.ourErr, &p.theirErr},
	} {
		r, w, err := os.Pipe()
		if err != nil {
			p.closeTheirs()
			p.closeOurs()
			return nil, fmt.Errorf("open pipe: %w", err)
		}
		*ends.read, *ends.write = r, w
	}
	return &p, nil
}

// A nil *os.File refuses to be closed and does no harm.
func (p *pipes) closeTheirs() {
	_, _, _ = p.theirIn.Close(), p.theirOut.Close(), p.theirErr.Close()
}

func (p *pipes) closeOurs() {
	_, _, _ = p.ourIn.Close(), p.ourOut.Close(), p.ourErr.Close()
}
