package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	protocol "github.com/mark3labs/mcp-go/mcp"

	"kurogo/messages"
	"kurogo/transport/stage"
)

// A conn is a connection of which both sides make use at once. It reads in one
// goroutine and writes in another; every call has its own, so that a hundred
// waits hold back nobody.
type conn struct {
	server *Server
	sess   *session
	wire   wire
	legacy bool
	grace  time.Duration // that calls have when the client says no more

	out    chan *[]byte
	behind backlog       // the bytes in it
	closed chan struct{} // nothing that is said from here on is written
	hush   func()        // closes it
	calls  chan struct{} // what may last and runs: tool calls, subscriptions …
	queue  chan struct{} // … or waits to run
	others chan struct{} // everything else
	hands  *workers
	work   sync.WaitGroup

	mu       sync.Mutex
	stopping bool                          // nothing more begins
	open     map[string]context.CancelFunc // tool calls, by their ids
}

// idleHands stay with a connection that has nothing to do.
const idleHands = 32

var (
	errShut = errors.New("the connection was closed from our side")
	errDeaf = errors.New("the client does not read")
)

func newConn(s *Server, in *session, w wire, legacy bool, grace time.Duration) *conn {
	closed := make(chan struct{})
	return &conn{
		server: s, sess: in, wire: w, legacy: legacy, grace: grace,
		out: make(chan *[]byte, 64), closed: closed, hush: sync.OnceFunc(func() { close(closed) }),
		calls:  make(chan struct{}, s.o.Calls),
		queue:  make(chan struct{}, 2*s.o.Calls),
		others: make(chan struct{}, 16),
		open:   map[string]context.CancelFunc{},
		hands:  newWorkers(idleHands, closed),
	}
}

// run serves until the client goes, ctx ends, or somebody stops the actor. Its
// error is nil when the client went as a client should.
func (c *conn) run(ctx context.Context) error {
	ctx, done := either(ctx, c.server.life)
	defer done()
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	leave, ok := stage.Perform(c.server.o.Stage, func() { end(errShut) })
	defer leave()
	if !ok {
		end(errShut)
	}

	written := make(chan struct{})
	go func() {
		defer close(written)
		if err := c.speak(); err != nil {
			end(fmt.Errorf("%w: %w", errDeaf, err))
			c.hush()
		}
	}()
	heard := make(chan error, 1)
	go func() { heard <- c.listen(ctx) }()

	var err error
	select {
	case err = <-heard:
		c.settle(c.grace)
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	c.stop()
	end(errShut)
	left := c.settle(lastCalls)
	c.hush()
	c.await(written, lastWords)
	c.wire.shut()
	if left {
		c.server.o.Log.Warn("a tool does not heed that nobody waits for it", "session", c.sess.id)
	}
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, errShut), errors.Is(err, context.Canceled):
		return nil
	}
	return err
}

// stop lets nothing more begin.
func (c *conn) stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stopping = true
}

// begin does f beside everything else.
func (c *conn) begin(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stopping {
		return
	}
	c.work.Add(1)
	c.hands.do(func() {
		defer c.work.Done()
		f()
	})
}

// settle waits for what is being answered, for so long, and says whether
// anything is left.
func (c *conn) settle(d time.Duration) (left bool) {
	idle := make(chan struct{})
	go func() { c.work.Wait(); close(idle) }()
	return !c.await(idle, d)
}

func (c *conn) await(done <-chan struct{}, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-done:
		return true
	case <-t.C:
		return false
	}
}

// listen reads one message after the other. What decides about others (a
// handshake, a cancel, an answer to us) is handled before the next is read.
func (c *conn) listen(ctx context.Context) error {
	for {
		raw, err := c.wire.read()
		switch {
		case errors.Is(err, errTooLong):
			_ = c.say(fault(nil, protocol.INVALID_REQUEST, fmt.Sprintf("the message is over the limit of %d bytes: send less at once", c.server.o.Frame)))
			continue
		case err != nil:
			return err
		case ctx.Err() != nil:
			return context.Cause(ctx)
		}
		e, wrong := read(raw)
		switch {
		case wrong != nil:
			_ = c.say(wrong) // if it cannot be said, reading ends too
		case e.answers():
			c.sess.answered(e)
		case !e.asks(), e.Method == string(protocol.MethodInitialize):
			c.withdraw(e)
			c.handle(ctx, raw, e)
		case e.Method == string(protocol.MethodToolsCall), e.Method == string(protocol.MethodSubscriptionsListen):
			c.later(ctx, raw, e)
		default:
			c.others <- struct{}{} // they are quick
			c.begin(func() {
				defer func() { <-c.others }()
				c.handle(ctx, raw, e)
			})
		}
	}
}

// later runs what may last when it is its turn. Who asks for more than can even
// wait hears so at once.
func (c *conn) later(ctx context.Context, raw []byte, e envelope) {
	select {
	case c.queue <- struct{}{}:
	default:
		c.refuse(e, messages.Errorf(messages.CodeBusy, "%d calls are open on this connection", cap(c.queue)).Try("wait for some of them"))
		return
	}
	id := string(e.ID)
	call, end := context.WithCancel(ctx)
	c.mu.Lock()
	c.open[id] = end
	c.mu.Unlock()
	c.begin(func() {
		defer func() { <-c.queue }()
		defer c.finish(id, end)
		select {
		case c.calls <- struct{}{}:
			defer func() { <-c.calls }()
			if call.Err() == nil { // it may be its turn and too late at once
				c.handle(call, raw, e)
			}
		case <-call.Done():
		}
	})
}

// withdraw cancels a call that the client no longer wants, whether it runs or
// waits to.
func (c *conn) withdraw(e envelope) {
	var cancelled struct {
		ID json.RawMessage `json:"requestId"`
	}
	if e.Method != string(protocol.MethodNotificationCancelled) || json.Unmarshal(e.Params, &cancelled) != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if end, ok := c.open[string(cancelled.ID)]; ok {
		end()
	}
}

func (c *conn) finish(id string, end context.CancelFunc) {
	end()
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.open, id)
}

// refuse answers a call that does not begin.
func (c *conn) refuse(e envelope, why *messages.Error) {
	f := failed(why, nil)
	var answer any = protocol.JSONRPCResponse{JSONRPC: protocol.JSONRPC_VERSION, ID: requestID(e.ID), Result: f.result()}
	if c.legacy {
		answer = f.rpc(e.ID)
	}
	_ = c.say(answer) // if it cannot be said, reading ends too
}

// handle answers a message, unless its answer is no longer wanted.
func (c *conn) handle(ctx context.Context, raw []byte, e envelope) {
	answer := c.server.handle(ctx, c.sess, raw, e, c.legacy, c)
	if _, unwanted := answer.(withdrawn); answer == nil || unwanted || ctx.Err() != nil {
		return
	}
	if err := c.say(answer); err != nil && e.asks() {
		c.server.o.Log.Debug("answer not delivered", "session", c.sess.id, "method", e.Method, "err", err)
	}
}

// say implements voice. It waits for a client that reads slowly, until the
// connection is given up.
func (c *conn) say(message any) error {
	sheet, _ := sheets.Get().(*[]byte) // it holds nothing else
	var err error
	if *sheet, err = encode((*sheet)[:0], message); err != nil {
		return fmt.Errorf("encode message: %w", err)
	}
	if err := c.behind.enter(len(*sheet), c.closed); err != nil {
		return err
	}
	select {
	case c.out <- sheet:
		return nil
	case <-c.closed:
		return errShut
	}
}

// speak writes what is said, one message at a time.
func (c *conn) speak() error {
	t := time.NewTicker(pingEvery)
	defer t.Stop()
	for {
		select {
		case sheet := <-c.out:
			if err := c.put(sheet); err != nil {
				return err
			}
		case <-t.C:
			if err := c.wire.ping(); err != nil {
				return err
			}
		case <-c.closed:
			for {
				select {
				case sheet := <-c.out:
					if err := c.put(sheet); err != nil {
						return err
					}
				default:
					return nil
				}
			}
		}
	}
}

func (c *conn) put(sheet *[]byte) error {
	defer reuse(sheet)
	defer c.behind.leave(len(*sheet))
	return c.wire.write(*sheet, len(c.out) > 0)
}
