package pages

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"

	"kurogo/messages"
	"kurogo/transport/gate"
)

// first is the page at every address that is no file.
const first = "index.html"

// kinds are the files that a dashboard has. What the machine thinks of their names
// does not count; what is not here is bytes.
var kinds = map[string]string{
	".css": "text/css; charset=utf-8", ".html": "text/html; charset=utf-8", ".ico": "image/x-icon", ".js": "text/javascript; charset=utf-8",
	".json": "application/json", ".map": "application/json", ".png": "image/png", ".svg": "image/svg+xml", ".txt": "text/plain; charset=utf-8",
	".webmanifest": "application/manifest+json", ".woff2": "font/woff2",
}

// notPages are where others answer.
var notPages = map[string]bool{"api": true, "healthz": true, "login": true, "mcp": true, "metrics": true, "ws": true}

// Pages is a handler. It may be used from many goroutines at once.
type Pages struct{ files map[string]file }

// A file is what is served under one name.
type file struct {
	kind   string
	plain  form
	zipped form // empty: there is none
}

// A form is one way to send a file.
type form struct {
	bytes []byte
	tag   string
}

// New reads everything. A file x.gz is x, compressed. Errors: invalid when there
// is no first page.
func New(from fs.FS) (*Pages, error) {
	p := &Pages{files: map[string]file{}}
	err := fs.WalkDir(from, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		b, err := fs.ReadFile(from, name)
		if err != nil {
			return err
		}
		bare, zipped := strings.CutSuffix(name, ".gz")
		f := p.files[bare]
		if f.kind = kinds[path.Ext(bare)]; f.kind == "" {
			f.kind = "application/octet-stream"
		}
		sum := sha256.Sum256(b)
		this := form{b, `"` + hex.EncodeToString(sum[:16]) + `"`}
		if zipped {
			f.zipped = this
		} else {
			f.plain = this
		}
		p.files[bare] = f
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read pages: %w", err)
	}
	if _, ok := p.find("/"); !ok {
		return nil, messages.Invalid("pages", "there is no %s", first).Try("build the dashboard: make ui")
	}
	return p, nil
}

// find is the file at an address.
func (p *Pages) find(at string) (file, bool) {
	name := strings.TrimPrefix(at, "/")
	if f, ok := p.files[name]; ok && f.plain.tag != "" {
		return f, true
	}
	top, _, _ := strings.Cut(name, "/")
	if notPages[strings.ToLower(top)] || strings.Contains(path.Base(name), ".") && name != "" || top == "assets" {
		return file{}, false
	}
	f := p.files[first]
	return f, f.plain.tag != ""
}

// ServeHTTP implements [http.Handler].
func (p *Pages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		h.Set("Allow", "GET, HEAD")
		gate.Refuse(w, http.StatusMethodNotAllowed, messages.Invalid("method", "%s is not for a page", r.Method).Try("use GET"))
		return
	}
	f, ok := p.find(r.URL.Path)
	if !ok {
		e := messages.Errorf(messages.CodeNotFound, "there is nothing at %s", messages.Cut(r.URL.Path, 200)).Try("begin at /; the API is below /api")
		e.Field = "path"
		gate.Refuse(w, http.StatusNotFound, e)
		return
	}
	this := f.plain
	if f.zipped.tag != "" {
		h.Add("Vary", "Accept-Encoding")
		if unzips(r.Header.Get("Accept-Encoding")) {
			this = f.zipped
			h.Set("Content-Encoding", "gzip")
			if r.Header.Get("Range") == "" { // ServeContent counts only what is not encoded
				h.Set("Content-Length", strconv.Itoa(len(this.bytes)))
			}
		}
	}
	h.Set("Content-Type", f.kind)
	h.Set("Cache-Control", "no-cache") // kept, and asked about each time
	h.Set("ETag", this.tag)
	h.Set("X-Content-Type-Options", "nosniff")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(this.bytes))
}

// unzips says whether a client takes gzip.
func unzips(accepts string) bool {
	for coding := range strings.SplitSeq(accepts, ",") {
		name, q, _ := strings.Cut(strings.TrimSpace(coding), ";")
		if name = strings.ToLower(strings.TrimSpace(name)); name != "gzip" && name != "*" {
			continue
		}
		value, weighted := strings.CutPrefix(strings.TrimSpace(q), "q=")
		if weight, err := strconv.ParseFloat(value, 64); !weighted || err == nil && weight > 0 {
			return true
		}
	}
	return false
}
