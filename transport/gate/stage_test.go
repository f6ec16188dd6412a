package gate_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"kurogo/messages"
	"kurogo/transport/gate"
)

const secret = "owner-owner-owner-owner-owner-owner-owner-4"

// who answers with the caller that it finds in its context.
var who = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	_, _ = io.WriteString(w, gate.Principal(r.Context())+" "+string(gate.Caller(r.Context()).Agent))
})

func newGate(t *testing.T, o gate.Options) *gate.Gate {
	t.Helper()
	if o.Ports == nil {
		o.Ports = []int{9696}
	}
	if o.Token == "" && !o.Open {
		o.Token = secret
	}
	g, err := gate.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// ask sends one request to h: a line "METHOD path", then "Header: value" lines.
func ask(t *testing.T, h http.Handler, lines ...string) *http.Response {
	t.Helper()
	method, target, _ := strings.Cut(lines[0], " ")
	var body io.Reader
	if method == http.MethodPost {
		body = strings.NewReader(`{}`)
	}
	r := httptest.NewRequest(method, target, body)
	r.Host, r.RemoteAddr = "127.0.0.1:9696", "127.0.0.1:40000"
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, line := range lines[1:] {
		name, value, _ := strings.Cut(line, ": ")
		if name == "Host" {
			r.Host = value
			continue
		}
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func text(t *testing.T, r *http.Response) string {
	t.Helper()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func wantStatus(t *testing.T, r *http.Response, status int, says string) {
	t.Helper()
	if got := text(t, r); r.StatusCode != status || !strings.Contains(got, says) {
		t.Errorf("got %d %s, want %d with %q", r.StatusCode, got, status, says)
	}
}

const coder = messages.AgentID("impl-code-1-abcd")
