package local

import (
	"context"
	"errors"
	"fmt"
	"time"

	"kurogo/messages"
)

// A Ladder is how to reach an owner that may not be there yet.
type Ladder struct {
	Dial  func(context.Context) (*Client, error)
	Lock  string                      // path of the file that lets one start at a time
	Spawn func(context.Context) error // returns when the new owner can be dialled
	Rungs int                         // 0 = 3
	Wait  time.Duration               // for the lock; 0 = 10 s
}

// ConnectOrStart dials, and starts an owner where there is none: of all who try
// at once one spawns, the others find what it started. It climbs again when an
// owner fell right after it rose, or asked to be tried again; any other refusal
// ends it.
func ConnectOrStart(ctx context.Context, l Ladder) (*Client, error) {
	set(&l.Rungs, 3)
	set(&l.Wait, 10*time.Second)
	var err error
	for range l.Rungs {
		var c *Client
		c, err = l.climb(ctx)
		if err == nil {
			return c, nil
		}
		if ctx.Err() != nil {
			return nil, fmt.Errorf("connect: %w", context.Cause(ctx))
		}
		if !errors.Is(err, ErrNobody) {
			again := messages.AsError(err).RetryAfter
			if again <= 0 {
				return nil, err
			}
			pause(ctx, again)
		}
	}
	return nil, fmt.Errorf("connect in %d tries: %w", l.Rungs, err)
}

func (l Ladder) climb(ctx context.Context) (*Client, error) {
	if c, err := l.Dial(ctx); !errors.Is(err, ErrNobody) {
		return c, err
	}
	if err := l.start(ctx); err != nil {
		return nil, err
	}
	return l.Dial(ctx)
}

// start spawns an owner, unless somebody else did while we waited.
func (l Ladder) start(ctx context.Context) error {
	release, err := l.await(ctx)
	if err != nil {
		return err
	}
	defer release()
	c, err := l.Dial(ctx)
	switch {
	case err == nil:
		return c.Close()
	case !errors.Is(err, ErrNobody):
		return err
	}
	if err := l.Spawn(ctx); err != nil {
		return fmt.Errorf("start kurogo: %w", err)
	}
	return nil
}

// await takes the lock within l.Wait. A flock that waits cannot be called off,
// so it asks again and again.
func (l Ladder) await(ctx context.Context) (release func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, l.Wait)
	defer cancel()
	for {
		release, err = Lock(l.Lock)
		if err == nil || !messages.IsCode(err, messages.CodeConflict) {
			return release, err
		}
		pause(ctx, 20*time.Millisecond)
		if ctx.Err() != nil {
			return nil, err
		}
	}
}
