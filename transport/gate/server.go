package gate

import (
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"
)

const (
	headerTimeout = 5 * time.Second
	idleTimeout   = 2 * time.Minute
	headerBytes   = 32 << 10
)

// Server serves h, behind the gate, with the time-outs that net/http leaves out.
// There is none for a whole request: a wait may last, and a stream does.
func (g *Gate) Server(h http.Handler) *http.Server {
	return &http.Server{
		Handler:           g.Wrap(h),
		ReadHeaderTimeout: headerTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    headerBytes,
		ErrorLog:          slog.NewLogLogger(g.o.Log.Handler(), slog.LevelDebug),
	}
}

// Bound lets at most n connections of l be open at a time, WebSockets included.
// One more is closed as it comes, so that nobody waits for it in vain.
func Bound(l net.Listener, n int) net.Listener {
	return &bound{Listener: l, room: make(chan struct{}, n)}
}

type bound struct {
	net.Listener
	room chan struct{}
}

// Accept implements [net.Listener].
func (b *bound) Accept() (net.Conn, error) {
	for {
		c, err := b.Listener.Accept()
		if err != nil {
			return nil, err
		}
		select {
		case b.room <- struct{}{}:
			return &counted{Conn: c, leave: sync.OnceFunc(func() { <-b.room })}, nil
		default:
			_ = c.Close() // there is nothing to say on it
		}
	}
}

type counted struct {
	net.Conn
	leave func()
}

// Close implements [net.Conn].
func (c *counted) Close() error {
	defer c.leave()
	return c.Conn.Close()
}
