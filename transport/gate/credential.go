package gate

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"kurogo/messages"
)

// A visitor is who a request comes from.
type visitor struct {
	who       messages.Caller
	principal string          // owner, anybody, or agent:<id>:<epoch>
	life      context.Context // of the token; nil = it does not end
}

type (
	visitorKey struct{}
	tokenKey   struct{}
)

const (
	owner   = "owner"
	anybody = "anybody" // on a public path
)

// Caller is on whose behalf a request that passed the gate asks.
func Caller(ctx context.Context) messages.Caller {
	v, _ := ctx.Value(visitorKey{}).(visitor)
	return v.who
}

// Principal tells apart whose things are whose: the owner, or one life of an
// agent. It is empty where nobody passed a gate.
func Principal(ctx context.Context) string {
	v, _ := ctx.Value(visitorKey{}).(visitor)
	return v.principal
}

// enter makes the context of a request, which ends with the visitor's token.
func (v visitor) enter(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, end := context.WithCancel(context.WithValue(ctx, visitorKey{}, v))
	if v.life == nil {
		return ctx, end
	}
	stop := context.AfterFunc(v.life, end)
	return ctx, func() { stop(); end() }
}

// hide takes ?token= out of the URL before anybody could log it. Only recognise
// sees it again.
func hide(r *http.Request) *http.Request {
	query, err := url.ParseQuery(r.URL.RawQuery)
	if !query.Has("token") && err == nil { // what cannot be read may hold one too
		return r
	}
	token := query.Get("token")
	query.Del("token")
	r = r.Clone(context.WithValue(r.Context(), tokenKey{}, token))
	r.URL.RawQuery = query.Encode()
	r.RequestURI = (&url.URL{Path: r.URL.Path, RawPath: r.URL.RawPath, RawQuery: r.URL.RawQuery}).RequestURI()
	return r
}

// recognise says who it is. A wrong credential is refused even where none is
// needed: it is a mistake, or an attempt.
func (g *Gate) recognise(r *http.Request) (visitor, error) {
	shown, hidden := r.Context().Value(tokenKey{}).(string)
	bearer, isBearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	switch {
	case isBearer:
		return g.known(strings.TrimSpace(bearer))
	case r.Header.Get("Authorization") != "":
		return visitor{}, g.stranger("the Authorization is not a bearer token")
	case hidden && upgrade(r):
		return g.known(shown)
	case hidden:
		return visitor{}, g.stranger("a token in the URL opens only a WebSocket")
	}
	if c, err := r.Cookie(g.cookie); err == nil && g.cookie != "" {
		return g.baker(r, c.Value)
	}
	if g.o.Open {
		if !nearby(r.RemoteAddr) {
			return visitor{}, messages.Errorf(messages.CodeDenied, `auth = "none" is for this machine only`).
				Try(`set [server] auth = "token"`)
		}
		return visitor{principal: owner}, nil
	}
	return visitor{}, refusal{http.StatusUnauthorized, messages.Errorf(messages.CodeDenied, "there is no token").
		Try("send Authorization: Bearer with what `kurogo token` prints, or open the URL of `kurogo token --url` in the browser")}
}

// known says whose token it is.
func (g *Gate) known(token string) (visitor, error) {
	sum := sha256.Sum256([]byte(token))
	if g.o.Token != "" && subtle.ConstantTimeCompare(sum[:], g.owner[:]) == 1 {
		return visitor{principal: owner}, nil
	}
	if v, ok := g.o.Agents.whose(sum); ok {
		return v, nil
	}
	return visitor{}, g.stranger("the token is not known, or no longer")
}

// baker knows a browser by its cookie, which goes wherever the browser goes: so
// it counts only from our own page, wherever it could change something.
func (g *Gate) baker(r *http.Request, value string) (visitor, error) {
	sum := sha256.Sum256([]byte(value))
	if subtle.ConstantTimeCompare(sum[:], g.baked[:]) != 1 {
		return visitor{}, g.stranger("the cookie is not known, or no longer")
	}
	if (!safe(r.Method) || upgrade(r)) && r.Header.Get("Origin") == "" {
		return visitor{}, messages.Errorf(messages.CodeDenied, "a cookie without an Origin may only read").Try("send a bearer token")
	}
	site, mode := r.Header.Get("Sec-Fetch-Site"), r.Header.Get("Sec-Fetch-Mode")
	if (site == "cross-site" || site == "same-site") && mode != "navigate" {
		return visitor{}, messages.Errorf(messages.CodeDenied, "another page sent this")
	}
	return visitor{principal: owner}, nil
}

// stranger refuses a wrong credential, and soon more slowly.
func (g *Gate) stranger(format string) error {
	leave, err := g.book.enter("", badBounds, time.Now())
	if err != nil {
		return err
	}
	leave()
	return refusal{http.StatusUnauthorized, messages.Errorf(messages.CodeDenied, "%s", format).
		Try("run: kurogo token")}
}

func nearby(remote string) bool {
	host, _, err := net.SplitHostPort(remote)
	if err != nil {
		return false
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}
