package local

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"kurogo/messages"
)

// Ask puts one question and waits for its answer, for ctx, or for the end of
// the connection, which is unavailable.
func (c *Client) Ask(ctx context.Context, m messages.Message) (messages.Message, error) {
	id, answers := c.open(1)
	defer c.forget(id)
	f, err := say(id, verbAsk, m)
	if err != nil {
		return nil, err
	}
	if err := c.send(ctx, f); err != nil {
		return nil, fmt.Errorf("ask %s: %w", messages.KindOf(m), err)
	}
	f, err = c.next(ctx, id, answers)
	switch {
	case err != nil:
		return nil, fmt.Errorf("ask %s: %w", messages.KindOf(m), err)
	case f.Verb == verbFail:
		return nil, f.err()
	case f.Verb != verbAnswer:
		return nil, nonsense("it said %q to a question", f.Verb)
	}
	answer, err := messages.Decode(f.Word)
	if err != nil {
		return nil, nonsense("%v", err)
	}
	return answer, nil
}

// Watch yields the events of the topic behind since. After an error that is
// retryable, watch again since the last event seen.
func (c *Client) Watch(ctx context.Context, t messages.Topic, since int64) iter.Seq2[messages.Event, error] {
	return func(yield func(messages.Event, error) bool) {
		id, frames := c.open(window + 1) // the end needs no credit
		defer c.forget(id)
		if err := c.send(ctx, frame{ID: id, Verb: verbWatch, Topic: &t, Since: since}); err != nil {
			yield(messages.Event{}, fmt.Errorf("watch: %w", err))
			return
		}
		for taken := 1; ; taken++ {
			f, err := c.next(ctx, id, frames)
			if err != nil {
				yield(messages.Event{}, fmt.Errorf("watch: %w", err))
				return
			}
			if f.Verb == verbEnd {
				return
			}
			e, err := f.event()
			if err != nil {
				yield(messages.Event{}, err)
				return
			}
			if !yield(e, nil) {
				c.drop(ctx, id)
				return
			}
			if taken == window/2 {
				taken = 0
				if err := c.send(ctx, frame{ID: id, Verb: verbMore, More: window / 2}); err != nil {
					yield(messages.Event{}, fmt.Errorf("watch: %w", err))
					return
				}
			}
		}
	}
}

// event is the event that a frame of a watch carries, or its error.
func (f frame) event() (messages.Event, error) {
	switch f.Verb {
	case verbFail:
		return messages.Event{}, f.err()
	case verbEvent:
		m, err := messages.Decode(f.Word)
		if err != nil {
			return messages.Event{}, nonsense("%v", err)
		}
		e, ok := m.(messages.Event)
		if !ok {
			return messages.Event{}, nonsense("it gave %q for an event", messages.KindOf(m))
		}
		return e, nil
	default:
		return messages.Event{}, nonsense("it said %q to a watcher", f.Verb)
	}
}

func (c *Client) open(room int) (uint64, chan frame) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last++
	frames := make(chan frame, room)
	c.calls[c.last] = frames
	return c.last, frames
}

func (c *Client) forget(id uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.calls, id)
}

// send writes f. When the link breaks under it, the listener knows better why.
func (c *Client) send(ctx context.Context, f frame) error {
	err := c.link.write(ctx, f)
	select {
	case <-c.link.closed:
		if err != nil {
			<-c.gone
			return c.lost()
		}
	default:
	}
	return err
}

// next waits for a frame of the call. What has arrived counts, even if the
// connection broke behind it.
func (c *Client) next(ctx context.Context, id uint64, frames <-chan frame) (frame, error) {
	select {
	case f := <-frames:
		return f, nil
	case <-ctx.Done():
		c.drop(ctx, id)
		return frame{}, context.Cause(ctx)
	case <-c.gone:
	}
	select {
	case f := <-frames:
		return f, nil
	default:
		return frame{}, c.lost()
	}
}

// drop tells the server that nobody waits any more. If that cannot be told, the
// link is broken, and the server learns it from that.
func (c *Client) drop(ctx context.Context, id uint64) {
	_ = c.link.write(context.WithoutCancel(ctx), frame{ID: id, Verb: verbCancel})
}

// lost says why nothing more is heard. It may be called once gone is closed.
func (c *Client) lost() error {
	var e *messages.Error
	if errors.As(c.why, &e) {
		return e
	}
	return messages.Errorf(messages.CodeUnavailable, "kurogo has gone: %v", c.why).Try("try again")
}
