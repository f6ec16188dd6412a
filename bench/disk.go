package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// workDir makes the directory of the run: in the usual place, or below bin where
// that is no disk. A commit to memory costs nothing and would prove nothing.
func workDir() (string, error) {
	dir, err := os.MkdirTemp("", "kurogo-bench-")
	if err != nil || !inMemory(dir) {
		return dir, err
	}
	_ = os.Remove(dir)
	if err := os.MkdirAll("bin", 0o750); err != nil {
		return "", err
	}
	if dir, err = filepath.Abs("bin"); err != nil {
		return "", err
	}
	return os.MkdirTemp(dir, "bench-")
}

const (
	syncCount = 500
	syncPage  = 4096 // what a small commit appends to the log
)

// disk is the floor under every durable figure.
func (b *bench) disk(context.Context) error {
	q, err := b.fdatasyncs(syncCount)
	b.table.fact("fdatasync of 4 KiB", fmt.Sprintf("p50 %s, p99 %s", millis(q.at(.5)), millis(q.at(.99))))
	return err
}

// fdatasyncs appends n pages to a file and waits for the disk after each.
func (b *bench) fdatasyncs(n int) (quantiles, error) {
	f, err := os.CreateTemp(b.dir, "raw-")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var took []time.Duration
	page := make([]byte, syncPage)
	for range n {
		began := time.Now()
		if _, err := f.Write(page); err != nil {
			return nil, err
		}
		if err := fdatasync(f); err != nil {
			return nil, err
		}
		took = append(took, time.Since(began))
	}
	return quantilesOf(took), nil
}
