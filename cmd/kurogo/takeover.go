package main

import (
	"context"
	"fmt"
	"time"

	"kurogo/drivers/process"
	"kurogo/messages"
	"kurogo/transport/local"
)

// leaving is how long the lock may outlive its owner: it stops in order, or it
// fell while a child of it was between fork and exec and had the lock's file.
const leaving = grace + time.Second

// takeOver takes the lock of the state directory, and waits for a former owner
// who serves no more but has not gone yet.
func takeOver(ctx context.Context, s site) (release func(), err error) {
	if err := s.writable(); err != nil {
		return nil, err
	}
	late := time.After(leaving)
	for {
		release, err = local.Lock(s.lock())
		if !messages.IsCode(err, messages.CodeConflict) {
			return release, err
		}
		if client, dialled := local.Dial(ctx, s.socket(), hello()); dialled == nil {
			_ = client.Close()
			return nil, err
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-late:
			return nil, err
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// sweep ends the processes of our own former lives, and makes us the parent of
// what the lives to come may orphan. We hold the lock, so every life of this
// journal that is still there is a former one.
func (h *house) sweep() error {
	if err := process.Adopt(); err != nil {
		h.log.Warn("adopt orphans", "err", err)
	}
	gone, err := process.Sweep(h.store.ID(), func(string) bool { return true })
	for _, f := range gone {
		h.log.Warn("ended a process of a former life", "pid", f.Pid, "command", f.Command, "life", f.Life)
	}
	if err != nil {
		return fmt.Errorf("sweep former lives: %w", err)
	}
	return nil
}
