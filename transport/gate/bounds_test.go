package gate_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kurogo/transport/gate"
	"kurogo/transport/pipes"
)

// Each principal has a bucket of its own, which fills again.
func TestTheRateIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		agents := gate.NewTokens(nil)
		h := newGate(t, gate.Options{
			Agents: agents, Agent: gate.Bounds{Rate: 2, Burst: 4}, Owner: gate.Bounds{Rate: 1, Burst: 1},
		}).Wrap(who)
		line := "Authorization: Bearer " + agents.Issue(coder, 1)
		for range 4 {
			wantStatus(t, ask(t, h, "POST /mcp", line), 200, "")
		}
		r := ask(t, h, "POST /mcp", line)
		if r.Header.Get("Retry-After") != "1" {
			t.Errorf("Retry-After is %q", r.Header.Get("Retry-After"))
		}
		wantStatus(t, r, 429, "more than 2 requests a second")
		wantStatus(t, ask(t, h, "POST /mcp", bearer), 200, "owner")
		wantStatus(t, ask(t, h, "POST /mcp", "Authorization: Bearer "+agents.Issue("other", 1)), 200, "other")
		<-time.After(500 * time.Millisecond)
		wantStatus(t, ask(t, h, "POST /mcp", line), 200, "")
		wantStatus(t, ask(t, h, "POST /mcp", line), 429, "")
	})
}

// Who guesses is soon refused without a look, while who knows comes in.
func TestGuessingIsSlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newGate(t, gate.Options{}).Wrap(who)
		for i := range 50 {
			wantStatus(t, ask(t, h, "GET /", fmt.Sprint("Authorization: Bearer ", i)), 401, "")
		}
		wantStatus(t, ask(t, h, "GET /", "Authorization: Bearer 51"), 429, "")
		wantStatus(t, ask(t, h, "GET /", bearer), 200, "owner")
	})
}

// So many of one principal are answered at a time; the others are not touched.
func TestInFlightIsBounded(t *testing.T) {
	agents := gate.NewTokens(nil)
	entered, release := make(chan struct{}), make(chan struct{})
	h := newGate(t, gate.Options{Agents: agents, Agent: gate.Bounds{InFlight: 2}}).Wrap(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if gate.Caller(r.Context()).Agent != "" {
			entered <- struct{}{}
			<-release
		}
	}))
	line := "Authorization: Bearer " + agents.Issue(coder, 1)
	done := make(chan *http.Response)
	for range 2 {
		go func() { done <- ask(t, h, "POST /mcp", line) }()
		<-entered
	}
	r := ask(t, h, "POST /mcp", line)
	if r.Header.Get("Retry-After") == "" {
		t.Error("there is no Retry-After")
	}
	wantStatus(t, r, 503, "2 requests are being answered")
	wantStatus(t, ask(t, h, "POST /mcp", bearer), 200, "")
	close(release)
	<-done
	<-done
	go func() { done <- ask(t, h, "POST /mcp", line) }()
	<-entered
	if r := <-done; r.StatusCode != 200 {
		t.Errorf("afterwards: %d", r.StatusCode)
	}
}

// serve opens a real server with the time-outs of the gate.
func serve(t *testing.T, o gate.Options, conns int, h http.Handler) (addr string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	o.Ports = []int{l.Addr().(*net.TCPAddr).Port}
	s := newGate(t, o).Server(h)
	go func() { _ = s.Serve(gate.Bound(l, conns)) }()
	t.Cleanup(func() { _ = s.Close() })
	return l.Addr().String()
}

func dial(t *testing.T, addr string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func TestBodiesAreBounded(t *testing.T) {
	addr := serve(t, gate.Options{Body: 1000}, 8, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.ReadAll(r.Body); err != nil {
			http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
		}
	}))
	post := func(kind string, body io.Reader) int {
		t.Helper()
		r, err := http.NewRequest(http.MethodPost, "http://"+addr+"/api/groups", body)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+secret)
		r.Header.Set("Content-Type", kind)
		client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
		answer, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		return answer.StatusCode
	}
	unsized := func(n int) io.Reader { return io.MultiReader(strings.NewReader(strings.Repeat(" ", n))) }
	for _, c := range []struct {
		name, kind string
		body       io.Reader
		want       int
	}{
		{"a small one", "application/json", strings.NewReader("{}"), 200},
		{"at the limit", "application/json; charset=utf-8", strings.NewReader(strings.Repeat(" ", 1000)), 200},
		{"one byte more", "application/json", strings.NewReader(strings.Repeat(" ", 1001)), 413},
		{"one byte more in chunks", "application/json", unsized(1001), 413},
		{"a form", "application/x-www-form-urlencoded", strings.NewReader("a=b"), 415},
		{"plain text", "text/plain", strings.NewReader("{}"), 415},
		{"no kind", "", strings.NewReader("{}"), 415},
	} {
		if got := post(c.kind, c.body); got != c.want {
			t.Errorf("%s: got %d, want %d", c.name, got, c.want)
		}
	}
}

// One connection more than there is room for is closed, and room comes back.
func TestConnectionsAreBounded(t *testing.T) {
	addr := serve(t, gate.Options{}, 2, who)
	request := "GET / HTTP/1.1\r\nHost: " + addr + "\r\n" + bearer + "\r\n\r\n"
	speak := func(c net.Conn) error {
		if _, err := io.WriteString(c, request); err != nil {
			return err
		}
		_, err := http.ReadResponse(bufio.NewReader(c), nil)
		return err
	}
	first, second := dial(t, addr), dial(t, addr)
	for _, c := range []net.Conn{first, second} {
		if err := speak(c); err != nil {
			t.Fatal(err)
		}
	}
	if err := speak(dial(t, addr)); err == nil {
		t.Error("the third was served")
	}
	_ = first.Close()
	for ctx := t.Context(); ; { // the server hears of it in its own time
		if speak(dial(t, addr)) == nil {
			break
		}
		if ctx.Err() != nil {
			t.Fatal("there was no room again")
		}
	}
}

// stall lets a client say something and then nothing, and returns how long the
// server put up with it.
func stall(t *testing.T, says string, h http.Handler) (lasted time.Duration) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		l := pipes.Listen()
		s := newGate(t, gate.Options{}).Server(h)
		go func() { _ = s.Serve(l) }()
		client, err := l.Dial(t.Context(), "", "")
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		_, _ = io.WriteString(client, says)
		_, _ = io.Copy(io.Discard, client)
		lasted = time.Since(began)
		_ = client.Close()
		_ = s.Close()
		synctest.Wait()
	})
	return lasted
}

const post = "POST / HTTP/1.1\r\nHost: 127.0.0.1:9696\r\n" + bearer + "\r\nContent-Type: application/json\r\nContent-Length: 10\r\nConnection: close\r\n\r\n"

func TestSlowClientsAreCut(t *testing.T) {
	if got := stall(t, "GET / HTTP/1.1\r\nHost: 127", who); got != 5*time.Second {
		t.Errorf("a slow header lasted %v", got)
	}
	if got := stall(t, post+"{", who); got != 30*time.Second {
		t.Errorf("a slow body lasted %v", got)
	}
	patient := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		select {
		case <-time.After(time.Hour):
		case <-r.Context().Done():
		}
	})
	if got := stall(t, post+"{        }", patient); got != time.Hour {
		t.Errorf("a wait lasted %v", got)
	}
}

// A client that does not read its answer is given up, and what was written for
// it is all that it cost.
func TestADeafClientIsCut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := pipes.Listen()
		written := make(chan time.Duration, 1)
		s := newGate(t, gate.Options{}).Server(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			began := time.Now()
			for {
				if _, err := w.Write(make([]byte, 64<<10)); err != nil {
					written <- time.Since(began)
					return
				}
			}
		}))
		go func() { _ = s.Serve(l) }()
		client, err := l.Dial(t.Context(), "", "")
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(client, "GET / HTTP/1.1\r\nHost: 127.0.0.1:9696\r\n"+bearer+"\r\n\r\n")
		if got := <-written; got != 30*time.Second {
			t.Errorf("it was waited for %v", got)
		}
		_ = client.Close()
		_ = s.Close()
		synctest.Wait()
	})
}
