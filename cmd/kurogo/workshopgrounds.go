package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"log/slog"
	"path/filepath"
	"sync"

	"kurogo/actors"
	"kurogo/config"
	"kurogo/files"
	"kurogo/messages"
)

// A ground is one directory that runs work in: ours, or behind another gateway.
type ground interface {
	actors.Workspace
	io.Closer
}

// grounds are the directories that runs work in. Each is opened once, when it is
// first needed, and stays open as long as the house.
type grounds struct {
	cfg   config.Workspace
	attic string // below it, what was there before
	url   string // of the gateway to use; "" = our own
	log   *slog.Logger

	mu   sync.Mutex
	open map[plot]ground
	past map[string]files.Past // by root
}

// A plot is a root, and whether files may be deleted there: a person may have
// allowed it to one run, or for one file.
type plot struct {
	root    string
	deletes bool
}

func newGrounds(cfg config.Config, s site, log *slog.Logger) *grounds {
	return &grounds{cfg: cfg.Workspace, url: cfg.Run.MCPURL, attic: filepath.Join(s.state, "before"), log: log, open: map[plot]ground{}, past: map[string]files.Past{}}
}

// of opens a plot. What a crash has left of a patch is brought back before anybody
// works there.
func (g *grounds) of(ctx context.Context, p plot) (ground, error) {
	p.deletes = p.deletes || g.cfg.AllowDelete
	g.mu.Lock()
	defer g.mu.Unlock()
	if w := g.open[p]; w != nil {
		return w, nil
	}
	past, known := g.past[p.root]
	if !known {
		sum := sha256.Sum256([]byte(p.root))
		attic, err := files.OpenAttic(filepath.Join(g.attic, hex.EncodeToString(sum[:8])))
		if err != nil {
			return nil, err
		}
		past = attic
	}
	if g.url != "" {
		g.past[p.root], g.open[p] = past, newFarGround(g.url, past)
		return g.open[p], nil
	}
	w, err := files.Open(p.root, files.Options{
		Extensions: g.cfg.Extensions, MaxBytes: int64(g.cfg.MaxBytes), Kept: g.cfg.Kept, Delete: p.deletes, Past: past,
		Quota: files.Quota{Changes: g.cfg.TaskFiles, Bytes: int64(g.cfg.TaskBytes)},
	})
	if err != nil {
		return nil, err
	}
	if !known { // the first one here: nobody is in the middle of a patch
		if back, err := w.Recover(ctx); err != nil || len(back) > 0 {
			g.log.Warn("a patch was cut off", "root", p.root, "files", len(back), "err", err)
		}
	}
	g.past[p.root], g.open[p] = past, w
	return w, nil
}

// before is what a run has found, of all that it has changed.
func (g *grounds) before(ctx context.Context, root string, job messages.JobID) ([]messages.Keepsake, error) {
	if _, err := g.of(ctx, plot{root: root}); err != nil {
		return nil, err
	}
	g.mu.Lock()
	past := g.past[root]
	g.mu.Unlock()
	return past.Kept(ctx, string(job))
}

func (g *grounds) close() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	var errs []error
	for p, w := range g.open {
		errs = append(errs, w.Close())
		delete(g.open, p)
	}
	return errors.Join(errs...)
}

// work is for whom, and where, something is asked of the file gateway.
type work struct {
	job messages.JobID
	plot
}

type workKey struct{}

func withWork(ctx context.Context, w work) context.Context {
	return context.WithValue(ctx, workKey{}, w)
}

// A parcel is a plot as one run sees it: all that its agents do there is the run's,
// to be undone together, and counted together.
type parcel struct {
	ground
	job messages.JobID
}

// parcelOf is the parcel of whoever works for a run. Nobody else has one.
func (g *grounds) parcelOf(ctx context.Context) (*parcel, error) {
	w, ok := ctx.Value(workKey{}).(work)
	if !ok {
		return nil, messages.Errorf(messages.CodeDenied, "this is for runs only")
	}
	space, err := g.of(ctx, w.plot)
	return &parcel{space, w.job}, err
}

// Write implements the desk's Workspace, and so do the others.
func (p *parcel) Write(ctx context.Context, m messages.WriteFile) (messages.FileOutcome, error) {
	m.Task = string(p.job)
	return p.ground.Write(ctx, m)
}

// Delete is Write for what goes.
func (p *parcel) Delete(ctx context.Context, m messages.DeleteFile) (messages.FileOutcome, error) {
	m.Task = string(p.job)
	return p.ground.Delete(ctx, m)
}

// Patch is Write for several files.
func (p *parcel) Patch(ctx context.Context, m messages.ApplyPatch) ([]messages.FileOutcome, error) {
	m.Task = string(p.job)
	return p.ground.Patch(ctx, m)
}

// Undo takes all of it back.
func (p *parcel) Undo(ctx context.Context, m messages.UndoTask) ([]messages.FileOutcome, error) {
	m.Task = string(p.job)
	return p.ground.Undo(ctx, m)
}
