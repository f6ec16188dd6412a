package main

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"kurogo/actors"
	"kurogo/drivers/rehearsal"
	"kurogo/messages"
)

const (
	idleLimit    = 30_000_000
	idlePersonas = 10_000
	crowdLimit   = 50_000_000
	settling     = time.Second // what a program needs to come to rest
)

// idle is what the house costs while nobody asks for anything: the real binary
// with the default crew, and 10,000 personas in a tree of our own.
func (b *bench) idle(ctx context.Context) error {
	if err := b.idleBinary(ctx); err != nil {
		return err
	}
	none, err := b.idleTree(ctx, 0)
	if err != nil {
		return err
	}
	all, err := b.idleTree(ctx, idlePersonas)
	if err != nil {
		return err
	}
	grown := all - none
	b.table.judge("10,000 idle personas, heap and stacks", fmt.Sprintf("%s, %d bytes each", megabytes(grown), grown/idlePersonas),
		"≤ "+megabytes(crowdLimit), grown <= crowdLimit)
	return nil
}

func (b *bench) idleBinary(ctx context.Context) error {
	dir, err := b.subdir("idle")
	if err != nil {
		return err
	}
	p, client, err := b.serve(ctx, dir)
	if err != nil {
		return err
	}
	defer p.Stop(ctx)
	defer client.Close()
	if _, err := client.Ask(ctx, messages.GetCrew{}); err != nil {
		return err
	}
	select {
	case <-time.After(settling):
	case <-ctx.Done():
		return ctx.Err()
	}
	all, anonymous, err := resident(p.Pid())
	if err != nil {
		b.table.fact("idle, default crew", err.Error())
		return nil
	}
	b.table.judge("idle, default crew, resident", fmt.Sprintf("%s, of which %s are no file's", megabytes(all), megabytes(anonymous)), "≤ "+megabytes(idleLimit), all <= idleLimit)
	return nil
}

// idleTree is how much memory is in use once n personas have risen and found
// nothing to do.
func (b *bench) idleTree(ctx context.Context, n int) (int64, error) {
	dir, err := b.subdir("crowd")
	if err != nil {
		return 0, err
	}
	h, err := openStore(ctx, dir)
	if err != nil {
		return 0, err
	}
	crew := names(n)
	of := hierarchy(crew)
	var casts []actors.Cast
	for _, name := range crew {
		casts = append(casts, h.cast(of, name, rehearsal.New(rehearsal.Options{})))
	}
	if err := h.tree.Start(ctx, h.store, casts); err != nil {
		return 0, err
	}
	if err := h.allHere(ctx, crew); err != nil {
		return 0, err
	}
	used := inUse()
	runtime.KeepAlive(of)
	return used, h.close(ctx)
}

// inUse counts what a collection leaves.
func inUse() int64 {
	runtime.GC()
	runtime.GC() // what finalizers let go
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapInuse + m.StackInuse)
}
