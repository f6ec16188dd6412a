package gate_test

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"kurogo/transport/gate"
)

func TestATokenOutlivesItsAgentByAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		agents := gate.NewTokens(nil)
		h := newGate(t, gate.Options{Agents: agents}).Wrap(who)
		first := "Authorization: Bearer " + agents.Issue(coder, 1)
		agents.End(coder, 1)
		<-time.After(30 * time.Second)
		agents.End(coder, 1) // twice is once
		second := "Authorization: Bearer " + agents.Issue(coder, 2)
		<-time.After(29 * time.Second)
		wantStatus(t, ask(t, h, "POST /mcp", first), 200, ":1 ")
		<-time.After(2 * time.Second)
		wantStatus(t, ask(t, h, "POST /mcp", first), 401, "no longer")
		wantStatus(t, ask(t, h, "POST /mcp", second), 200, ":2 ")
		agents.End(coder, 7)
		agents.End("nobody", 1)
		<-time.After(time.Hour)
		wantStatus(t, ask(t, h, "POST /mcp", second), 200, ":2 ")
	})
}

func TestALifeHasOneToken(t *testing.T) {
	agents := gate.NewTokens(nil)
	h := newGate(t, gate.Options{Agents: agents}).Wrap(who)
	old, other := agents.Issue(coder, 1), agents.Issue("reviewer", 1)
	fresh := agents.Issue(coder, 1)
	if len(old) != 43 || old == fresh { // 256 bits in base64
		t.Errorf("the tokens are %q and %q", old, fresh)
	}
	wantStatus(t, ask(t, h, "POST /mcp", "Authorization: Bearer "+old), 401, "not known")
	wantStatus(t, ask(t, h, "POST /mcp", "Authorization: Bearer "+fresh), 200, string(coder))
	wantStatus(t, ask(t, h, "POST /mcp", "Authorization: Bearer "+other), 200, "reviewer")
}

// What was opened with a token ends with the token, even in the middle.
func TestARequestEndsWithItsToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		agents := gate.NewTokens(nil)
		ended := make(chan time.Time, 1)
		h := newGate(t, gate.Options{Agents: agents}).Wrap(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			<-r.Context().Done()
			ended <- time.Now()
		}))
		token := agents.Issue(coder, 1)
		go ask(t, h, "POST /mcp", "Authorization: Bearer "+token)
		synctest.Wait()
		agents.End(coder, 1)
		began := time.Now()
		if lasted := (<-ended).Sub(began); lasted != time.Minute {
			t.Errorf("it lasted %v", lasted)
		}
	})
}

// The registry takes its time from whoever turns the clock.
func TestTheAfterlifeIsTimedFromOutside(t *testing.T) {
	var wait time.Duration
	var fire func()
	agents := gate.NewTokens(func(d time.Duration, f func()) func() bool {
		wait, fire = d, f
		return func() bool { return true }
	})
	h := newGate(t, gate.Options{Agents: agents}).Wrap(who)
	line := "Authorization: Bearer " + agents.Issue(coder, 1)
	agents.End(coder, 1)
	wantStatus(t, ask(t, h, "POST /mcp", line), 200, string(coder))
	if wait != time.Minute {
		t.Errorf("it waits %v", wait)
	}
	fire()
	wantStatus(t, ask(t, h, "POST /mcp", line), 401, "no longer")
}
