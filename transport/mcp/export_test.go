package mcp

import (
	"encoding/json"
	"errors"
	"io"
	"strings"

	protocol "github.com/mark3labs/mcp-go/mcp"
)

// Lines reads every line of in as the pipe does; one that was too long is "!".
func Lines(in string, most int) (lines []string) {
	l := newLines(strings.NewReader(in), io.Discard, most)
	for {
		line, err := l.read()
		switch {
		case errors.Is(err, errTooLong):
			lines = append(lines, "!")
		case err != nil:
			return lines
		default:
			lines = append(lines, string(line))
		}
	}
}

// Open opens an envelope and returns its fault, 0 for none.
func Open(raw []byte) (asks, answers bool, fault int) {
	e, wrong := read(raw)
	if wrong != nil {
		return false, false, wrong.Error.Code
	}
	return e.asks(), e.answers(), 0
}

// Sessions counts those of HTTP.
func (s *Server) Sessions() int {
	s.sessions.mu.Lock()
	defer s.sessions.mu.Unlock()
	return len(s.sessions.open)
}

// Write writes what a tool said.
func Write(id json.RawMessage, r protocol.Result, said string) ([]byte, error) {
	answer, err := object("", json.RawMessage(said))
	if err != nil {
		return nil, err
	}
	return encode(nil, toolAnswer{id, &protocol.CallToolResult{Result: r, RawStructuredContent: answer}})
}
