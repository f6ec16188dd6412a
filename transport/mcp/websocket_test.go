package mcp_test

import (
	"encoding/json"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/gorilla/websocket"

	"kurogo/messages"
	"kurogo/transport/mcp"
)

// A token may come in the URL, for clients that cannot send headers; without
// one, or with a page around it that is not ours, there is no WebSocket.
func TestWhoOpensAWebSocket(t *testing.T) {
	h := open(t, newServer(t, mcp.Options{}), false)
	mine := h.agents.Issue(coder, 1)
	ours := "http://" + h.addr
	for _, c := range []struct {
		name, query string
		header      http.Header
		status      int
	}{
		{"a bearer", "", authorised(secret), 101},
		{"a token in the URL", "?token=" + secret, nil, 101},
		{"an agent's token in the URL", "?token=" + mine, nil, 101},
		{"our page", "?token=" + secret, http.Header{"Origin": {ours}}, 101},
		{"nothing", "", nil, 401},
		{"a wrong token", "?token=x", nil, 401},
		{"a foreign page", "?token=" + secret, http.Header{"Origin": {"http://evil.example"}}, 403},
		{"a page on another port", "?token=" + secret, http.Header{"Origin": {"http://localhost:3000"}}, 403},
		{"a foreign host", "?token=" + secret, http.Header{"Host": {"evil.example"}}, 403},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := websocket.Dialer{Subprotocols: []string{"mcp"}}
			ws, answer, err := d.DialContext(t.Context(), h.ws()+c.query, c.header)
			if answer == nil || answer.StatusCode != c.status {
				t.Fatalf("got %+v, %v", answer, err)
			}
			if ws != nil {
				if ws.Subprotocol() != "mcp" {
					t.Errorf("the subprotocol is %q", ws.Subprotocol())
				}
				_ = ws.Close()
			}
		})
	}
}

// exchange says one thing on a WebSocket and hears one.
func exchange(t *testing.T, ws *websocket.Conn, says string) line {
	t.Helper()
	if err := ws.WriteMessage(websocket.TextMessage, []byte(says)); err != nil {
		t.Fatal(err)
	}
	var l line
	_, raw, err := ws.ReadMessage()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &l); err != nil {
		t.Fatal(err)
	}
	return l
}

// A message over 4 MiB is refused and the connection goes on; one that announces
// a gigabyte ends the connection before any of it is read.
func TestFramesAreBounded(t *testing.T) {
	h := open(t, newServer(t, mcp.Options{}), false)
	ws := dial(t, h, authorised(secret))
	if l := exchange(t, ws, call(1, "echo", `{"text":"`+strings.Repeat("x", 5<<20)+`"}`)); l.Error == nil || l.Error.Code != -32600 || !strings.Contains(l.Error.Message, "limit") {
		t.Errorf("got %+v", l.Error)
	}
	if l := exchange(t, ws, "nonsense"); l.Error == nil || l.Error.Code != -32700 {
		t.Errorf("got %+v", l.Error)
	}
	if l := exchange(t, ws, call(2, "echo", `{"text":"x"}`)); l.ID != 2.0 {
		t.Errorf("got %+v", l)
	}
	raw := ws.NetConn()
	if _, err := raw.Write([]byte{0x81, 0xff, 0, 0, 0, 0, 0x40, 0, 0, 0, 1, 2, 3, 4}); err != nil { // text, masked, 1 GiB
		t.Fatal(err)
	}
	if _, _, err := ws.ReadMessage(); !websocket.IsCloseError(err, websocket.CloseMessageTooBig) {
		t.Errorf("got %v", err)
	}
}

// Behind a gate an agent is itself, whatever it says.
func TestAnAgentOnAWebSocket(t *testing.T) {
	h := open(t, newServer(t, mcp.Options{}), false)
	ws := dial(t, h, authorised(h.agents.Issue(coder, 1)))
	l := exchange(t, ws, call(1, "whoami", "{}"))
	if !strings.Contains(string(l.Result), `"agent":"impl-code-1-abcd"`) {
		t.Errorf("got %s", l.Result)
	}
	if l = exchange(t, ws, call(2, "owners_only", "{}")); l.Error == nil || l.Error.Code != -32602 {
		t.Errorf("got %+v", l)
	}
}

// Without a gate in front nobody is served.
func TestThereMustBeAGate(t *testing.T) {
	s := newServer(t, mcp.Options{})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	web := &http.Server{Handler: s.Endpoint(false)}
	served := make(chan struct{})
	go func() { defer close(served); _ = web.Serve(l) }()
	t.Cleanup(func() { _ = web.Close(); <-served })
	h := house{addr: l.Addr().String()}
	want(t, post(t, h, secret, "", initialize), 403, "nobody said who you are")
	if _, answer, err := websocket.DefaultDialer.DialContext(t.Context(), h.ws(), nil); err == nil || answer.StatusCode != 403 {
		t.Errorf("got %+v, %v", answer, err)
	}
}

// So many WebSockets are open at a time.
func TestWebSocketsAreBounded(t *testing.T) {
	h := open(t, newServer(t, mcp.Options{Connections: 1}), false)
	ws := dial(t, h, authorised(secret))
	exchange(t, ws, list)
	_, answer, err := websocket.DefaultDialer.DialContext(t.Context(), h.ws(), authorised(secret))
	if err == nil || answer.StatusCode != 503 {
		t.Errorf("got %+v, %v", answer, err)
	}
}

// The numbers of the documents, where the listener asks for them; the stateless
// version has none.
func TestLegacyErrors(t *testing.T) {
	h := open(t, newServer(t, mcp.Options{}), true)
	ws := dial(t, h, authorised(secret))
	for _, c := range []struct {
		code    messages.Code
		want    int
		key     string
		value   any
		missing string
	}{
		{messages.CodeInvalid, -32602, "field", "agentId", "agent_id"},
		{messages.CodeNotFound, -32000, "agent_id", "a-1", "timeout_seconds"},
		{messages.CodeConflict, -32603, "code", "conflict", "agent_id"},
		{messages.CodeBusy, -32603, "retry_after_ms", 1500.0, "agent_id"},
		{messages.CodeDenied, -32603, "retryable", false, "agent_id"},
		{messages.CodeDeadline, -32001, "timeout_seconds", 30.0, ""},
		{messages.CodeDeadline, -32001, "agent_id", "a-1", ""},
		{messages.CodeRateLimited, -32002, "retry_after_ms", 1500.0, "agent_id"},
		{messages.CodeUnavailable, -32603, "remedy", "do something else", "agent_id"},
		{messages.CodeInternal, -32603, "code", "internal", "agent_id"},
	} {
		l := exchange(t, ws, call(string(c.code), "fail", `{"code":"`+string(c.code)+`","agentId":"a-1","timeout_ms":30000}`))
		if l.Error == nil || l.Error.Code != c.want || l.Error.Data[c.key] != c.value || l.ID != string(c.code) || l.Result != nil ||
			!strings.HasPrefix(l.Error.Message, string(c.code)+": ") {
			t.Errorf("%s: got %+v", c.code, l.Error)
			continue
		}
		if _, there := l.Error.Data[c.missing]; there {
			t.Errorf("%s tells %s", c.code, c.missing)
		}
	}
	if l := exchange(t, ws, call(1, "echo", "{}")); l.Error == nil || l.Error.Code != -32602 || l.Error.Data["field"] != "text" {
		t.Errorf("an invalid argument: %+v", l.Error)
	}
	stateless := strings.Replace(call(1, "echo", "{}"), `"name"`, `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}},"name"`, 1)
	if l := exchange(t, ws, stateless); l.Error != nil || !strings.Contains(string(l.Result), `"isError":true`) {
		t.Errorf("the stateless version: %+v", l)
	}
}

// Each connection is owned by an actor: who stops the actor closes it, waits and
// all, and a connection that closes takes its actor along.
func TestConnectionsAreActors(t *testing.T) {
	system := actor.NewActorSystem(actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger { return slog.New(slog.DiscardHandler) }))
	stage := &watched{RootContext: system.Root, born: make(chan *actor.PID, 8), gone: make(chan *actor.PID, 8)}
	f := newFake()
	s := newServer(t, mcp.Options{Catalogue: f, Stage: stage})
	h := open(t, s, false)

	ws := dial(t, h, authorised(secret))
	pid := <-stage.born
	if err := ws.WriteMessage(websocket.TextMessage, []byte(call(1, "wait_agent", "{}"))); err != nil {
		t.Fatal(err)
	}
	<-f.waiting
	if err := system.Root.StopFuture(pid).Wait(); err != nil {
		t.Fatal(err)
	}
	if _, _, err := ws.ReadMessage(); err == nil {
		t.Error("the WebSocket is open")
	}
	if err := <-f.left; err == nil {
		t.Error("the wait ended well")
	}

	id := post(t, h, secret, "", initialize).Header.Get("Mcp-Session-Id")
	if err := system.Root.StopFuture(<-stage.born).Wait(); err != nil {
		t.Fatal(err)
	}
	want(t, post(t, h, secret, id, list), 404, "")

	says, hears, ended := pipe(t, s, messages.Caller{})
	pid = <-stage.born
	newTalk(t, says, hears).ask(list)
	_ = says.Close()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if stopped := <-stage.gone; stopped != pid || len(stage.gone) != 0 {
		t.Errorf("%v was stopped, want %v and nobody else", stopped, pid)
	}
}

type watched struct {
	*actor.RootContext
	born, gone chan *actor.PID
}

func (w *watched) Spawn(p *actor.Props) *actor.PID {
	pid := w.RootContext.Spawn(p)
	w.born <- pid
	return pid
}

func (w *watched) Stop(pid *actor.PID) {
	w.RootContext.Stop(pid)
	w.gone <- pid
}

// A token that is no longer known takes its WebSocket along.
func TestAWebSocketEndsWithItsToken(t *testing.T) {
	h := open(t, newServer(t, mcp.Options{}), false)
	ws := dial(t, h, authorised(h.agents.Issue(coder, 1)))
	exchange(t, ws, list)
	h.agents.Issue(coder, 1) // which ends the one before
	if _, _, err := ws.ReadMessage(); !websocket.IsCloseError(err, websocket.CloseNormalClosure) {
		t.Errorf("got %v", err)
	}
}

// When the server closes, its WebSockets hear so.
func TestAWebSocketEndsWithItsServer(t *testing.T) {
	s := newServer(t, mcp.Options{})
	h := open(t, s, false)
	ws := dial(t, h, authorised(secret))
	exchange(t, ws, list)
	s.Close()
	_, _, err := ws.ReadMessage()
	if !websocket.IsCloseError(err, websocket.CloseNormalClosure) {
		t.Errorf("got %v", err)
	}
}
