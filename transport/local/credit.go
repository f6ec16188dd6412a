package local

import (
	"context"
	"strconv"
	"time"

	"kurogo/messages"
)

// window is how many events of one watch may be on their way. The watcher gives
// back half of it at a time.
const window = 64

// credit is the room that a watcher still has, never more than its window.
type credit struct{ room chan struct{} }

func newCredit(n int) *credit {
	c := &credit{room: make(chan struct{}, n)}
	c.add(n)
	return c
}

// add gives n back. What exceeds the window is a client that cannot count, and
// is dropped.
func (c *credit) add(n int) {
	for range min(n, cap(c.room)) {
		select {
		case c.room <- struct{}{}:
		default:
			return
		}
	}
}

// take waits for room. A watcher that makes none for so long is given up: last
// is the event from which it can go on.
func (c *credit) take(ctx context.Context, patience time.Duration, last int64) error {
	select {
	case <-c.room:
		return nil
	default:
	}
	t := time.NewTimer(patience)
	defer t.Stop()
	select {
	case <-c.room:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-t.C:
		return messages.Errorf(messages.CodeBusy, "the watcher took no event for %v", patience).
			Try("watch again since " + strconv.FormatInt(last, 10))
	}
}
