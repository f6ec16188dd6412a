package local

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"syscall"
	"time"

	"kurogo/messages"
)

// Serve answers every client of l until ctx ends. Then it stops in order: no
// new connection, no new request; watches end with unavailable; what is being
// answered has Options.Grace; then everything is cancelled. It closes l. Its
// error is nil unless l broke or the house did not let go of a request.
func Serve(ctx context.Context, l net.Listener, h House, o Options) error {
	s := &server{house: h, o: o.filled()}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	context.AfterFunc(ctx, func() { _ = l.Close() }) // Accept returns what it says
	err := s.accept(ctx, l)
	stop()
	_ = l.Close() // before we return: the socket's path may then be another owner's
	s.open.Wait()
	if s.left > 0 {
		err = errors.Join(err, fmt.Errorf("stop serving: %d requests were never answered", s.left))
	}
	return err
}

type server struct {
	house House
	o     Options
	open  sync.WaitGroup

	mu    sync.Mutex
	conns int
	left  int // requests that outlived their connection
}

func (s *server) accept(ctx context.Context, l net.Listener) error {
	for {
		nc, err := l.Accept()
		switch {
		case ctx.Err() != nil:
			if err == nil {
				_ = nc.Close()
			}
			return nil
		case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
			// Too many files are open. Those who hold them need time, not us.
			s.o.Log.Warn("accept", "err", err)
			pause(ctx, 100*time.Millisecond)
			continue
		case err != nil:
			return fmt.Errorf("accept: %w", err)
		}
		c := newConn(newLink(nc, s.o.WriteTimeout), s.house, s.o)
		if !s.enter() {
			c.refuse(ctx, messages.Errorf(messages.CodeBusy, "%d connections are open already", s.o.Conns).
				Try("close one, or try again soon"))
			continue
		}
		s.open.Go(func() { s.leave(c.run(ctx)) })
	}
}

func (s *server) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conns >= s.o.Conns {
		return false
	}
	s.conns++
	s.o.Presence(s.conns)
	return true
}

func (s *server) leave(left int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.conns--
	s.left += left
	s.o.Presence(s.conns)
}

func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}
