package local

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"kurogo/messages"
)

// greet hears the client's hello and says ours, or why there will be no talk.
func (c *conn) greet(life context.Context) error {
	theirs, err := c.hear(c.o.HelloTimeout)
	if err != nil {
		return err
	}
	if theirs.Schema != c.o.Hello.Schema {
		return c.turnAway(life, theirs)
	}
	return c.link.write(life, frame{Verb: verbHello, Hello: &c.o.Hello})
}

func (c *conn) hear(patience time.Duration) (Hello, error) {
	if err := c.link.conn.SetReadDeadline(time.Now().Add(patience)); err != nil {
		return Hello{}, fmt.Errorf("hear hello: %w", err)
	}
	f, err := c.link.read()
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return Hello{}, messages.Errorf(messages.CodeDeadline, "no hello within %v", patience)
	case err != nil:
		return Hello{}, err
	case f.Verb != verbHello:
		return Hello{}, messages.Invalid("verb", "%q came before hello", f.Verb).Try("say hello first")
	}
	return *f.Hello, c.link.conn.SetReadDeadline(time.Time{})
}

// turnAway refuses a client of another schema. A newer one means that the
// program was upgraded under us: if nobody needs us, we make room.
func (c *conn) turnAway(life context.Context, theirs Hello) error {
	e := c.o.Hello.other(theirs)
	if theirs.Schema < c.o.Hello.Schema {
		return e.Try("use the newer kurogo")
	}
	ctx, cancel := context.WithTimeout(life, c.o.HelloTimeout)
	defer cancel()
	if _, err := c.ask(ctx, messages.StopHouse{IfIdle: true}); err != nil {
		return e.Try("let the older one finish, or stop it: kurogo stop")
	}
	e.RetryAfter = time.Second
	return e.Try("the older one is idle and leaves now: try again")
}

// refuse tells a client that there is no room for it. It is done while nobody
// else is let in, so it is short.
func (c *conn) refuse(ctx context.Context, why *messages.Error) {
	defer c.link.close()
	c.link.timeout = time.Second
	if _, err := c.hear(time.Second); err == nil {
		_ = c.complain(ctx, why)
	}
}
