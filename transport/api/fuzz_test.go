package api_test

import (
	"encoding/json"
	"errors"
	"net/http/httptest"
	"strings"
	"testing"

	"kurogo/messages"
	"kurogo/transport/api"
)

// Whatever comes in, an envelope goes out; who is refused before anybody was
// asked is told the field and the remedy.
func FuzzRequest(f *testing.F) {
	routes := api.Routes()
	for i, s := range stories {
		_, rest, _ := strings.Cut(s.line, " ")
		path, body, _ := strings.Cut(rest, " ")
		_, query, _ := strings.Cut(path, "?")
		f.Add(i, "a", query, body)
	}
	f.Fuzz(func(t *testing.T, which int, id, query, body string) {
		method, path, _ := strings.Cut(routes[(which%len(routes)+len(routes))%len(routes)], " ")
		r := httptest.NewRequest(method, "/", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		r.URL.Path, r.URL.RawQuery = strings.Replace(path, "{id}", id, 1), query
		h := gives(nil, errors.New("it was asked"))
		w := do(serve(h, owner), r)
		if w.Code >= 300 && w.Code < 400 {
			return // the path was made plain
		}
		var e struct {
			OK    bool
			Error *reason
		}
		if err := json.Unmarshal(w.Body.Bytes(), &e); err != nil || e.OK || e.Error == nil || e.Error.Code == "" {
			t.Fatalf("%s %s?%s %s: %d %s", method, path, query, body, w.Code, w.Body)
		}
		if asked := h.questions(); len(asked) == 0 && (e.Error.Field == "" || e.Error.Remedy == "" || e.Error.Code == messages.CodeInternal) {
			t.Fatalf("%s %s?%s %s: %+v", method, path, query, body, *e.Error)
		}
	})
}
