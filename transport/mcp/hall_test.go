package mcp_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"kurogo/transport/gate"
	"kurogo/transport/mcp"
)

// A hall is a server over HTTP without a network, for virtual time.
type hall struct{ h http.Handler }

func newHall(t *testing.T, s *mcp.Server) hall {
	t.Helper()
	g, err := gate.New(gate.Options{Ports: []int{9696}, Token: secret})
	if err != nil {
		t.Fatal(err)
	}
	return hall{g.Wrap(s.HTTP())}
}

func (h hall) post(session, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(body))
	r.Host = "127.0.0.1:9696"
	r.Header = authorised(secret)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Mcp-Session-Id", session)
	w := httptest.NewRecorder()
	h.h.ServeHTTP(w, r)
	return w
}
