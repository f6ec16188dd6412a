package gate

import (
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"kurogo/messages"
)

// allow lists the values of Host and Origin that are ours. They are compared
// whole: a prefix, a suffix or another port is somebody else.
func allow(ports []int, more, foreign []string) (hosts, origins []string, err error) {
	for _, port := range ports {
		for _, name := range []string{"127.0.0.1", "::1", "localhost"} {
			host := net.JoinHostPort(name, strconv.Itoa(port))
			hosts = append(hosts, host)
			origins = append(origins, "http://"+host)
			if port == 80 { // which browsers leave out
				host = strings.TrimSuffix(host, ":80")
				hosts = append(hosts, host)
				origins = append(origins, "http://"+host)
			}
		}
	}
	for _, host := range more {
		host = strings.ToLower(host)
		u, err := url.Parse("http://" + host)
		if err != nil || u.Host != host || u.Hostname() == "" || strings.Contains(host, "*") {
			return nil, nil, messages.Invalid("hosts", "%q is no host", host).Try(`write it as "name" or "name:port"`)
		}
		hosts = append(hosts, host)
	}
	for _, origin := range foreign {
		origin = strings.ToLower(origin)
		u, err := url.Parse(origin)
		if err != nil || u.Scheme == "" || u.Host == "" || origin != u.Scheme+"://"+u.Host || strings.Contains(origin, "*") {
			return nil, nil, messages.Invalid("origins", "%q is no origin", origin).Try(`write it as "https://name:port"`)
		}
		origins = append(origins, origin)
	}
	return hosts, origins, nil
}

// site refuses what does not come from a page of ours or from no page at all. It
// needs no credential: a browser would add that by itself.
func (g *Gate) site(r *http.Request) error {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete:
	default: // OPTIONS too: nobody is given leave to come from elsewhere
		return refusal{http.StatusMethodNotAllowed, messages.Invalid("method", "%s is not served here", r.Method)}
	}
	if !slices.Contains(g.hosts, strings.ToLower(r.Host)) {
		return messages.Errorf(messages.CodeDenied, "the Host %q is not ours", r.Host).
			Try("use http://127.0.0.1 with the port, or name the host in [server] hosts")
	}
	for _, origin := range r.Header.Values("Origin") {
		if !slices.Contains(g.origin, strings.ToLower(origin)) {
			return messages.Errorf(messages.CodeDenied, "the Origin %q is not ours", origin).
				Try("open the dashboard from this server, or name the origin in [server] origins")
		}
	}
	return nil
}

// safe says whether a method promises to change nothing. Handlers keep that
// promise; the gate lets a cookie that a foreign page sent go no further.
func safe(method string) bool { return method == http.MethodGet || method == http.MethodHead }

// upgrade says whether r asks for a WebSocket.
func upgrade(r *http.Request) bool {
	return r.Method == http.MethodGet && strings.EqualFold(r.Header.Get("Upgrade"), "websocket")
}
