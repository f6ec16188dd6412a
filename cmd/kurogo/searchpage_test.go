package main_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"kurogo/messages"
)

// /search is the document's by POST and a page of the stage by GET: who opens its
// address in a browser sees the page, also before he has a token.
func TestSearchIsAPageAndARoute(t *testing.T) {
	t.Parallel()
	th := newTheatre(t)
	o := th.serve()
	defer o.kill()
	url := "http://" + must[messages.Status](th, messages.GetStatus{}).HTTP + "/search"
	token := strings.TrimSpace(th.run("token"))
	defer http.DefaultClient.CloseIdleConnections()
	for _, c := range []struct {
		method, token, want string
		status              int
	}{
		{http.MethodGet, token, "text/html; charset=utf-8", http.StatusOK},
		{http.MethodGet, "", "text/html; charset=utf-8", http.StatusOK},
		{http.MethodPost, token, "application/json", http.StatusBadRequest}, // there is no question in it
		{http.MethodPost, "", "application/json", http.StatusUnauthorized},
		{http.MethodPut, token, "application/json", http.StatusMethodNotAllowed},
	} {
		r, err := http.NewRequestWithContext(t.Context(), c.method, url, strings.NewReader(map[string]string{http.MethodPost: "{}"}[c.method]))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		if c.token != "" {
			r.Header.Set("Authorization", "Bearer "+c.token)
		}
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(res.Body)
		_ = res.Body.Close()
		if got := res.Header.Get("Content-Type"); res.StatusCode != c.status || !strings.HasPrefix(got, c.want) {
			t.Errorf("%s with token %t: %s, %s: %.200s", c.method, c.token != "", res.Status, got, body)
		}
	}
}
