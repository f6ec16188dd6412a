package gate_test

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kurogo/transport/gate"
)

// logIn follows a one-time URL and returns the line of the cookie.
func logIn(t *testing.T, g *gate.Gate, h http.Handler) (string, *http.Cookie) {
	t.Helper()
	r := ask(t, h, "GET "+g.Login())
	if r.StatusCode != http.StatusSeeOther || r.Header.Get("Location") != "/" || len(r.Cookies()) != 1 {
		t.Fatalf("got %d to %q with %v", r.StatusCode, r.Header.Get("Location"), r.Cookies())
	}
	c := r.Cookies()[0]
	return "Cookie: " + c.Name + "=" + c.Value, c
}

func TestABrowserLogsInOnce(t *testing.T) {
	g := newGate(t, gate.Options{})
	h := g.Wrap(who)
	url := g.Login()
	r := ask(t, h, "GET "+url)
	if c := r.Cookies()[0]; !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Path != "/" || contains(c.Value, secret) {
		t.Errorf("the cookie is %v", c)
	}
	wantStatus(t, ask(t, h, "GET "+url), 401, "was used")
	wantStatus(t, ask(t, h, "GET /login"), 401, "was used")
	wantStatus(t, ask(t, h, "GET /login?code=guess"), 401, "was used")
	wantStatus(t, ask(t, h, "POST "+g.Login()), 405, "does not log in")
	_, first := logIn(t, g, h)
	cookie, second := logIn(t, g, h)
	if first.Value != second.Value {
		t.Error("two browsers have different cookies, so a restart would log one out")
	}
	wantStatus(t, ask(t, h, "GET /", cookie), 200, "owner")
}

// A link preview does not use the code up.
func TestLookingAheadDoesNotLogIn(t *testing.T) {
	g := newGate(t, gate.Options{})
	h := g.Wrap(who)
	url := g.Login()
	if r := ask(t, h, "GET "+url, "Sec-Purpose: prefetch;prerender"); len(r.Cookies()) != 0 {
		t.Errorf("a prefetch got %v", r.Cookies())
	}
	wantStatus(t, ask(t, h, "HEAD "+url), 405, "")
	wantStatus(t, ask(t, h, "GET "+url), 303, "")
}

func TestACodeIsShortLived(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(t, gate.Options{})
		h := g.Wrap(who)
		soon, late := g.Login(), g.Login()
		<-time.After(2*time.Minute - time.Second)
		wantStatus(t, ask(t, h, "GET "+soon), 303, "")
		<-time.After(time.Second)
		wantStatus(t, ask(t, h, "GET "+late), 401, "too old")
	})
}

// Codes that nobody uses do not pile up: the newest ones count.
func TestCodesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(t, gate.Options{})
		h := g.Wrap(who)
		first := g.Login()
		<-time.After(time.Second)
		for range 31 {
			g.Login()
		}
		last := g.Login()
		wantStatus(t, ask(t, h, "GET "+first), 401, "too old")
		wantStatus(t, ask(t, h, "GET "+last), 303, "")
	})
}

// The browser sends the cookie from everywhere, so where something could change
// it counts only with our own Origin.
func TestACookieAloneOnlyReads(t *testing.T) {
	g := newGate(t, gate.Options{})
	h := g.Wrap(who)
	cookie, _ := logIn(t, g, h)
	ours := "Origin: http://127.0.0.1:9696"
	for _, c := range []struct {
		name   string
		lines  []string
		status int
	}{
		{"reading", []string{"GET /api/groups"}, 200},
		{"writing from our page", []string{"POST /api/groups", ours}, 200},
		{"writing from no page", []string{"POST /api/groups"}, 403},
		{"deleting from no page", []string{"DELETE /api/groups/g"}, 403},
		{"writing from another page", []string{"POST /api/groups", "Origin: http://127.0.0.1:3000"}, 403},
		{"a socket from our page", []string{"GET /ws", "Upgrade: websocket", ours}, 200},
		{"a socket from no page", []string{"GET /ws", "Upgrade: websocket"}, 403},
		{"a socket from another page", []string{"GET /ws", "Upgrade: websocket", "Origin: http://localhost:3000"}, 403},
		{"an image on another port", []string{"GET /api/agents", "Sec-Fetch-Site: same-site", "Sec-Fetch-Mode: no-cors"}, 403},
		{"a link to us", []string{"GET /", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"}, 200},
		{"our own script", []string{"GET /api/agents", "Sec-Fetch-Site: same-origin", "Sec-Fetch-Mode: cors"}, 200},
	} {
		t.Run(c.name, func(t *testing.T) {
			wantStatus(t, ask(t, h, append(c.lines, cookie)...), c.status, "")
		})
	}
	wantStatus(t, ask(t, h, "POST /api/groups", strings.Replace(cookie, "=", "=0", 1), ours), 401, "cookie")
	wantStatus(t, ask(t, h, "POST /api/groups", bearer), 200, "owner") // a token needs no page
}

// A new token ends the cookies of the old one; another project has another name
// for its cookie, so that both stay logged in.
func TestACookieBelongsToOneToken(t *testing.T) {
	g := newGate(t, gate.Options{})
	cookie, ours := logIn(t, g, g.Wrap(who))
	other := newGate(t, gate.Options{Token: secret + "2"})
	_, theirs := logIn(t, other, other.Wrap(who))
	if ours.Name == theirs.Name {
		t.Errorf("both cookies are called %s", ours.Name)
	}
	wantStatus(t, ask(t, other.Wrap(who), "GET /", cookie), 401, "no token")
	again := newGate(t, gate.Options{}) // a restart
	wantStatus(t, ask(t, again.Wrap(who), "GET /", cookie), 200, "owner")
}
