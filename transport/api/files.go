package api

import (
	"encoding/json"
	"errors"
	"net/http"
	"regexp"
	"runtime/debug"
	"strings"

	"kurogo/messages"
	"kurogo/transport/tools"
)

// traceHeader ties requests of one task together.
const traceHeader = "x-trace-id"

var traceID = regexp.MustCompile(`^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$`)

// gatewayRoutes are the document's, and those of the tools that it does not know.
var gatewayRoutes = map[string]string{
	"/list_files":  "list_files",
	"/read_file":   "read_file",
	"/write_file":  "write_file",
	"/stat":        "stat_file",
	"/search_text": "search_text",
	"/apply_patch": "apply_patch",
	"/delete_file": "delete_file",
}

// GatewayPaths are the paths that Gateway serves.
func GatewayPaths() (out []string) {
	for path := range gatewayRoutes {
		out = append(out, path)
	}
	return out
}

// Gateway serves the file gateway over HTTP as its document has it: at the root, by
// POST, without an envelope. An error is {detail, code}. Every answer carries the
// trace it is written down under.
func Gateway(catalogue *tools.Catalogue, o Options) http.Handler {
	s := &server{tools: catalogue, o: o.filled()}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		trace := r.Header.Get(traceHeader)
		task := trace // who names his trace means all that he does under it
		if trace == "" {
			trace = messages.NewID()
		}
		wrong := !traceID.MatchString(trace)
		if !wrong {
			w.Header().Set(traceHeader, trace)
		}
		defer func() {
			switch p := recover(); {
			case p == nil:
			case p == any(http.ErrAbortHandler):
				panic(p)
			default:
				s.o.Log.Error("serve", "path", r.URL.Path, "panic", p, "stack", string(debug.Stack()))
				s.detail(w, messages.Errorf(messages.CodeInternal, "%v", p))
			}
		}()
		if wrong {
			s.detail(w, messages.Invalid(traceHeader, "%q is no UUID", messages.Cut(trace, 64)).Try("send a UUID, or leave it out"))
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, s.o.Body)
		answer, err := s.gateway(w, r, trace, task)
		if err != nil {
			s.detail(w, err)
			return
		}
		s.write(w, http.StatusOK, answer)
	})
}

func (s *server) gateway(w http.ResponseWriter, r *http.Request, trace, task string) ([]byte, error) {
	name, ok := gatewayRoutes[r.URL.Path]
	if !ok {
		return nil, messages.Errorf(messages.CodeNotFound, "there is nothing at %s", messages.Cut(r.URL.Path, 200))
	}
	if r.Method != post {
		w.Header().Set("Allow", post)
		return nil, fault{http.StatusMethodNotAllowed, messages.Invalid("method", "%s is not for this path", r.Method).Try("use POST")}
	}
	body, err := bodyOf(r)
	if err != nil {
		return nil, err
	}
	return s.tools.Call(tools.WithTrace(r.Context(), trace, task), s.o.Caller(r), messages.ToolCall{Name: name, Input: body}, nil)
}

// detail is an error as the gateway's document has it.
func (s *server) detail(w http.ResponseWriter, err error) {
	e := messages.AsError(err)
	status := messages.FileHTTP(e)
	if f := (fault{}); errors.As(err, &f) {
		status = f.status
	}
	if e.Code.Retryable() {
		w.Header().Set("Retry-After", "1")
	}
	var said strings.Builder
	for _, part := range []struct{ before, text string }{{"", e.Field}, {": ", e.Message}, {". ", e.Remedy}} {
		if part.text == "" {
			continue
		}
		if said.Len() > 0 {
			said.WriteString(part.before)
		}
		said.WriteString(part.text)
	}
	body, err := json.Marshal(struct {
		Detail string        `json:"detail"`
		Code   messages.Code `json:"code"`
	}{said.String(), e.Code})
	if err != nil {
		s.o.Log.Error("encode error", "err", err)
	}
	s.write(w, status, body)
}
