package main_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"kurogo/messages"
)

// paths is where the tools are behind REST: {x} is the argument of that name.
var paths = map[string]string{
	"create_group": "POST /api/groups", "delete_group": "DELETE /api/groups/{groupId}",
	"run_agents": "POST /api/groups/{groupId}/agents", "run_sequential": "POST /api/groups/{groupId}/sequences",
	"list_agents": "GET /api/agents", "get_agent_status": "GET /api/agents/{agentId}", "wait_agent": "POST /api/agents/wait",
	"report_result": "POST /api/agents/{agentId}/result", "list_roles": "GET /api/roles", "cancel_agent": "DELETE /api/agents/{agentId}",
	"send_message": "POST /api/messages", "submit_task": "POST /api/tasks", "get_task": "GET /api/tasks/{taskId}", "cancel_task": "DELETE /api/tasks/{taskId}",
	"evaluate_document": "POST /api/evaluations", "run_task": "POST /api/runs",
}

// restful words a call as method, path and body. ok is false for what a path or
// a query cannot say.
func restful(tool, args string) (message string, ok bool) {
	var fields map[string]any
	path, ok := paths[tool]
	if !ok || json.Unmarshal([]byte(args), &fields) != nil {
		return "", false
	}
	if before, rest, found := strings.Cut(path, "{"); found {
		name, after, _ := strings.Cut(rest, "}")
		value, isText := fields[name].(string)
		if !isText || value == "" || len(value) > 1000 {
			return "", false
		}
		delete(fields, name)
		path = before + url.PathEscape(value) + after
	}
	if strings.HasPrefix(path, "POST") {
		body, err := json.Marshal(fields)
		return path + " " + string(body), err == nil
	}
	query := url.Values{}
	for name, v := range fields {
		value, isText := v.(string)
		if !isText || len(value) > 1000 {
			return "", false
		}
		query.Set(name, value)
	}
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return path, true
}

func (th *theatre) byREST(address, token string) func(string) ([]byte, error) {
	return func(message string) ([]byte, error) {
		method, rest, _ := strings.Cut(message, " ")
		path, body, _ := strings.Cut(rest, " ")
		r, err := http.NewRequest(method, address+path, nil)
		if err == nil && body != "" {
			r, err = http.NewRequest(method, address+path, strings.NewReader(body))
		}
		if err != nil {
			return nil, err
		}
		raw, header, err := send(r, token)
		if err != nil {
			return nil, err
		}
		var answer struct {
			OK    bool
			Data  json.RawMessage
			Error *messages.Error
		}
		if err := json.Unmarshal(raw, &answer); err != nil {
			return nil, fmt.Errorf("%w: %.200s", err, raw)
		}
		if answer.OK != (answer.Error == nil) {
			return nil, errors.New("it is both well and not")
		}
		if e := answer.Error; e != nil {
			if status := header.Get("Status"); !strings.HasPrefix(status, fmt.Sprint(e.Code.HTTP())) {
				return nil, fmt.Errorf("%w, with status %s", e, status)
			}
			return nil, e
		}
		return answer.Data, nil
	}
}
