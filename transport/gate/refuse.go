package gate

import (
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"strconv"
	"strings"

	"kurogo/messages"
)

// A refusal is an error whose status is not that of its code.
type refusal struct {
	status int
	err    *messages.Error
}

func (r refusal) Error() string { return r.err.Error() }
func (r refusal) Unwrap() error { return r.err }

// refuse answers instead of the handler and says so in the log, without the
// query.
func (g *Gate) refuse(w http.ResponseWriter, r *http.Request, err error) {
	e := messages.AsError(err)
	status := e.Code.HTTP()
	var own refusal
	if errors.As(err, &own) {
		status = own.status
	}
	if status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", `Bearer realm="kurogo"`)
	}
	g.o.Log.Warn("refused", "method", r.Method, "path", r.URL.Path, "from", r.RemoteAddr, "status", status, "why", e.Message)
	if strings.Contains(r.Header.Get("Accept"), "text/html") {
		http.Error(w, e.Error(), status)
		return
	}
	Refuse(w, status, e)
}

// Refuse answers with an error, in the envelope of /api.
func Refuse(w http.ResponseWriter, status int, e *messages.Error) {
	if e.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(e.RetryAfter.Seconds()))))
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(struct { // whoever does not read it need not
		OK    bool            `json:"ok"`
		Data  any             `json:"data"`
		Error *messages.Error `json:"error"`
	}{Error: e})
}
