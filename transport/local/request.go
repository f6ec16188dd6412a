package local

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"kurogo/messages"
)

// A request is one thing that the client waits for. Only a watch has credit.
type request struct {
	cancel context.CancelCauseFunc
	credit *credit
}

// begin answers f in a goroutine of its own, or says at once why not. Its error
// is a client that uses one id twice.
func (c *conn) begin(life context.Context, f frame) error {
	ctx, r, err := c.admit(life, f)
	if err != nil {
		if messages.IsCode(err, messages.CodeInvalid) {
			return err
		}
		c.reply(life, fail(f.ID, err))
		return nil
	}
	go func() {
		defer func() { <-c.slots }()
		if f.Verb == verbWatch {
			c.watch(ctx, f, r.credit)
		} else {
			c.answer(ctx, f)
		}
	}()
	return nil
}

func (c *conn) admit(life context.Context, f frame) (context.Context, *request, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, twice := c.requests[f.ID]; twice {
		return nil, nil, messages.Invalid("id", "%d is in use", f.ID).Try("count upwards")
	}
	if c.stopping {
		return nil, nil, stopping()
	}
	select {
	case c.slots <- struct{}{}:
	default:
		return nil, nil, messages.Errorf(messages.CodeBusy, "%d requests are in flight already", c.o.Requests).
			Try("wait for an answer first")
	}
	ctx, cancel := context.WithCancelCause(life)
	r := &request{cancel: cancel}
	if f.Verb == verbWatch {
		r.credit = newCredit(window)
	}
	c.requests[f.ID] = r
	return ctx, r, nil
}

func (c *conn) forget(id uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if r, ok := c.requests[id]; ok {
		r.cancel(nil)
		delete(c.requests, id)
	}
}

// cancel drops a request. The id may be old: the answer was on its way.
func (c *conn) cancel(id uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if r, ok := c.requests[id]; ok {
		r.cancel(errDropped)
	}
}

// more gives a watch room for n more events.
func (c *conn) more(id uint64, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if r, ok := c.requests[id]; ok && r.credit != nil {
		r.credit.add(n)
	}
}

func (c *conn) answer(ctx context.Context, f frame) {
	m, err := messages.Decode(f.Word)
	if err != nil {
		c.reply(ctx, fail(f.ID, messages.Invalid("word", "%v", err)))
		return
	}
	m, err = c.ask(ctx, m)
	if err != nil {
		if errors.Is(err, context.Canceled) {
			err = cmp.Or(context.Cause(ctx), err) // that we stop says more than that it was cancelled
		}
		c.reply(ctx, fail(f.ID, err))
		return
	}
	out, err := say(f.ID, verbAnswer, m)
	if err != nil {
		c.reply(ctx, fail(f.ID, err))
		return
	}
	c.reply(ctx, out)
}

// ask puts the question to the house. A bug in there costs one answer.
func (c *conn) ask(ctx context.Context, m messages.Message) (out messages.Message, err error) {
	defer func() {
		if r := recover(); r != nil {
			c.o.Log.Error("ask", "word", messages.KindOf(m), "panic", r, "stack", string(debug.Stack()))
			err = messages.Errorf(messages.CodeInternal, "%s: %v", messages.KindOf(m), r)
		}
	}()
	out, err = c.house.Ask(ctx, m)
	if err == nil && out == nil {
		err = fmt.Errorf("%s was answered with nothing", messages.KindOf(m))
	}
	return out, err
}

// reply sends the last frame of a request, after which its id is free again. The
// client may have gone: then there is nobody to tell.
func (c *conn) reply(ctx context.Context, f frame) {
	c.forget(f.ID)
	ctx = context.WithoutCancel(ctx) // a request that was cancelled still ends
	if err := c.link.write(ctx, f); err != nil {
		if messages.IsCode(err, messages.CodeInvalid) { // too long
			err = c.link.write(ctx, fail(f.ID, err))
		}
		if err != nil {
			c.o.Log.Debug("reply", "id", f.ID, "err", err)
		}
	}
}
