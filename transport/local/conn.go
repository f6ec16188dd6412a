package local

import (
	"context"
	"errors"
	"io"
	"net"
	"sync"
	"time"

	"kurogo/messages"
)

var (
	errGone    = errors.New("the client has gone")
	errDropped = errors.New("the client no longer wants it")
)

func stopping() *messages.Error {
	return messages.Errorf(messages.CodeUnavailable, "stopping").Try("try again when kurogo is back")
}

// A conn is one client, seen from the server.
type conn struct {
	link  *link
	house House
	o     Options
	slots chan struct{} // one for each request in flight

	mu       sync.Mutex
	stopping bool
	requests map[uint64]*request
}

func newConn(l *link, h House, o Options) *conn {
	return &conn{
		link: l, house: h, o: o,
		slots:    make(chan struct{}, o.Requests),
		requests: make(map[uint64]*request),
	}
}

// run serves the client until it goes or ctx ends, and returns how many of its
// requests the house did not let go of.
func (c *conn) run(ctx context.Context) int {
	defer c.link.close()
	life, end := context.WithCancelCause(context.WithoutCancel(ctx))
	defer end(errGone)

	over := make(chan error, 1)
	go func() { over <- c.listen(life) }()
	var err error
	select {
	case err = <-over:
	case <-ctx.Done():
		c.stop()
		c.await(c.o.Grace)
		end(stopping())
		c.link.close()
		err = <-over
	}
	end(errGone)
	left := c.await(c.o.Grace)
	if err != nil || left > 0 {
		c.o.Log.Warn("client", "err", err, "unanswered", left)
	}
	return left
}

// listen reads what the client wants. It returns nil when the client left as a
// client should.
func (c *conn) listen(life context.Context) error {
	if err := c.greet(life); err != nil {
		return c.complain(life, err)
	}
	for {
		f, err := c.link.read()
		if err != nil {
			return c.complain(life, err)
		}
		switch f.Verb {
		case verbAsk, verbWatch:
			err = c.begin(life, f)
		case verbCancel:
			c.cancel(f.ID)
		case verbMore:
			c.more(f.ID, f.More)
		case verbHello, verbAnswer, verbEvent, verbEnd, verbFail:
			err = messages.Invalid("verb", "%q is not for a client to say here", f.Verb)
		}
		if err != nil {
			return c.complain(life, err)
		}
	}
}

// complain tells the client what it did wrong, if anything can still be told.
func (c *conn) complain(life context.Context, err error) error {
	var e *messages.Error
	switch {
	case errors.As(err, &e):
		_ = c.link.write(context.WithoutCancel(life), fail(0, e)) // we hang up next
		return e
	case errors.Is(err, io.EOF), errors.Is(err, net.ErrClosed), errors.Is(err, io.ErrClosedPipe):
		return nil
	}
	return err
}

// stop takes no more requests and ends the watches.
func (c *conn) stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stopping = true
	for _, r := range c.requests {
		if r.credit != nil {
			r.cancel(stopping())
		}
	}
}

// await waits until nothing is in flight, at most for d, and returns how many
// requests still are.
func (c *conn) await(d time.Duration) int {
	t := time.NewTimer(d)
	defer t.Stop()
	for taken := range cap(c.slots) {
		select {
		case c.slots <- struct{}{}:
			defer func() { <-c.slots }()
		case <-t.C:
			return len(c.slots) - taken
		}
	}
	return 0
}
