package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"

	"kurogo/config"
	"kurogo/messages"
	"kurogo/supervisors"
	"kurogo/transport/api"
	"kurogo/transport/gate"
	"kurogo/transport/live"
	"kurogo/transport/mcp"
	"kurogo/transport/pages"
	"kurogo/transport/tools"
	"kurogo/ui"
)

// An edge is what a house offers on the network: MCP and REST, behind a gate.
// Its addresses are taken before anything runs, because agents are told of them.
type edge struct {
	cfg    config.Server
	log    *slog.Logger
	http   []net.Listener        // the first is the one to tell of
	socket []net.Listener        // the second address of MCP, over WebSocket
	guard  atomic.Pointer[guard] // nil: there is no address
	passes *gate.Tokens
	served []*http.Server
	mcp    *mcp.Server
	live   *live.Server
	mux    atomic.Pointer[http.ServeMux] // of the first listeners; nil until we serve
	again  func() (config.Config, error) // reads the configuration once more; nil: it stays
	guests guests
}

// A guard is a gate for as long as its token is the owner's.
type guard struct {
	*gate.Gate
	ctx context.Context // ends with it, and every connection that it let in
	end context.CancelFunc
}

const (
	mcpPath    = "/mcp"
	livePath   = "/ws"
	pagesPath  = "/"           // and everywhere else
	searchPage = "GET /search" // the path is a page's, too: the document asks it by POST
	healthPath = "/healthz"
	// connections is how many may be open at one address.
	connections = 1024
	// ports is how many are tried after the first when it is busy.
	ports = 50
	// closing is how long answers may still take when the house stops.
	closing = 3 * time.Second
)

// openEdge takes the addresses. The first may move to the next free port; the
// second is one that others know, so it is that one or none.
func openEdge(ctx context.Context, cfg config.Server, token string, log *slog.Logger) (*edge, error) {
	e := &edge{cfg: cfg, log: log, passes: gate.NewTokens(nil)}
	var err error
	if cfg.Listen != "" {
		if e.http, err = listenNear(ctx, cfg.Listen, log); err != nil {
			return nil, err
		}
	}
	if cfg.MCPWebSocketListen != "" {
		e.socket, err = listen(ctx, cfg.MCPWebSocketListen)
		if errors.Is(err, syscall.EADDRINUSE) {
			log.Warn("somebody else has the address: going on without it", "mcp_websocket_listen", cfg.MCPWebSocketListen)
		} else if err != nil {
			return nil, errors.Join(err, e.close(ctx))
		}
	}
	if cfg.Auth == "none" {
		log.Warn("auth = \"none\": every program on this machine may give orders")
	}
	if err := e.renew(ctx, token); err != nil {
		return nil, errors.Join(err, e.close(ctx))
	}
	return e, nil
}

// renew makes the token the owner's from now on. Whoever came with the one
// before is sent away.
func (e *edge) renew(ctx context.Context, token string) error {
	o := gate.Options{Token: token, Agents: e.passes, Public: []string{healthPath}, Page: e.page, Log: e.log}
	if e.cfg.Auth == "none" {
		o.Token, o.Open = "", true
	}
	for _, l := range e.listeners() {
		o.Ports = append(o.Ports, l.Addr().(*net.TCPAddr).Port)
	}
	if len(o.Ports) == 0 {
		return nil
	}
	g, err := gate.New(o)
	if err != nil {
		return err
	}
	next := &guard{Gate: g}
	next.ctx, next.end = context.WithCancel(context.WithoutCancel(ctx))
	if before := e.guard.Swap(next); before != nil {
		before.end()
	}
	return nil
}

// page says whether r is answered with a page of the dashboard, by asking what
// would answer it.
func (e *edge) page(r *http.Request) bool {
	mux := e.mux.Load()
	if mux == nil {
		return false
	}
	_, pattern := mux.Handler(r)
	return pattern == pagesPath || pattern == searchPage
}

func (e *edge) listeners() []net.Listener { return slices.Concat(e.http, e.socket) }

// behind guards h with whatever gate there is when a request comes.
func (e *edge) behind(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g := e.guard.Load()
		ctx, end := context.WithCancel(r.Context())
		defer end()
		defer context.AfterFunc(g.ctx, end)() //nolint:contextcheck // it ends with the guard, not with the request
		g.Wrap(h).ServeHTTP(w, r.WithContext(ctx))
	})
}

// listenNear listens at the address, or at the next free port.
func listenNear(ctx context.Context, address string, log *slog.Logger) ([]net.Listener, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, messages.Invalid("server.listen", "%v", err).Try(`write host:port, such as "127.0.0.1:9696"`)
	}
	first, err := strconv.Atoi(port)
	if err != nil {
		return nil, messages.Invalid("server.listen", "%q is no port", port).Try(`write host:port, such as "127.0.0.1:9696"`)
	}
	for n := first; ; n++ {
		list, err := listen(ctx, net.JoinHostPort(host, strconv.Itoa(n)))
		if errors.Is(err, syscall.EADDRINUSE) && n < first+ports && n < 1<<16-1 {
			continue
		}
		if err == nil && n != first {
			log.Warn("somebody else has the address", "listen", address, "instead", list[0].Addr())
		}
		return list, err
	}
}

// listen listens at the address; where that is the loopback of IPv4, at that of
// IPv6 too, if there is one.
func listen(ctx context.Context, address string) ([]net.Listener, error) {
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", address)
	if err != nil {
		e := messages.Errorf(messages.CodeUnavailable, "listen at %s: %v", address, err).Try("name another address under [server] in kurogo.toml")
		return nil, errors.Join(e, err)
	}
	list := []net.Listener{l}
	if at := l.Addr().(*net.TCPAddr); at.IP.Equal(net.IPv4(127, 0, 0, 1)) {
		if six, err := config.Listen(ctx, "tcp", net.JoinHostPort("::1", strconv.Itoa(at.Port))); err == nil {
			list = append(list, six)
		}
	}
	return list, nil
}

// url is where something of the edge is found, "" if nowhere.
func (e *edge) url(path string) string {
	if len(e.http) == 0 {
		return ""
	}
	return "http://" + e.reachable() + path
}

// reachable is the first address as a client on this machine writes it.
func (e *edge) reachable() string {
	at := e.http[0].Addr().(*net.TCPAddr)
	if at.IP.IsUnspecified() {
		return net.JoinHostPort("127.0.0.1", strconv.Itoa(at.Port))
	}
	return at.String()
}

func (e *edge) addresses() (http, socket string) {
	if len(e.http) > 0 {
		http = e.reachable()
	}
	if len(e.socket) > 0 {
		socket = e.socket[0].Addr().String()
	}
	return http, socket
}

// login is an address at which one browser gets its cookie.
func (e *edge) login() (messages.Message, error) {
	if len(e.http) == 0 {
		return nil, messages.Errorf(messages.CodeUnavailable, "there is no dashboard: server.listen is empty").Try(`set server.listen = "127.0.0.1:9696"`)
	}
	return messages.Login{URL: e.url(e.guard.Load().Login())}, nil
}

// serve begins to answer. presence hears whenever a connection comes or goes.
func (e *edge) serve(h *house, stage supervisors.Transports, presence func(delta int)) error {
	if e.guard.Load() == nil {
		return nil
	}
	dashboard, err := pages.New(ui.Dist)
	if err != nil {
		return err
	}
	catalogue := tools.New(h, tools.Options{Limits: h.cfg.MessageLimits(), Log: e.log})
	e.mcp = mcp.New(mcp.Options{
		Catalogue: catalogue, Version: version, Instructions: tools.Instructions(h.cfg.Language), Checked: true, Legacy: e.cfg.LegacyErrorCodes, Stage: stage, Log: e.log,
	})
	desk := &frontdesk{house: h, roles: kurogoFile(cmp.Or(h.cfg.Path, filepath.Join(h.site.project, "kurogo.toml"))), again: e.again}
	o := api.Options{
		Caller:  func(r *http.Request) messages.Caller { return gate.Caller(r.Context()) },
		Metrics: h.metrics, Log: e.log,
	}
	rest := api.New(catalogue, desk, o)
	e.live = live.New(desk, catalogue, live.Options{Stage: stage, Log: e.log})
	mux := http.NewServeMux()
	mux.Handle(mcpPath, e.guests.seen("mcp", e.mcp.Endpoint(false)))
	mux.Handle(livePath, e.guests.seen("page", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		presence(1) // an open page is somebody, though its connection is no more the server's
		defer presence(-1)
		e.live.ServeHTTP(w, r)
	})))
	for _, path := range []string{"/api/", healthPath, "/metrics"} {
		mux.Handle(path, e.guests.seen("http", rest))
	}
	retrieval := api.Retrieval(desk, o)
	for _, path := range api.RetrievalPaths() {
		mux.Handle(path, e.guests.seen("http", retrieval))
	}
	gateway := api.Gateway(catalogue, o)
	for _, path := range api.GatewayPaths() {
		mux.Handle(path, e.guests.seen("http", gateway))
	}
	mux.Handle(pagesPath, dashboard)
	mux.Handle(searchPage, dashboard)
	e.mux.Store(mux)
	legacy := http.NewServeMux()
	legacy.Handle(mcpPath, e.guests.seen("mcp", e.mcp.Endpoint(true)))
	for _, l := range e.http {
		e.run(l, mux, presence)
	}
	for _, l := range e.socket {
		e.run(l, legacy, presence)
	}
	return nil
}

func (e *edge) run(l net.Listener, h http.Handler, presence func(delta int)) {
	s := e.guard.Load().Server(h)
	s.Handler = e.behind(h)
	s.ConnState = func(_ net.Conn, state http.ConnState) {
		switch state {
		case http.StateNew:
			presence(1)
		case http.StateClosed, http.StateHijacked:
			presence(-1)
		case http.StateActive, http.StateIdle:
		}
	}
	e.served = append(e.served, s)
	go func() {
		if err := s.Serve(gate.Bound(l, connections)); !errors.Is(err, http.ErrServerClosed) {
			e.log.Error("serve", "address", l.Addr(), "err", err)
		}
	}()
}

// close ends the edge: no new connection, then what is being answered.
func (e *edge) close(ctx context.Context) error {
	if e.mcp != nil {
		e.mcp.Close()
		e.live.Close()
	}
	if g := e.guard.Load(); g != nil {
		defer g.end()
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closing)
	defer cancel()
	var errs []error
	for _, s := range e.served {
		if err := s.Shutdown(ctx); err != nil {
			errs = append(errs, s.Close())
		}
	}
	if len(e.served) == 0 {
		for _, l := range e.listeners() {
			errs = append(errs, l.Close())
		}
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("close edge: %w", err)
	}
	return nil
}
