package mcp

import (
	"errors"
	"io"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"

	"kurogo/messages"
	"kurogo/transport/gate"
)

// WebSocket serves MCP on WebSockets, a message a frame, to whom the gate let
// in. legacy tells errors by their JSON-RPC numbers.
func (s *Server) WebSocket(legacy bool) http.Handler {
	upgrader := websocket.Upgrader{
		HandshakeTimeout: writing,
		Subprotocols:     []string{"mcp"},
		CheckOrigin:      func(*http.Request) bool { return true }, // the gate did, by the whole list
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !admitted(w, r) {
			return
		}
		select {
		case s.sockets <- struct{}{}:
			defer func() { <-s.sockets }()
		default:
			refuse(w, messages.Errorf(messages.CodeBusy, "%d connections are open", cap(s.sockets)).Try("close one"))
			return
		}
		ws, err := upgrader.Upgrade(w, r, nil)
		if err != nil {
			return // it has answered
		}
		c := newConn(s, newSession(gate.Caller(r.Context())), newFrames(ws, s.o.Frame), legacy || s.o.Legacy, 0)
		if err := c.run(r.Context()); err != nil {
			s.o.Log.Info("connection lost", "session", c.sess.id, "err", err)
		}
	})
}

// admitted sees that there was a gate.
func admitted(w http.ResponseWriter, r *http.Request) bool {
	if gate.Principal(r.Context()) != "" {
		return true
	}
	refuse(w, messages.Errorf(messages.CodeDenied, "nobody said who you are"))
	return false
}

func refuse(w http.ResponseWriter, e *messages.Error) { gate.Refuse(w, e.Code.HTTP(), e) }

// frames is a WebSocket.
type frames struct {
	ws    *websocket.Conn
	most  int
	pings atomic.Int32 // of the client, since our last
}

const (
	// A message that is a little too long is skipped; one that is much too long
	// ends the connection before it is read.
	muchTooLong = 4
	manyPings   = 256
)

var errFlood = errors.New("too many pings")

func newFrames(ws *websocket.Conn, most int) *frames {
	f := &frames{ws: ws, most: most}
	ws.SetReadLimit(muchTooLong * int64(most))
	ws.SetPongHandler(func(string) error { return f.hurry() })
	ws.SetPingHandler(func(data string) error {
		if f.pings.Add(1) > manyPings {
			return errFlood
		}
		_ = ws.WriteControl(websocket.PongMessage, []byte(data), time.Now().Add(writing)) // writing the next message finds out
		return f.hurry()
	})
	_ = f.hurry() // reading finds out
	return f
}

// hurry begins the silence anew.
func (f *frames) hurry() error { return f.ws.SetReadDeadline(time.Now().Add(silence)) }

func (f *frames) read() ([]byte, error) {
	_, r, err := f.ws.NextReader()
	switch {
	case websocket.IsCloseError(err, websocket.CloseNormalClosure, websocket.CloseGoingAway, websocket.CloseNoStatusReceived):
		return nil, io.EOF
	case err != nil:
		return nil, err
	}
	message, err := io.ReadAll(io.LimitReader(r, int64(f.most)+1))
	switch {
	case err != nil:
		return nil, err
	case len(message) > f.most:
		return nil, errTooLong // the next read skips the rest
	}
	return message, f.hurry()
}

func (f *frames) write(message []byte, _ bool) error {
	if err := f.ws.SetWriteDeadline(time.Now().Add(writing)); err != nil {
		return err
	}
	return f.ws.WriteMessage(websocket.TextMessage, message)
}

func (f *frames) ping() error {
	f.pings.Store(0)
	return f.ws.WriteControl(websocket.PingMessage, nil, time.Now().Add(writing))
}

func (f *frames) shut() {
	_ = f.ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(websocket.CloseNormalClosure, ""), time.Now().Add(lastWords)) // a courtesy
	_ = f.ws.Close()
}
