package live

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"

	"kurogo/messages"
	"kurogo/transport/stage"
)

// A client is one page: a cursor in the hub's ring, and the logs that it follows.
// One goroutine writes, one reads, and each order that may last has its own.
type client struct {
	server *Server
	hub    *hub
	ws     *websocket.Conn
	who    messages.Caller

	cursor  int64       // of what was told; this and the next two are the writer's
	beat    *time.Timer // of the next word that only says that we live
	tails   tails
	topics  map[string]bool // of the tails there will be; the reader's
	answers chan answer
	calls   chan struct{}
	work    sync.WaitGroup
	pings   atomic.Int32 // of the client, since our last
}

func newClient(s *Server, h *hub, ws *websocket.Conn, who messages.Caller) *client {
	who.Client = "dashboard"
	return &client{
		server: s, hub: h, ws: ws, who: who, topics: map[string]bool{},
		answers: make(chan answer, calls), calls: make(chan struct{}, calls),
	}
}

// run serves until the page goes, ctx ends, or somebody stops the actor. Its error
// is nil when the page went as a page does, or when we sent it away. since is the
// cursor of one that resumes, −1 of any other.
func (c *client) run(ctx context.Context, now messages.Status, since int64) error {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	leave, ok := stage.Perform(c.server.o.Stage, func() { end(errShut) })
	defer leave()
	if !ok {
		end(errShut)
	}
	c.meet()
	heard := make(chan struct{})
	go func() {
		defer close(heard)
		end(c.listen(ctx))
	}()
	err := c.speak(ctx, now, since)
	end(err)
	c.bye(err)
	<-heard
	c.work.Wait()
	switch {
	case errors.Is(err, errGone), errors.Is(err, errShut), errors.Is(err, context.Canceled):
		return nil
	}
	return err
}

// bye says why we end, to a page that can still hear it. Its client comes back by
// itself, unless it was the one that went.
func (c *client) bye(err error) {
	code := websocket.CloseInternalServerErr
	if errors.Is(err, errShut) || errors.Is(err, context.Canceled) {
		code = websocket.CloseGoingAway
	}
	if !errors.Is(err, errDeaf) && !errors.Is(err, errGone) {
		_ = c.ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, ""), time.Now().Add(lastWords)) // a courtesy
	}
	_ = c.ws.Close()
}

// speak is the only one that writes frames.
func (c *client) speak(ctx context.Context, now messages.Status, since int64) error {
	c.beat = time.NewTimer(heartbeat)
	defer c.beat.Stop()
	if err := c.greet(ctx, now, since); err != nil {
		return err
	}
	ping := time.NewTicker(pingEvery)
	defer ping.Stop()
	rest := time.NewTimer(0)
	defer rest.Stop()
	resting := true // until the timer fires: between two batches
	for {
		var more <-chan struct{}
		if !resting {
			told, wake, err := c.flush(ctx)
			if err != nil {
				return err
			}
			if resting = told; told {
				rest.Reset(flushEvery)
			} else {
				more = wake
			}
		}
		var err error
		select {
		case <-rest.C:
			resting = false
		case <-more:
		case a := <-c.answers:
			if err = c.write(a.frame); err == nil && a.then != nil {
				a.then()
			}
		case <-c.beat.C:
			err = c.write(fmt.Appendf(nil, `{"type":"hb","seq":%d,"now":%d}`, c.cursor, time.Now().UnixMilli()))
		case <-ping.C:
			c.pings.Store(0)
			err = c.ws.WriteControl(websocket.PingMessage, nil, time.Now().Add(writing))
		case <-ctx.Done():
			err = context.Cause(ctx)
		}
		if err != nil {
			return err
		}
	}
}

// greet says who we are, and to a page that is new here what there is.
func (c *client) greet(ctx context.Context, now messages.Status, since int64) error {
	type server struct {
		Version   string `json:"version"`
		Rehearsal bool   `json:"rehearsal"`
	}
	hello, err := json.Marshal(struct {
		Type      string `json:"type"`
		Proto     int    `json:"proto"`
		Epoch     string `json:"epoch"`
		Resumed   bool   `json:"resumed"`
		Heartbeat int64  `json:"heartbeatMs"`
		Now       int64  `json:"now"`
		Server    server `json:"server"`
	}{"hello", proto, now.Store, since >= 0, heartbeat.Milliseconds(), time.Now().UnixMilli(), server{now.Version, now.Rehearsal}})
	if err != nil {
		return fmt.Errorf("encode hello: %w", err)
	}
	if err := c.write(hello); err != nil {
		return err
	}
	if since >= 0 {
		c.cursor = since
		return nil
	}
	return c.resync(ctx)
}

// resync begins anew with a snapshot.
func (c *client) resync(ctx context.Context) error {
	s, err := c.server.snapshot(ctx, c.hub)
	if err != nil {
		return err
	}
	c.cursor = s.seq
	c.tails.all() // we have not heard who said more
	return c.write(s.frame)
}

// flush tells what has happened since, and what the followed agents have said. told
// is false when there was nothing; then more is closed when there is.
func (c *client) flush(ctx context.Context) (told bool, more <-chan struct{}, err error) {
	list, ok, more, err := c.hub.after(c.cursor)
	switch {
	case err != nil:
		return false, nil, err
	case !ok:
		return true, nil, c.resync(ctx)
	case len(list) > 0:
		if err := c.write(batch(list)); err != nil {
			return true, nil, err
		}
		c.cursor = list[len(list)-1].seq
		c.tails.heard(list)
	}
	poured, err := c.pour(ctx)
	return len(list) > 0 || poured, more, err
}

// write sends one frame, to a page that reads.
func (c *client) write(frame []byte) error {
	if err := c.ws.SetWriteDeadline(time.Now().Add(writing)); err != nil {
		return fmt.Errorf("%w: %w", errDeaf, err)
	}
	if err := c.ws.WriteMessage(websocket.TextMessage, frame); err != nil {
		return fmt.Errorf("%w: %w", errDeaf, err)
	}
	c.beat.Reset(heartbeat)
	return nil
}
