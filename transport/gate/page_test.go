package gate_test

import (
	"net/http"
	"testing"

	"kurogo/transport/gate"
)

// Pages are for anybody, on our own hosts; what they show is not, whatever is said
// to be a page.
func TestPagesArePublic(t *testing.T) {
	everything := func(*http.Request) bool { return true }
	h := newGate(t, gate.Options{Page: everything, Public: []string{"/healthz"}}).Wrap(who)
	for _, line := range []string{
		"GET /", "HEAD /", "GET /agents/impl-code-1-abcd", "GET /assets/index.js", "GET /apiary", "GET /wsx", "GET /healthz", "GET /?token=guess",
	} {
		wantStatus(t, ask(t, h, line), 200, "anybody")
		wantStatus(t, ask(t, h, line, "Cookie: kurogo-00000000=wrong"), 200, "anybody")
	}
	for _, line := range []string{
		"GET /api", "GET /api/", "GET /api/groups", "GET /API/groups", "GET //api/groups", "GET /./api/groups", "GET /x/../api/groups", "GET /%61pi/groups",
		"GET /mcp", "GET /mcp/", "GET /ws", "GET /ws/", "GET /metrics", "GET /METRICS", "GET /api%2fgroups",
		"POST /", "PUT /agents/x", "DELETE /agents/x",
	} {
		wantStatus(t, ask(t, h, line), 401, "there is no token")
		wantStatus(t, ask(t, h, line, bearer), 200, "owner")
	}
	wantStatus(t, ask(t, h, "GET /agents/x", "Upgrade: websocket"), 401, "there is no token")
	wantStatus(t, ask(t, h, "GET /", "Host: evil.example:9696"), 403, "not ours")
	wantStatus(t, ask(t, h, "GET /", "Origin: https://evil.example"), 403, "not ours")
}

// Only what is said to be a page is one.
func TestWhatIsNoPage(t *testing.T) {
	h := newGate(t, gate.Options{Page: func(r *http.Request) bool { return r.URL.Path == "/" }}).Wrap(who)
	wantStatus(t, ask(t, h, "GET /"), 200, "anybody")
	wantStatus(t, ask(t, h, "GET /read_file"), 401, "")
	wantStatus(t, ask(t, newGate(t, gate.Options{}).Wrap(who), "GET /"), 401, "")
}

// A login leads on to a place of ours, and never to somebody else's.
func TestWhereALoginLeads(t *testing.T) {
	for _, o := range []gate.Options{{}, {Open: true}} {
		g := newGate(t, o)
		h := g.Wrap(who)
		for next, want := range map[string]string{
			"/":                                 "/",
			"/agents/impl-code-1739487600-a3f2": "/agents/impl-code-1739487600-a3f2",
			"/groups/grp-1739487600-a3f2":       "/groups/grp-1739487600-a3f2",
			"/flow":                             "/flow",

			"":                              "/",
			"agents/x":                      "/",
			"https://evil.example":          "/",
			"https:evil.example":            "/",
			"//evil.example":                "/",
			"/%5Cevil.example":              "/",
			"%5C%5Cevil.example":            "/",
			"/%09/evil.example":             "/",
			"%09//evil.example":             "/",
			"/%2Fevil.example":              "/",
			"/.//evil.example":              "/",
			"/..//evil.example":             "/",
			"/agents/..//evil.example":      "/",
			"/agents//evil.example":         "/",
			"/agents/../../x":               "/",
			"/@evil.example":                "/",
			"/a%0D%0ASet-Cookie:%20x=y":     "/",
			"/a%3Ftoken=x":                  "/",
			"/a%23b":                        "/",
			"javascript:alert(1)":           "/",
			"/login":                        "/",
			"/%E3%80%80/evil.example":       "/",
			"/agents/x&next=//evil.example": "/agents/x",
		} {
			url := "/login?next=" + next
			if !o.Open {
				url = g.Login() + "&next=" + next
			}
			r := ask(t, h, "GET "+url)
			if got := r.Header.Get("Location"); r.StatusCode != http.StatusSeeOther || got != want {
				t.Errorf("%s leads to %q (%d), want %q", next, got, r.StatusCode, want)
			}
		}
		if o.Open {
			continue
		}
		if r := ask(t, h, "GET /login?code=guess&next=/agents/x"); r.StatusCode != 401 || r.Header.Get("Location") != "" {
			t.Errorf("a guess leads to %q", r.Header.Get("Location"))
		}
	}
}
