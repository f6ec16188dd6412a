package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
)

// posts is a speaker of streamable HTTP: each message is a request, each voice a
// connection. Go's own client would make three goroutines take turns for each
// request, which costs as much as a quick answer.
type posts struct {
	address string
	head    string // of every request, but its length
	session string // that the first answer names
	wires   [voices]*postWire
}

type postWire struct {
	net.Conn
	in *bufio.Reader
}

func onHTTP(address, token string) *posts {
	head := "POST /mcp HTTP/1.1\r\nHost: " + address + "\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
	if token != "" {
		head += "Authorization: Bearer " + token + "\r\n"
	}
	return &posts{address: address, head: head}
}

func (p *posts) tell(ctx context.Context, notification []byte) error {
	_, err := p.ask(ctx, 0, notification)
	return err
}

func (p *posts) ask(ctx context.Context, voice int, message []byte) ([]byte, error) {
	w, err := p.wire(ctx, voice)
	if err != nil {
		return nil, err
	}
	request := make([]byte, 0, len(p.head)+32+len(message))
	request = append(append(request, p.head...), "Content-Length: "...)
	request = append(strconv.AppendInt(request, int64(len(message)), 10), "\r\n\r\n"...)
	if _, err := w.Write(append(request, message...)); err != nil {
		return nil, err
	}
	if sent, ok := ctx.Value(onSent{}).(func()); ok {
		sent()
	}
	answer, err := http.ReadResponse(w.in, nil)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode >= http.StatusBadRequest {
		err = fmt.Errorf("%s: %.500s", answer.Status, body)
	}
	if p.session == "" && answer.Header.Get("Mcp-Session-Id") != "" {
		p.session = answer.Header.Get("Mcp-Session-Id")
		p.head += "Mcp-Session-Id: " + p.session + "\r\nMcp-Protocol-Version: " + mcpVersion + "\r\n"
	}
	return body, err
}

// wire is the connection of a voice. It ends with the context of its first use.
func (p *posts) wire(ctx context.Context, voice int) (*postWire, error) {
	if w := p.wires[voice]; w != nil {
		return w, nil
	}
	var d net.Dialer
	c, err := d.DialContext(ctx, "tcp", p.address)
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, func() { _ = c.Close() })
	p.wires[voice] = &postWire{c, bufio.NewReaderSize(c, 64<<10)}
	return p.wires[voice], nil
}

func (p *posts) close() {
	for _, w := range p.wires {
		if w != nil {
			_ = w.Close()
		}
	}
}
