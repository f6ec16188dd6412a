package mcp_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	protocol "github.com/mark3labs/mcp-go/mcp"

	"kurogo/messages"
	"kurogo/transport/mcp"
)

// A hundred waits are blocked, and lists and other calls are answered behind
// them; then all hundred have their own answer.
func TestAHundredWaitsHoldBackNobody(t *testing.T) {
	every(t, func(t *testing.T, carrier, version string) {
		t.Helper()
		f := newFake()
		c := connect(t, carriers[carrier](t, newServer(t, mcp.Options{Catalogue: f})), version)
		done := make(chan error, 100)
		for range 100 {
			go func() {
				got, err := c.CallTool(t.Context(), use("wait_agent", nil))
				if err == nil && got.Content[0].(protocol.TextContent).Text != `{"completed":[]}` {
					err = errors.New("a strange answer")
				}
				done <- err
			}()
		}
		for range 100 {
			<-f.waiting
		}
		if _, err := c.ListTools(t.Context(), protocol.ListToolsRequest{}); err != nil {
			t.Error(err)
		}
		if _, err := c.CallTool(t.Context(), use("echo", args{"text": "x"})); err != nil {
			t.Error(err)
		}
		close(f.release)
		for range 100 {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
	})
}

// A client that no longer wants its answer ends the wait, and nothing else; the
// connection goes on.
func TestACancelledWait(t *testing.T) {
	every(t, func(t *testing.T, carrier, version string) {
		t.Helper()
		f := newFake()
		c := connect(t, carriers[carrier](t, newServer(t, mcp.Options{Catalogue: f})), version)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { _, err := c.CallTool(ctx, use("wait_agent", nil)); done <- err }()
		<-f.waiting
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("the client got %v", err)
		}
		if err := <-f.left; !errors.Is(err, context.Canceled) {
			t.Errorf("the tool got %v", err)
		}
		if _, err := c.CallTool(t.Context(), use("echo", args{"text": "x"})); err != nil {
			t.Error(err)
		}
	})
}

// Beyond the calls that run at a time others wait their turn, and can be
// cancelled there; beyond those that can wait, the next is busy at once. A
// cancelled call has no answer.
func TestCallsQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		s := newServer(t, mcp.Options{Catalogue: f, Calls: 2})
		says, hears, _ := pipe(t, s, messages.Caller{})
		talk := newTalk(t, says, hears)
		for i := range 4 {
			talk.say(call(i, "wait_agent", "{}") + "\n")
			synctest.Wait()
		}
		if len(f.waiting) != 2 {
			t.Errorf("%d run, want 2", len(f.waiting))
		}
		got := talk.ask(call(4, "wait_agent", "{}"))
		if got.ID != 4.0 || !strings.Contains(string(got.Result), `"code":"busy"`) {
			t.Errorf("the fifth: %s", got.Result)
		}
		talk.say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}` + "\n")
		talk.say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":0}}` + "\n")
		synctest.Wait()
		close(f.release)
		answered := map[any]bool{talk.next().ID: true, talk.next().ID: true}
		if !answered[1.0] || !answered[3.0] {
			t.Errorf("the answered are %v", answered)
		}
		if got := talk.ask(list); got.ID != 1.0 {
			t.Errorf("an answer that nobody wants: %+v", got)
		}
		_ = says.Close()
		s.Close()
	})
}
