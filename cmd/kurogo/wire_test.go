package main_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

// http asks "GET /path" with a token, if there is one, and headers "Name: value".
func (l *lair) http(t *testing.T, what, token string, headers ...string) (status int, body string) {
	t.Helper()
	method, path, _ := strings.Cut(what, " ")
	path, text, _ := strings.Cut(path, " ")
	var content io.Reader
	if text != "" {
		content = strings.NewReader(text)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience) // what should have been refused may be a stream
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, "http://"+l.status.HTTP+path, content)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
		if name == "Host" {
			r.Host = value
		}
	}
	raw, header, err := send(r, token)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = fmt.Sscan(header.Get("Status"), &status)
	return status, string(raw)
}

// raw asks for a path as it stands, which Go's client would tidy up.
func (l *lair) raw(t *testing.T, path string) (status int, answer string) {
	t.Helper()
	c := l.connect(t)
	fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nConnection: close\r\n\r\n", path, l.status.HTTP, l.owner)
	b, _ := io.ReadAll(c) // whatever it has to say
	_, _ = fmt.Sscanf(string(b), "HTTP/1.1 %d", &status)
	return status, string(b)
}

func (l *lair) connect(t *testing.T) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", l.status.HTTP)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// socket is a WebSocket of the owner, byte by byte.
func (l *lair) socket(t *testing.T) (net.Conn, *bufio.Reader) {
	t.Helper()
	c := l.connect(t)
	fmt.Fprintf(c, "GET /mcp HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n%s\r\n\r\n", l.status.HTTP, l.owner, strings.ReplaceAll(upgrade, "|", "\r\n"))
	r := bufio.NewReader(c)
	answer, err := http.ReadResponse(r, nil)
	if err != nil || answer.StatusCode != http.StatusSwitchingProtocols {
		t.Fatalf("no WebSocket: %v, %+v", err, answer)
	}
	return c, r
}

// header begins a masked frame of n bytes.
func header(first byte, n uint64) []byte {
	b := []byte{first, 0x80 | 127}
	for shift := 56; shift >= 0; shift -= 8 {
		b = append(b, byte(n>>shift))
	}
	return append(b, 0, 0, 0, 0)
}

// upgrade are the headers that make a request a WebSocket, between bars.
const upgrade = "Connection: Upgrade|Upgrade: websocket|Sec-WebSocket-Version: 13|Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
