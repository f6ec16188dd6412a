package live

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"kurogo/messages"
	"kurogo/transport/gate"
	"kurogo/transport/stage"
)

// Options of New. The zero value is what the product uses.
type Options struct {
	Stage stage.Stage  // where connections live as actors; nil = nowhere
	Log   *slog.Logger // nil = nobody listens

	Connections int // that are open at a time; 0 = 64
	Events      int // that the ring holds: how far behind a page may be; 0 = 8,192
	Bytes       int // that they take, at most; 0 = 8 MiB
}

const (
	proto = 1

	flushEvery = 33 * time.Millisecond // between two batches to one client
	heartbeat  = 15 * time.Second      // of silence, after which we say that we live
	pingEvery  = 25 * time.Second
	silence    = 60 * time.Second // of a client, after which it is gone
	writing    = 10 * time.Second // of one frame to a client that does not read
	lastWords  = time.Second      // that closing may take

	batchEvents = 2000
	batchBytes  = 1 << 20
	frameBytes  = 1 << 20 // of one order
	calls       = 16      // orders of one client that are carried out at once
	manyPings   = 256     // of a client, between two of ours
)

// A Server is the socket. It may be used from many goroutines at once.
type Server struct {
	port     Port
	tools    Catalogue
	o        Options
	upgrader websocket.Upgrader
	room     chan struct{} // one for each open connection
	life     context.Context
	end      context.CancelFunc

	mu  sync.Mutex
	hub *hub // nil: nobody has come yet

	taking chan struct{} // held by who takes a snapshot
	taken  snapshot
}

// New makes a socket that nobody is connected to yet. The journal is watched from
// the first client on.
func New(port Port, tools Catalogue, o Options) *Server {
	set(&o.Connections, 64)
	set(&o.Events, 8192)
	set(&o.Bytes, 8<<20)
	set(&o.Log, slog.New(slog.DiscardHandler))
	s := &Server{port: port, tools: tools, o: o, room: make(chan struct{}, o.Connections), taking: make(chan struct{}, 1)}
	s.upgrader = websocket.Upgrader{
		HandshakeTimeout: writing,
		WriteBufferSize:  32 << 10,
		WriteBufferPool:  &sync.Pool{},
		CheckOrigin:      func(*http.Request) bool { return true }, // the gate did, by the whole list
	}
	s.life, s.end = context.WithCancel(context.Background())
	return s
}

func set[T comparable](field *T, otherwise T) {
	var zero T
	if *field == zero {
		*field = otherwise
	}
}

// Close ends every connection, and takes no more.
func (s *Server) Close() { s.end() }

// ServeHTTP serves one page for as long as it stays.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if status, err := admit(r); err != nil {
		if status == http.StatusUpgradeRequired {
			w.Header().Set("Upgrade", "websocket")
		}
		gate.Refuse(w, status, err)
		return
	}
	select {
	case s.room <- struct{}{}:
		defer func() { <-s.room }()
	default:
		refuse(w, messages.Errorf(messages.CodeBusy, "%d pages are open", cap(s.room)).Try("close one"))
		return
	}
	now, h, err := s.join(r.Context())
	if err != nil {
		refuse(w, err)
		return
	}
	ws, err := s.upgrader.Upgrade(w, r, nil)
	if err != nil {
		return // it has answered
	}
	ctx, done := either(r.Context(), s.life)
	defer done()
	c := newClient(s, h, ws, gate.Caller(r.Context()))
	if err := c.run(ctx, now, resumes(r, now, h)); err != nil {
		s.o.Log.Info("page lost", "from", r.RemoteAddr, "err", err)
	}
}

// admit says who is served: the owner, who passed a gate, on a WebSocket.
func admit(r *http.Request) (status int, err *messages.Error) {
	switch {
	case gate.Principal(r.Context()) == "":
		err = messages.Errorf(messages.CodeDenied, "nobody said who you are")
	case gate.Caller(r.Context()).Agent != "":
		err = messages.Errorf(messages.CodeDenied, "the stage is not for agents").Try("use the tools of your catalogue")
	case !websocket.IsWebSocketUpgrade(r):
		return http.StatusUpgradeRequired, messages.Errorf(messages.CodeInvalid, "this address speaks WebSocket").Try("open it with a WebSocket client, or use /api")
	default:
		return 0, nil
	}
	return err.Code.HTTP(), err
}

func refuse(w http.ResponseWriter, err error) {
	e := messages.AsError(err)
	gate.Refuse(w, e.Code.HTTP(), e)
}

// join finds the hub, or begins one: with the first client, and after a fall. It
// begins far enough back for pages that were here before we were.
func (s *Server) join(ctx context.Context) (now messages.Status, h *hub, err error) {
	if now, err = ask[messages.Status](ctx, s.port, messages.GetStatus{}); err != nil {
		return now, nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.life.Err() != nil {
		return now, nil, messages.Errorf(messages.CodeUnavailable, "kurogo is stopping").Try("come back soon")
	}
	if s.hub == nil || s.hub.over() {
		s.hub = newHub(max(0, now.LastEvent-int64(s.o.Events)), s.o.Events, s.o.Bytes)
		go s.hub.watch(s.life, s.port, s.o.Log) //nolint:contextcheck // it outlives the client that it begins for
	}
	return now, s.hub, nil
}

// resumes is the cursor of a page that was here before and misses nothing; −1 is
// any other.
func resumes(r *http.Request, now messages.Status, h *hub) int64 {
	q := r.URL.Query()
	since, err := strconv.ParseInt(q.Get("since"), 10, 64)
	if err != nil || since < 0 || since > now.LastEvent || q.Get("epoch") != now.Store || !h.reaches(since) {
		return -1
	}
	return since
}

// either is a context that ends with the first of two.
func either(ctx, other context.Context) (context.Context, context.CancelFunc) {
	ctx, end := context.WithCancelCause(ctx)
	stop := context.AfterFunc(other, func() { end(errShut) })
	return ctx, func() { stop(); end(nil) }
}

var (
	errShut = errors.New("the connection was closed from our side")
	errDeaf = errors.New("the page does not read")
)
