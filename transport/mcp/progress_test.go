package mcp_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	protocol "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"kurogo/messages"
	"kurogo/transport/mcp"
)

// A call that takes 16.5 s tells of itself at once and every 5 s, counting up,
// with the last note; nothing follows the answer.
func TestProgressIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, mcp.Options{})
		says, hears, _ := pipe(t, s, messages.Caller{})
		talk := newTalk(t, says, hears)
		began := time.Now()
		talk.say(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"talk","arguments":{"name":"n"},"_meta":{"progressToken":"tok"}}}` + "\n")
		var heard []string
		for {
			l := talk.next()
			if l.Method == "" {
				break
			}
			heard = append(heard, fmt.Sprintf("%v %s %v %d %q", time.Since(began), l.Method, l.Params.Token, l.Params.Progress, l.Params.Message))
		}
		want := []string{
			`0s notifications/progress tok 1 ""`,
			`5s notifications/progress tok 2 "n 0"`,
			`10s notifications/progress tok 3 "n 1"`,
			`15s notifications/progress tok 4 "n 2"`,
		}
		if !slices.Equal(heard, want) || time.Since(began) != 16500*time.Millisecond {
			t.Errorf("got %q after %v", heard, time.Since(began))
		}
		talk.say(call(2, "talk", "{}") + "\n")
		if l := talk.next(); l.Method != "" {
			t.Errorf("without a token: %+v", l)
		}
		_ = says.Close()
		s.Close()
	})
}

// chatty is a tool of mcp-go's own making that says many things and returns at
// once: where mcp-go carries it over HTTP, some are lost and some reach others.
func chatty(s *mcp.Server) {
	s.Protocol().AddTool(protocol.NewTool("chatty"), func(ctx context.Context, r protocol.CallToolRequest) (*protocol.CallToolResult, error) {
		for i := range 50 {
			if err := s.Protocol().SendNotificationToClient(ctx, "notifications/progress", map[string]any{
				"progressToken": r.Params.Meta.ProgressToken, "progress": i, "message": r.GetString("name", ""),
			}); err != nil {
				return nil, err
			}
		}
		return protocol.NewToolResultText(r.GetString("name", "")), nil
	})
}

// Three calls at once on one session of HTTP: each hears everything that belongs
// to it, in order, before its answer, and nothing that belongs to another.
func TestNothingIsLostOrMisdirected(t *testing.T) {
	f := newFake()
	s := newServer(t, mcp.Options{Catalogue: f})
	chatty(s)
	h := open(t, s, false)
	id := post(t, h, secret, "", initialize).Header.Get("Mcp-Session-Id")
	post(t, h, secret, id, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	var all sync.WaitGroup
	for i := range 30 {
		all.Go(func() {
			name := fmt.Sprint("call", i)
			r := post(t, h, secret, id, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"chatty","arguments":{"name":%q},"_meta":{"progressToken":%q}}}`, i, name, name))
			lines := strings.Split(strings.TrimSpace(r.text), "\n\n")
			if len(lines) != 51 || r.Header.Get("Content-Type") != "text/event-stream" {
				t.Errorf("%s: %d events", name, len(lines))
				return
			}
			for n, event := range lines[:50] {
				if !strings.Contains(event, fmt.Sprintf(`"progress":%d,`, n)) || !strings.Contains(event, fmt.Sprintf(`"message":%q`, name)) {
					t.Errorf("%s: event %d is %s", name, n, event)
				}
			}
			if !strings.Contains(lines[50], fmt.Sprintf(`"id":%d,`, i)) {
				t.Errorf("%s: the answer is %s", name, lines[50])
			}
		})
	}
	all.Wait()
}

// The same on a pipe, where everything shares one stream.
func TestWhatIsSaidLeavesBeforeTheAnswer(t *testing.T) {
	s := newServer(t, mcp.Options{Protocol: []server.ServerOption{server.WithLogging()}})
	chatty(s)
	says, hears, _ := pipe(t, s, messages.Caller{})
	talk := newTalk(t, says, hears)
	talk.ask(initialize)
	for range 20 {
		talk.say(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"chatty","_meta":{"progressToken":"t"}}}` + "\n")
		for n := range 50 {
			if l := talk.next(); l.Method != "notifications/progress" || l.Params.Progress != n {
				t.Fatalf("word %d is %+v", n, l)
			}
		}
		if l := talk.next(); l.Method != "" {
			t.Fatalf("the answer is %+v", l)
		}
	}
}

// The first word of progress sends the headers, so that no client's time-out
// for them begins; a client that takes no stream gets its answer alone.
func TestProgressOpensTheStream(t *testing.T) {
	f := newFake()
	h := open(t, newServer(t, mcp.Options{Catalogue: f}), false)
	id := post(t, h, secret, "", initialize).Header.Get("Mcp-Session-Id")
	wait := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait_agent","arguments":{},"_meta":{"progressToken":1}}}`
	r := request(t, h, secret, id, wait)
	answer, err := http.DefaultTransport.(*http.Transport).Clone().RoundTrip(r) // returns with the headers
	if err != nil {
		t.Fatal(err)
	}
	<-f.waiting
	close(f.release)
	body, _ := io.ReadAll(answer.Body)
	_ = answer.Body.Close()
	if answer.Header.Get("Content-Type") != "text/event-stream" || !strings.Contains(string(body), `"completed":[]`) {
		t.Errorf("got %v %s", answer.Header, body)
	}
	r = request(t, h, secret, id, wait)
	r.Header.Set("Accept", "application/json")
	if got := send(t, r); got.Header.Get("Content-Type") != "application/json" || !strings.Contains(got.text, `"completed":[]`) {
		t.Errorf("got %v %s", got.Header, got.text)
	}
}
