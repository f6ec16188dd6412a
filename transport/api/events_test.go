package api_test

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kurogo/messages"
	"kurogo/transport/api"
)

// A listener reads a stream block by block, as it comes.
type listener struct {
	t    *testing.T
	body *bufio.Reader
	end  func()
}

func listen(t *testing.T, s *httptest.Server, path string, header ...string) *listener {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	res, err := s.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	end := func() { cancel(); res.Body.Close() }
	t.Cleanup(end)
	if kind := res.Header.Get("Content-Type"); res.StatusCode != 200 || kind != "text/event-stream" {
		t.Fatalf("%d %s", res.StatusCode, kind)
	}
	return &listener{t, bufio.NewReader(res.Body), end}
}

func (l *listener) hears(want string) {
	l.t.Helper()
	var block strings.Builder
	for {
		line, err := l.body.ReadString('\n')
		if err != nil || line == "\n" {
			break
		}
		block.WriteString(line)
	}
	if got := block.String(); got != want {
		l.t.Errorf("heard %q, want %q", got, want)
	}
}

func stage(t *testing.T, h *house) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(serve(h, owner))
	t.Cleanup(s.Close)
	return s
}

func ended(seq int64) messages.Event {
	return messages.Event{Seq: seq, At: noon, Kind: messages.AgentEnded, ID: "a", Data: json.RawMessage("{\n\"x\": 1}")}
}

// Without a cursor the stream begins now; every event carries the cursor with
// which the client goes on, and its data is one line.
func TestEventsFromNowOn(t *testing.T) {
	h := gives(messages.Status{LastEvent: 41}, nil)
	l := listen(t, stage(t, h), "/api/events?kinds=agent:completed,task:status_update&ids=a,b&task=t")
	l.hears("retry: 2000\nid: 41\n")
	h.events <- ended(42)
	l.hears("id: 42\nevent: agent:completed\ndata: {\"seq\":42,\"at\":\"2026-02-13T12:00:00Z\",\"kind\":\"agent:completed\",\"id\":\"a\",\"data\":{\"x\":1}}\n")
	want := messages.Topic{Task: "t", Kinds: []messages.EventKind{messages.AgentEnded, messages.TaskUpdated}, IDs: []string{"a", "b"}}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.since != 41 || h.topic.Task != want.Task || !slices.Equal(h.topic.Kinds, want.Kinds) || !slices.Equal(h.topic.IDs, want.IDs) {
		t.Errorf("it watched %+v since %d", h.topic, h.since)
	}
}

// A client that was cut off goes on behind the last event it saw.
func TestEventsAreResumed(t *testing.T) {
	for _, from := range []struct {
		path   string
		header []string
		since  int64
	}{
		{"/api/events?since=7", nil, 7},
		{"/api/events?since=0", nil, 0},
		{"/api/events?since=7", []string{"Last-Event-ID", "9"}, 9},
	} {
		h := gives(messages.Status{LastEvent: 41}, nil)
		l := listen(t, stage(t, h), from.path, from.header...)
		h.events <- ended(50)
		l.end()
		if asked := h.questions(); len(asked) != 0 {
			t.Errorf("%+v: asked %v", from, asked)
		}
		h.mu.Lock()
		if h.since != from.since {
			t.Errorf("%+v: watched since %d", from, h.since)
		}
		h.mu.Unlock()
	}
}

// The end from our side is an event, too; after it the client may come again.
func TestEventsThatEnd(t *testing.T) {
	h := gives(messages.Status{}, nil)
	h.fault = messages.Errorf(messages.CodeUnavailable, "kurogo stops").Try("come again")
	l := listen(t, stage(t, h), "/api/events")
	l.hears("retry: 2000\nid: 0\n")
	close(h.events)
	l.hears("event: fault\ndata: {\"code\":\"unavailable\",\"message\":\"kurogo stops\",\"field\":\"\",\"remedy\":\"come again\"}\n")
	l.hears("")
}

func TestEventsForNobody(t *testing.T) {
	if w := do(serve(gives(messages.Status{}, nil), owner), request("HEAD /api/events")); w.Code != 200 || w.Header().Get("Content-Type") != "text/event-stream" {
		t.Errorf("HEAD: %d %v", w.Code, w.Header())
	}
	no := gives(nil, messages.Errorf(messages.CodeUnavailable, "no"))
	if w := do(serve(no, owner), request("GET /api/events")); w.Code != 503 {
		t.Errorf("a house that does not answer: %d", w.Code)
	}
	if w := do(serve(gives(messages.Status{}, nil), actor), request("GET /api/events")); w.Code != 403 {
		t.Errorf("an agent: %d", w.Code)
	}
}

// Where nothing happens a comment keeps the line open; the client's end is ours.
func TestSilenceIsFilled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		h := gives(messages.Status{LastEvent: 1}, nil)
		w := httptest.NewRecorder()
		over := make(chan struct{})
		go func() {
			defer close(over)
			api.New(catalogue(h), h, api.Options{Caller: func(*http.Request) messages.Caller { return owner }, Beat: 10 * time.Second}).
				ServeHTTP(w, request("GET /api/events").WithContext(ctx))
		}()
		<-time.After(25 * time.Second)
		cancel()
		<-over
		if want := "retry: 2000\nid: 1\n\n: still here\n\n: still here\n\n"; w.Body.String() != want {
			t.Errorf("heard %q", w.Body)
		}
	})
}

// A client that does not read is let go of.
func TestASlowReaderOfEvents(t *testing.T) {
	h := gives(messages.Status{LastEvent: 1}, nil)
	w := httptest.NewRecorder()
	serve(h, owner).ServeHTTP(deaf{w}, request("GET /api/events"))
	if w.Body.Len() != 0 {
		t.Errorf("it heard %s", w.Body)
	}
}

// deaf takes nothing, as a connection whose deadline has passed.
type deaf struct{ *httptest.ResponseRecorder }

func (deaf) Write([]byte) (int, error) { return 0, context.DeadlineExceeded }
