package pipes

import (
	"context"
	"net"
	"sync"
)

// A Listener accepts who dials it, by its method, until it is closed.
type Listener struct {
	conns  chan net.Conn
	closed chan struct{}
	close  func()
}

// Listen opens a listener.
func Listen() *Listener {
	closed := make(chan struct{})
	return &Listener{conns: make(chan net.Conn), closed: closed, close: sync.OnceFunc(func() { close(closed) })}
}

// Dial connects, whatever the network and the address are. It has the form that
// the dialers of net/http and of WebSockets want.
func (l *Listener) Dial(ctx context.Context, _, _ string) (net.Conn, error) {
	client, served := net.Pipe()
	select {
	case l.conns <- served:
		return client, nil
	case <-l.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// Accept implements [net.Listener].
func (l *Listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

// Close implements [net.Listener].
func (l *Listener) Close() error {
	l.close()
	return nil
}

// Addr implements [net.Listener]: our own, as the gate expects it.
func (*Listener) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 9696} }
