package mcp_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"testing"

	"github.com/gorilla/websocket"
	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	protocol "github.com/mark3labs/mcp-go/mcp"

	"kurogo/messages"
	"kurogo/transport/gate"
	"kurogo/transport/mcp"
)

const (
	secret = "owner-owner-owner-owner-owner-owner-owner-4"
	coder  = messages.AgentID("impl-code-1-abcd")
	modern = "2026-07-28"
	legacy = "2025-11-25"
)

func newServer(t *testing.T, o mcp.Options) *mcp.Server {
	t.Helper()
	if o.Catalogue == nil {
		o.Catalogue = newFake()
	}
	if o.Version == "" {
		o.Version = "v1"
	}
	s := mcp.New(o)
	t.Cleanup(s.Close)
	return s
}

// A house serves a server over the network, behind a gate.
type house struct {
	addr   string
	agents *gate.Tokens
}

func (h house) http() string { return "http://" + h.addr + "/mcp" }
func (h house) ws() string   { return "ws://" + h.addr + "/mcp" }

func open(t *testing.T, s *mcp.Server, legacy bool) house {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h := house{l.Addr().String(), gate.NewTokens(nil)}
	g, err := gate.New(gate.Options{Ports: []int{l.Addr().(*net.TCPAddr).Port}, Token: secret, Agents: h.agents})
	if err != nil {
		t.Fatal(err)
	}
	web := g.Server(s.Endpoint(legacy))
	served := make(chan struct{})
	go func() { defer close(served); _ = web.Serve(l) }()
	t.Cleanup(func() { s.Close(); _ = web.Close(); <-served })
	return h
}

// pipe serves a server on a pipe and returns the client's ends.
func pipe(t *testing.T, s *mcp.Server, who messages.Caller) (says io.WriteCloser, hears io.Reader, ended chan error) {
	t.Helper()
	in, says := io.Pipe()
	hears, out := io.Pipe()
	ended = make(chan error, 1)
	go func() {
		err := s.ServeStdio(t.Context(), in, out, who)
		_ = out.Close()
		_ = in.Close()
		ended <- err
	}()
	t.Cleanup(func() { _ = says.Close(); _ = in.Close() })
	return says, hears, ended
}

func authorised(token string) http.Header {
	return http.Header{"Authorization": {"Bearer " + token}}
}

// dial opens a WebSocket.
func dial(t *testing.T, h house, header http.Header) *websocket.Conn {
	t.Helper()
	d := websocket.Dialer{Subprotocols: []string{"mcp"}}
	ws, answer, err := d.DialContext(t.Context(), h.ws(), header)
	if err != nil {
		t.Fatalf("%v: %+v", err, answer)
	}
	t.Cleanup(func() { _ = ws.Close() })
	return ws
}

// spool makes lines of frames and frames of lines, for a client that knows only
// lines.
type spool struct{ ws *websocket.Conn }

func (s spool) Write(line []byte) (int, error) {
	return len(line), s.ws.WriteMessage(websocket.TextMessage, line)
}
func (s spool) Close() error { return s.ws.Close() }

func unspool(ws *websocket.Conn) io.Reader {
	r, w := io.Pipe()
	go func() {
		for {
			_, frame, err := ws.ReadMessage()
			if err != nil {
				_ = w.CloseWithError(io.EOF)
				return
			}
			_, _ = w.Write(append(frame, '\n'))
		}
	}()
	return r
}

// carriers are the ways to a server, each with mcp-go's client at the end.
var carriers = map[string]func(t *testing.T, s *mcp.Server) transport.Interface{
	"stdio": func(t *testing.T, s *mcp.Server) transport.Interface {
		t.Helper()
		says, hears, _ := pipe(t, s, messages.Caller{Dir: "/home/me/project", Env: map[string]string{"K": "v"}})
		return transport.NewIO(hears, says, io.NopCloser(nothing{}))
	},
	"http": func(t *testing.T, s *mcp.Server) transport.Interface {
		t.Helper()
		h := open(t, s, false)
		c, err := transport.NewStreamableHTTP(h.http(), transport.WithHTTPHeaders(map[string]string{"Authorization": "Bearer " + secret}),
			transport.WithHTTPBasicClient(&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}))
		if err != nil {
			t.Fatal(err)
		}
		return c
	},
	"websocket": func(t *testing.T, s *mcp.Server) transport.Interface {
		t.Helper()
		ws := dial(t, open(t, s, false), authorised(secret))
		return transport.NewIO(unspool(ws), spool{ws}, io.NopCloser(nothing{}))
	},
}

type nothing struct{}

func (nothing) Read([]byte) (int, error) { return 0, io.EOF }

// connect shakes hands as a client that is called tester.
func connect(t *testing.T, carrier transport.Interface, version string) *client.Client {
	t.Helper()
	c := client.NewClient(carrier, client.WithProtocolVersion(version))
	if err := c.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	r := protocol.InitializeRequest{}
	r.Params.ProtocolVersion = version
	r.Params.ClientInfo = protocol.Implementation{Name: "tester", Version: "1"}
	got, err := c.Initialize(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	if c.ProtocolVersion() != version || got.ServerInfo.Name != "kurogo" {
		t.Fatalf("got %s of %s, want %s", c.ProtocolVersion(), got.ServerInfo.Name, version)
	}
	return c
}

func use(name string, arguments any) protocol.CallToolRequest {
	r := protocol.CallToolRequest{}
	r.Params.Name, r.Params.Arguments = name, arguments
	return r
}

type args = map[string]any

// A line is any message, as much of it as the tests look at.
type line struct {
	ID     any
	Method string
	Params struct {
		Token    any `json:"progressToken"`
		Progress int
		Message  string
	}
	Result json.RawMessage
	Error  *struct {
		Code    int
		Message string
		Data    map[string]any
	}
}

// A talk is a client that says what it likes, line by line.
type talk struct {
	t     *testing.T
	says  io.Writer
	hears *bufio.Reader
}

func newTalk(t *testing.T, says io.Writer, hears io.Reader) *talk {
	t.Helper()
	return &talk{t, says, bufio.NewReaderSize(hears, 1<<20)}
}

func (c *talk) say(line string) {
	c.t.Helper()
	if _, err := io.WriteString(c.says, line); err != nil {
		c.t.Fatal(err)
	}
}

// next is the next message, which must be one of JSON-RPC.
func (c *talk) next() line {
	c.t.Helper()
	raw, err := c.hears.ReadBytes('\n')
	if err != nil {
		c.t.Fatal(err)
	}
	var l struct {
		line
		RPC string `json:"jsonrpc"`
	}
	if err := json.Unmarshal(raw, &l); err != nil || l.RPC != "2.0" {
		c.t.Fatalf("no JSON-RPC: %s", raw)
	}
	return l.line
}

func (c *talk) ask(line string) line {
	c.t.Helper()
	c.say(line + "\n")
	return c.next()
}
