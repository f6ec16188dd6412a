package main

import (
	"cmp"
	"net/http"
	"slices"
	"sync"
	"time"

	"kurogo/messages"
)

// Guests are who is connected to a house now. What lasts is one of them by what it
// came for; a connection that asks and goes is told of as http.
type guests struct {
	mu     sync.Mutex
	here   map[int]messages.Connection
	next   int
	socket int // clients of the socket, of whom we know only how many
}

// came adds somebody; whoever is called with the answer has gone.
func (g *guests) came(kind, from string) (gone func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.here == nil {
		g.here = map[int]messages.Connection{}
	}
	g.next++
	n := g.next
	g.here[n] = messages.Connection{Kind: kind, From: from, Since: time.Now().UTC()}
	return func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		delete(g.here, n)
	}
}

// counted says how many clients the socket has.
func (g *guests) counted(clients int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.socket = clients
}

// seen notes who is being answered by h, as long as that takes.
func (g *guests) seen(kind string, h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer g.came(kind, r.RemoteAddr)()
		h.ServeHTTP(w, r)
	})
}

// list is everybody, who came first before the others.
func (g *guests) list() []messages.Connection {
	g.mu.Lock()
	defer g.mu.Unlock()
	out := make([]messages.Connection, 0, len(g.here)+g.socket)
	for _, c := range g.here {
		out = append(out, c)
	}
	slices.SortFunc(out, func(a, b messages.Connection) int {
		return cmp.Or(a.Since.Compare(b.Since), cmp.Compare(a.From, b.From))
	})
	for range g.socket {
		out = append(out, messages.Connection{Kind: "socket", From: "kurogo.sock"})
	}
	return out
}
