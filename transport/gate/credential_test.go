package gate_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"kurogo/transport/gate"
)

func contains(s, part string) bool { return strings.Contains(s, part) }

func TestWhoMayComeIn(t *testing.T) {
	agents := gate.NewTokens(nil)
	agent := "Authorization: Bearer " + agents.Issue(coder, 3)
	h := newGate(t, gate.Options{Agents: agents, Public: []string{"/healthz"}}).Wrap(who)
	for _, c := range []struct {
		name, route string
		lines       []string
		status      int
		says        string
	}{
		{"the owner", "POST /api/groups", []string{bearer}, 200, "owner "},
		{"an agent", "POST /mcp", []string{agent}, 200, "agent:impl-code-1-abcd:3 impl-code-1-abcd"},
		{"nobody", "GET /", nil, 401, "kurogo token"},
		{"nobody on a public path", "GET /healthz", nil, 200, "anybody "},
		{"nobody who writes on a public path", "POST /healthz", nil, 401, "no token"},
		{"nobody beside a public path", "GET /healthz/..", nil, 401, "no token"},
		{"a wrong token", "GET /", []string{"Authorization: Bearer " + strings.ToUpper(secret)}, 401, "not known"},
		{"a part of the token", "GET /", []string{"Authorization: Bearer " + secret[:20]}, 401, "not known"},
		{"an empty token", "GET /", []string{"Authorization: Bearer "}, 401, "not"},
		{"a password", "GET /", []string{"Authorization: Basic " + secret}, 401, "not a bearer token"},
		{"a token in the URL", "GET /api/agents?token=" + secret, nil, 401, "only a WebSocket"},
		{"a token in the URL of a POST", "POST /mcp?token=" + secret, []string{"Upgrade: websocket"}, 401, "only a WebSocket"},
		{"a WebSocket's token", "GET /ws?token=" + secret, []string{"Upgrade: websocket"}, 200, "owner "},
		{"a WebSocket's wrong token", "GET /ws?token=x", []string{"Upgrade: WebSocket"}, 401, "not known"},
		{"somebody's cookie", "GET /", []string{"Cookie: kurogo=" + secret}, 401, "no token"},
	} {
		t.Run(c.name, func(t *testing.T) {
			wantStatus(t, ask(t, h, append([]string{c.route}, c.lines...)...), c.status, c.says)
		})
	}
}

// What a request says of itself is nothing: neither headers nor arguments make
// somebody out of anybody.
func TestNobodySaysWhoHeIs(t *testing.T) {
	agents := gate.NewTokens(nil)
	h := newGate(t, gate.Options{Agents: agents}).Wrap(who)
	r := ask(t, h, "POST /mcp?agent=other&from=user", "Authorization: Bearer "+agents.Issue(coder, 1), "X-Agent: other", "X-Forwarded-For: 127.0.0.1")
	wantStatus(t, r, 200, "agent:"+string(coder)+":1")
}

// The browser is told where the URL is, in words; a program is told in JSON.
func TestARefusalSaysWhatToDo(t *testing.T) {
	h := newGate(t, gate.Options{}).Wrap(who)
	r := ask(t, h, "GET /", "Accept: text/html,*/*")
	if kind := r.Header.Get("Content-Type"); !contains(kind, "text/plain") || !contains(text(t, r), "kurogo token --url") {
		t.Errorf("the browser got %s", kind)
	}
	r = ask(t, h, "GET /api/groups")
	if got := text(t, r); r.Header.Get("WWW-Authenticate") == "" || !contains(got, `"ok":false`) || !contains(got, `"code":"denied"`) {
		t.Errorf("the program got %s", got)
	}
}

// With auth = "none" whoever is on this machine is the owner, and nobody else:
// the lists count as before, and a credential that is wrong is still wrong.
func TestAnOpenGate(t *testing.T) {
	agents := gate.NewTokens(nil)
	g := newGate(t, gate.Options{Open: true, Agents: agents, Hosts: []string{"box.lan:9696"}})
	h := g.Wrap(who)
	wantStatus(t, ask(t, h, "POST /api/groups"), 200, "owner")
	wantStatus(t, ask(t, h, "POST /api/groups", "Authorization: Bearer "+agents.Issue(coder, 1)), 200, "agent:")
	wantStatus(t, ask(t, h, "POST /api/groups", "Authorization: Bearer x"), 401, "not known")
	wantStatus(t, ask(t, h, "POST /api/groups", "Origin: http://evil.example"), 403, "Origin")
	wantStatus(t, ask(t, h, "POST /api/groups", "Host: evil.example"), 403, "Host")
	wantStatus(t, ask(t, h, "GET "+g.Login()), 303, "")

	far := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.RemoteAddr = "192.168.0.9:5000"
		h.ServeHTTP(w, r)
	})
	wantStatus(t, ask(t, far, "POST /api/groups", "Host: box.lan:9696"), 403, "this machine only")
}

// A token in a URL is seen by the gate and by nobody behind it, and is in no log.
func TestTheTokenIsInNoLog(t *testing.T) {
	var log bytes.Buffer
	var seen []string
	g := newGate(t, gate.Options{Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	h := g.Wrap(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		seen = append(seen, r.URL.String(), r.RequestURI, r.URL.RawQuery)
	}))
	ask(t, h, "GET /ws?token="+secret+"&since=7", "Upgrade: websocket")
	ask(t, h, "GET /ws?since=7&token="+secret+"x", "Upgrade: websocket")
	ask(t, h, "GET /ws?token="+secret)
	ask(t, h, "GET /ws?token="+secret, "Upgrade: websocket", "Host: evil.example")
	ask(t, h, "GET /ws?since=7&token="+secret+";a=b", bearer)
	ask(t, h, "GET /", "Authorization: Bearer "+secret+"y")
	if len(seen) != 6 || seen[0] != "/ws?since=7" || seen[1] != "/ws?since=7" || seen[3] != "/ws?since=7" {
		t.Errorf("the handler saw %q", seen)
	}
	if all := log.String() + strings.Join(seen, " "); contains(all, secret) || !contains(log.String(), "refused") {
		t.Errorf("the log says\n%s", all)
	}
}
