package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"kurogo/config"
	"kurogo/messages"
	"kurogo/transport/local"
)

// idleLife is how long a daemon that nobody uses stays.
const idleLife = 30 * time.Minute

func (p *program) serve() *cobra.Command {
	var detach bool
	var readyFD int
	c := &cobra.Command{
		Use:   "serve",
		Short: "Own the project: run its crew and answer the other verbs",
		Long: `Serve owns the project's journal and its crew, and answers every other verb.
It runs in this terminal until Ctrl-C; with --detach it runs in the background
and leaves by itself after 30 minutes in which nobody used it and nothing ran.`,
		Example: "  kurogo serve --detach\n  kurogo stop",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if detach {
				return p.detach(c.Context())
			}
			return p.own(c.Context(), readyFD)
		},
	}
	c.Flags().BoolVar(&detach, "detach", false, "run in the background")
	c.Flags().IntVar(&readyFD, "ready-fd", 0, "tell this descriptor when we serve")
	_ = c.Flags().MarkHidden("ready-fd") // exists
	return c
}

// detach makes sure that somebody serves.
func (p *program) detach(ctx context.Context) error {
	s, err := ask[messages.Status](ctx, p, messages.GetStatus{})
	if err != nil {
		return err
	}
	if p.flags.json {
		return p.print(s)
	}
	p.tell(p.say("serving"), s.Pid, p.site.project)
	return nil
}

// own is the daemon: it opens the house, serves the socket, and stops in order.
func (p *program) own(ctx context.Context, readyFD int) error {
	if err := p.notInside(); err != nil {
		return err
	}
	ready := func(string) {}
	if readyFD > 0 {
		syscall.CloseOnExec(readyFD) // an agent that held it open would keep our starter waiting
		pipe := os.NewFile(uintptr(readyFD), "ready")
		ready = func(word string) {
			fmt.Fprintln(pipe, word)
			_ = pipe.Close()
		}
	}
	log := p.logger(readyFD > 0)
	h, err := openHouse(ctx, p.site, p.cfg, log, true)
	if err != nil {
		ready(messages.AsError(err).Error())
		return err
	}
	l, err := local.Listen(p.site.socket())
	if err != nil {
		err = errors.Join(err, h.close(context.WithoutCancel(ctx)))
		ready(messages.AsError(err).Error())
		return err
	}
	work, stop := context.WithCancel(ctx)
	defer stop()
	idle := &idleness{house: h, stop: stop, after: idleLife}
	if readyFD > 0 {
		idle.begin()
	}
	go func() {
		select {
		case <-h.leave:
			stop()
		case <-work.Done():
		}
	}()
	h.edge.again = func() (config.Config, error) {
		fresh := *p
		err := fresh.configure()
		return fresh.cfg, err
	}
	err = h.serve(idle.came)
	if err == nil {
		err = h.announce(ctx)
	}
	if err != nil {
		err = errors.Join(err, l.Close(), h.close(context.WithoutCancel(ctx)))
		ready(messages.AsError(err).Error())
		return err
	}
	hush := h.cry(work)
	ready("ready")
	if readyFD == 0 {
		p.invite(h.edge, "stage at")
	}
	where, _ := h.edge.addresses()
	log.Info("serving", "project", p.site.project, "socket", p.site.socket(), "http", where, "pid", os.Getpid())
	err = local.Serve(work, l, h, local.Options{Hello: hello(), Log: log, Presence: func(clients int) {
		h.edge.guests.counted(clients)
		idle.changed(clients)
	}})
	if errors.Is(err, context.Canceled) {
		err = nil
	}
	idle.end()
	hush()
	err = errors.Join(err, h.close(context.WithoutCancel(ctx)))
	log.Info("stopped", "project", p.site.project)
	return err
}

// notInside refuses to own anything inside an agent: what it started there would
// end with the agent.
func (p *program) notInside() error {
	if socket := p.getenv("KUROGO_SOCKET"); socket != "" {
		return messages.Errorf(messages.CodeDenied, "this is inside an agent of the kurogo at %s", socket).Try("submit to that one, or unset KUROGO_SOCKET")
	}
	return nil
}

// logger writes for people on a terminal and for machines into a file.
func (p *program) logger(machine bool) *slog.Logger {
	opt := &slog.HandlerOptions{Level: p.level()}
	if machine {
		return slog.New(slog.NewJSONHandler(p.err, opt))
	}
	return slog.New(slog.NewTextHandler(p.err, opt))
}

func (p *program) level() slog.Level {
	return map[messages.Level]slog.Level{"debug": slog.LevelDebug, "warn": slog.LevelWarn, "error": slog.LevelError}[p.cfg.Log.Level]
}

// idleness ends a daemon that nobody uses. It looks whether work is left before
// it does; if there is, it looks again later.
type idleness struct {
	house *house
	stop  func()
	after time.Duration

	mu     sync.Mutex
	timer  *time.Timer // nil: it never ends
	here   int         // clients of the socket
	remote int         // connections by network
}

// begin lets the daemon end one day.
func (i *idleness) begin() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.timer = time.AfterFunc(i.after, i.look)
}

// changed is told how many clients are connected to the socket.
func (i *idleness) changed(clients int) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.here = clients
	i.set()
}

// came is told of connections by network that came or went.
func (i *idleness) came(delta int) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.remote += delta
	i.set()
}

func (i *idleness) set() {
	if i.timer == nil {
		return
	}
	if i.here+i.remote == 0 {
		i.timer.Reset(i.after)
	} else {
		i.timer.Stop()
	}
}

func (i *idleness) look() {
	open, err := i.house.store.OpenTasks(context.Background())
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.here+i.remote > 0 {
		return
	}
	if err != nil || open > 0 {
		i.timer.Reset(i.after)
		return
	}
	i.stop()
}

func (i *idleness) end() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.timer != nil {
		i.timer.Stop()
	}
}

func (p *program) stop() *cobra.Command {
	var ifIdle bool
	c := &cobra.Command{
		Use:     "stop",
		Short:   "Stop the owner of the project in order; open tasks go on at the next start",
		Example: "  kurogo stop\n  kurogo stop --if-idle",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			client, err := p.dial(c.Context())
			if errors.Is(err, local.ErrNobody) {
				p.tell("%s", p.say("nobody serves"))
				return nil
			}
			if err != nil {
				return err
			}
			defer client.Close()
			if _, err := askOn[messages.Done](c.Context(), client, messages.StopHouse{IfIdle: ifIdle}); err != nil {
				return err
			}
			return p.awaitGone(c.Context())
		},
	}
	c.Flags().BoolVar(&ifIdle, "if-idle", false, "only if no task is open")
	return c
}

// awaitGone waits until the lock is free: then everything has ended.
func (p *program) awaitGone(ctx context.Context) error {
	for {
		release, err := local.Lock(p.site.lock())
		if err == nil {
			release()
			p.tell("%s", p.say("stopped"))
			return nil
		}
		if !messages.IsCode(err, messages.CodeConflict) {
			return err
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
