package modeltest

import (
	"encoding/json"
	"io"
	"net/http"
	"strconv"
)

// maxBody bounds a request.
const maxBody = 64 << 20

// serve serves one kind of request: parse reads it, fail words an error, and say
// says the nth answer, which is none of those.
func (s *Server) serve(
	parse func(body []byte) (Request, error),
	fail func(w http.ResponseWriter, step Step),
	say func(w http.ResponseWriter, r *http.Request, req Request, n int, step Step),
) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(io.LimitReader(r.Body, maxBody))
		if err != nil {
			return // the client has left
		}
		req, err := parse(body)
		if err != nil {
			s.t.Errorf("the model was asked what it cannot read: %v", err)
			fail(w, Step{Status: http.StatusBadRequest, Message: err.Error()})
			return
		}
		req.Header = r.Header
		step, n := s.take(req)
		switch {
		case !s.wait(r, step.Delay):
		case step.Status != 0:
			fail(w, step)
		default:
			say(w, r, req, n, step)
		}
	}
}

// refuse answers with an error, in the service's own body.
func refuse(w http.ResponseWriter, s Step, body any) {
	if s.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(s.RetryAfter))
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(s.Status)
	_ = json.NewEncoder(w).Encode(body)
}
