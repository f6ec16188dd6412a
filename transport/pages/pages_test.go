package pages_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"path"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"kurogo/messages"
	"kurogo/transport/gate"
	"kurogo/transport/pages"
	"kurogo/ui"
)

const (
	index  = "<!doctype html><title>Kurogo</title>"
	script = "console.log(1)"
)

func zip(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = io.WriteString(w, text)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func stage(t *testing.T) fstest.MapFS {
	t.Helper()
	return fstest.MapFS{
		"index.html":         {Data: []byte(index)},
		"favicon.svg":        {Data: []byte("<svg/>")},
		"assets/index.js":    {Data: []byte(script)},
		"assets/index.js.gz": {Data: zip(t, script)},
		"assets/index.css":   {Data: []byte("a{}")},
		"assets/only.txt.gz": {Data: zip(t, "nobody")},
		"assets/thing.xyz":   {Data: []byte("?")},
	}
}

func newPages(t *testing.T, from fs.FS) http.Handler {
	t.Helper()
	p, err := pages.New(from)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// get sends "METHOD path", then "Header: value" lines.
func get(h http.Handler, lines ...string) *httptest.ResponseRecorder {
	method, target, _ := strings.Cut(lines[0], " ")
	r := httptest.NewRequest(method, target, nil)
	r.Host = "127.0.0.1:9696"
	for _, line := range lines[1:] {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// What is there is served by its name and kind; what a page could be is the first
// page; the rest is nothing.
func TestWhatIsWhere(t *testing.T) {
	h := newPages(t, stage(t))
	for _, c := range []struct {
		at, kind, text string
		status         int
	}{
		{"/", "text/html; charset=utf-8", index, 200},
		{"/index.html", "text/html; charset=utf-8", index, 200},
		{"/favicon.svg", "image/svg+xml", "<svg/>", 200},
		{"/assets/index.js", "text/javascript; charset=utf-8", script, 200},
		{"/assets/index.css", "text/css; charset=utf-8", "a{}", 200},
		{"/assets/thing.xyz", "application/octet-stream", "?", 200},

		{"/agents/impl-code-1739487600-a3f2", "text/html; charset=utf-8", index, 200},
		{"/groups/grp-1739487600-a3f2/", "text/html; charset=utf-8", index, 200},
		{"/flow?task=x.y", "text/html; charset=utf-8", index, 200},
		{"/apiary", "text/html; charset=utf-8", index, 200},

		{"/assets/nope.js", "application/json", "there is nothing", 404},
		{"/assets/nope", "application/json", "there is nothing", 404},
		{"/assets", "application/json", "there is nothing", 404},
		{"/assets/index.js.gz", "application/json", "there is nothing", 404},
		{"/assets/only.txt", "application/json", "there is nothing", 404},
		{"/nope.png", "application/json", "there is nothing", 404},
		{"/.env", "application/json", "there is nothing", 404},
		{"/..", "application/json", "there is nothing", 404},
		{"/../../etc/passwd.txt", "application/json", "there is nothing", 404},
		{"/..%2f..%2fetc%2fpasswd.txt", "application/json", "there is nothing", 404},
		{"/assets/..%5c..%5csecret.txt", "application/json", "there is nothing", 404},
		{"/api/nope", "application/json", "there is nothing", 404},
		{"/API", "application/json", "there is nothing", 404},
		{"/mcp/x", "application/json", "there is nothing", 404},
		{"/ws", "application/json", "there is nothing", 404},
		{"/login", "application/json", "there is nothing", 404},
		{"/healthz", "application/json", "there is nothing", 404},
		{"/metrics/x", "application/json", "there is nothing", 404},
	} {
		w := get(h, "GET "+c.at)
		if w.Code != c.status || w.Header().Get("Content-Type") != c.kind || !strings.Contains(w.Body.String(), c.text) {
			t.Errorf("%s: got %d, %s: %s", c.at, w.Code, w.Header().Get("Content-Type"), w.Body)
		}
		head := get(h, "HEAD "+c.at)
		if head.Code != c.status || c.status == 200 && (head.Body.Len() > 0 || head.Header().Get("Content-Length") != w.Header().Get("Content-Length")) {
			t.Errorf("HEAD %s: got %d with %d bytes, %v", c.at, head.Code, head.Body.Len(), head.Header())
		}
	}
	if w := get(h, "POST /"); w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") != "GET, HEAD" {
		t.Errorf("POST: got %d", w.Code)
	}
}

// A browser keeps a file and hears that it is still so, until it is another.
func TestAFileIsAskedAbout(t *testing.T) {
	h := newPages(t, stage(t))
	w := get(h, "GET /assets/index.js")
	tag := w.Header().Get("ETag")
	if len(tag) != 34 || w.Header().Get("Cache-Control") != "no-cache" || w.Header().Get("X-Content-Type-Options") != "nosniff" {
		t.Fatalf("got %v", w.Header())
	}
	if w := get(h, "GET /assets/index.js", "If-None-Match: "+tag); w.Code != http.StatusNotModified || w.Body.Len() > 0 || w.Header().Get("ETag") != tag {
		t.Errorf("got %d with %q", w.Code, w.Body)
	}
	if w := get(h, "GET /assets/index.js", `If-None-Match: "other", W/`+tag); w.Code != http.StatusNotModified {
		t.Errorf("got %d", w.Code)
	}
	if other := get(h, "GET /agents/x").Header().Get("ETag"); other != get(h, "GET /").Header().Get("ETag") || other == tag {
		t.Errorf("the first page has %s", other)
	}
	changed := stage(t)
	changed["assets/index.js"] = &fstest.MapFile{Data: []byte(script + ";")}
	if w := get(newPages(t, changed), "GET /assets/index.js", "If-None-Match: "+tag); w.Code != 200 || w.Header().Get("ETag") == tag {
		t.Errorf("after a change: %d", w.Code)
	}
}

// What is there compressed goes compressed to whoever takes it, as another form of
// the same.
func TestAFileIsCompressed(t *testing.T) {
	h := newPages(t, stage(t))
	plain := get(h, "GET /assets/index.js")
	for accepts, zipped := range map[string]bool{
		"gzip": true, "br, gzip;q=0.5": true, "GZIP": true, "*": true,
		"": false, "br": false, "gzip;q=0": false, "gzip;q=x": false, "x-gzip": false,
	} {
		w := get(h, "GET /assets/index.js", "Accept-Encoding: "+accepts)
		if got := w.Header().Get("Content-Encoding") == "gzip"; got != zipped {
			t.Errorf("%q: it is zipped: %v", accepts, got)
		}
		if w.Header().Get("Vary") != "Accept-Encoding" || (w.Header().Get("ETag") == plain.Header().Get("ETag")) == zipped {
			t.Errorf("%q: %v", accepts, w.Header())
		}
		if !zipped {
			continue
		}
		r, err := gzip.NewReader(w.Body)
		if err != nil {
			t.Fatal(err)
		}
		if text, _ := io.ReadAll(r); string(text) != script || w.Header().Get("Content-Type") != "text/javascript; charset=utf-8" {
			t.Errorf("%q: got %q", accepts, text)
		}
	}
	if w := get(h, "GET /assets/index.js", "Accept-Encoding: gzip", "Range: bytes=0-3"); w.Code != http.StatusPartialContent || w.Body.Len() != 4 || w.Header().Get("Content-Length") == "38" {
		t.Errorf("a part: %d, %d bytes, %v", w.Code, w.Body.Len(), w.Header())
	}
	if w := get(h, "GET /", "Accept-Encoding: gzip"); w.Header().Get("Content-Encoding") != "" || w.Header().Get("Vary") != "" {
		t.Errorf("what is not there compressed: %v", w.Header())
	}
}

func TestNoFirstPage(t *testing.T) {
	for name, from := range map[string]fs.FS{
		"nothing":         fstest.MapFS{},
		"only compressed": fstest.MapFS{"index.html.gz": {Data: zip(t, index)}},
	} {
		if _, err := pages.New(from); !messages.IsCode(err, messages.CodeInvalid) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

var (
	inline  = regexp.MustCompile(`(?i)<script(?:\s[^>]*)?>\s*[^<\s]|<style|\sstyle=|\son[a-z]+\s*=|javascript:`)
	sources = regexp.MustCompile(`(?:src|href)="([^"]+)"`)
)

// The shipped dashboard lives by the policy of the gate: no script in the page,
// nothing from elsewhere, and everything that it asks for is there.
func TestTheDashboardThatIsShipped(t *testing.T) {
	page, err := fs.ReadFile(ui.Dist, "index.html")
	if err != nil {
		t.Fatal(err)
	}
	if found := inline.Find(page); found != nil {
		t.Errorf("the page has %q in it", found)
	}
	g, err := gate.New(gate.Options{Ports: []int{9696}, Token: strings.Repeat("t", 43), Page: func(*http.Request) bool { return true }})
	if err != nil {
		t.Fatal(err)
	}
	h := g.Wrap(newPages(t, ui.Dist))
	w := get(h, "GET /agents/x")
	if policy := w.Header().Get("Content-Security-Policy"); !strings.Contains(policy, "script-src 'self'") || strings.Contains(policy, "unsafe") {
		t.Errorf("the policy is %q", policy)
	}
	if w.Header().Get("Cache-Control") != "no-cache" || w.Body.String() != string(page) {
		t.Errorf("got %d: %v", w.Code, w.Header())
	}
	for _, found := range sources.FindAllSubmatch(page, -1) {
		at := string(found[1])
		if w := get(h, "GET "+at); !strings.HasPrefix(at, "/") || w.Code != 200 || kinds[path.Ext(at)] != w.Header().Get("Content-Type") {
			t.Errorf("%s: got %d, %s", at, w.Code, w.Header().Get("Content-Type"))
		}
	}
	if n := len(sources.FindAll(page, -1)); n == 0 {
		t.Error("the page asks for nothing")
	}
}

var kinds = map[string]string{
	".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml",
}
