package api_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"kurogo/messages"
	"kurogo/transport/tools"
)

// doors says where a tool is behind HTTP: {x} is the argument of that name.
var doors = map[string]string{
	"create_group": "POST /api/groups", "delete_group": "DELETE /api/groups/{groupId}",
	"run_agents": "POST /api/groups/{groupId}/agents", "run_sequential": "POST /api/groups/{groupId}/sequences",
	"list_agents": "GET /api/agents", "get_agent_status": "GET /api/agents/{agentId}", "wait_agent": "POST /api/agents/wait",
	"report_result": "POST /api/agents/{agentId}/result", "list_roles": "GET /api/roles", "cancel_agent": "DELETE /api/agents/{agentId}",
	"send_message": "POST /api/messages", "submit_task": "POST /api/tasks", "get_task": "GET /api/tasks/{taskId}", "cancel_task": "DELETE /api/tasks/{taskId}",
	"evaluate_document": "POST /api/evaluations", "get_evaluation": "GET /api/evaluations/{evaluationId}",
	"run_task": "POST /api/runs", "get_run": "GET /api/runs/{runId}",
}

// over turns a tool call into a request. ok is false for what a path or a query
// cannot say.
func over(tool, args string) (r *http.Request, ok bool) {
	door, ok := doors[tool]
	var fields map[string]any
	if !ok || json.Unmarshal([]byte(args), &fields) != nil {
		return nil, false
	}
	for strings.Contains(door, "{") {
		_, name, _ := strings.Cut(door, "{")
		name, _, _ = strings.Cut(name, "}")
		text, isText := fields[name].(string)
		if !isText || strings.TrimSpace(text) == "" {
			return nil, false
		}
		door = strings.Replace(door, "{"+name+"}", text, 1)
		delete(fields, name)
	}
	if !strings.HasPrefix(door, "POST") {
		mark := "?"
		for name, v := range fields {
			text, isText := v.(string)
			if !isText {
				return nil, false
			}
			door, mark = door+mark+name+"="+text, "&"
		}
		return request(door), true
	}
	body, _ := json.Marshal(fields)
	return request(door + " " + string(body)), true
}

// Bad input is refused alike by whatever door it comes: the same code, field and
// remedy. refuses is what the house says to it; nil = it must not be asked.
func TestBadInputThroughEveryDoor(t *testing.T) {
	big, says := strings.Repeat("x", 1<<20+1), func(code messages.Code, field, remedy string) *messages.Error {
		return &messages.Error{Code: code, Field: field, Message: "no", Remedy: remedy}
	}
	ok := func(field string) *messages.Error { return says(messages.CodeInvalid, field, "") }
	order := `"agents":[{"role":"r","prompt":"p"}]`
	for _, s := range []struct {
		what, tool, args string
		who              messages.Caller
		refuses          *messages.Error
		want             *messages.Error // code and field
	}{
		{what: "missing", tool: "create_group", args: `{}`, want: ok("description")},
		{what: "missing", tool: "run_agents", args: `{"groupId":"g","agents":[{"role":"r"}]}`, want: ok("agents[0].prompt")},
		{what: "missing", tool: "run_agent", args: `{"groupId":"g","prompt":"p"}`, want: ok("role")},
		{what: "missing", tool: "run_sequential", args: `{"groupId":"g"}`, want: ok("stages")},
		{what: "missing", tool: "report_result", args: `{"agentId":"a","summary":"s"}`, want: ok("status")},
		{what: "missing", tool: "send_message", args: `{"to":"x"}`, want: ok("content")},
		{what: "missing", tool: "submit_task", args: `{}`, want: ok("content")},
		{what: "missing", tool: "get_task", args: `{}`, want: ok("taskId")},
		{what: "wrong-typed", tool: "create_group", args: `{"description":["x"]}`, want: ok("description")},
		{what: "wrong-typed", tool: "run_agents", args: `{"groupId":"g","agents":[{"role":"r","prompt":"p","timeout_ms":"5"}]}`, want: ok("agents[0].timeout_ms")},
		{what: "wrong-typed", tool: "wait_agent", args: `{"agentIds":"a"}`, want: ok("agentIds")},
		{what: "wrong-typed", tool: "cancel_agent", args: `{"agentId":7}`, want: ok("agentId")},
		{what: "wrong-typed", tool: "send_message", args: `{"to":"x","content":"c","metadata":[]}`, want: ok("metadata")},
		{what: "unknown", tool: "create_group", args: `{"description":"d","color":1}`, want: ok("color")},
		{what: "unknown", tool: "run_sequential", args: `{"groupId":"g","stages":[{"tasks":[{"role":"r","prompt":"p"}],"name":"s"}]}`, want: ok("stages[0].name")},
		{what: "unknown", tool: "list_agents", args: `{"group":"g"}`, want: ok("group")},
		{what: "unknown", tool: "list_roles", args: `{"verbose":"yes"}`, want: ok("verbose")},
		{what: "unknown", tool: "submit_task", args: `{"content":"c","model":"m"}`, want: ok("model")},
		{what: "oversized", tool: "create_group", args: `{"description":"` + big + `"}`, want: ok("description")},
		{what: "oversized", tool: "run_agents", args: `{"groupId":"g","agents":[{"role":"r","prompt":"` + big + `"}]}`, want: ok("agents[0].prompt")},
		{what: "oversized", tool: "send_message", args: `{"to":"x","content":"c","thinking":"` + big + `"}`, want: ok("thinking")},
		{what: "oversized", tool: "submit_task", args: `{"content":"` + big + `"}`, want: ok("content")},
		{what: "oversized", tool: "get_agent_status", args: `{"agentId":"` + strings.Repeat("x", 201) + `"}`, want: ok("agentId")},
		{what: "model given", tool: "run_agent", args: `{"groupId":"g","role":"r","prompt":"p","model":"opus"}`, want: says(messages.CodeInvalid, "model", "role decides")},
		{what: "model given", tool: "run_agents", args: `{"groupId":"g","agents":[{"role":"r","prompt":"p","model":"opus"}]}`, want: says(messages.CodeInvalid, "agents[0].model", "role decides")},
		{what: "empty agentIds", tool: "wait_agent", args: `{"agentIds":[]}`, want: ok("agentIds")},
		{what: "empty agents", tool: "run_agents", args: `{"groupId":"g","agents":[]}`, want: ok("agents")},
		{what: "timeout out of range", tool: "run_agents", args: `{"groupId":"g","agents":[{"role":"r","prompt":"p","timeout_ms":0}]}`, want: ok("agents[0].timeout_ms")},

		{
			what: "unknown group", tool: "delete_group", args: `{"groupId":"g"}`,
			refuses: says(messages.CodeNotFound, "groupId", ""), want: says(messages.CodeNotFound, "groupId", "create_group"),
		},
		{
			what: "unknown group", tool: "run_agents", args: `{"groupId":"g",` + order + `}`,
			refuses: says(messages.CodeNotFound, "groupId", ""), want: says(messages.CodeNotFound, "groupId", "create_group"),
		},
		{
			what: "deleted group", tool: "run_agents", args: `{"groupId":"g",` + order + `}`,
			refuses: says(messages.CodeConflict, "", ""), want: says(messages.CodeConflict, "groupId", "create_group"),
		},
		{
			what: "group with running agents", tool: "delete_group", args: `{"groupId":"g"}`,
			refuses: says(messages.CodeConflict, "", ""), want: says(messages.CodeConflict, "groupId", "wait_agent"),
		},
		{
			what: "unknown agent", tool: "get_agent_status", args: `{"agentId":"a"}`,
			refuses: says(messages.CodeNotFound, "", ""), want: says(messages.CodeNotFound, "agentId", "list_agents"),
		},
		{
			what: "unknown agent", tool: "cancel_agent", args: `{"agentId":"a"}`,
			refuses: says(messages.CodeNotFound, "", ""), want: says(messages.CodeNotFound, "agentId", "list_agents"),
		},
		{
			what: "unknown agent", tool: "report_result", args: `{"agentId":"a","status":"success","summary":"s"}`,
			refuses: says(messages.CodeNotFound, "", ""), want: says(messages.CodeNotFound, "agentId", "list_agents"),
		},
		{
			what: "unknown role", tool: "run_agents", args: `{"groupId":"g",` + order + `}`,
			refuses: says(messages.CodeNotFound, "stages[0][0].role", "use impl-code"), want: says(messages.CodeNotFound, "agents[0].role", "use impl-code"),
		},
		{
			what: "unknown role", tool: "run_sequential", args: `{"groupId":"g","stages":[{"tasks":[{"role":"r","prompt":"p"}]}]}`,
			refuses: says(messages.CodeNotFound, "stages[0][0].role", "use impl-code"), want: says(messages.CodeNotFound, "stages[0].tasks[0].role", "use impl-code"),
		},
		{
			what: "role unavailable", tool: "run_agent", args: `{"groupId":"g","role":"r","prompt":"p"}`,
			refuses: says(messages.CodeUnavailable, "", ""), want: says(messages.CodeUnavailable, "role", "list_roles"),
		},
		{
			what: "role unavailable", tool: "run_agents", args: `{"groupId":"g",` + order + `}`,
			refuses: says(messages.CodeUnavailable, "", ""), want: says(messages.CodeUnavailable, "role", "list_roles"),
		},
		{what: "somebody else's agent", who: actor, tool: "report_result", args: `{"agentId":"b","status":"success","summary":"s"}`, want: says(messages.CodeDenied, "agentId", "own agentId")},
		{
			what: "somebody else's group", who: actor, tool: "run_agents", args: `{"groupId":"h",` + order + `}`,
			refuses: says(messages.CodeDenied, "", ""), want: says(messages.CodeDenied, "groupId", "your own group"),
		},
		{what: "not for agents", who: actor, tool: "cancel_agent", args: `{"agentId":"b"}`, want: says(messages.CodeDenied, "name", "")},
		{what: "another's name", tool: "send_message", args: `{"to":"x","content":"c","from":"grand_boss"}`, want: says(messages.CodeDenied, "from", "leave from out")},
		{
			what: "directory missing", tool: "run_agents", args: `{"groupId":"g","agents":[{"role":"r","prompt":"p","workingDirectory":"/nowhere"}]}`,
			refuses: says(messages.CodeInvalid, "stages[0][0].workingDirectory", "make it"), want: says(messages.CodeInvalid, "agents[0].workingDirectory", "make it"),
		},
		{
			what: "directory relative to nowhere", who: messages.Caller{Client: "far"}, tool: "run_agents", args: `{"groupId":"g","agents":[{"role":"r","prompt":"p","workingDirectory":"src"}]}`,
			want: says(messages.CodeInvalid, "agents[0].workingDirectory", "absolute"),
		},
		{
			what: "too many queued", tool: "run_agents", args: `{"groupId":"g",` + order + `}`,
			refuses: says(messages.CodeBusy, "agents", ""), want: says(messages.CodeBusy, "agents", "wait_agent"),
		},
		{
			what: "unknown task", tool: "get_task", args: `{"taskId":"t"}`,
			refuses: says(messages.CodeNotFound, "", ""), want: says(messages.CodeNotFound, "taskId", "submit_task"),
		},
		{
			what: "nobody of that name", tool: "submit_task", args: `{"content":"c","to":"nobody"}`,
			refuses: says(messages.CodeNotFound, "", "write to grand_boss"), want: says(messages.CodeNotFound, "to", "grand_boss"),
		},
	} {
		t.Run(s.what+" "+s.tool, func(t *testing.T) {
			if s.who.Client == "" && s.who.Agent == "" {
				s.who = owner
			}
			no := errors.New("it was asked")
			if s.refuses != nil {
				no = s.refuses
			}
			_, err := catalogue(gives(nil, no)).Call(t.Context(), s.who, messages.ToolCall{Name: s.tool, Input: json.RawMessage(s.args)}, nil)
			e := messages.AsError(err)
			if e == nil {
				t.Fatal("it was taken")
			}
			alike(t, "the tool", s.want, reason{e.Code, e.Message, e.Field, e.Remedy})
			r, ok := over(s.tool, s.args)
			if !ok {
				return
			}
			w := do(serve(gives(nil, no), s.who), r)
			alike(t, "HTTP", s.want, refused(t, w))
			if w.Code != s.want.Code.HTTP() {
				t.Errorf("HTTP says %d", w.Code)
			}
		})
	}
}

func alike(t *testing.T, door string, want *messages.Error, got reason) {
	t.Helper()
	if got.Code != want.Code || got.Field != want.Field || got.Message == "" || got.Remedy == "" || !strings.Contains(got.Remedy, want.Remedy) {
		t.Errorf("%s says %+v, want %+v", door, got, *want)
	}
}

// Every tool that is for HTTP has a door, and the doors lead somewhere.
func TestEveryToolHasADoor(t *testing.T) {
	gateway := map[string]bool{} // at paths of its own: files_test.go
	for _, tool := range tools.Gateway(gives(nil, nil), tools.Options{}).Tools(messages.Caller{}) {
		gateway[tool.Name] = true
	}
	for _, tool := range catalogue(gives(nil, nil)).Tools(messages.Caller{}) {
		if gateway[tool.Name] && doors[tool.Name] == "" {
			continue
		}
		if _, ok := doors[tool.Name]; !ok && tool.Name != "run_agent" && tool.Name != "improve_document" { // run_agents with one; evaluate_document with improve
			t.Errorf("%s cannot be reached over HTTP", tool.Name)
		}
	}
	for tool, door := range doors {
		r := httptest.NewRequest("HEAD", "/", nil)
		r.Method, r.URL.Path, _ = strings.Cut(door, " ")
		if w := do(serve(gives(nil, messages.Errorf(messages.CodeBusy, "no")), owner), r); w.Code == http.StatusNotFound || w.Code == http.StatusMethodNotAllowed {
			t.Errorf("%s: %s is %d", tool, door, w.Code)
		}
	}
}
