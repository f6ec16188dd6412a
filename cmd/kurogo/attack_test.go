package main_test

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"kurogo/messages"
)

// TestEdgeUnderAttack tries what somebody on this machine, or a page in a
// browser, would try on the real program. Everything is refused or bounded; in
// between the owner answers its own verbs, and it never needs much memory.
func TestEdgeUnderAttack(t *testing.T) {
	t.Parallel()
	l := newLair(t)
	for _, attack := range []struct {
		name string
		do   func(*testing.T, *lair)
	}{
		{"strangers", strangers},
		{"another agent's token", otherAgents},
		{"paths", traversals},
		{"a frame of 1 GB", giants},
		{"bodies without end", endless},
		{"half requests", halves},
		{"clients that do not read", deafClients},
	} {
		t.Run(attack.name, func(t *testing.T) {
			attack.do(t, l)
			l.isWell(t)
		})
	}
}

// isWell wants the owner to answer, and to have stayed small.
func (l *lair) isWell(t *testing.T) {
	t.Helper()
	if s := must[messages.Status](l.theatre, messages.GetStatus{}); s.Pid != l.status.Pid {
		t.Errorf("the owner was %d and is %d", l.status.Pid, s.Pid)
	}
	if crew := l.run("crew"); !strings.Contains(crew, "grand_boss") {
		t.Errorf("kurogo crew says %s", crew)
	}
	if status, body := l.http(t, "GET /api/roles", l.owner); status != 200 || !strings.Contains(body, `"sleeper"`) {
		t.Errorf("GET /api/roles is %d: %s", status, body)
	}
	if a := l.look(l.sleeper); a.Status != messages.AgentRunning {
		t.Errorf("the sleeper is %s", a.Status)
	}
	if kib := peak(t, l.status.Pid); kib >= 100<<10 {
		t.Errorf("the owner needed %d KiB", kib)
	}
}

// peak is the most memory that a process ever had, in KiB.
func peak(t *testing.T, pid int) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Skip("only Linux tells how much memory a process had")
	}
	_, rest, _ := bytes.Cut(status, []byte("VmHWM:"))
	line, _, _ := bytes.Cut(rest, []byte("kB"))
	kib, err := strconv.Atoi(string(bytes.TrimSpace(line)))
	if err != nil {
		t.Fatal(err)
	}
	return kib
}

// strangers have no token, a wrong one, or come from elsewhere; and one who has
// the right one and comes from elsewhere is a page that was fooled.
func strangers(t *testing.T, l *lair) {
	t.Helper()
	_, port, _ := net.SplitHostPort(l.status.HTTP)
	forged := strings.Map(func(c rune) rune { return c ^ 1 }, l.owner[:1]) + l.owner[1:]
	for _, s := range []struct {
		name, token string
		status      int
		headers     []string
	}{
		{"no token", "", 401, nil},
		{"a wrong token", forged, 401, nil},
		{"half a token", l.owner[:20], 401, nil},
		{"a page of somebody else", l.owner, 403, []string{"Origin: https://evil.example"}},
		{"a page of another port", l.owner, 403, []string{"Origin: http://127.0.0.1:1"}},
		{"a page without an origin", l.owner, 403, []string{"Origin: null"}},
		{"a rebound name", l.owner, 403, []string{"Host: evil.example:" + port}},
		{"a name that begins like ours", l.owner, 403, []string{"Host: localhost.evil.example:" + port}},
		{"another port", l.owner, 403, []string{"Host: 127.0.0.1:1"}},
	} {
		for _, what := range []string{
			"GET /api/status", "GET /api/events", "GET /api/agents/" + string(l.sleeper) + "/log", "DELETE /api/agents/" + string(l.sleeper), "GET /metrics", "GET /mcp " + upgrade,
			`POST /api/groups {"description":"d"}`, `POST /mcp {"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
		} {
			headers := s.headers
			if path, add, ok := strings.Cut(what, " "+upgrade); ok {
				what, headers = path, append(strings.Split(add+upgrade, "|"), headers...)
			}
			if status, body := l.http(t, what, s.token, headers...); status != s.status || strings.Contains(body, `"ok":true`) {
				t.Errorf("%s: %s is %d: %.300s", s.name, what, status, body)
			}
		}
	}
	if status, _ := l.http(t, "GET /api/status?token="+l.owner, ""); status != 401 {
		t.Errorf("a token in a URL opens what is no WebSocket: %d", status)
	}
	if status, body := l.http(t, "GET /healthz", ""); status != 200 || strings.Contains(body, l.home) {
		t.Errorf("GET /healthz is %d: %s", status, body)
	}
}

// otherAgents have a token that is good for their own work.
func otherAgents(t *testing.T, l *lair) {
	t.Helper()
	for what, want := range map[string]int{
		"GET /api/agents/" + string(l.spy):               200,
		"GET /api/agents/" + string(l.sleeper):           403,
		"GET /api/agents/" + string(l.sleeper) + "/log":  403,
		"GET /api/groups/" + string(l.group) + "/agents": 403,
		"DELETE /api/agents/" + string(l.sleeper):        403,
		"DELETE /api/agents/" + string(l.spy):            403,
		"DELETE /api/groups/" + string(l.foreign):        403,
		`POST /api/groups {"description":"d"}`:           403,
		`POST /api/tasks {"content":"c"}`:                403,
		"GET /api/events":                                403,
		"GET /api/messages":                              403,
		"GET /api/status":                                403,
		`POST /api/roles/check {}`:                       403,
		`POST /api/approvals {"micros":1}`:               403,
		"POST /api/agents/" + string(l.sleeper) + `/result {"status":"success","summary":"mine"}`: 403,
		"POST /api/agents/wait " + fmt.Sprintf(`{"agentIds":[%q],"timeout_ms":1}`, l.sleeper):     404, // in its group there is none
	} {
		if status, body := l.http(t, what, l.agent); status != want {
			t.Errorf("%s is %d, want %d: %.300s", what, status, want, body)
		}
	}
}

// traversals look for files beside the logs.
func traversals(t *testing.T, l *lair) {
	t.Helper()
	secret, err := os.ReadFile(filepath.Join(l.state, "token"))
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{
		"..%2f..", "..%2f..%2ftoken", "%2e%2e%2f%2e%2e%2ftoken", "..", "%2e%2e", ".%00.", "%00", "....%2f%2f", "%2fetc%2fpasswd", "..%5c..%5ctoken", "%c0%ae%c0%ae%2ftoken",
		string(l.sleeper) + "%2f..%2f..%2f..%2ftoken", strings.Repeat("x", 5000), "%ff", "%0d%0aSet-Cookie:%20a=b",
	} {
		for _, path := range []string{"/api/agents/" + id + "/log", "/api/agents/" + id, "/api/groups/" + id, "/api/tasks/" + id, "/api/agents/" + id + "/../../../token"} {
			status, body := l.raw(t, path)
			if status < 300 && status >= 200 || strings.Contains(body, strings.TrimSpace(string(secret))) || strings.Contains(body, "root:") || strings.Contains(body, "\nSet-Cookie") {
				t.Errorf("GET %.100s is %d: %.300s", path, status, body)
			}
		}
	}
	for _, query := range []string{"stream=../../token", "stream=stdout%00", "offset=-1", "offset=99999999999999999999", "limit=999999999999"} {
		if status, body := l.raw(t, "/api/agents/"+string(l.sleeper)+"/log?"+query); status != 400 {
			t.Errorf("?%s is %d: %.300s", query, status, body)
		}
	}
}

// giants announce frames that nobody has room for, and send pieces without end.
func giants(t *testing.T, l *lair) {
	t.Helper()
	for _, n := range []uint64{1 << 30, 1 << 40, 1<<63 - 1, 1 << 63} {
		c, r := l.socket(t)
		_, _ = c.Write(append(header(0x81, n), "{}"...))
		_ = c.SetReadDeadline(time.Now().Add(patience / 2))
		if _, err := io.Copy(io.Discard, r); errors.Is(err, os.ErrDeadlineExceeded) {
			t.Fatalf("the rest of a frame of %d bytes is waited for", n)
		}
	}
	c, r := l.socket(t)
	piece := append(header(0x01, 1<<20), bytes.Repeat([]byte("x"), 1<<20)...)
	sent := 0
	for first := byte(0x01); sent < 256; sent++ { // a text, and then its pieces
		piece[0] = first
		if _, err := c.Write(piece); err != nil {
			break
		}
		first = 0
	}
	if sent == 256 {
		t.Errorf("a message of %d MiB was taken", sent)
	}
	_, _ = io.Copy(io.Discard, r)
}

// noise is a body that does not end by itself.
type noise struct{ said atomic.Int64 }

const noisy = 1 << 30

func (n *noise) Read(p []byte) (int, error) {
	if n.said.Load() >= noisy {
		return 0, io.EOF
	}
	m := copy(p, bytes.Repeat([]byte(" "), min(len(p), 32<<10)))
	n.said.Add(int64(m))
	return m, nil
}

func (*noise) Close() error { return nil }

// endless are bodies of 1 GB, announced and not.
func endless(t *testing.T, l *lair) {
	t.Helper()
	for _, path := range []string{"/mcp", "/api/groups", "/api/agents/wait"} {
		for _, announced := range []int64{noisy, -1} {
			body := &noise{}
			r, err := http.NewRequest(http.MethodPost, "http://"+l.status.HTTP+path, body)
			if err != nil {
				t.Fatal(err)
			}
			r.ContentLength = announced
			answer, h, err := send(r, l.owner)
			if err == nil && !strings.HasPrefix(h.Get("Status"), "413") {
				t.Errorf("POST %s is %s: %.300s", path, h.Get("Status"), answer)
			}
			if said := body.said.Load(); said > noisy/2 {
				t.Errorf("POST %s: %d bytes were taken", path, said)
			}
		}
	}
}

// halves begin something and say no more; they stay until the story ends.
func halves(t *testing.T, l *lair) {
	t.Helper()
	long := make([]byte, 1<<20)
	_, _ = rand.Read(long)
	for n := range 60 {
		c := l.connect(t)
		switch n % 3 {
		case 0:
			fmt.Fprintf(c, "GET /api/status HTTP/1.1\r\nHost: %s\r\nX-", l.status.HTTP)
		case 1:
			fmt.Fprintf(c, "POST /mcp HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{", l.status.HTTP, l.owner)
		default:
			fmt.Fprintf(c, "GET /api/status HTTP/1.1\r\nHost: %s\r\nX-Long: %x", l.status.HTTP, long)
		}
	}
}

// deafClients ask for much and read nothing.
func deafClients(t *testing.T, l *lair) {
	t.Helper()
	for range 8 {
		c := l.connect(t)
		fmt.Fprintf(c, "GET /api/events?since=0 HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n", l.status.HTTP, l.owner)
	}
	for range 3 { // each has more answers coming than fit into all buffers
		c, _ := l.socket(t)
		ask := func(text string) bool {
			_, err := c.Write(append(append([]byte{0x81, 0x80 | 126}, byte(len(text)>>8), byte(len(text)), 0, 0, 0, 0), text...))
			return err == nil
		}
		ask(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"deaf","version":"1"}}}`)
		for id := 1; id <= 400 && ask(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/list"}`, id)); id++ {
			continue
		}
	}
	// Much happens meanwhile, which all of them are told: more than lies in all
	// the buffers between us.
	conn, err := l.dial(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	faults := make(chan error)
	text := strings.Repeat("what everybody hears ", 195)
	for range 16 {
		go func() {
			var fault error
			for range 150 {
				if _, err := conn.Ask(t.Context(), messages.CreateGroup{Description: text}); err != nil {
					fault = err
				}
			}
			faults <- fault
		}()
	}
	for range 16 {
		if err := <-faults; err != nil {
			t.Error(err)
		}
	}
}
