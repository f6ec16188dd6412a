package api_test

import (
	"bytes"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"kurogo/messages"
	"kurogo/transport/api"
)

// What is wrong with a request itself, before anybody is asked.
func TestRequestsThatAreRefused(t *testing.T) {
	long := strings.Repeat("x", 5<<20)
	for _, s := range []struct {
		line   string
		header [2]string
		status int
		field  string
		says   string
	}{
		{line: "GET /", status: 404, field: "path", says: "nothing at /"},
		{line: "GET /api", status: 404, field: "path", says: "nothing at /api"},
		{line: "GET /api/group", status: 404, field: "path", says: "nothing at /api/group"},
		{line: "GET /api/groups/", status: 404, field: "path", says: "nothing at /api/groups/"},
		{line: "PUT /api/groups {}", status: 405, field: "method", says: "use GET or HEAD or POST"},
		{line: "GET /api/agents/wait", status: 405, field: "method", says: "use POST"},
		{line: "OPTIONS /api/groups", status: 405, field: "method", says: "OPTIONS"},
		{line: "POST /healthz", status: 405, field: "method", says: "use GET or HEAD"},
		{line: "GET /api/groups?deleted=maybe", status: 400, field: "deleted", says: "neither true nor false"},
		{line: "GET /api/groups?limit=501", status: 400, field: "limit", says: "from 0 to 500"},
		{line: "GET /api/groups?limit=-1", status: 400, field: "limit"},
		{line: "GET /api/groups?limit=ten", status: 400, field: "limit"},
		{line: "GET /api/groups?limit=1&limit=2", status: 400, field: "limit", says: "said 2 times"},
		{line: "GET /api/groups?limit=", status: 400, field: "limit", says: "it is empty"},
		{line: "GET /api/groups?colour=red", status: 400, field: "colour", says: "leave it out; there are deleted, limit"},
		{line: "GET /api/groups?%zz", status: 400, field: "query", says: "cannot be read"},
		{line: "GET /api/groups?a;b", status: 400, field: "query"},
		{line: "GET /api/groups {}", status: 400, field: "body", says: "takes none"},
		{line: "DELETE /api/groups/g {}", status: 400, field: "body", says: "takes none"},
		{line: "DELETE /api/groups/g?reason=x", status: 400, field: "reason", says: "there are none"},
		{line: "GET /api/agents?status=lost", status: 400, field: "status", says: "running, completed, failed, all"},
		{line: "GET /api/agents?status=" + strings.Repeat("x", 5000), status: 400, field: "status", says: "4096"},
		{line: "GET /api/agents/" + strings.Repeat("x", 300), status: 400, field: "agentId", says: "300 characters"},
		{line: "GET /api/agents/a%00b", status: 400, field: "agentId", says: "NUL"},
		{line: "GET /api/tasks?status=done", status: 400, field: "status", says: "timed_out"},
		{line: "GET /api/messages/log?level=loud", status: 400, field: "level"},
		{line: "GET /api/cost?by=weather", status: 400, field: "by"},
		{line: "POST /api/groups?description=d {}", status: 400, field: "description", says: "there are none"},
		{line: `POST /api/groups {"description":"d"}`, header: [2]string{"Content-Type", "text/plain"}, status: 415, field: "Content-Type", says: "application/json"},
		{line: `POST /api/groups {"description":"d"}`, header: [2]string{"Content-Type", ""}, status: 415, field: "Content-Type"},
		{line: `POST /api/roles/check x=1`, header: [2]string{"Content-Type", "application/x-www-form-urlencoded"}, status: 415, field: "Content-Type"},
		{line: `POST /api/groups {"description":"` + long + `"}`, status: 413, field: "body", says: "over 4194304 bytes"},
		{line: `POST /api/groups`, status: 400, field: "description", says: "missing"},
		{line: `POST /api/groups [1]`, status: 400, field: "arguments", says: "a list"},
		{line: `POST /api/groups {"description":`, status: 400, field: "arguments", says: "not JSON"},
		{line: `POST /api/groups/g/agents {"groupId":"h","agents":[]}`, status: 400, field: "groupId", says: "in the path already"},
		{line: `POST /api/groups/g/agents null`, status: 400, field: "agents", says: "missing"},
		{line: `POST /api/tasks/t/resume {"micros":-1}`, status: 400, field: "micros"},
		{line: `POST /api/tasks/t/resume {"micros":"1"}`, status: 400, field: "micros", says: "it is a string"},
		{line: `POST /api/tasks/t/resume {"usd":1}`, status: 400, field: "usd", says: "no such field"},
		{line: `POST /api/tasks/t/resume {} {}`, status: 400, field: "body", says: "something follows"},
		{line: `POST /api/tasks/t/resume []`, status: 400, field: "body"},
		{line: `POST /api/tasks/t/resume?micros=1 {}`, status: 400, field: "micros"},
		{line: "GET /api/agents/a/log?stream=stdin", status: 400, field: "stream", says: "stdout, stderr"},
		{line: "GET /api/agents/a/log?limit=1048577", status: 400, field: "limit"},
		{line: "GET /api/events?since=x", status: 400, field: "since"},
		{line: "GET /api/events", header: [2]string{"Last-Event-ID", "later"}, status: 400, field: "Last-Event-ID"},
	} {
		t.Run(messages.Cut(s.line, 80), func(t *testing.T) {
			h := gives(nil, errors.New("it was asked"))
			r := request(s.line)
			if s.header[0] != "" {
				r.Header.Set(s.header[0], s.header[1])
			}
			w := do(serve(h, owner), r)
			if e := refused(t, w); w.Code != s.status || e.Field != s.field || e.Remedy == "" || !strings.Contains(e.Message+". "+e.Remedy, s.says) {
				t.Errorf("%d %+v", w.Code, e)
			}
			if len(h.questions()) > 0 {
				t.Errorf("the house was asked %v", h.questions())
			}
		})
	}
}

func TestAllow(t *testing.T) {
	for line, want := range map[string]string{
		"PATCH /api/groups":      "GET, HEAD, POST",
		"PATCH /api/groups/g":    "DELETE, GET, HEAD",
		"GET /api/agents/wait":   "POST",
		"DELETE /api/agents/a/x": "",
	} {
		if got := do(serve(gives(nil, nil), owner), request(line)).Header().Get("Allow"); got != want {
			t.Errorf("%s: Allow %q, want %q", line, got, want)
		}
	}
}

// A chunked body without a length is a body, too.
func TestABodyWithoutALength(t *testing.T) {
	r := request(`POST /api/groups {"description":"` + strings.Repeat("x", 5<<20) + `"}`)
	r.ContentLength = -1
	if w := do(serve(gives(nil, nil), owner), r); w.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// The table of the contract: each code has its status, and who shall come back is
// told when.
func TestStatuses(t *testing.T) {
	for code, want := range map[messages.Code]struct {
		status int
		after  string
	}{
		messages.CodeInvalid: {400, ""}, messages.CodeNotFound: {404, ""}, messages.CodeConflict: {409, ""}, messages.CodeBusy: {503, "1"},
		messages.CodeDenied: {403, ""}, messages.CodeDeadline: {504, ""}, messages.CodeRateLimited: {429, "1"}, messages.CodeUnavailable: {503, ""},
		messages.CodeCancelled: {409, ""}, messages.CodeInternal: {500, ""},
	} {
		for _, line := range []string{"GET /api/crew", "GET /api/groups/g", "GET /api/roles", "GET /api/agents/a/log"} {
			w := do(serve(gives(nil, messages.Errorf(code, "no")), owner), request(line))
			if e := refused(t, w); w.Code != want.status || e.Code != code || e.Message != "no" || w.Header().Get("Retry-After") != want.after {
				t.Errorf("%s: %s is %d with Retry-After %q: %+v", line, code, w.Code, w.Header().Get("Retry-After"), e)
			}
		}
	}
	later := &messages.Error{Code: messages.CodeBusy, Message: "no", RetryAfter: 1500 * time.Millisecond}
	if w := do(serve(gives(nil, later), owner), request("GET /api/crew")); w.Header().Get("Retry-After") != "2" {
		t.Errorf("Retry-After %q", w.Header().Get("Retry-After"))
	}
	w := do(serve(gives(nil, messages.Errorf(messages.CodeNotFound, "there is no group")), owner), request("GET /api/groups/g"))
	if e := refused(t, w); e.Field != "id" || e.Remedy != "GET /api/groups lists what there is" {
		t.Errorf("%+v", e)
	}
}

// A bug costs one answer.
func TestBugs(t *testing.T) {
	h := &house{answer: func(messages.Message) (messages.Message, error) { panic("a bug") }}
	var log bytes.Buffer
	s := api.New(catalogue(h), h, api.Options{
		Caller: func(*http.Request) messages.Caller { return owner }, Log: slog.New(slog.NewTextHandler(&log, nil)),
	})
	w := do(s, request("GET /api/crew"))
	if e := refused(t, w); w.Code != 500 || e.Code != messages.CodeInternal || !strings.Contains(log.String(), "a bug") {
		t.Errorf("%d %+v, log %s", w.Code, e, &log)
	}
}

// healthz needs nobody; HEAD is GET without the rest.
func TestHealth(t *testing.T) {
	h := api.New(nil, nil, api.Options{})
	for _, method := range []string{"GET", "HEAD"} {
		if w := do(h, request(method+" /healthz")); w.Code != 200 || w.Body.String() != "ok\n" || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") {
			t.Errorf("%s: %d %q", method, w.Code, w.Body)
		}
	}
	if w := do(h, request("GET /metrics")); w.Code != 404 {
		t.Errorf("metrics that nobody gives: %d", w.Code)
	}
}

func TestTheBodyIsBounded(t *testing.T) {
	h := gives(nil, nil)
	s := api.New(catalogue(h), h, api.Options{Body: 10, Caller: func(*http.Request) messages.Caller { return owner }})
	for n, want := range map[int]int{10: 400, 11: 413} {
		if w := do(s, request("POST /api/groups "+strings.Repeat("1", n))); w.Code != want {
			t.Errorf("%s bytes: %d, want %d", strconv.Itoa(n), w.Code, want)
		}
	}
}
