package main

import (
	"context"
	"fmt"
	"io"
	"iter"
	"net/http"

	"github.com/gorilla/websocket"

	"kurogo/drivers/process"
)

// A pipe is the cable of a server that is a process of ours.
type pipe struct {
	process *process.Process
	next    func() (process.Line, bool)
	stop    func()
}

// onPipe starts a server and speaks with it.
func onPipe(ctx context.Context, c process.Command) (*duplex, *process.Process, error) {
	p, err := process.Start(ctx, c)
	if err != nil {
		return nil, nil, err
	}
	next, stop := iter.Pull(p.Lines())
	return newDuplex(&pipe{p, next, stop}), p, nil
}

func (p *pipe) send(_ context.Context, message []byte) error {
	return p.process.Write(context.Background(), message) //nolint:contextcheck // one that can end costs each line a timer
}

func (p *pipe) receive() ([]byte, error) {
	line, ok := p.next()
	if !ok {
		return nil, io.EOF
	}
	return line.Text, nil
}

func (p *pipe) close() { p.process.Stop(context.Background()) }

// A socket is a WebSocket.
type socket struct{ *websocket.Conn }

func onSocket(ctx context.Context, address, token string) (*duplex, error) {
	ws, answer, err := websocket.DefaultDialer.DialContext(ctx, "ws://"+address+"/mcp", bearer(token))
	if err != nil {
		return nil, fmt.Errorf("dial %s: %w", address, err)
	}
	_ = answer.Body.Close()
	return newDuplex(socket{ws}), nil
}

func bearer(token string) http.Header {
	h := http.Header{}
	if token != "" {
		h.Set("Authorization", "Bearer "+token)
	}
	return h
}

func (s socket) send(_ context.Context, message []byte) error {
	return s.WriteMessage(websocket.TextMessage, message)
}

func (s socket) receive() ([]byte, error) {
	_, message, err := s.ReadMessage()
	return message, err
}

func (s socket) close() { _ = s.Close() }
