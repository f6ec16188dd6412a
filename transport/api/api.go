package api

import (
	"context"
	"log/slog"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"kurogo/messages"
	"kurogo/transport/tools"
)

// Options of New. Only Caller is required.
type Options struct {
	// Caller says on whose behalf a request is made. Whoever is in front of us has
	// let it in.
	Caller func(*http.Request) messages.Caller

	// Metrics are what GET /metrics tells; nil = there is no such route.
	Metrics func(ctx context.Context) (Metrics, error)

	Body  int64         // bytes of one request; 0 = 4 MiB
	Beat  time.Duration // between two comments on a stream where nothing happens; 0 = 15 s
	Write time.Duration // that a client may take to read what we say; 0 = 30 s
	Log   *slog.Logger  // nil = nobody listens
}

func (o Options) filled() Options {
	if o.Body <= 0 {
		o.Body = 4 << 20
	}
	if o.Beat <= 0 {
		o.Beat = 15 * time.Second
	}
	if o.Write <= 0 {
		o.Write = 30 * time.Second
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}

type server struct {
	tools *tools.Catalogue
	port  tools.Port
	o     Options
	face  func(messages.Message) any // an answer as clients see it
}

// A handler answers one request. What it returns as an error is said in an
// envelope, so it must not have written anything by then.
type handler func(w http.ResponseWriter, r *http.Request) error

// New serves /api/…, /healthz and, if there are any, /metrics. Long polls take as
// long as the catalogue lets them: the server around it must not time them out.
func New(catalogue *tools.Catalogue, port tools.Port, o Options) http.Handler {
	s := &server{catalogue, port, o.filled(), catalogue.Show}
	mux := http.NewServeMux()
	for path, methods := range s.routes() {
		mux.Handle(path, s.guarded(methods.serve))
	}
	mux.Handle("/healthz", s.guarded(methods{http.MethodGet: healthz}.serve))
	if o.Metrics != nil {
		mux.Handle("/metrics", s.guarded(methods{http.MethodGet: s.metrics}.serve))
	}
	mux.Handle("/", s.guarded(func(_ http.ResponseWriter, r *http.Request) error {
		return fault{http.StatusNotFound, &messages.Error{
			Code: messages.CodeNotFound, Field: "path", Message: "there is nothing at " + messages.Cut(r.URL.Path, 200), Remedy: "see README for the routes below /api",
		}}
	}))
	return mux
}

// guarded says errors, and bugs, in an envelope.
func (s *server) guarded(h handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			switch p := recover(); {
			case p == nil:
			case p == any(http.ErrAbortHandler):
				panic(p)
			default:
				s.o.Log.Error("serve", "path", r.URL.Path, "panic", p, "stack", string(debug.Stack()))
				s.refuse(w, messages.Errorf(messages.CodeInternal, "%v", p).Try("the log of kurogo serve says more"))
			}
		}()
		r.Body = http.MaxBytesReader(w, r.Body, s.o.Body)
		if err := h(w, r); err != nil {
			s.refuse(w, err)
		}
	})
}

// methods are what a path knows. GET means HEAD, too.
type methods map[string]handler

func (m methods) serve(w http.ResponseWriter, r *http.Request) error {
	method := r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	if h, ok := m[method]; ok {
		return h(w, r)
	}
	var allowed []string
	for method := range m {
		allowed = append(allowed, method)
		if method == http.MethodGet {
			allowed = append(allowed, http.MethodHead)
		}
	}
	slices.Sort(allowed)
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	return fault{http.StatusMethodNotAllowed, messages.Invalid("method", "%s is not for this path", r.Method).Try("use " + strings.Join(allowed, " or "))}
}

// healthz needs nobody: that it answers is what it says.
func healthz(w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write([]byte("ok\n")) // a client that has gone needs no answer
	return nil
}
