package local

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"syscall"
	"time"

	"kurogo/messages"
)

// A Client is a House at the other end of a socket. It may be used by many
// goroutines at once.
type Client struct {
	link   *link
	server Hello

	mu    sync.Mutex
	last  uint64
	calls map[uint64]chan frame

	gone chan struct{} // closed when nothing more will be heard …
	why  error         // … because of this, written before
}

var _ House = (*Client)(nil)

// Dial connects to the socket at path. Errors: ErrNobody when nobody listens
// there; unavailable when the other side speaks another schema or does not
// answer; busy when it has no room; denied when the socket is not ours.
func Dial(ctx context.Context, path string, me Hello) (*Client, error) {
	if err := fits(path); err != nil {
		return nil, err
	}
	var d net.Dialer
	conn, err := d.DialContext(ctx, "unix", path)
	switch {
	case errors.Is(err, os.ErrNotExist), errors.Is(err, syscall.ECONNREFUSED):
		return nil, fmt.Errorf("dial %s: %w", path, ErrNobody)
	case errors.Is(err, os.ErrPermission):
		return nil, messages.Errorf(messages.CodeDenied, "%s belongs to somebody else", path)
	case errors.Is(err, syscall.EAGAIN):
		return nil, messages.Errorf(messages.CodeBusy, "too many are waiting at %s", path).Try("try again soon")
	case err != nil:
		return nil, fmt.Errorf("dial %s: %w", path, err)
	}
	return Connect(ctx, conn, me)
}

// Connect says hello on conn, which it owns from then on.
func Connect(ctx context.Context, conn net.Conn, me Hello) (*Client, error) {
	c := &Client{
		link:  newLink(conn, writeTimeout),
		calls: make(map[uint64]chan frame),
		gone:  make(chan struct{}),
	}
	hurry := context.AfterFunc(ctx, c.link.close)
	err := c.greet(ctx, me)
	if !hurry() {
		err = fmt.Errorf("say hello: %w", context.Cause(ctx))
	}
	if err != nil {
		c.link.close()
		return nil, err
	}
	go c.listen()
	return c, nil
}

func (c *Client) greet(ctx context.Context, me Hello) error {
	if err := c.link.conn.SetReadDeadline(time.Now().Add(helloTimeout)); err != nil {
		return fmt.Errorf("say hello: %w", err)
	}
	// A server without room may hang up before it has heard us: what it said is
	// worth more than the error of our write.
	sent := c.link.write(ctx, frame{Verb: verbHello, Hello: &me})
	f, err := c.link.read()
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return messages.Errorf(messages.CodeUnavailable, "kurogo does not answer").Try("kurogo doctor says who holds the lock")
	case err != nil:
		return fmt.Errorf("hear hello: %w", errors.Join(sent, err))
	case f.Verb == verbFail:
		return f.err()
	case f.Verb != verbHello:
		return messages.Errorf(messages.CodeUnavailable, "kurogo said %q before hello", f.Verb)
	case f.Hello.Schema != me.Schema:
		return f.Hello.other(me).Try("stop the one that serves: kurogo stop")
	}
	c.server = *f.Hello
	return c.link.conn.SetReadDeadline(time.Time{})
}

// Server is what the other side said of itself.
func (c *Client) Server() Hello { return c.server }

// Ended reports whether the connection is over.
func (c *Client) Ended() bool {
	select {
	case <-c.gone:
		return true
	default:
		return false
	}
}

// Close hangs up. What is still waited for ends with unavailable.
func (c *Client) Close() error {
	c.link.close()
	<-c.gone
	return nil
}

// listen hands every frame to whoever waits for it.
func (c *Client) listen() {
	defer close(c.gone)
	defer c.link.close()
	for {
		f, err := c.link.read()
		if err == nil {
			err = c.hand(f)
		}
		if err != nil {
			c.why = err
			return
		}
	}
}

// hand never waits: a server that sends more than was asked for ends the talk.
func (c *Client) hand(f frame) error {
	switch f.Verb {
	case verbFail, verbAnswer, verbEvent, verbEnd:
	case verbHello, verbAsk, verbWatch, verbMore, verbCancel:
		return nonsense("it said %q", f.Verb)
	}
	if f.ID == 0 {
		return f.err()
	}
	c.mu.Lock()
	call, ok := c.calls[f.ID]
	c.mu.Unlock()
	if !ok {
		return nil // we no longer want it
	}
	select {
	case call <- f:
		return nil
	default:
		return nonsense("it said more than it was asked")
	}
}

func nonsense(format string, args ...any) *messages.Error {
	return messages.Errorf(messages.CodeInternal, "kurogo does not keep to the protocol: "+format, args...)
}
