package mcp_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kurogo/transport/mcp"
)

const initialize = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"tester","version":"1"}}}`

type reply struct {
	*http.Response
	text string
}

func request(t *testing.T, h house, token, session, body string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.http(), strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = authorised(token)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if session != "" {
		r.Header.Set("Mcp-Session-Id", session)
	}
	return r
}

func send(t *testing.T, r *http.Request) reply {
	t.Helper()
	carrier := &http.Transport{DisableKeepAlives: true}
	answer, err := carrier.RoundTrip(r)
	if err != nil {
		t.Error(err)
		return reply{Response: &http.Response{}}
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Error(err)
	}
	return reply{answer, string(text)}
}

func post(t *testing.T, h house, token, session, body string) reply {
	t.Helper()
	return send(t, request(t, h, token, session, body))
}

func want(t *testing.T, r reply, status int, says string) {
	t.Helper()
	if r.StatusCode != status || !strings.Contains(r.text, says) {
		t.Errorf("got %d %s, want %d with %q", r.StatusCode, r.text, status, says)
	}
}

// A session belongs to who opened it and to nobody else, and ends when it is
// told to.
func TestASessionOfHTTP(t *testing.T) {
	s := newServer(t, mcp.Options{})
	h := open(t, s, false)
	first := post(t, h, secret, "", initialize)
	want(t, first, 200, `"protocolVersion":"2025-11-25"`)
	id := first.Header.Get("Mcp-Session-Id")
	mine, theirs := h.agents.Issue(coder, 1), h.agents.Issue("reviewer", 1)
	agent := post(t, h, mine, "", initialize).Header.Get("Mcp-Session-Id")

	want(t, post(t, h, secret, id, list), 200, `"echo"`)
	want(t, post(t, h, secret, id, `{"jsonrpc":"2.0","method":"notifications/initialized"}`), 202, "")
	want(t, post(t, h, secret, id, `{"jsonrpc":"2.0","id":"kurogo-9","result":{}}`), 202, "")
	want(t, post(t, h, secret, "", list), 400, "send initialize first")
	want(t, post(t, h, secret, "guess", list), 404, "no such session")
	want(t, post(t, h, mine, id, list), 404, "no such session")
	want(t, post(t, h, theirs, agent, list), 404, "no such session")
	want(t, post(t, h, secret, agent, list), 404, "no such session")
	want(t, post(t, h, mine, agent, call(1, "whoami", "{}")), 200, `"agent":"impl-code-1-abcd"`)
	want(t, post(t, h, mine, agent, call(1, "owners_only", "{}")), 200, "-32602")
	want(t, post(t, h, "x", id, list), 401, "")

	end := func(token, session string) reply {
		r := request(t, h, token, session, "")
		r.Method = http.MethodDelete
		return send(t, r)
	}
	want(t, end(mine, id), 404, "no such session")
	want(t, post(t, h, secret, id, list), 200, "")
	want(t, end(secret, id), 204, "")
	want(t, post(t, h, secret, id, list), 404, "send initialize again")
	want(t, end(secret, id), 404, "")
	if n := s.Sessions(); n != 1 {
		t.Errorf("%d sessions are open, want the agent's", n)
	}
}

func TestRequestsThatAreNone(t *testing.T) {
	h := open(t, newServer(t, mcp.Options{}), false)
	id := post(t, h, secret, "", initialize).Header.Get("Mcp-Session-Id")
	want(t, post(t, h, secret, id, "hello"), 400, "-32700")
	want(t, post(t, h, secret, id, ""), 400, "-32700")
	want(t, post(t, h, secret, id, "["+list+"]"), 400, "-32600")
	want(t, post(t, h, secret, id, call(1, "echo", `{"text":"`+strings.Repeat("x", 5<<20)+`"}`)), 413, "over the limit")
	r := request(t, h, secret, id, list)
	r.Header.Set("MCP-Protocol-Version", "1999-01-01")
	want(t, send(t, r), 400, "1999-01-01 is not served")
	for _, method := range []string{http.MethodGet, http.MethodPut, http.MethodHead} {
		r := request(t, h, secret, id, "")
		r.Method = method
		if got := send(t, r); got.StatusCode != 405 || got.Header.Get("Allow") == "" {
			t.Errorf("%s: got %d", method, got.StatusCode)
		}
	}
	// a handshake that fails leaves no session
	s := newServer(t, mcp.Options{})
	h = open(t, s, false)
	want(t, post(t, h, secret, "", `{"jsonrpc":"2.0","id":0,"method":"initialize","params":[]}`), 200, "error")
	if n := s.Sessions(); n != 0 {
		t.Errorf("%d sessions are open", n)
	}
}

// The version without state says everything twice, in the message and in its
// headers, and both must agree.
func TestTheStatelessVersion(t *testing.T) {
	h := open(t, newServer(t, mcp.Options{}), false)
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"tester","version":"1"}}`
	listing := `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + meta + `}}`
	calling := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"whoami","arguments":{},` + meta + `}}`
	for _, c := range []struct {
		name, body string
		headers    []string
		status     int
		says       string
	}{
		{"a list", listing, []string{"Mcp-Method: tools/list"}, 200, `"resultType":"complete"`},
		{"a call", calling, []string{"Mcp-Method: tools/call", "Mcp-Name: whoami"}, 200, `"client":"tester"`},
		{"a session is ignored", listing, []string{"Mcp-Method: tools/list", "Mcp-Session-Id: guess"}, 200, "echo"},
		{"another method", listing, []string{"Mcp-Method: tools/call"}, 400, "-32020"},
		{"no method", listing, nil, 400, "-32020"},
		{"another name", calling, []string{"Mcp-Method: tools/call", "Mcp-Name: echo"}, 400, "-32020"},
		{"another version", listing, []string{"Mcp-Method: tools/list", "MCP-Protocol-Version: 2025-11-25"}, 400, "-32020"},
		{"no version", listing, []string{"Mcp-Method: tools/list", "MCP-Protocol-Version: "}, 400, "-32020"},
		{"no meta", list, []string{"Mcp-Method: tools/list"}, 400, "-32602"},
		{"resumed", listing, []string{"Mcp-Method: tools/list", "Last-Event-ID: 7"}, 400, "-32020"},
		{"an unknown method", strings.Replace(listing, "tools/list", "rm", 1), []string{"Mcp-Method: rm"}, 404, "-32601"},
		{"a removed method", strings.Replace(listing, "tools/list", "ping", 1), []string{"Mcp-Method: ping"}, 404, "-32601"},
		{"an unknown tool", strings.Replace(calling, "whoami", "rm", 1), []string{"Mcp-Method: tools/call", "Mcp-Name: rm"}, 400, "-32602"},
		{"an answer", `{"jsonrpc":"2.0","id":1,"result":{}}`, nil, 400, "-32600"},
		{"a later version", strings.Replace(listing, "2026-07-28", "2099-01-01", 1), []string{"MCP-Protocol-Version: 2099-01-01"}, 400, "-32022"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := request(t, h, secret, "", c.body)
			r.Header.Set("MCP-Protocol-Version", "2026-07-28")
			for _, line := range c.headers {
				name, value, _ := strings.Cut(line, ": ")
				r.Header.Set(name, value)
			}
			got := send(t, r)
			want(t, got, c.status, c.says)
			if got.Header.Get("Mcp-Session-Id") != "" {
				t.Error("there is a session")
			}
		})
	}
}

// Sessions that nobody ends end by themselves, and before that the one that
// rested longest makes room for the next of the same principal.
func TestSessionsDoNotPileUp(t *testing.T) {
	s := newServer(t, mcp.Options{Sessions: 3})
	h := open(t, s, false)
	var ids []string
	for range 4 {
		ids = append(ids, post(t, h, secret, "", initialize).Header.Get("Mcp-Session-Id"))
	}
	want(t, post(t, h, secret, ids[0], list), 404, "")
	want(t, post(t, h, secret, ids[3], list), 200, "")
	want(t, post(t, h, h.agents.Issue(coder, 1), "", initialize), 503, "3 sessions are open")
	if n := s.Sessions(); n != 3 {
		t.Errorf("%d sessions are open", n)
	}
}

// An hour after its last use a session is over, but never in the middle of one.
func TestAnIdleSessionEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		s := newServer(t, mcp.Options{Catalogue: f, Idle: time.Hour})
		h := newHall(t, s)
		id := h.post("", initialize).Header().Get("Mcp-Session-Id")
		<-time.After(59 * time.Minute)
		if got := h.post(id, list); got.Code != 200 {
			t.Fatalf("got %d", got.Code)
		}
		done := make(chan int)
		go func() { done <- h.post(id, call(1, "wait_agent", "{}")).Code }()
		<-f.waiting
		<-time.After(5 * time.Hour)
		close(f.release)
		if code := <-done; code != 200 {
			t.Errorf("the long wait: %d", code)
		}
		<-time.After(59 * time.Minute)
		if n := s.Sessions(); n != 1 {
			t.Errorf("%d sessions are open too early", n)
		}
		<-time.After(2 * time.Minute)
		if n := s.Sessions(); n != 0 || h.post(id, list).Code != 404 {
			t.Errorf("%d sessions are still open", n)
		}
		s.Close()
	})
}
