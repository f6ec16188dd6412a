package mcp

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"github.com/mark3labs/mcp-go/server"

	"kurogo/messages"
	"kurogo/transport/stage"
)

// A Catalogue is what can be asked for here.
type Catalogue interface {
	// Tools lists what the caller may use. It answers at once, and the same for
	// as long as a session lasts.
	Tools(who messages.Caller) []messages.Tool

	// Call uses a tool. Its input fits the tool's schema, unless the options say
	// that the catalogue looks itself. The answer is a JSON
	// object. ctx ends when nobody waits any more, which must not undo what was
	// begun. progress may be told, from one goroutine at a time, what the call
	// is waiting for.
	Call(ctx context.Context, who messages.Caller, call messages.ToolCall, progress func(note string)) (json.RawMessage, error)
}

// Options of a server. Catalogue is required.
type Options struct {
	Catalogue    Catalogue
	Version      string // of Kurogo
	Instructions string // for the model at the other end: when to use what
	Legacy       bool   // tell errors by their JSON-RPC numbers everywhere, not only where a listener asks for it
	Checked      bool   // the catalogue sees itself whether an input fits its schema, and says better what does not

	Stage stage.Stage  // where connections live as actors; nil = nowhere
	Log   *slog.Logger // nil = nobody listens

	Calls       int           // tool calls that run at once on one connection; 0 = 128
	Frame       int           // most bytes of one message; 0 = 4 MiB
	Connections int           // WebSockets that are open; 0 = 256
	Sessions    int           // sessions of HTTP that are open; 0 = 512
	Idle        time.Duration // how long a session of HTTP outlives its last use; 0 = 1 h

	Protocol []server.ServerOption // more of what mcp-go offers
}

const (
	beat = 5 * time.Second // between two words of progress

	pingEvery = 25 * time.Second
	silence   = 60 * time.Second // of a WebSocket, after which it is gone
	writing   = 10 * time.Second // of one frame to a client that does not read

	lastCalls = 250 * time.Millisecond // that calls may still take when the pipe has ended
	lastWords = 250 * time.Millisecond // that writing may take after the end
)

// name is ours among a client's servers.
const name = "kurogo"

// Server is one MCP server. Every method may be called from many goroutines.
type Server struct {
	o        Options
	protocol *server.MCPServer
	schemas  schemas
	sessions sessions
	sockets  chan struct{} // one for each open WebSocket
	life     context.Context
	end      context.CancelFunc
}

// New makes a server that nobody is connected to yet.
func New(o Options) *Server {
	set(&o.Calls, 128)
	set(&o.Frame, 4<<20)
	set(&o.Connections, 256)
	set(&o.Sessions, 512)
	set(&o.Idle, time.Hour)
	set(&o.Log, slog.New(slog.DiscardHandler))
	s := &Server{o: o, sockets: make(chan struct{}, o.Connections)}
	s.protocol = server.NewMCPServer(name, o.Version, append([]server.ServerOption{
		server.WithToolCapabilities(false),
		server.WithInstructions(o.Instructions),
	}, o.Protocol...)...)
	s.life, s.end = context.WithCancel(context.Background())
	s.sessions = sessions{server: s, open: map[string]*remote{}}
	return s
}

// Protocol is mcp-go's server, for what is not a tool of the catalogue.
func (s *Server) Protocol() *server.MCPServer { return s.protocol }

// Close ends every connection and session, and takes no more.
func (s *Server) Close() {
	s.end()
	s.sessions.close()
}

// either is a context that ends with the first of two.
func either(ctx, other context.Context) (context.Context, context.CancelFunc) {
	ctx, end := context.WithCancel(ctx)
	stop := context.AfterFunc(other, end)
	return ctx, func() { stop(); end() }
}

func set[T comparable](field *T, otherwise T) {
	var zero T
	if *field == zero {
		*field = otherwise
	}
}
