package gate

import (
	"bufio"
	"io"
	"mime"
	"net"
	"net/http"
	"time"

	"kurogo/messages"
)

// policy lets our own page do what it does and nothing else: no inline script,
// no frame around it, no request that leaves the machine.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
	"connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// protect sets what every answer carries. There is no CORS header, on purpose.
func protect(h http.Header) {
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
}

// muchTooLarge times the limit is what is still read of a body that is over it.
const muchTooLarge = 4

// body bounds what a request brings: its kind, its size, and the time it takes.
// A form, which any page may send anywhere, is no JSON.
func (g *Gate) body(w http.ResponseWriter, r *http.Request) error {
	if r.ContentLength == 0 || r.Body == nil || r.Body == http.NoBody {
		return nil
	}
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return refusal{http.StatusUnsupportedMediaType, messages.Invalid("Content-Type", "a body is application/json here")}
	}
	c := http.NewResponseController(w)
	timely := c.SetReadDeadline(time.Now().Add(bodyTimeout)) == nil // a test's recorder has no connection
	if r.ContentLength > g.o.Body {
		// Whoever still sends would not hear the answer. So some of it is heard.
		_, _ = io.CopyN(io.Discard, r.Body, muchTooLarge*g.o.Body)
		return refusal{http.StatusRequestEntityTooLarge, messages.Invalid("body", "%d bytes are over the limit of %d", r.ContentLength, g.o.Body).Try("send less at once")}
	}
	r.Body = http.MaxBytesReader(w, r.Body, g.o.Body)
	if timely {
		r.Body = timed{r.Body, c}
	}
	return nil
}

// timed is a body with a deadline, which its end takes away again: the answer
// may take as long as it takes.
type timed struct {
	io.ReadCloser
	c *http.ResponseController
}

func (t timed) Read(p []byte) (int, error) {
	n, err := t.ReadCloser.Read(p)
	if err == io.EOF {
		_ = t.c.SetReadDeadline(time.Time{}) // it could be set
	}
	return n, err
}

// guard gives every write a deadline, so that a client that does not read costs
// us no more than that.
func guard(w http.ResponseWriter) *guarded {
	return &guarded{ResponseWriter: w, c: http.NewResponseController(w)}
}

type guarded struct {
	http.ResponseWriter
	c *http.ResponseController
}

// hurry sets the deadline of what is written next. It is also set when the
// handler is done: net/http flushes then, and a deadline outlives its request.
func (g *guarded) hurry() {
	_ = g.c.SetWriteDeadline(time.Now().Add(writeTimeout)) // where there is no connection there is no deadline
}

// Write implements [io.Writer].
func (g *guarded) Write(p []byte) (int, error) {
	g.hurry()
	return g.ResponseWriter.Write(p)
}

// Flush implements [http.Flusher].
func (g *guarded) Flush() { _ = g.c.Flush() } // what cannot be flushed is sent at the end

// Hijack implements [http.Hijacker].
func (g *guarded) Hijack() (net.Conn, *bufio.ReadWriter, error) { return g.c.Hijack() }

// Unwrap is for [http.ResponseController].
func (g *guarded) Unwrap() http.ResponseWriter { return g.ResponseWriter }
