package mcp

import (
	"crypto/rand"
	"sync"

	protocol "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"kurogo/messages"
)

// A session is one client for as long as we know it. mcp-go sees it through an
// exchange.
type session struct {
	id  string
	who messages.Caller // as the connection tells it
	questions

	mu      sync.Mutex
	greeted bool
	client  protocol.Implementation
	caps    protocol.ClientCapabilities
	level   protocol.LoggingLevel
	version string
	filter  *protocol.SubscriptionFilter
	tools   map[string]server.ServerTool // once asked for
}

func newSession(who messages.Caller) *session {
	s := &session{id: rand.Text(), who: who, level: protocol.LoggingLevelError}
	s.who.Session = s.id
	return s
}

// caller is on whose behalf the session asks.
func (s *session) caller() messages.Caller {
	s.mu.Lock()
	defer s.mu.Unlock()
	who := s.who
	who.Client = s.client.Name
	return who
}

// SessionID implements [server.ClientSession].
func (s *session) SessionID() string { return s.id }

// Initialize implements [server.ClientSession].
func (s *session) Initialize() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.greeted = true
}

// Initialized implements [server.ClientSession].
func (s *session) Initialized() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.greeted
}

// GetClientInfo implements [server.SessionWithClientInfo].
func (s *session) GetClientInfo() protocol.Implementation {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.client
}

// SetClientInfo implements [server.SessionWithClientInfo].
func (s *session) SetClientInfo(client protocol.Implementation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.client = client
}

// GetClientCapabilities implements [server.SessionWithClientInfo].
func (s *session) GetClientCapabilities() protocol.ClientCapabilities {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.caps
}

// SetClientCapabilities implements [server.SessionWithClientInfo].
func (s *session) SetClientCapabilities(caps protocol.ClientCapabilities) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.caps = caps
}

// GetLogLevel implements [server.SessionWithLogging].
func (s *session) GetLogLevel() protocol.LoggingLevel {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.level
}

// SetLogLevel implements [server.SessionWithLogging].
func (s *session) SetLogLevel(level protocol.LoggingLevel) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.level = level
}

// ProtocolVersion implements [server.SessionWithProtocolVersion].
func (s *session) ProtocolVersion() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.version
}

// SetProtocolVersion is told what was agreed on.
func (s *session) SetProtocolVersion(version string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version = version
}

// SetSubscriptionFilter implements [server.SessionWithSubscriptionFilter].
func (s *session) SetSubscriptionFilter(filter protocol.SubscriptionFilter) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.filter = &filter
	if filter.IsEmpty() {
		s.filter = nil
	}
}

// SubscriptionFilter implements [server.SessionWithSubscriptionFilter].
func (s *session) SubscriptionFilter() (protocol.SubscriptionFilter, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.filter == nil {
		return protocol.SubscriptionFilter{}, false
	}
	return *s.filter, true
}
