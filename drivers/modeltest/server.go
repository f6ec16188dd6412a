package modeltest

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"time"
)

// A T is what the server needs of a test.
type T interface {
	Helper()
	Cleanup(f func())
	Errorf(format string, args ...any)
}

// A Server is a scripted model.
type Server struct {
	URL string // its base URL, as ANTHROPIC_BASE_URL wants it; OpenAI's ends in /v1

	t      T
	closed chan struct{}

	mu       sync.Mutex
	rules    []Rule
	models   []string // of chats
	requests []Request
	arrived  chan struct{} // closed, and made anew, at every request
	answers  int
}

// New starts a server that lives as long as the test. Without any rule it says
// Fallback to everybody.
func New(t T) *Server {
	t.Helper()
	s := &Server{t: t, models: []string{Model}, closed: make(chan struct{}), arrived: make(chan struct{})}
	mux := http.NewServeMux()
	mux.HandleFunc("HEAD /{$}", func(http.ResponseWriter, *http.Request) {}) // some versions knock first
	mux.HandleFunc("POST /v1/messages", s.serve(parse, fail, s.anthropic))
	mux.HandleFunc("POST /v1/responses", s.serve(parseResponses, failResponses, s.responses))
	mux.HandleFunc("POST /v1/chat/completions", s.chat(completions))
	mux.HandleFunc("GET /v1/models", s.catalogue(completions))
	mux.HandleFunc("POST /api/chat", s.chat(ollama))
	mux.HandleFunc("GET /api/tags", s.catalogue(ollama))
	mux.HandleFunc("GET /api/version", version)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		t.Errorf("the model was asked for %s %s", r.Method, r.URL)
		http.NotFound(w, r)
	})
	web := httptest.NewServer(mux)
	s.URL = web.URL
	t.Cleanup(func() {
		close(s.closed) // whoever hangs
		web.Close()
	})
	return s
}

// Add adds rules behind those that are there.
func (s *Server) Add(rules ...Rule) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rules = append(s.rules, rules...)
}

// Have names the models that there are to chat with; without it there is Model.
// All that it changes is their list: any model answers.
func (s *Server) Have(models ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.models = models
}

// Requests are all that were made, in order.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Await waits for a request that fits, one that was made or one to come, and
// returns it; false when done is closed before.
func (s *Server) Await(done <-chan struct{}, fits func(Request) bool) (Request, bool) {
	for {
		s.mu.Lock()
		i, arrived := slices.IndexFunc(s.requests, fits), s.arrived
		s.mu.Unlock()
		if i >= 0 {
			return s.Requests()[i], true
		}
		select {
		case <-arrived:
		case <-done:
			return Request{}, false
		}
	}
}

// take keeps a request and decides what answers it.
func (s *Server) take(r Request) (Step, int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, r)
	close(s.arrived)
	s.arrived = make(chan struct{})
	s.answers++
	for _, rule := range s.rules {
		if step, ok := rule(r); ok {
			return step, s.answers
		}
	}
	return Step{Text: Fallback}, s.answers
}

// wait lets a step's time pass; false when nobody waits any more.
func (s *Server) wait(r *http.Request, d time.Duration) bool {
	if d <= 0 {
		return true
	}
	select {
	case <-time.After(d):
		return true
	case <-r.Context().Done():
	case <-s.closed:
	}
	return false
}

// hang keeps a client waiting until it leaves.
func (s *Server) hang(r *http.Request) {
	select {
	case <-r.Context().Done():
	case <-s.closed:
	}
}

// ended reports whether nobody waits for an answer any more.
func (s *Server) ended(r *http.Request) bool {
	select {
	case <-r.Context().Done():
		return true
	case <-s.closed:
		return true
	default:
		return false
	}
}
