package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"kurogo/messages"
)

// A vigil is one bounded wait for events. The cursor was taken before the state
// was read, so that nothing falls between the two.
type vigil struct {
	topic messages.Topic
	since int64
	most  time.Duration
	see   func(messages.Event) (over bool, err error)
	note  func() string // what is still waited for
}

// keep waits until see says that it is over; capped tells that the time ran out
// first, which is no error. While an agent waits, its slot is somebody else's.
func (c *Catalogue) keep(ctx context.Context, u use, v vigil) (capped bool, err error) {
	back, err := c.lend(ctx, u.who)
	if err != nil {
		return false, err
	}
	defer back()
	ends, cancel := context.WithTimeout(ctx, v.most)
	heard := Follow(ends, c.port, v.topic, v.since)
	defer func() {
		cancel()
		for range heard { // nothing of the watch outlives the wait
		}
	}()
	beat := time.NewTicker(c.o.Beat)
	defer beat.Stop()
	for u.note(v.note()); ; u.note(v.note()) {
		select {
		case <-beat.C:
		case h, ok := <-heard:
			switch {
			case ok && h.Err == nil:
				if over, err := v.see(h.Event); over || err != nil {
					return false, err
				}
			case ctx.Err() != nil:
				return false, ctx.Err()
			case ends.Err() != nil:
				return true, nil
			default:
				return false, silence(h.Err)
			}
		}
	}
}

// silence says why a watch ended before anybody wanted it to.
func silence(err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return messages.Errorf(messages.CodeUnavailable, "kurogo stopped telling what happens").Try("call again: what was begun goes on")
	}
	return err
}

// dataOf reads what an event is about.
func dataOf[T any](e messages.Event) (T, error) {
	var t T
	if err := json.Unmarshal(e.Data, &t); err != nil {
		return t, fmt.Errorf("read event %d: %w", e.Seq, err)
	}
	return t, nil
}

// lend gives the slot of an agent that is about to wait to others. back takes it
// again, even if whoever waited has gone; it does not hold the answer back for
// long, because a client's patience ends soon after the cap.
func (c *Catalogue) lend(ctx context.Context, who messages.Caller) (back func(), err error) {
	if who.Agent == "" {
		return func() {}, nil
	}
	back = func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), c.o.Slot)
		defer cancel()
		if _, err := ask[messages.Done](ctx, c.port, messages.LendSlot{Agent: who.Agent, Back: true}); err != nil {
			c.o.Log.Warn("take slot back", "agent", who.Agent, "err", err)
		}
	}
	if _, err := ask[messages.Done](ctx, c.port, messages.LendSlot{Agent: who.Agent}); err != nil {
		if ctx.Err() != nil {
			back() // whoever asked went in the middle of it: it may be lent
		}
		return nil, err
	}
	return back, nil
}

// patience is how long one wait of this client may last.
func (c *Catalogue) patience(who messages.Caller) time.Duration {
	if most, ok := c.o.Caps[who.Client]; ok {
		return most
	}
	return c.o.Cap
}

// cursor is where a watch begins that must not miss what happens from now on.
func (c *Catalogue) cursor(ctx context.Context) (int64, error) {
	s, err := ask[messages.Status](ctx, c.port, messages.GetStatus{})
	return s.LastEvent, err
}
