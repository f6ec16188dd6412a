package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"kurogo/actors"
	"kurogo/config"
	"kurogo/drivers/process"
	"kurogo/drivers/rehearsal"
	"kurogo/messages"
	"kurogo/stores/sqlite"
	"kurogo/transport/local"
)

const (
	starts      = 7
	history     = 1000 // tasks in the journal that is reopened
	firstLimit  = 200 * time.Millisecond
	reopenLimit = 50 * time.Millisecond
)

// start measures from nothing, and from an existing journal, until every persona
// of the default crew has answered.
func (b *bench) start(ctx context.Context) error {
	cfg, err := defaultCrew(b.dir)
	if err != nil {
		return err
	}
	old, err := b.oldJournal(ctx, cfg)
	if err != nil {
		return err
	}
	var first, again []time.Duration
	for range starts {
		dir, err := b.subdir("first")
		if err != nil {
			return err
		}
		took, err := openHouse(ctx, dir, cfg)
		if err != nil {
			return err
		}
		first = append(first, took)
		if took, err = openHouse(ctx, old, cfg); err != nil {
			return err
		}
		again = append(again, took)
	}
	b.table.judge(fmt.Sprintf("reopen to ready, %d old tasks", history), spread(again), "≤ "+millis(reopenLimit), median(again) <= reopenLimit)
	b.table.judge("first start to ready", spread(first), "≤ "+millis(firstLimit), median(first) <= firstLimit)
	return b.realStart(ctx)
}

func spread(d []time.Duration) string {
	q := quantilesOf(d)
	return fmt.Sprintf("%s (%s to %s)", millis(q.at(.5)), millis(q.at(0)), millis(q.at(1)))
}

func defaultCrew(dir string) (config.Config, error) {
	cfg, err := config.Load(config.Source{Dir: dir})
	cfg.UseDriver(rehearsal.Kind)
	return cfg, err
}

// openHouse opens what `kurogo serve` opens before it listens, and closes it.
func openHouse(ctx context.Context, dir string, cfg config.Config) (time.Duration, error) {
	began := time.Now()
	h, err := openStore(ctx, dir)
	if err != nil {
		return 0, err
	}
	if _, err := process.Sweep(h.store.ID(), func(string) bool { return true }); err != nil {
		return 0, err
	}
	of := cfg.Hierarchy()
	var casts []actors.Cast
	for _, name := range of.Names() {
		casts = append(casts, h.cast(of, name, rehearsal.New(rehearsal.Options{})))
	}
	if err := h.tree.Start(ctx, h.store, casts); err != nil {
		return 0, err
	}
	err = h.allHere(ctx, of.Names())
	took := time.Since(began)
	return took, errors.Join(err, h.close(ctx))
}

// oldJournal is one that the default crew has worked with.
func (b *bench) oldJournal(ctx context.Context, cfg config.Config) (string, error) {
	dir, err := b.subdir("old")
	if err != nil {
		return "", err
	}
	h, err := openStore(ctx, dir)
	if err != nil {
		return "", err
	}
	defer h.store.Close()
	crew := cfg.Hierarchy().Names()
	if err := h.enlist(ctx, crew); err != nil {
		return "", err
	}
	_, err = together((history+senders-1)/senders, func(s int) error { return h.whole(ctx, crew[s%len(crew)]) })
	return dir, err
}

// whole is the life of a task that was cancelled: accepted, ended, answered.
func (h *house) whole(ctx context.Context, to messages.Address) error {
	m := messages.CCMessage{ID: newMessageID(), From: messages.User, To: to, Type: messages.TaskRequest, Content: body}
	out, err := h.store.Commit(ctx, messages.Accept{Message: m, Now: time.Now()})
	if err == nil {
		_, err = h.store.Commit(ctx, messages.Cancel{Task: out.Accepted.Task, Now: time.Now()})
	}
	return err
}

// realStart spawns the real binary and dials until it answers.
func (b *bench) realStart(ctx context.Context) error {
	dir, err := b.subdir("real")
	if err != nil {
		return err
	}
	began := time.Now()
	p, client, err := b.serve(ctx, dir)
	if err != nil {
		return err
	}
	defer p.Stop(ctx)
	defer client.Close()
	b.table.fact("exec of kurogo serve to answering, first start", millis(time.Since(began)))
	return nil
}

// serve starts the real binary with a home of its own, so that it finds no
// configuration but its own, and waits until its socket answers.
func (b *bench) serve(ctx context.Context, dir string) (*process.Process, *local.Client, error) {
	project := filepath.Join(dir, "project")
	if err := os.MkdirAll(project, 0o750); err != nil {
		return nil, nil, err
	}
	env := map[string]string{"HOME": dir, "XDG_CONFIG_HOME": dir, "KUROGO_STATE_DIR": dir}
	p, err := process.Start(ctx, process.Command{
		Path: b.kurogo, Args: []string{"serve", "--project", project}, Env: process.Environ(os.Environ(), env), Dir: project, Soft: process.Terminate,
	})
	if err != nil {
		return nil, nil, fmt.Errorf("%w (make build makes it)", err)
	}
	go func() {
		for range p.Lines() { // nobody reads what it says, but its pipe must not fill
		}
	}()
	for {
		client, err := local.Dial(ctx, filepath.Join(dir, "kurogo.sock"), local.Hello{Version: "bench", Schema: sqlite.Schema()})
		if err == nil {
			return p, client, nil
		}
		select {
		case <-time.After(time.Millisecond):
		case <-p.Done():
			return nil, nil, fmt.Errorf("%s serve has ended: %s", b.kurogo, p.Stop(ctx).Stderr)
		case <-ctx.Done():
			p.Stop(ctx)
			return nil, nil, ctx.Err()
		}
	}
}
