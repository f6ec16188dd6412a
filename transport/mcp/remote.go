package mcp

import (
	"context"
	"sync"
	"time"

	"kurogo/messages"
	"kurogo/transport/stage"
)

// A remote is a session of HTTP, which lives between its requests. It belongs to
// the principal who opened it.
type remote struct {
	*session
	principal string
	ctx       context.Context
	end       context.CancelFunc
	leave     func() // ends its actor

	// below: the lock of sessions
	inside int
	used   time.Time
	timer  *time.Timer
}

type sessions struct {
	server *Server
	mu     sync.Mutex
	open   map[string]*remote
}

// begin opens a session. Where there are too many, the principal's own that
// rested longest makes room. Errors: busy, unavailable.
func (s *sessions) begin(principal string, who messages.Caller) (*remote, error) {
	if s.server.life.Err() != nil {
		return nil, stopping()
	}
	r := &remote{session: newSession(who), principal: principal, leave: func() {}}
	r.ctx, r.end = context.WithCancel(s.server.life)
	s.mu.Lock()
	if len(s.open) >= s.server.o.Sessions {
		rested := s.rested(principal)
		if rested == nil {
			s.mu.Unlock()
			r.end()
			e := messages.Errorf(messages.CodeBusy, "%d sessions are open", s.server.o.Sessions).Try("end one with DELETE")
			e.RetryAfter = time.Minute
			return nil, e
		}
		defer s.drop(rested)()
	}
	s.open[r.id] = r
	r.inside, r.used = 1, time.Now()
	r.timer = time.AfterFunc(s.server.o.Idle, func() { s.expire(r) })
	s.mu.Unlock()

	leave, ok := stage.Perform(s.server.o.Stage, func() { s.finish(r) })
	if !ok {
		s.finish(r)
		return nil, stopping()
	}
	s.mu.Lock()
	r.leave = leave
	gone := s.open[r.id] != r
	s.mu.Unlock()
	if gone { // while its actor was being made
		leave()
	}
	return r, nil
}

func stopping() error {
	return messages.Errorf(messages.CodeUnavailable, "stopping").Try("try again when kurogo is back")
}

// rested finds the session of the principal that nobody uses, longest unused.
func (s *sessions) rested(principal string) (oldest *remote) {
	for _, r := range s.open {
		if r.principal == principal && r.inside == 0 && (oldest == nil || r.used.Before(oldest.used)) {
			oldest = r
		}
	}
	return oldest
}

// enter finds the session that a request names. Somebody else's is not there.
func (s *sessions) enter(id, principal string) *remote {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.open[id]
	if r == nil || r.principal != principal {
		return nil
	}
	r.inside++
	return r
}

// exit is the end of a request.
func (s *sessions) exit(r *remote) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r.inside--
	r.used = time.Now()
	if s.open[r.id] == r {
		r.timer.Reset(s.server.o.Idle)
	}
}

// expire ends a session that nobody used. One in use is looked at again when
// that use ends.
func (s *sessions) expire(r *remote) {
	s.mu.Lock()
	if r.inside > 0 {
		s.mu.Unlock()
		return
	}
	done := s.drop(r)
	s.mu.Unlock()
	done()
}

// finish ends a session whatever it does.
func (s *sessions) finish(r *remote) {
	s.mu.Lock()
	done := s.drop(r)
	s.mu.Unlock()
	done()
}

// drop takes a session out. What it returns is to be run without the lock.
func (s *sessions) drop(r *remote) func() {
	if s.open[r.id] != r {
		return func() {}
	}
	delete(s.open, r.id)
	r.timer.Stop()
	return func() {
		r.end()
		s.mu.Lock()
		leave := r.leave
		s.mu.Unlock()
		leave()
	}
}

func (s *sessions) close() {
	s.mu.Lock()
	var done []func()
	for _, r := range s.open {
		done = append(done, s.drop(r))
	}
	s.mu.Unlock()
	for _, f := range done {
		f()
	}
}
