package mcp_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"

	"kurogo/transport/gate"
	"kurogo/transport/mcp"
	"kurogo/transport/pipes"
)

// virtually plays a story with a WebSocket in virtual time.
func virtually(t *testing.T, o mcp.Options, story func(t *testing.T, ws *websocket.Conn)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := mcp.New(o)
		g, err := gate.New(gate.Options{Ports: []int{9696}, Token: secret})
		if err != nil {
			t.Fatal(err)
		}
		l := pipes.Listen()
		web := g.Server(s.Endpoint(false))
		go func() { _ = web.Serve(l) }()
		d := websocket.Dialer{NetDialContext: l.Dial}
		ws, _, err := d.DialContext(t.Context(), "ws://127.0.0.1:9696/mcp", authorised(secret))
		if err != nil {
			t.Fatal(err)
		}
		story(t, ws)
		_ = ws.Close()
		s.Close()
		_ = web.Close()
		synctest.Wait()
	})
}

// A client that asks and does not read is dropped when its first answer could
// not be written for ten seconds. Until then it was served no more than fits.
func TestASlowReaderIsDropped(t *testing.T) {
	f := newFake()
	virtually(t, mcp.Options{Catalogue: f}, func(t *testing.T, ws *websocket.Conn) {
		t.Helper()
		began := time.Now()
		var err error
		for asked := 0; err == nil && asked < 5000; asked++ {
			err = ws.WriteMessage(websocket.TextMessage, []byte(call(asked, "echo", `{"text":"x"}`)))
		}
		if took := time.Since(began); err == nil || took != 10*time.Second {
			t.Errorf("it was dropped after %v with %v", took, err)
		}
		// What runs, what waits to be written, what is being written.
		if n := len(f.seen()); n == 0 || n > 128+64+1 {
			t.Errorf("%d calls were served", n)
		}
	})
}

// A client that does not even answer pings is gone after a minute.
func TestASilentClientIsDropped(t *testing.T) {
	virtually(t, mcp.Options{Catalogue: newFake()}, func(t *testing.T, ws *websocket.Conn) {
		t.Helper()
		pings := 0
		ws.SetPingHandler(func(string) error { pings++; return nil })
		began := time.Now()
		_, _, err := ws.ReadMessage()
		if took := time.Since(began); err == nil || took != time.Minute || pings != 2 {
			t.Errorf("it was dropped after %v and %d pings with %v", took, pings, err)
		}
	})
}

// One that does answer them may say nothing for as long as it likes.
func TestAQuietClientStays(t *testing.T) {
	virtually(t, mcp.Options{Catalogue: newFake()}, func(t *testing.T, ws *websocket.Conn) {
		t.Helper()
		go func() {
			<-time.After(24 * time.Hour)
			_ = ws.WriteMessage(websocket.TextMessage, []byte(list))
		}()
		began := time.Now()
		_, _, err := ws.ReadMessage()
		if took := time.Since(began); err != nil || took != 24*time.Hour {
			t.Errorf("it heard after %v with %v", took, err)
		}
	})
}

// Pings are answered, but not a flood of them.
func TestAFloodOfPingsEnds(t *testing.T) {
	virtually(t, mcp.Options{Catalogue: newFake()}, func(t *testing.T, ws *websocket.Conn) {
		t.Helper()
		go func() {
			for {
				if _, _, err := ws.ReadMessage(); err != nil {
					return
				}
			}
		}()
		var err error
		sent := 0
		for ; err == nil && sent < 5000; sent++ {
			err = ws.WriteControl(websocket.PingMessage, nil, time.Now().Add(time.Second))
		}
		if err == nil || sent < 256 || sent > 300 {
			t.Errorf("after %d pings: %v", sent, err)
		}
	})
}
