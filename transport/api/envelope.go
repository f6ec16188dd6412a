package api

import (
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"strconv"
	"time"

	"kurogo/messages"
)

// An envelope is what every route below /api answers.
type envelope struct {
	OK    bool    `json:"ok"`
	Data  any     `json:"data"`
	Error *reason `json:"error"`
}

type reason struct {
	Code    messages.Code `json:"code"`
	Message string        `json:"message"`
	Field   string        `json:"field"`
	Remedy  string        `json:"remedy"`
}

// A fault is an error with a status of HTTP's own.
type fault struct {
	status int
	error
}

func (f fault) Unwrap() error { return f.error }

func (s *server) answer(w http.ResponseWriter, data any) error {
	body, err := json.Marshal(envelope{OK: true, Data: data})
	if err != nil {
		return err
	}
	s.write(w, http.StatusOK, body)
	return nil
}

func (s *server) refuse(w http.ResponseWriter, err error) {
	e := messages.AsError(err)
	status := e.Code.HTTP()
	if f := (fault{}); errors.As(err, &f) {
		status = f.status
	}
	if e.Code == messages.CodeBusy || e.Code == messages.CodeRateLimited || e.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(max(1, math.Ceil(e.RetryAfter.Seconds())))))
	}
	body, err := json.Marshal(envelope{Error: &reason{e.Code, e.Message, e.Field, e.Remedy}})
	if err != nil {
		s.o.Log.Error("encode error", "err", err)
	}
	s.write(w, status, body)
}

func (s *server) write(w http.ResponseWriter, status int, body []byte) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	s.hurry(w)
	w.WriteHeader(status)
	_, _ = w.Write(body) //nolint:gosec // G705: JSON, and sniffing is off; a client that has gone needs no answer
}

// hurry bounds how long the client may take to read what comes next.
func (s *server) hurry(w http.ResponseWriter) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(s.o.Write)) // a writer without deadlines has no slow reader
}
