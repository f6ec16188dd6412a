package mcp

import (
	"context"
	"io"

	"kurogo/messages"
)

// ServeStdio serves one client on a pipe until in ends, which leaves calls a
// moment to finish and then cancels them, or until ctx ends. It returns within a
// second of either. Nothing but JSON-RPC is written to out. A read that is
// blocked when ctx ends stays so until in is closed.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer, who messages.Caller) error {
	return newConn(s, newSession(who), newLines(in, out, s.o.Frame), s.o.Legacy, lastCalls).run(ctx)
}
