package gate

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"

	"kurogo/messages"
)

// Options of a gate. Ports and Token are required; without Token, Open is.
type Options struct {
	Ports   []int    // that we listen on: 127.0.0.1, [::1] and localhost are ours there
	Hosts   []string // more values of Host, each "name" or "name:port"
	Origins []string // more values of Origin, each "scheme://name:port"

	Token  string  // of the owner: 256 bits, as text
	Open   bool    // auth = "none": whoever comes from this machine is the owner
	Agents *Tokens // of the agents; nil = none are known

	Public []string // paths that anybody may GET; Host and Origin count there too

	// Page says which requests are answered with a page of ours: it holds no secret,
	// so anybody may GET it. It is not asked about what is below /api, /mcp, /ws or
	// /metrics. nil = none is.
	Page func(*http.Request) bool

	Owner, Agent Bounds // 0 in a field = the default

	Body int64 // most bytes of a request; 0 = 4 MiB
	Log  *slog.Logger
}

// Bounds of one principal.
type Bounds struct {
	Rate     float64 // requests a second, over time
	Burst    float64 // requests at once
	InFlight int     // requests that are being answered, waits included
}

const (
	bodyLimit    = 4 << 20
	bodyTimeout  = 30 * time.Second // of the whole body of a request
	writeTimeout = 30 * time.Second // of one write to a client that does not read
)

// The owner's rate is there to stop a loop that runs wild, not work: a client
// with 32 calls in flight makes some ten thousand a second.
var (
	ownerBounds = Bounds{Rate: 25_000, Burst: 50_000, InFlight: 1024}
	agentBounds = Bounds{Rate: 500, Burst: 2_000, InFlight: 128}
	badBounds   = Bounds{Rate: 10, Burst: 50, InFlight: 1} // refused credentials, all together
)

// A Gate lets requests in or refuses them.
type Gate struct {
	o      Options
	hosts  []string
	origin []string
	owner  [sha256.Size]byte // of the token
	cookie string            // its name
	baked  [sha256.Size]byte // of its value
	codes  codes
	book   book
}

// New makes a gate. Errors: invalid when nobody could be told from anybody, or
// when a host or an origin is none.
func New(o Options) (*Gate, error) {
	if len(o.Token) < 32 && !o.Open {
		return nil, messages.Invalid("token", "%d characters are no secret", len(o.Token)).Try("run: kurogo token --rotate")
	}
	o.Owner, o.Agent = o.Owner.or(ownerBounds), o.Agent.or(agentBounds)
	if o.Body == 0 {
		o.Body = bodyLimit
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Agents == nil {
		o.Agents = NewTokens(nil)
	}
	hosts, origins, err := allow(o.Ports, o.Hosts, o.Origins)
	if err != nil {
		return nil, err
	}
	g := &Gate{o: o, hosts: hosts, origin: origins, owner: sha256.Sum256([]byte(o.Token))}
	if o.Token != "" {
		g.cookie = "kurogo-" + g.derive("name")[:8]
		g.baked = sha256.Sum256([]byte(g.derive("cookie")))
	}
	return g, nil
}

func (b Bounds) or(d Bounds) Bounds {
	if b.Rate != 0 {
		d.Rate = b.Rate
	}
	if b.Burst != 0 {
		d.Burst = b.Burst
	}
	if b.InFlight != 0 {
		d.InFlight = b.InFlight
	}
	return d
}

// derive makes a secret of the token for one use. The cookie is not the token,
// outlives a restart, and ends when the token is changed. Its name differs from
// project to project, because browsers do not tell ports apart.
func (g *Gate) derive(use string) string {
	mac := hmac.New(sha256.New, []byte(g.o.Token))
	_, _ = mac.Write([]byte("kurogo " + use + " v1")) // a hash never fails
	return hex.EncodeToString(mac.Sum(nil))
}

// Wrap guards h.
func (g *Gate) Wrap(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r = hide(r)
		guarded := guard(w)
		defer guarded.hurry()
		w = guarded
		protect(w.Header())
		if err := g.site(r); err != nil {
			g.refuse(w, r, err)
			return
		}
		switch {
		case r.URL.Path == LoginPath:
			g.login(w, r)
			return
		case g.public(r):
			g.admit(w, r, visitor{principal: anybody}, h)
			return
		}
		v, err := g.recognise(r)
		if err != nil {
			g.refuse(w, r, err)
			return
		}
		g.admit(w, r, v, h)
	})
}

// closed is what no page may be, whoever says so: it holds what is nobody else's.
var closed = []string{"api", "mcp", "ws", "metrics"}

// public says whether anybody may have what r asks for.
func (g *Gate) public(r *http.Request) bool {
	switch {
	case !safe(r.Method):
		return false
	case slices.Contains(g.o.Public, r.URL.Path):
		return true
	case g.o.Page == nil || upgrade(r):
		return false
	}
	first, _, _ := strings.Cut(strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/"), "/")
	return !slices.Contains(closed, strings.ToLower(first)) && g.o.Page(r)
}

// admit lets a visitor in, within his bounds.
func (g *Gate) admit(w http.ResponseWriter, r *http.Request, v visitor, h http.Handler) {
	bounds := g.o.Agent
	if v.principal == owner {
		bounds = g.o.Owner
	}
	leave, err := g.book.enter(v.principal, bounds, time.Now())
	if err != nil {
		g.refuse(w, r, err)
		return
	}
	defer leave()
	if err := g.body(w, r); err != nil {
		g.refuse(w, r, err)
		return
	}
	ctx, end := v.enter(r.Context())
	defer end()
	h.ServeHTTP(w, r.WithContext(ctx))
}
