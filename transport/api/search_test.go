package api_test

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"kurogo/messages"
	"kurogo/transport/api"
)

// A shelf knows one passage, and remembers what it was asked.
type shelf struct{ asked []messages.Message }

func (s *shelf) Ask(_ context.Context, m messages.Message) (messages.Message, error) {
	s.asked = append(s.asked, m)
	switch m := m.(type) {
	case messages.Search:
		if m.Query == "" {
			return nil, messages.Invalid("query", "it is empty").Try("say what you look for")
		}
		return messages.Found{Chunks: []messages.Chunk{{Path: "a.go", Span: "L1-L3", Text: "func A", Score: 2}}, StaleFiles: []string{}}, nil
	case messages.Ingest:
		return messages.Ingested{Added: len(m.Paths), StaleFiles: []string{}}, nil
	}
	return nil, messages.Errorf(messages.CodeUnavailable, "nothing is indexed yet").Try("try again")
}

func (*shelf) Watch(context.Context, messages.Topic, int64) iter.Seq2[messages.Event, error] {
	return func(func(messages.Event, error) bool) {}
}

func TestRetrievalOverHTTP(t *testing.T) {
	for name, c := range map[string]struct {
		method, path, body string
		status             int
		says               string
	}{
		"a search":         {"POST", "/search", `{"query":"where is A","top_k":3,"filters":{"path_prefix":"src"}}`, 200, `"span":"L1-L3"`},
		"stale files":      {"POST", "/search", `{"query":"x"}`, 200, `"stale_files":[]`},
		"an empty query":   {"POST", "/search", `{}`, 400, `"detail":"query: it is empty. say what you look for","code":"invalid"`},
		"an unknown field": {"POST", "/search", `{"query":"x","limit":1}`, 400, `limit`},
		"no JSON":          {"POST", "/search", `{`, 400, `"code":"invalid"`},
		"an ingest":        {"POST", "/ingest", `{"paths":["a.go","b.go"]}`, 202, `"added":2`},
		"a diff":           {"POST", "/ingest", `{"diff":{"renamed":[{"from":"a","to":"b"}]}}`, 202, `"added":0`},
		"both":             {"POST", "/ingest", `{"paths":["a"],"diff":{}}`, 400, `there are paths, too`},
		"no index":         {"POST", "/prune", `{"paths":["a"]}`, 503, `"code":"unavailable"`},
		"by GET":           {"GET", "/search", ``, 405, `use POST`},
		"elsewhere":        {"POST", "/find", `{}`, 404, `there is nothing at /find`},
	} {
		t.Run(name, func(t *testing.T) {
			h := api.Retrieval(&shelf{}, api.Options{Caller: func(*http.Request) messages.Caller { return messages.Caller{} }})
			r := httptest.NewRequestWithContext(t.Context(), c.method, c.path, strings.NewReader(c.body))
			r.Header.Set("Content-Type", "application/json")
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if w.Code != c.status || !strings.Contains(w.Body.String(), c.says) || !json.Valid(w.Body.Bytes()) {
				t.Errorf("%d %s, want %d with %s", w.Code, w.Body, c.status, c.says)
			}
		})
	}
}

func TestWhatASearchAsks(t *testing.T) {
	s := &shelf{}
	h := api.Retrieval(s, api.Options{Caller: func(*http.Request) messages.Caller { return messages.Caller{} }})
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/search", strings.NewReader(`{"query":"q","top_k":3,"filters":{"path_prefix":"src"},"granularity":"file","intent":"tests"}`))
	r.Header.Set("Content-Type", "application/json")
	h.ServeHTTP(httptest.NewRecorder(), r)
	want := messages.Search{Query: "q", TopK: 3, Filters: messages.SearchFilters{PathPrefix: "src"}, Granularity: messages.FileGranularity, Intent: messages.IntentTests}
	if len(s.asked) != 1 || s.asked[0] != messages.Message(want) {
		t.Errorf("asked %+v, want %+v", s.asked, want)
	}
}
