package local

import (
	"log/slog"
	"time"
)

// Options of Serve. Only Hello is required.
type Options struct {
	Hello        Hello
	Conns        int           // open at once; 0 = 64
	Requests     int           // in flight on one connection; 0 = 256
	HelloTimeout time.Duration // of a new client; 0 = 5 s
	WriteTimeout time.Duration // of one frame to a client that does not read; 0 = 10 s
	Patience     time.Duration // with a watcher that takes no events; 0 = 5 min
	Grace        time.Duration // for what is being answered when we stop; 0 = 5 s
	Log          *slog.Logger  // nil = nobody listens

	// Presence is told how many clients are connected whenever one comes or
	// goes, in that order. It must not wait.
	Presence func(clients int)
}

const (
	helloTimeout = 5 * time.Second
	writeTimeout = 10 * time.Second
)

func (o Options) filled() Options {
	set(&o.Conns, 64)
	set(&o.Requests, 256)
	set(&o.HelloTimeout, helloTimeout)
	set(&o.WriteTimeout, writeTimeout)
	set(&o.Patience, 5*time.Minute)
	set(&o.Grace, 5*time.Second)
	if o.Presence == nil {
		o.Presence = func(int) {}
	}
	set(&o.Log, slog.New(slog.DiscardHandler))
	return o
}

func set[T comparable](field *T, otherwise T) {
	var zero T
	if *field == zero {
		*field = otherwise
	}
}
