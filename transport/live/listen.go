package live

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gorilla/websocket"

	"kurogo/messages"
)

var (
	errGone  = errors.New("the page has gone")
	errFlood = errors.New("too many pings")
)

// meet sets what a page may do to us.
func (c *client) meet() {
	c.ws.SetReadLimit(frameBytes)
	c.ws.SetPongHandler(func(string) error { return c.hurry() })
	c.ws.SetPingHandler(func(data string) error {
		if c.pings.Add(1) > manyPings {
			return errFlood
		}
		_ = c.ws.WriteControl(websocket.PongMessage, []byte(data), time.Now().Add(writing)) // writing the next frame finds out
		return c.hurry()
	})
	_ = c.hurry() // reading finds out
}

// hurry begins the silence anew.
func (c *client) hurry() error { return c.ws.SetReadDeadline(time.Now().Add(silence)) }

// listen takes one order after the other. It reads no further while an answer
// cannot be told, so that a page which only asks is held back by its socket.
func (c *client) listen(ctx context.Context) error {
	pace := pace{left: burst, at: time.Now()}
	for {
		kind, raw, err := c.ws.ReadMessage()
		switch {
		case websocket.IsCloseError(err, websocket.CloseNormalClosure, websocket.CloseGoingAway, websocket.CloseNoStatusReceived):
			return errGone
		case err != nil:
			return fmt.Errorf("read: %w", err)
		}
		if err := c.hurry(); err != nil {
			return fmt.Errorf("read: %w", err)
		}
		o, err := decode(kind, raw)
		if err == nil {
			err = pace.step(time.Now())
		}
		if err == nil {
			err = c.obey(ctx, o)
		}
		if err != nil {
			c.answer(ctx, o.ID, nil, err, nil)
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
}

// A pace is a bucket that fills with time.
type pace struct {
	left float64
	at   time.Time
}

const (
	rate  = 50.0 // orders a second, over time
	burst = 200.0
)

// step takes one order. Errors: rate_limited.
func (p *pace) step(now time.Time) error {
	p.left = min(burst, p.left+rate*now.Sub(p.at).Seconds())
	p.at = now
	if p.left < 1 {
		e := messages.Errorf(messages.CodeRateLimited, "more than %g orders a second", rate).Try("ask more slowly")
		e.RetryAfter = time.Duration((1 - p.left) / rate * float64(time.Second)).Round(time.Millisecond)
		return e
	}
	p.left--
	return nil
}
