package hermes

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"

	"kurogo/messages"
)

// A client speaks to one service, for one life or one question: its connections
// end with it.
type client struct {
	place
	http *http.Client
	key  string
	name string // of the key's variable
}

// dialing is how long a connection may take to stand.
const dialing = 10 * time.Second

func newClient(p place, name, key string) *client {
	return &client{place: p, name: name, key: key, http: &http.Client{
		// A service that moves would take the key along.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			Proxy:                  proxy,
			DialContext:            (&net.Dialer{Timeout: dialing}).DialContext,
			TLSHandshakeTimeout:    dialing,
			IdleConnTimeout:        time.Minute,
			MaxResponseHeaderBytes: 64 << 10,
			DisableCompression:     true, // what is bounded is what comes
			ForceAttemptHTTP2:      true,
		},
	}}
}

// proxy is the environment's, but never for this machine.
func proxy(r *http.Request) (*url.URL, error) {
	if loopback(r.URL.Hostname()) {
		return nil, nil //nolint:nilnil // http.Transport's word for none
	}
	return http.ProxyFromEnvironment(r)
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

func (c *client) close() { c.http.CloseIdleConnections() }

// reach looks whether there is anybody at the address.
func (c *client) reach(ctx context.Context) error {
	u, err := url.Parse(c.base)
	if err != nil {
		return err //nolint:wrapcheck // place has read it already
	}
	if via, err := proxy(&http.Request{URL: u}); via != nil || err != nil {
		return nil //nolint:nilerr // who is behind a proxy shows at the first request
	}
	port := u.Port()
	if port == "" {
		port = u.Scheme // the resolver knows the ports of both
	}
	conn, err := (&net.Dialer{Timeout: dialing}).DialContext(ctx, "tcp", net.JoinHostPort(u.Hostname(), port))
	if err != nil {
		return c.broken(ctx, err)
	}
	return conn.Close()
}

// ask makes a request. Without a body it is a GET. Any answer but 200 is an error;
// all errors are failures.
func (c *client) ask(ctx context.Context, url string, body []byte) (*http.Response, error) {
	method, from := http.MethodGet, io.Reader(http.NoBody)
	if body != nil {
		method, from = http.MethodPost, bytes.NewReader(body)
	}
	r, err := http.NewRequestWithContext(ctx, method, url, from)
	if err != nil {
		return nil, &failure{class: messages.ClassInvalid, text: c.hide(err.Error())}
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "kurogo")
	if c.key != "" {
		r.Header.Set("Authorization", "Bearer "+c.key)
	}
	res, err := c.http.Do(r)
	if err != nil {
		return nil, c.broken(ctx, err)
	}
	if res.StatusCode != http.StatusOK {
		defer res.Body.Close()
		return nil, c.refused(res)
	}
	return res, nil
}

// broken is a connection that did not stand, or did not last.
func (c *client) broken(ctx context.Context, err error) *failure {
	var certificate *tls.CertificateVerificationError
	var unknown x509.UnknownAuthorityError
	f := &failure{class: messages.ClassServer, text: c.hide(messages.Cut(err.Error(), longestReason))}
	switch {
	case ctx.Err() != nil:
		return because(ctx)
	case errors.Is(err, syscall.ECONNREFUSED):
		f.class, f.text, f.remedy = messages.ClassMissing, "there is nobody at "+c.base, c.start()
	case errors.As(err, &certificate), errors.As(err, &unknown):
		f.class = messages.ClassInvalid
	}
	return f
}

// start is the remedy for a service that is not there.
func (c *client) start() string {
	if c.api == Ollama {
		return "start Ollama (ollama serve), or name its endpoint in kurogo.toml"
	}
	return "start the service, or name its endpoint in kurogo.toml"
}

// hide takes the key out of what others say.
func (c *client) hide(text string) string {
	if c.key == "" {
		return text
	}
	return strings.ReplaceAll(text, c.key, "[hidden]")
}
