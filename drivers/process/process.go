package process

import (
	"context"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"kurogo/messages"
)

// drainTime is how long a pipe may stay open after its life has ended: somebody
// whom the sweep could not reach may hold it.
const drainTime = 2 * time.Second

// A Process is one life: the process that was started and all that it starts.
type Process struct {
	command Command
	cmd     *exec.Cmd
	in      *feed
	out     *spout
	stderr  *tail
	root    member

	reading  atomic.Bool // somebody ranges, or ranged, over Lines
	stopping atomic.Bool // we asked it to end
	stop     sync.Once

	signals sync.Mutex // no signal by number once the number is free again
	reaped  bool
	known   []member // who lived before the first signal

	gone chan struct{}
	exit messages.Exit // may be read once gone is closed
}

func live(c Command, cmd *exec.Cmd, ends *pipes) *Process {
	p := &Process{
		command: c,
		cmd:     cmd,
		in:      newFeed(ends.ourIn),
		out:     &spout{file: ends.ourOut},
		stderr:  newTail(secrets(c.Env)),
		root:    identify(cmd.Process.Pid),
		gone:    make(chan struct{}),
	}
	errs := &spout{file: ends.ourErr}
	drained := make(chan struct{})
	go func() {
		defer close(drained)
		p.stderr.drain(errs)
	}()
	go p.await(errs, drained)
	return p
}

// Pid is the process's id.
func (p *Process) Pid() int { return p.cmd.Process.Pid }

// Argv is what the process was called with. The values of its secret variables
// are left out, wherever they stand.
func (p *Process) Argv() []string {
	hidden := secrets(p.command.Env)
	out := slices.Clone(p.cmd.Args)
	for i := range out {
		out[i] = redact(out[i], hidden)
	}
	return out
}

// Done is closed when the life has ended and been swept.
func (p *Process) Done() <-chan struct{} { return p.gone }

// Lines is the output, line by line, once. Nothing is read ahead: who stops
// ranging holds the process back by its pipe. It ends with the output, at the
// latest soon after the life.
func (p *Process) Lines() iter.Seq[Line] {
	return func(yield func(Line) bool) {
		if p.reading.Swap(true) {
			return
		}
		defer p.out.close()
		r := NewReader(p.out, p.command.maxLine())
		for {
			line, err := r.Next()
			if err != nil || !yield(line) {
				return
			}
		}
	}
}

// Write puts a line into the process's stdin. A line of which only a part went
// through before ctx ended leaves the input unusable: every later Write fails.
func (p *Process) Write(ctx context.Context, line []byte) error { return p.in.write(ctx, line) }

// CloseInput ends the process's stdin.
func (p *Process) CloseInput() { p.in.close() }

// await follows the process to its end, sweeps behind it and closes gone.
func (p *Process) await(errs *spout, drained <-chan struct{}) {
	if !awaitExit(p.Pid()) {
		p.reap() // no better way here; the root's number may be free from now on
	}
	p.in.close()
	p.out.endBy(time.Now().Add(drainTime))
	errs.endBy(time.Now().Add(drainTime))
	stopped := p.stopping.Load()
	left := sweepLife(p.root, p.command.Life, p.members())
	p.reap()
	<-drained
	errs.close()
	p.exit = verdict(filepath.Base(p.command.Path), p.cmd.ProcessState, stopped, left)
	p.exit.Stderr = p.stderr.String()
	close(p.gone)
}

func (p *Process) members() []member {
	p.signals.Lock()
	defer p.signals.Unlock()
	return p.known
}

func (p *Process) reap() {
	p.signals.Lock()
	defer p.signals.Unlock()
	if !p.reaped {
		_ = p.cmd.Wait() // what it has to say is in ProcessState
		ours.forget(p.Pid())
		p.reaped = true
	}
}

// signal sends to the whole group while its number is surely ours.
func (p *Process) signal(s syscall.Signal) {
	p.signals.Lock()
	defer p.signals.Unlock()
	if p.reaped {
		return
	}
	_ = syscall.Kill(-p.Pid(), s)
	if s == syscall.SIGKILL {
		_ = p.cmd.Process.Signal(os.Kill) // it may have left its own group
	}
}
