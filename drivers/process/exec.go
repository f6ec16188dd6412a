package process

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"kurogo/messages"
)

const defaultOutput = 16 << 20

// ErrTooMuch is returned when a command says more than was agreed.
var ErrTooMuch = errors.New("its output is over the limit")

// Exec runs commands that end by themselves. Other rooms declare what they need
// of it as a port of their own.
type Exec struct {
	MaxOutput int // bytes of stdout; 0 is 16 MiB
}

// Run runs argv in dir to its end and returns what it said. A status other than
// 0 is an answer, not an error. When ctx ends, the whole tree of the command is
// killed. env nil is ours, by the allow-list. Errors: unavailable when the
// command is missing, invalid when dir is.
func (e Exec) Run(ctx context.Context, dir string, env []string, argv ...string) (stdout []byte, stderr string, code int, err error) {
	if len(argv) == 0 {
		return nil, "", -1, messages.Invalid("argv", "there is no command")
	}
	if env == nil {
		env = Environ(os.Environ(), nil)
	}
	p, err := Start(ctx, Command{Path: argv[0], Args: argv[1:], Env: env, Dir: dir})
	if err != nil {
		return nil, "", -1, err
	}
	p.CloseInput()
	stopped := make(chan struct{})
	disarm := context.AfterFunc(ctx, func() {
		defer close(stopped)
		p.Stop(ctx)
	})
	most := e.MaxOutput
	if most <= 0 {
		most = defaultOutput
	}
	stdout, whole := p.readAll(most)
	if !whole {
		p.Kill() //nolint:contextcheck // what says too much is not given a grace
	}
	<-p.Done()
	if !disarm() {
		<-stopped
		return stdout, p.exit.Stderr, p.exit.Code, fmt.Errorf("run %s: %w", argv[0], context.Cause(ctx))
	}
	if !whole {
		return stdout, p.exit.Stderr, p.exit.Code, fmt.Errorf("run %s: %w of %d bytes", argv[0], ErrTooMuch, most)
	}
	return stdout, p.exit.Stderr, p.exit.Code, nil
}

// readAll reads the output to its end, or until it is over the limit.
func (p *Process) readAll(most int) (kept []byte, whole bool) {
	p.reading.Store(true)
	defer p.out.close()
	kept, _ = io.ReadAll(io.LimitReader(p.out, int64(most)+1))
	if len(kept) > most {
		return kept[:most], false
	}
	return kept, true
}
