package live_test

import (
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/gorilla/websocket"

	"kurogo/messages"
	"kurogo/transport/gate"
	"kurogo/transport/live"
	"kurogo/transport/pipes"
)

const (
	secret = "owner-owner-owner-owner-owner-owner-owner-4"
	ada    = messages.AgentID("impl-code-1-aaaa")
	bob    = messages.AgentID("impl-code-1-bbbb")
)

func authorised(token string) http.Header {
	return http.Header{"Authorization": {"Bearer " + token}}
}

// A booth is a server behind a gate, without a network, for virtual time.
type booth struct {
	t      *testing.T
	server *live.Server
	web    *http.Server
	pipes  *pipes.Listener
}

// open opens a booth in a bubble, until the bubble ends.
func open(t *testing.T, h *theatre, o live.Options) *booth {
	t.Helper()
	return openHouse(t, h, h, o)
}

func openHouse(t *testing.T, h live.Port, tools live.Catalogue, o live.Options) *booth {
	t.Helper()
	b := &booth{t: t, server: live.New(h, tools, o), pipes: pipes.Listen()}
	g, err := gate.New(gate.Options{Ports: []int{9696}, Token: secret})
	if err != nil {
		t.Fatal(err)
	}
	b.web = g.Server(b.server)
	go func() { _ = b.web.Serve(b.pipes) }()
	t.Cleanup(b.close)
	return b
}

// attend opens a booth with one page, which has read what a new page gets first.
func attend(t *testing.T, h *theatre, o live.Options) *page {
	t.Helper()
	p := open(t, h, o).visit("")
	p.begin()
	return p
}

func (b *booth) close() {
	b.server.Close()
	_ = b.web.Close()
	synctest.Wait()
}

// visit opens the page, until the bubble ends; query is "" or "?epoch=…&since=…".
func (b *booth) visit(query string) *page {
	b.t.Helper()
	d := websocket.Dialer{NetDialContext: b.pipes.Dial}
	ws, answer, err := d.DialContext(b.t.Context(), "ws://127.0.0.1:9696/ws"+query, authorised(secret))
	if err != nil {
		b.t.Fatalf("%v: %+v", err, answer)
	}
	p := &page{t: b.t, ws: ws}
	b.t.Cleanup(p.close)
	return p
}

// A page is a client that reads when the test says so.
type page struct {
	t  *testing.T
	ws *websocket.Conn
}

// A frame is any of them.
type frame struct {
	Type    string
	Seq     int64
	Epoch   string
	Resumed bool
	Now     int64
	Data    json.RawMessage
	Ev      []event
	ID      string
	OK      bool
	Error   struct {
		Code, Message, Field, Remedy string
		Retry                        int64 `json:"retry_after_ms"`
	}
	Topic, Text  string
	Offset, Next int64
	Ended        bool
}

type event struct {
	Seq  int64
	Type messages.EventKind
	TS   int64
	ID   string
	Data json.RawMessage
}

// raw is the next frame as it came.
func (p *page) raw() string {
	p.t.Helper()
	_, b, err := p.ws.ReadMessage()
	if err != nil {
		p.t.Fatal(err)
	}
	return string(b)
}

func (p *page) next(kind string) (f frame) {
	p.t.Helper()
	raw := p.raw()
	if err := json.Unmarshal([]byte(raw), &f); err != nil {
		p.t.Fatalf("%v: %s", err, raw)
	}
	if f.Type != kind {
		p.t.Fatalf("got %s, want a %s", raw, kind)
	}
	return f
}

// begin reads what a new page gets first, and returns the snapshot.
func (p *page) begin() frame {
	p.t.Helper()
	if hello := p.next("hello"); hello.Resumed {
		p.t.Fatalf("got %+v", hello)
	}
	return p.next("snapshot")
}

// quiet says whether there is nothing to read for a while.
func (p *page) quiet(d time.Duration) bool {
	_ = p.ws.SetReadDeadline(time.Now().Add(d))
	_, b, err := p.ws.ReadMessage()
	var late net.Error
	if errors.As(err, &late) && late.Timeout() {
		return true // gorilla reads no more on this connection
	}
	p.t.Logf("it says %s, %v", b, err)
	return false
}

func (p *page) say(order string) {
	p.t.Helper()
	if err := p.ws.WriteMessage(websocket.TextMessage, []byte(order)); err != nil {
		p.t.Fatal(err)
	}
}

// ask says an order and hears its ack.
func (p *page) ask(order string) frame {
	p.t.Helper()
	p.say(order)
	return p.next("ack")
}

// obeyed says an order that must be carried out.
func (p *page) obeyed(order string) {
	p.t.Helper()
	if f := p.ask(order); !f.OK {
		p.t.Fatalf("got %+v", f)
	}
}

// refused says an order that must not be carried out, for such a reason.
func (p *page) refused(order string, code messages.Code, says string) frame {
	p.t.Helper()
	f := p.ask(order)
	if f.OK || f.Error.Code != string(code) || !strings.Contains(f.Error.Message, says) {
		p.t.Errorf("got %+v, want %s: …%s…", f, code, says)
	}
	return f
}

func (p *page) close() { _ = p.ws.Close() }

func seqs(f frame) (out []int64) {
	for _, e := range f.Ev {
		out = append(out, e.Seq)
	}
	return out
}

// watched is a stage on which the test sees who comes and goes.
type watched struct {
	*actor.RootContext
	born, gone chan *actor.PID
	over       atomic.Bool // then nobody comes
}

func (w *watched) Spawn(p *actor.Props) *actor.PID {
	if w.over.Load() {
		return nil
	}
	pid := w.RootContext.Spawn(p)
	w.born <- pid
	return pid
}

func (w *watched) Stop(pid *actor.PID) {
	w.RootContext.Stop(pid)
	w.gone <- pid
}
