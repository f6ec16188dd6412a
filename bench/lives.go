package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"kurogo/drivers/process"
	"kurogo/messages"
)

const (
	lives      = 300
	livesLimit = 60_000_000
	livesVerb  = "lives" // a process that has done nothing else before
	livesAtOne = 8       // lives that start at the same time
)

// lives is what 300 sessions cost us, each with a fake Claude Code of its own
// that has had its turn and waits. A process that measured other things before
// would hold memory that this one needs, so it is a fresh one that counts.
func (b *bench) lives(ctx context.Context) error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	dir, err := b.subdir("lives")
	if err != nil {
		return err
	}
	stdout, stderr, code, err := process.Exec{}.Run(ctx, dir, os.Environ(), self, livesVerb, strconv.Itoa(lives))
	if err != nil {
		return err
	}
	if code != 0 {
		return fmt.Errorf("status %d: %s", code, stderr)
	}
	var m memory
	if err := json.Unmarshal(stdout, &m); err != nil {
		return fmt.Errorf("read %q: %w", stdout, err)
	}
	if m.Fault != "" {
		b.table.fact("300 live sessions", m.Fault)
		return nil
	}
	grown := m.Live - m.Idle
	b.table.judge(fmt.Sprintf("%d live sessions of claude, resident", lives),
		fmt.Sprintf("%s above idle's %s, %d bytes each", megabytes(grown), megabytes(m.Idle), grown/lives), "≤ "+megabytes(livesLimit), grown <= livesLimit)
	return nil
}

// A memory is what a process held before and with its sessions.
type memory struct {
	Idle, Live int64
	Fault      string `json:",omitempty"` // why it is not known
}

// weigh is that process. It works in its own directory.
func weigh(count string) (err error) {
	ctx := context.Background()
	n, err := strconv.Atoi(count)
	if err != nil {
		return err
	}
	driver, err := fakeClaude()
	if err != nil {
		return err
	}
	if _, err := driver.Probe(ctx); err != nil {
		return err
	}
	var m memory
	if m.Idle, _, err = resident(os.Getpid()); err != nil {
		m.Fault = err.Error()
		return json.NewEncoder(os.Stdout).Encode(m)
	}
	sessions, err := startAll(ctx, driver, n)
	defer func() { stopAll(sessions) }()
	if err != nil {
		return err
	}
	<-time.After(settling)
	if m.Live, _, err = resident(os.Getpid()); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(m)
}

// startAll starts n sessions, a few at a time, and gives each a turn.
func startAll(ctx context.Context, driver messages.Driver, n int) ([]messages.Session, error) {
	all, errs, gate := make([]messages.Session, n), make([]error, n), make(chan struct{}, livesAtOne)
	var started sync.WaitGroup
	for i := range n {
		gate <- struct{}{}
		started.Go(func() {
			defer func() { <-gate }()
			home, err := filepath.Abs("home-" + strconv.Itoa(i))
			if err == nil {
				all[i], err = driver.Start(ctx, messages.Spec{Life: fmt.Sprintf("bench:1:%d", i), Home: home, StartTimeout: time.Minute})
			}
			if err == nil {
				err = all[i].Send(ctx, messages.Turn{ID: "1", Attempt: 1, Text: "Go on."})
			}
			if err == nil {
				err = finish(ctx, all[i])
			}
			errs[i] = err
		})
	}
	started.Wait()
	return all, errors.Join(errs...)
}

func stopAll(sessions []messages.Session) {
	ctx, now := context.WithCancel(context.Background())
	now() // no grace
	var ended sync.WaitGroup
	for _, s := range sessions {
		if s != nil {
			ended.Go(func() { s.Stop(ctx) })
		}
	}
	ended.Wait()
}
