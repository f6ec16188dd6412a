package gate_test

import (
	"net/http"
	"testing"

	"kurogo/messages"
	"kurogo/transport/gate"
)

const bearer = "Authorization: Bearer " + secret

// Host and Origin are compared whole, on every route, before any credential:
// a rebound name or a foreign page is refused even if it brings the token.
func TestForeignHostsAndOrigins(t *testing.T) {
	g := newGate(t, gate.Options{
		Hosts: []string{"Kurogo.lan:9696"}, Origins: []string{"https://kurogo.lan"}, Public: []string{"/healthz"},
	})
	h := g.Wrap(who)
	for _, c := range []struct {
		line string
		ok   bool
	}{
		{"Host: 127.0.0.1:9696", true},
		{"Host: [::1]:9696", true},
		{"Host: localhost:9696", true},
		{"Host: LOCALHOST:9696", true},
		{"Host: kurogo.lan:9696", true},
		{"Host: 127.0.0.1", false},
		{"Host: 127.0.0.1:9697", false},
		{"Host: localhost.:9696", false},
		{"Host: localhost.evil.example:9696", false},
		{"Host: evil.example:9696", false},
		{"Host: 127.0.0.1.evil.example:9696", false},
		{"Host: 0.0.0.0:9696", false},
		{"Host: 192.168.0.7:9696", false},
		{"Host: ", false},
		{"Origin: http://127.0.0.1:9696", true},
		{"Origin: http://localhost:9696", true},
		{"Origin: http://[::1]:9696", true},
		{"Origin: https://kurogo.lan", true},
		{"Origin: http://kurogo.lan", false},
		{"Origin: https://127.0.0.1:9696", false},
		{"Origin: http://127.0.0.1:3000", false},
		{"Origin: http://127.0.0.1:9696.evil.example", false},
		{"Origin: http://evil.example", false},
		{"Origin: null", false},
		{"Origin: *", false},
		{"Origin: vscode-webview://abc", false},
	} {
		for _, route := range []string{"GET /", "POST /api/groups", "GET /healthz", "GET /login?code=x", "POST /mcp", "GET /ws"} {
			r := ask(t, h, route, bearer, c.line)
			if refused := r.StatusCode == http.StatusForbidden; refused == c.ok {
				t.Errorf("%s with %s: got %d %s", route, c.line, r.StatusCode, text(t, r))
			}
		}
	}
}

// Nobody is given leave to come from elsewhere, and nothing is kept or framed.
func TestHeadersOfEveryAnswer(t *testing.T) {
	h := newGate(t, gate.Options{}).Wrap(who)
	for name, r := range map[string]*http.Response{
		"let in":     ask(t, h, "GET /", bearer),
		"our origin": ask(t, h, "GET /", bearer, "Origin: http://127.0.0.1:9696"),
		"refused":    ask(t, h, "GET /"),
		"preflight":  ask(t, h, "OPTIONS /api/groups", "Origin: http://127.0.0.1:9696", "Access-Control-Request-Method: POST"),
	} {
		for header, want := range map[string]string{
			"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY",
			"Referrer-Policy": "no-referrer", "Cross-Origin-Resource-Policy": "same-origin",
			"Access-Control-Allow-Origin": "", "Access-Control-Allow-Methods": "",
		} {
			if got := r.Header.Get(header); got != want {
				t.Errorf("%s: %s is %q, want %q", name, header, got, want)
			}
		}
		if csp := r.Header.Get("Content-Security-Policy"); csp == "" || contains(csp, "unsafe-inline") || !contains(csp, "frame-ancestors 'none'") {
			t.Errorf("%s: the policy is %q", name, csp)
		}
	}
}

func TestMethodsThatAreNone(t *testing.T) {
	h := newGate(t, gate.Options{}).Wrap(who)
	for _, method := range []string{"OPTIONS", "TRACE", "CONNECT", "PROPFIND"} {
		wantStatus(t, ask(t, h, method+" /api/groups", bearer), http.StatusMethodNotAllowed, method+" is not served")
	}
}

// A gate that could tell nobody from anybody is not built.
func TestABadGateIsRefused(t *testing.T) {
	for name, o := range map[string]gate.Options{
		"no token":         {},
		"a short token":    {Token: "hunter2"},
		"a host with path": {Token: secret, Hosts: []string{"kurogo.lan/x"}},
		"any host":         {Token: secret, Hosts: []string{"*"}},
		"a bare origin":    {Token: secret, Origins: []string{"kurogo.lan"}},
		"any origin":       {Token: secret, Origins: []string{"*"}},
		"any port":         {Token: secret, Origins: []string{"http://*:80"}},
		"a path":           {Token: secret, Origins: []string{"http://kurogo.lan/"}},
	} {
		if _, err := gate.New(o); !messages.IsCode(err, messages.CodeInvalid) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
