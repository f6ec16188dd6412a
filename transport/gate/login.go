package gate

import (
	"crypto/sha256"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"strings"
	"sync"
	"time"

	"kurogo/messages"
)

// LoginPath is where a browser changes a code for its cookie. With ?next= it leads
// on to another place of ours than the first page.
const LoginPath = "/login"

const (
	codeLife   = 2 * time.Minute
	maxCodes   = 32
	cookieLife = 30 * 24 * time.Hour
)

// codes are the codes that nobody has used yet.
type codes struct {
	mu    sync.Mutex
	until map[[sha256.Size]byte]time.Time
}

// Login makes the path and query of a URL that logs one browser in, once, within
// two minutes.
func (g *Gate) Login() string {
	code := NewToken()
	g.codes.add(code, time.Now())
	return LoginPath + "?code=" + url.QueryEscape(code)
}

func (c *codes) add(code string, now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.until == nil {
		c.until = map[[sha256.Size]byte]time.Time{}
	}
	var oldest [sha256.Size]byte
	for sum, until := range c.until {
		if !now.Before(until) {
			delete(c.until, sum)
		} else if first, ok := c.until[oldest]; !ok || until.Before(first) {
			oldest = sum
		}
	}
	if len(c.until) >= maxCodes {
		delete(c.until, oldest)
	}
	c.until[sha256.Sum256([]byte(code))] = now.Add(codeLife)
}

// use takes the code away, whether or not it is still good.
func (c *codes) use(code string, now time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	sum := sha256.Sum256([]byte(code))
	until, ok := c.until[sum]
	delete(c.until, sum)
	return ok && now.Before(until)
}

// login gives the cookie and leads away from the URL that holds the code. A
// browser that only looks ahead does not use the code up.
func (g *Gate) login(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method != http.MethodGet:
		g.refuse(w, r, refusal{http.StatusMethodNotAllowed, messages.Invalid("method", "%s does not log in", r.Method)})
		return
	case strings.Contains(r.Header.Get("Sec-Purpose")+r.Header.Get("Purpose"), "prefetch"):
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	case g.cookie == "":
		http.Redirect(w, r, after(r), http.StatusSeeOther) //nolint:gosec // G710: it leads to a path of ours only
		return
	case !g.codes.use(r.URL.Query().Get("code"), time.Now()):
		g.refuse(w, r, g.stranger("the code was used, or is too old"))
		return
	}
	http.SetCookie(w, &http.Cookie{ //nolint:gosec // no Secure: we speak http on loopback, where some browsers would drop it
		Name: g.cookie, Value: g.derive("cookie"), Path: "/", MaxAge: int(cookieLife / time.Second),
		HttpOnly: true, SameSite: http.SameSiteStrictMode,
	})
	http.Redirect(w, r, after(r), http.StatusSeeOther) //nolint:gosec // G710: it leads to a path of ours only
}

// place is what may follow a login: a path as our pages have them, in letters that
// no browser takes for another host.
var place = regexp.MustCompile(`\A/([A-Za-z0-9_~:-][A-Za-z0-9._~:/-]{0,254})?\z`)

// after is where a login leads: to a path on this server, never anywhere else.
func after(r *http.Request) string {
	next := r.URL.Query().Get("next")
	if !place.MatchString(next) || strings.Contains(next, "//") || path.Clean(next) != next || next == LoginPath {
		return "/"
	}
	return next
}
