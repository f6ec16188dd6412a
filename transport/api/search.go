package api

import (
	"encoding/json"
	"net/http"
	"runtime/debug"

	"kurogo/messages"
	"kurogo/transport/tools"
)

// A question makes the word that a body is, and knows the status of its answer.
type question struct {
	status int
	read   func(body []byte) (messages.Message, error)
}

// retrievalRoutes are the document's: at the root, by POST, without an envelope.
var retrievalRoutes = map[string]question{
	"/search": {http.StatusOK, wordOf(func(q messages.Search) (messages.Message, error) { return q, nil })},
	"/ingest": {http.StatusAccepted, wordOf(func(i messages.Ingest) (messages.Message, error) {
		if i.Diff != nil && len(i.Paths) > 0 {
			return nil, messages.Invalid("diff", "there are paths, too").Try("give one of the two")
		}
		return i, nil
	})},
	"/prune": {http.StatusOK, wordOf(func(p messages.Prune) (messages.Message, error) { return p, nil })},
}

func wordOf[B any](of func(B) (messages.Message, error)) func([]byte) (messages.Message, error) {
	return func(raw []byte) (messages.Message, error) {
		var body B
		if err := decode(raw, &body); err != nil {
			return nil, err
		}
		return of(body)
	}
}

// RetrievalPaths are the paths that Retrieval serves.
func RetrievalPaths() (out []string) {
	for path := range retrievalRoutes {
		out = append(out, path)
	}
	return out
}

// Retrieval serves the index over HTTP as its document has it. An error is {detail,
// code}.
func Retrieval(port tools.Port, o Options) http.Handler {
	s := &server{port: port, o: o.filled()}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if p := recover(); p == any(http.ErrAbortHandler) {
				panic(p)
			} else if p != nil {
				s.o.Log.Error("serve", "path", r.URL.Path, "panic", p, "stack", string(debug.Stack()))
				s.detail(w, messages.Errorf(messages.CodeInternal, "%v", p))
			}
		}()
		r.Body = http.MaxBytesReader(w, r.Body, s.o.Body)
		status, answer, err := s.retrieve(w, r)
		if err != nil {
			s.detail(w, err)
			return
		}
		s.write(w, status, answer)
	})
}

func (s *server) retrieve(w http.ResponseWriter, r *http.Request) (status int, answer []byte, err error) {
	q, ok := retrievalRoutes[r.URL.Path]
	if !ok {
		return 0, nil, messages.Errorf(messages.CodeNotFound, "there is nothing at %s", messages.Cut(r.URL.Path, 200))
	}
	if r.Method != post {
		w.Header().Set("Allow", post)
		return 0, nil, fault{http.StatusMethodNotAllowed, messages.Invalid("method", "%s is not for this path", r.Method).Try("use POST")}
	}
	body, err := bodyOf(r)
	if err != nil {
		return 0, nil, err
	}
	m, err := q.read(body)
	if err != nil {
		return 0, nil, err
	}
	found, err := s.port.Ask(r.Context(), m)
	if err != nil {
		return 0, nil, err
	}
	answer, err = json.Marshal(found)
	return q.status, answer, err
}

func searchIndex(q messages.Search, _ string) (messages.Message, error) { return q, nil }
func indexStatus(*http.Request, *query) messages.Message                { return messages.GetIndexStatus{} }
