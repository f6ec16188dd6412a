package api_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"

	"kurogo/messages"
	"kurogo/transport/api"
	"kurogo/transport/tools"
)

const aTrace = "0199a6b0-0000-7000-8000-000000000001"

func gateway(h *house) http.Handler {
	return api.Gateway(tools.Gateway(h, tools.Options{}), api.Options{Caller: func(*http.Request) messages.Caller { return owner }})
}

// The document's three routes, as it has them: bare JSON both ways, and the trace.
func TestTheDocumentsRoutes(t *testing.T) {
	size := int64(3)
	for path, c := range map[string]struct {
		body   string
		house  messages.Message
		asks   messages.Message
		answer string
	}{
		"/list_files": {
			`{"path":"./app"}`, messages.FileList{Files: []messages.FileEntry{{Name: "main.py", Size: &size}}}, messages.ListFiles{Path: "./app"}, `{"files":[{"name":"main.py","is_dir":false,"size":3}]}`,
		},
		"/read_file":  {`{"path":"./app/main.py"}`, messages.FileContent{Content: "x < y\n"}, messages.ReadFile{Path: "./app/main.py"}, `{"content":"x < y\n"}`},
		"/write_file": {`{"path":"./app/main.py","content":"…","mode":"create"}`, messages.FileWritten{Status: "ok", Path: "app/main.py"}, messages.WriteFile{Path: "./app/main.py", Content: "…", Mode: "create"}, `{"status":"ok","path":"app/main.py"}`},
		"/stat":       {`{"path":"a"}`, messages.FileStat{Kind: messages.KindFile}, messages.StatFile{Path: "a"}, `{"path":"","kind":"file","size":0,"modified_at":"","readable":false,"writable":false}`},
	} {
		h := gives(c.house, nil)
		r := request("POST " + path + " " + c.body)
		r.Header.Set("x-trace-id", aTrace)
		w := do(gateway(h), r)
		if w.Code != 200 || w.Body.String() != c.answer || w.Header().Get("Content-Type") != "application/json" || w.Header().Get("x-trace-id") != aTrace {
			t.Errorf("%s: %d %s %v, want %s", path, w.Code, w.Body, w.Header(), c.answer)
		}
		want := reflect.New(reflect.TypeOf(c.asks)).Elem()
		want.Set(reflect.ValueOf(c.asks))
		want.FieldByName("Provenance").Set(reflect.ValueOf(messages.Provenance{Trace: aTrace, Task: aTrace, By: owner}))
		if asked := h.questions(); len(asked) != 1 || !reflect.DeepEqual(asked[0], want.Interface()) {
			t.Errorf("%s asks %+v, want %+v", path, asked, want.Interface())
		}
	}
}

// A trace is made where there is none, belongs to no task, and must be a UUID.
func TestTraces(t *testing.T) {
	h := gives(messages.FileContent{}, nil)
	w := do(gateway(h), request(`POST /read_file {"path":"a"}`))
	made := w.Header().Get("x-trace-id")
	if asked := h.questions(); len(made) != 36 || len(asked) != 1 || asked[0].(messages.ReadFile).Trace != made || asked[0].(messages.ReadFile).Task != "" {
		t.Errorf("the trace is %q, the house was asked %+v", made, asked)
	}
	r := request(`POST /read_file {"path":"a"}`)
	r.Header.Set("x-trace-id", "one; two")
	if w := do(gateway(h), r); w.Code != 400 || w.Header().Get("x-trace-id") != "" || !strings.Contains(w.Body.String(), "UUID") {
		t.Errorf("a trace that is none: %d %s", w.Code, w.Body)
	}
}

// Errors are {detail, code} with the document's statuses, whoever refuses.
func TestTheDocumentsErrors(t *testing.T) {
	says := func(code messages.Code, field string) error {
		return &messages.Error{Code: code, Field: field, Message: "no", Remedy: "do something else"}
	}
	for _, c := range []struct {
		line   string
		err    error
		status int
		code   messages.Code
		detail string
	}{
		{`POST /read_file {"path":"a"}`, says(messages.CodeNotFound, "path"), 404, "not_found", "path: no. do something else"},
		{`POST /read_file {"path":"a"}`, says(messages.CodeInvalid, "path"), 400, "invalid", "path: no"},
		{`POST /read_file {"path":"a"}`, says(messages.CodeInvalid, messages.FieldMaxBytes), 413, "invalid", "max_bytes: no"},
		{`POST /read_file {"path":"a"}`, says(messages.CodeInvalid, messages.FieldEncoding), 415, "invalid", "encoding: no"},
		{`POST /write_file {"path":"a","content":"","mode":"create"}`, says(messages.CodeConflict, "path"), 409, "conflict", "no"},
		{`POST /delete_file {"path":"a"}`, says(messages.CodeDenied, "path"), 403, "denied", "no"},
		{`POST /read_file {"path":"a"}`, says(messages.CodeUnavailable, ""), 503, "unavailable", "no"},
		{`POST /read_file {"path":7}`, nil, 400, "invalid", "path"},
		{`POST /read_file {"file":"a"}`, nil, 400, "invalid", "file"},
		{`POST /read_file [`, nil, 400, "invalid", "JSON"},
		{`POST /read_file`, nil, 400, "invalid", "path"},
		{`GET /read_file`, nil, 405, "invalid", "POST"},
		{`POST /format_disk {}`, nil, 404, "not_found", "format_disk"},
		{`POST /write_file {"path":"a","mode":"create","content":"` + strings.Repeat("x", 4<<20) + `"}`, nil, 413, "invalid", "body"},
	} {
		w := do(gateway(gives(nil, c.err)), request(c.line))
		var e map[string]string
		if err := json.Unmarshal(w.Body.Bytes(), &e); err != nil || len(e) != 2 || w.Code != c.status || e["code"] != string(c.code) || !strings.Contains(e["detail"], c.detail) {
			t.Errorf("%.60s: %d %s, want %d, %s, %q", c.line, w.Code, w.Body, c.status, c.code, c.detail)
		}
		if (w.Code == 503) != (w.Header().Get("Retry-After") != "") {
			t.Errorf("%d with Retry-After %q", w.Code, w.Header().Get("Retry-After"))
		}
	}
	r := httptest.NewRequest(http.MethodPost, "/read_file", strings.NewReader("path=a"))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if w := do(gateway(gives(nil, nil)), r); w.Code != 415 {
		t.Errorf("a form: %d %s", w.Code, w.Body)
	}
}

// Every file tool has a path, and a handler that breaks says so in its own form.
func TestGatewayPaths(t *testing.T) {
	paths := api.GatewayPaths()
	slices.Sort(paths)
	if got := strings.Join(paths, " "); got != "/apply_patch /delete_file /list_files /read_file /search_text /stat /write_file" {
		t.Errorf("the paths are %s", got)
	}
	for _, path := range paths {
		if w := do(gateway(gives(nil, nil)), request("POST "+path+" {}")); w.Code != 400 {
			t.Errorf("%s without arguments: %d %s", path, w.Code, w.Body)
		}
	}
	broken := &house{answer: func(messages.Message) (messages.Message, error) { panic("oh") }}
	if w := do(gateway(broken), request(`POST /read_file {"path":"a"}`)); w.Code != 500 || !strings.Contains(w.Body.String(), `"code":"internal"`) {
		t.Errorf("a panic: %d %s", w.Code, w.Body)
	}
}
