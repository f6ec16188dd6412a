package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kurogo/messages"
	"kurogo/transport/mcp"
)

// On a pipe plain calls are answered without mcp-go, over HTTP with it: nobody can
// tell the two apart.
func TestCallsAreAnsweredTheSameWithAndWithoutMCPGo(t *testing.T) {
	for _, legacyNumbers := range []bool{false, true} {
		s := newServer(t, mcp.Options{Catalogue: newFake(), Legacy: legacyNumbers})
		h := open(t, s, false)
		session := post(t, h, secret, "", initialize).Header.Get("Mcp-Session-Id")
		says, hears, _ := pipe(t, s, messages.Caller{})
		talk := newTalk(t, says, hears)
		talk.ask(initialize)
		for _, params := range []string{
			`{"name":"echo","arguments":{"text":"a \"b\" 黒衣 \\ <&>"}}`,
			`{"arguments":{"text":"x"},"name":"echo","_meta":{"claudecode/toolUseId":"toolu_1"}}`,
			`{"name":"echo","arguments":{"text":"x"},"_meta":null,"task":null,"more":1}`,
			`{"name":"echo"}`,
			`{"name":"echo","arguments":null}`,
			`{"name":"echo","arguments":[1]}`,
			`{"name":"echo","arguments":7}`,
			`{"name":"fail","arguments":{"code":"not_found","agentId":"a-1"}}`,
			`{"name":"fail","arguments":{"code":"deadline","agentId":"a-1","timeout_ms":3000}}`,
			`{"name":"fail","arguments":{"code":"rate_limited"}}`,
			`{"name":"fall","arguments":{}}`,
			`{"name":"mumble","arguments":{}}`,
			`{"name":"no_such_tool","arguments":{}}`,
			`{"name":"","arguments":{}}`,
			`{"name":7,"arguments":{}}`,
			`{"name":"echo","arguments":{"text":"x"},"_meta":7}`,
			`[]`,
			`"echo"`,
		} {
			for _, id := range []string{`1`, `"x-1"`, `12345678901234567890`} {
				message := `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":` + params + `}`
				talk.say(message + "\n")
				raw, err := talk.hears.ReadString('\n')
				if err != nil {
					t.Fatal(err)
				}
				if !strings.Contains(raw, `"id":`+id+`,`) && !strings.Contains(raw, `"id":`+id+`}`) {
					t.Errorf("%s has another id: %s", message, raw)
				}
				if diff := cmp.Diff(told(t, post(t, h, secret, session, message).text), told(t, raw)); diff != "" {
					t.Errorf("%s: (-with +without)\n%s", message, diff)
				}
			}
		}
	}
}

// Over HTTP it is mcp-go that cancels what is withdrawn: it must know of the call.
func TestACallOverHTTPIsWithdrawn(t *testing.T) {
	f := newFake()
	h := open(t, newServer(t, mcp.Options{Catalogue: f}), false)
	session := post(t, h, secret, "", initialize).Header.Get("Mcp-Session-Id")
	answered := make(chan reply, 1)
	go func() {
		answered <- post(t, h, secret, session, `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"wait_agent","arguments":{}}}`)
	}()
	<-f.waiting
	want(t, post(t, h, secret, session, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}`), 202, "")
	if err := <-f.left; !errors.Is(err, context.Canceled) {
		t.Errorf("the wait ended with %v", err)
	}
	<-answered
}

func told(t *testing.T, message string) (m map[string]any) {
	t.Helper()
	if err := json.Unmarshal([]byte(message), &m); err != nil {
		t.Fatalf("%q: %v", message, err)
	}
	return m
}
