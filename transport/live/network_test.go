package live_test

import (
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/gorilla/websocket"

	"kurogo/messages"
	"kurogo/transport/gate"
	"kurogo/transport/live"
)

// A hall is a server on a real address, behind a gate.
type hall struct {
	addr   string
	gate   *gate.Gate
	agents *gate.Tokens
}

func rent(t *testing.T, s *live.Server, auth string) hall {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h := hall{addr: l.Addr().String(), agents: gate.NewTokens(nil)}
	o := gate.Options{Ports: []int{l.Addr().(*net.TCPAddr).Port}, Token: secret, Agents: h.agents}
	if auth == "none" {
		o.Token, o.Open = "", true
	}
	if h.gate, err = gate.New(o); err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/ws", s)
	web := h.gate.Server(mux)
	served := make(chan struct{})
	go func() { defer close(served); _ = web.Serve(l) }()
	t.Cleanup(func() { s.Close(); _ = web.Close(); <-served })
	return h
}

func (h hall) visit(t *testing.T, query string, header http.Header) (*page, *http.Response) {
	t.Helper()
	ws, answer, err := websocket.DefaultDialer.DialContext(t.Context(), "ws://"+h.addr+"/ws"+query, header)
	if answer == nil {
		t.Fatal(err)
	}
	if err != nil {
		return nil, answer
	}
	t.Cleanup(func() { _ = ws.Close() })
	return &page{t: t, ws: ws}, answer
}

// cookie logs a browser in and returns what it sends from then on.
func (h hall) cookie(t *testing.T) string {
	t.Helper()
	client := http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport:     &http.Transport{DisableKeepAlives: true},
	}
	answer, err := client.Get("http://" + h.addr + h.gate.Login())
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	c := answer.Cookies()
	if answer.StatusCode != http.StatusSeeOther || len(c) != 1 {
		t.Fatalf("got %d with %v", answer.StatusCode, c)
	}
	return c[0].Name + "=" + c[0].Value
}

// Every probe of the security table. A cookie goes with every request of the
// browser, whichever page made it: so it counts only with our own Origin.
func TestWhoComesIn(t *testing.T) {
	h := rent(t, live.New(newTheatre(), newTheatre(), live.Options{}), "")
	cookie, ours := h.cookie(t), "http://"+h.addr
	_, port, _ := net.SplitHostPort(h.addr)
	for _, c := range []struct {
		name, query string
		header      http.Header
		status      int
	}{
		{"nobody", "", nil, 401},
		{"our page without a cookie", "", http.Header{"Origin": {ours}}, 401},
		{"our page with its cookie", "", http.Header{"Cookie": {cookie}, "Origin": {ours}}, 101},
		{"another local page with our cookie", "", http.Header{"Cookie": {cookie}, "Origin": {"http://127.0.0.1:3000"}}, 403},
		{"a foreign page with our cookie", "", http.Header{"Cookie": {cookie}, "Origin": {"https://evil.example"}}, 403},
		{"a page of nowhere with our cookie", "", http.Header{"Cookie": {cookie}, "Origin": {"null"}}, 403},
		{"a cookie and no page", "", http.Header{"Cookie": {cookie}}, 403},
		{"a wrong cookie", "", http.Header{"Cookie": {cookie + "0"}, "Origin": {ours}}, 401},
		{"a bearer and no page", "", authorised(secret), 101},
		{"a wrong bearer", "", authorised("guess"), 401},
		{"a token in the URL", "?token=" + secret, nil, 101},
		{"a wrong token in the URL", "?token=guess", nil, 401},
		{"a foreign page with the token", "?token=" + secret, http.Header{"Origin": {"https://evil.example"}}, 403},
		{"a rebound name", "", http.Header{"Authorization": {"Bearer " + secret}, "Host": {"evil.example:" + port}}, 403},
		{"another name for us", "", http.Header{"Authorization": {"Bearer " + secret}, "Host": {"localhost:" + port}}, 101},
		{"an agent", "", authorised(h.agents.Issue(ada, 1)), 403},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, answer := h.visit(t, c.query, c.header)
			if answer.StatusCode != c.status {
				t.Fatalf("got %d, want %d", answer.StatusCode, c.status)
			}
			if p != nil {
				p.begin()
			}
		})
	}
}

// Where everybody on this machine is the owner, a foreign page is still nobody.
func TestAnOpenHouse(t *testing.T) {
	h := rent(t, live.New(newTheatre(), newTheatre(), live.Options{}), "none")
	for origin, status := range map[string]int{"http://" + h.addr: 101, "https://evil.example": 403, "http://127.0.0.1:3000": 403} {
		if _, answer := h.visit(t, "", http.Header{"Origin": {origin}}); answer.StatusCode != status {
			t.Errorf("%s: got %d, want %d", origin, answer.StatusCode, status)
		}
	}
}

// Who speaks no WebSocket hears what to do; without a gate in front nobody is
// served.
func TestNoWebSocket(t *testing.T) {
	s := live.New(newTheatre(), newTheatre(), live.Options{})
	h := rent(t, s, "")
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	r, _ := http.NewRequest(http.MethodGet, "http://"+h.addr+"/ws", nil)
	r.Header = authorised(secret)
	answer, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	if answer.StatusCode != http.StatusUpgradeRequired || answer.Header.Get("Upgrade") != "websocket" {
		t.Errorf("got %d", answer.StatusCode)
	}

	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	web := &http.Server{Handler: s}
	served := make(chan struct{})
	go func() { defer close(served); _ = web.Serve(l) }()
	t.Cleanup(func() { _ = web.Close(); <-served })
	if _, answer := (hall{addr: l.Addr().String()}).visit(t, "", nil); answer.StatusCode != http.StatusForbidden {
		t.Errorf("got %d", answer.StatusCode)
	}
}

// Each page is owned by an actor: who stops the actor closes it, orders and all,
// and a page that goes takes its actor along.
func TestPagesAreActors(t *testing.T) {
	system := actor.NewActorSystem(actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger { return slog.New(slog.DiscardHandler) }))
	stage := &watched{RootContext: system.Root, born: make(chan *actor.PID, 8), gone: make(chan *actor.PID, 8)}
	house := newTheatre()
	h := rent(t, live.New(house, house, live.Options{Stage: stage}), "")

	p, _ := h.visit(t, "", authorised(secret))
	p.begin()
	pid := <-stage.born
	p.say(`{"type":"call","id":"1","tool":"wait_agent"}`)
	<-house.waiting
	if err := system.Root.StopFuture(pid).Wait(); err != nil {
		t.Fatal(err)
	}
	if _, _, err := p.ws.ReadMessage(); !websocket.IsCloseError(err, websocket.CloseGoingAway) {
		t.Errorf("got %v", err)
	}
	if err := <-house.left; err == nil {
		t.Error("the wait ended well")
	}

	p, _ = h.visit(t, "", authorised(secret))
	p.begin()
	pid = <-stage.born
	p.close()
	if stopped := <-stage.gone; stopped != pid {
		t.Errorf("%v was stopped, want %v", stopped, pid)
	}

	stage.over.Store(true)
	p, _ = h.visit(t, "", authorised(secret))
	for {
		if _, _, err := p.ws.ReadMessage(); err != nil {
			if !websocket.IsCloseError(err, websocket.CloseGoingAway) {
				t.Errorf("on a stage that has ended: %v", err)
			}
			break
		}
	}
}

// A server that closes says so, and lets nobody in; so does a token that ends.
func TestAServerThatCloses(t *testing.T) {
	s := live.New(newTheatre(), newTheatre(), live.Options{})
	h := rent(t, s, "")
	p, _ := h.visit(t, "", authorised(secret))
	p.begin()
	s.Close()
	if _, _, err := p.ws.ReadMessage(); !websocket.IsCloseError(err, websocket.CloseGoingAway) {
		t.Errorf("got %v", err)
	}
	if _, answer := h.visit(t, "", authorised(secret)); answer.StatusCode != messages.CodeUnavailable.HTTP() {
		t.Errorf("got %d", answer.StatusCode)
	}
}

// Strangers are told by a refusal that is none of their secrets.
func TestRefusalsHideTheToken(t *testing.T) {
	h := rent(t, live.New(newTheatre(), newTheatre(), live.Options{}), "")
	_, answer := h.visit(t, "?token=guess-guess", nil)
	body := make([]byte, 4096)
	n, _ := answer.Body.Read(body)
	if strings.Contains(string(body[:n]), "guess") {
		t.Errorf("got %s", body[:n])
	}
}
