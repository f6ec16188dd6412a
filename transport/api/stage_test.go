package api_test

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"kurogo/messages"
	"kurogo/transport/api"
	"kurogo/transport/tools"
)

var (
	noon  = time.Date(2026, 2, 13, 12, 0, 0, 0, time.UTC)
	owner = messages.Caller{Client: "curl", Dir: "/home/me"}
	actor = messages.Caller{Agent: "impl-code-1-aaaa", Dir: "/home/me"}
)

// A house answers as the test says, remembers what it was asked, and tells the
// events of a channel.
type house struct {
	answer func(messages.Message) (messages.Message, error)
	events chan messages.Event // closed: the watch breaks with fault
	fault  error

	mu    sync.Mutex
	asked []messages.Message
	topic messages.Topic
	since int64
}

func gives(m messages.Message, err error) *house {
	return &house{answer: func(messages.Message) (messages.Message, error) { return m, err }, events: make(chan messages.Event)}
}

func (h *house) Ask(_ context.Context, m messages.Message) (messages.Message, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.asked = append(h.asked, m)
	return h.answer(m)
}

func (h *house) questions() []messages.Message {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.asked)
}

func (h *house) Watch(ctx context.Context, topic messages.Topic, since int64) iter.Seq2[messages.Event, error] {
	h.mu.Lock()
	h.topic, h.since = topic, since
	h.mu.Unlock()
	return func(yield func(messages.Event, error) bool) {
		for {
			select {
			case e, ok := <-h.events:
				if !ok {
					yield(messages.Event{}, h.fault)
					return
				}
				if !yield(e, nil) {
					return
				}
			case <-ctx.Done():
				yield(messages.Event{}, ctx.Err())
				return
			}
		}
	}
}

func catalogue(h *house) *tools.Catalogue {
	return tools.New(h, tools.Options{
		Now:   func() time.Time { return noon.Add(15 * time.Second) },
		NewID: func() messages.MessageID { return "m1" },
	})
}

func serve(h *house, who messages.Caller) http.Handler {
	return api.New(catalogue(h), h, api.Options{Caller: func(*http.Request) messages.Caller { return who }})
}

// A request is "METHOD /path?query body"; a body is JSON.
func request(line string) *http.Request {
	method, rest, _ := strings.Cut(line, " ")
	path, body, _ := strings.Cut(rest, " ")
	if body == "" {
		return httptest.NewRequest(method, path, nil)
	}
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json; charset=utf-8")
	return r
}

func do(h http.Handler, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

type reason struct {
	Code    messages.Code `json:"code"`
	Message string        `json:"message"`
	Field   string        `json:"field"`
	Remedy  string        `json:"remedy"`
}

// refused is the error of an envelope that has nothing else.
func refused(t *testing.T, w *httptest.ResponseRecorder) reason {
	t.Helper()
	var e struct {
		OK    *bool            `json:"ok"`
		Data  *json.RawMessage `json:"data"`
		Error *reason          `json:"error"`
	}
	if err := json.Unmarshal(w.Body.Bytes(), &e); err != nil || e.OK == nil || *e.OK || e.Data != nil || e.Error == nil {
		t.Fatalf("%d with %s, %v: want an envelope with an error", w.Code, w.Body, err)
	}
	if kind := w.Header().Get("Content-Type"); kind != "application/json" {
		t.Errorf("Content-Type %q", kind)
	}
	return *e.Error
}
