package process

import (
	"context"
	"syscall"
	"time"

	"kurogo/messages"
)

// lastWait is how long a killed life may take to be gone. Longer takes only a
// process that sleeps in the kernel, and that must not keep us from ending.
const lastWait = 15 * time.Second

// Stop ends the life and everything that it started: soft, after the grace
// hard, then sweeping. Many may call it, at once and again; all get the same
// answer. A ctx that ends cuts the grace short, it does not cut the sweep.
// Somebody must range over Lines meanwhile, or the soft end may not be heard.
func (p *Process) Stop(ctx context.Context) messages.Exit {
	p.stop.Do(p.soften)
	if !p.reading.Swap(true) {
		defer p.out.close()
	}
	select {
	case <-p.gone:
		return p.exit
	case <-ctx.Done():
	case <-time.After(p.command.grace()):
	}
	p.signal(syscall.SIGKILL)
	select {
	case <-p.gone:
		return p.exit
	case <-time.After(lastWait):
		p.out.endBy(time.Now())
		return messages.Exit{Code: -1, Class: messages.ClassKilled, Reason: p.command.Path + " does not die, not even of SIGKILL"}
	}
}

// Kill is Stop without any grace.
func (p *Process) Kill() messages.Exit {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return p.Stop(ctx)
}

func (p *Process) soften() {
	select {
	case <-p.gone:
		return
	default:
	}
	p.stopping.Store(true)
	p.remember()
	switch p.command.Soft {
	case CloseInput:
		p.in.close()
	case Interrupt:
		p.signal(syscall.SIGINT)
	case Terminate:
		p.signal(syscall.SIGTERM)
	}
}

// remember writes down who belongs to the life while its tree still stands:
// once a parent is dead, its children can no longer be told by descent.
func (p *Process) remember() {
	known := survey().members(p.root, p.command.Life, nil)
	p.signals.Lock()
	defer p.signals.Unlock()
	p.known = known
}
