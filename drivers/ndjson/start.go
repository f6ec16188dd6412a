package ndjson

import (
	"context"
	"fmt"
	"time"

	"kurogo/drivers/process"
	"kurogo/messages"
)

// defaultStart is how long a brief that names no time lets an agent get ready.
const defaultStart = 30 * time.Second

// Start starts a process and says hello to it; ctx bounds that only. A process
// that is not ready within the time ends with the class timeout, and one that is
// dead already says so in its events. Errors: those of process.Start.
func Start(ctx context.Context, c process.Command, p Protocol, within time.Duration) (*Session, error) {
	hello, err := p.Hello()
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", c.Path, err)
	}
	child, err := process.Start(ctx, c)
	if err != nil {
		return nil, err
	}
	if err := child.Write(ctx, hello); err != nil && ctx.Err() != nil {
		child.Stop(ctx) // at once: ctx is over
		return nil, fmt.Errorf("start %s: %w", c.Path, err)
	}
	return begin(child, p, within), nil //nolint:contextcheck // the life outlives its start
}

func begin(child *process.Process, p Protocol, within time.Duration) *Session {
	if within <= 0 {
		within = defaultStart
	}
	s := newSession(p)
	s.began(child)
	s.late = time.AfterFunc(within, func() {
		s.end(messages.ClassTimeout, fmt.Sprintf("it was not ready within %s", within))
	})
	go s.reply()
	go s.listen()
	return s
}

func newSession(p Protocol) *Session {
	return &Session{
		events:   make(chan messages.DriverEvent, credits),
		replies:  make(chan []byte, credits),
		begun:    make(chan struct{}),
		stopping: make(chan struct{}),
		gone:     make(chan struct{}),
		protocol: p,
	}
}
