package index_test

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"kurogo/index"
)

// A model that knows which words mean the same.
func meaning(text string) []float32 {
	out := make([]float32, 16)
	for word := range strings.FieldsSeq(strings.ToLower(text)) {
		if strings.Contains("greet hello salutation welcome", strings.Trim(word, ",.\"()")) {
			word = "greet"
		}
		h := fnv.New32a()
		h.Write([]byte(word))
		out[h.Sum32()%16]++
		if word == "greet" {
			out[3] += 20
		}
	}
	return out
}

type fakeModel struct {
	*httptest.Server
	texts, asked atomic.Int64
	broken       atomic.Int64 // requests to refuse
	slow         chan struct{}
}

func newModel(t *testing.T) *fakeModel {
	t.Helper()
	m := &fakeModel{slow: make(chan struct{})}
	close(m.slow)
	m.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m.asked.Add(1)
		select {
		case <-m.slow:
		case <-r.Context().Done():
			return
		}
		if m.broken.Add(-1) >= 0 {
			http.Error(w, "out of order", http.StatusInternalServerError)
			return
		}
		var ask struct {
			Model string
			Input []string
		}
		if err := json.NewDecoder(r.Body).Decode(&ask); err != nil || ask.Model != "m" {
			http.Error(w, "what?", http.StatusBadRequest)
			return
		}
		m.texts.Add(int64(len(ask.Input)))
		var vectors [][]float32
		var data []map[string]any
		for i, text := range ask.Input {
			vectors = append(vectors, meaning(text))
			data = append([]map[string]any{{"index": i, "embedding": meaning(text)}}, data...)
		}
		switch r.URL.Path {
		case "/api/embed":
			json.NewEncoder(w).Encode(map[string]any{"embeddings": vectors})
		case "/v1/embeddings":
			if r.Header.Get("Authorization") != "Bearer key" {
				http.Error(w, "who?", http.StatusUnauthorized)
				return
			}
			json.NewEncoder(w).Encode(map[string]any{"data": data})
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(m.Close)
	return m
}

// Both protocols find by meaning what no word says, ask for no vector twice, and
// keep what they were given.
func TestEmbedders(t *testing.T) {
	for name, make := range map[string]func(url string) index.Embedder{
		"ollama": func(url string) index.Embedder { return index.Ollama{Server: index.Server{URL: url, Model: "m"}} },
		"openai": func(url string) index.Embedder {
			return index.OpenAI{Server: index.Server{URL: url, Model: "m", Key: "key"}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := newModel(t)
			s := newStage(t, index.Options{Embedder: make(m.URL)})
			s.write("a.go", greeting)
			s.write("b.go", goFile(1))
			s.sync()
			if found := s.search("salutation"); len(found.Chunks) != 0 || !strings.HasPrefix(found.Dense, "off: ") || m.asked.Load() != 0 {
				t.Errorf("before anything is embedded: %+v", found)
			}
			m.broken.Store(1) // once is forgiven
			made, left, err := s.x.Embed(t.Context(), 1000)
			if err != nil || left != 0 || made != s.x.Status().Embedded || made != s.x.Status().Chunks {
				t.Fatalf("made %d, left %d, %v, %+v", made, left, err, s.x.Status())
			}
			found := s.search("salutation")
			if len(found.Chunks) == 0 || found.Chunks[0].Symbol != "Greet" || found.Dense != "m" {
				t.Errorf("found %+v", found)
			}
			s.reopen()
			texts := m.texts.Load()
			if made, left, err := s.x.Embed(t.Context(), 1000); made != 0 || left != 0 || err != nil || m.texts.Load() != texts {
				t.Errorf("again: made %d, left %d, %v", made, left, err)
			}
			s.write("b.go", goFile(2))
			s.sync()
			if made, _, err := s.x.Embed(t.Context(), 1000); made != 1 || err != nil {
				t.Errorf("after a change: made %d, %v", made, err)
			}
		})
	}
}

// A query waits for its own vector a little and then goes without; a server that
// failed is left alone for a while.
func TestQueriesDoNotWait(t *testing.T) {
	m := newModel(t)
	now := time.Unix(1_800_000_000, 0)
	s := newStage(t, index.Options{
		Embedder: index.Ollama{Server: index.Server{URL: m.URL, Model: "m"}}, EmbedWait: time.Millisecond, Now: func() time.Time { return now },
	})
	s.write("a.go", greeting)
	s.sync()
	if _, _, err := s.x.Embed(t.Context(), 1000); err != nil {
		t.Fatal(err)
	}
	m.slow = make(chan struct{})
	before := m.asked.Load()
	for range 3 {
		found := s.search("hello")
		if len(found.Chunks) == 0 || found.Chunks[0].Symbol != "Greet" || !strings.HasPrefix(found.Dense, "off: ") {
			t.Errorf("found %+v", found)
		}
	}
	if asked := m.asked.Load() - before; asked > 1 {
		t.Errorf("it was asked %d times in one half minute", asked)
	}
	close(m.slow)
	now = now.Add(time.Minute)
	s.opt.EmbedWait = time.Minute
	s.reopen()
	if found := s.search("hello"); found.Dense != "m" {
		t.Errorf("later: %q", found.Dense)
	}
}

// What is no answer is an error that says so.
func TestEmbedRefuses(t *testing.T) {
	for answer, want := range map[string]string{
		`{"embeddings":[[1,2]]}`:     "1 vectors came for 2 texts",
		`{"embeddings":[[1,2],[1]]}`: "came together",
		`{"embeddings":[[],[]]}`:     "came together",
		`nonsense`:                   "invalid character",
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, answer) }))
		_, err := index.Ollama{Server: index.Server{URL: server.URL, Model: "m"}}.Embed(t.Context(), []string{"a", "b"})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", answer, err)
		}
		server.Close()
	}
}
