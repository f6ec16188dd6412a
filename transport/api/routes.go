package api

import (
	"net/http"

	"kurogo/messages"
)

const (
	get    = http.MethodGet
	post   = http.MethodPost
	remove = http.MethodDelete
)

// in gives the path's {id} the name that the tool knows it by.
func in(argument string) map[string]string { return map[string]string{"id": argument} }

// routes is the whole of /api: a path, its methods, and the tool or the word that
// each of them is.
func (s *server) routes() map[string]methods {
	return map[string]methods{
		"/api/groups":                {get: s.word(listGroups), post: s.tool("create_group", nil)},
		"/api/groups/{id}":           {get: s.word(getGroup), remove: s.tool("delete_group", in("groupId"))},
		"/api/groups/{id}/agents":    {get: s.tool("list_agents", in("groupId"), "status"), post: s.tool("run_agents", in("groupId"))},
		"/api/groups/{id}/sequences": {post: s.tool("run_sequential", in("groupId"))},

		"/api/agents":             {get: s.tool("list_agents", nil, "groupId", "status")},
		"/api/agents/{id}":        {get: s.tool("get_agent_status", in("agentId")), remove: s.tool("cancel_agent", in("agentId"), "reason")},
		"/api/agents/{id}/result": {post: s.tool("report_result", in("agentId"))},
		"/api/agents/{id}/log":    {get: s.stream},
		"/api/agents/wait":        {post: s.tool("wait_agent", nil)},

		"/api/roles":            {get: s.tool("list_roles", nil)},
		"/api/roles/{id}/check": {post: order(s, checkRole)},
		"/api/roles/check":      {post: order(s, checkRole)},

		"/api/tasks":             {get: s.word(listTasks), post: s.tool("submit_task", nil)},
		"/api/tasks/{id}":        {get: s.tool("get_task", in("taskId")), remove: s.tool("cancel_task", in("taskId"), "reason")},
		"/api/tasks/{id}/resume": {post: order(s, resume)},

		"/api/messages":     {get: s.word(listMessages), post: s.tool("send_message", nil)},
		"/api/messages/log": {get: s.word(listLog)},

		"/api/crew":      {get: s.word(crew)},
		"/api/approvals": {get: s.word(approvals), post: order(s, resume)},
		"/api/cost":      {get: s.word(cost)},
		"/api/status":    {get: s.word(status)},
		"/api/events":    {get: s.events},
	}
}

func listGroups(_ *http.Request, q *query) messages.Message {
	return messages.ListGroups{Deleted: q.yes("deleted"), Limit: int(q.number("limit", 500))}
}

func getGroup(r *http.Request, _ *query) messages.Message {
	return messages.GetGroup{Group: messages.GroupID(r.PathValue("id"))}
}

func listTasks(_ *http.Request, q *query) messages.Message {
	status := q.choice("status", "queued", "running", "waiting", "completed", "failed", "cancelled", "timed_out")
	return messages.ListTasks{Status: messages.TaskStatus(status), Limit: int(q.number("limit", 500))}
}

func listMessages(_ *http.Request, q *query) messages.Message {
	return messages.ListMessages{Task: messages.TaskID(q.text("task")), Since: q.number("since", 1<<62), Limit: int(q.number("limit", 1000))}
}

func listLog(_ *http.Request, q *query) messages.Message {
	return messages.ListLog{Level: messages.Level(q.choice("level", "debug", "info", "warn", "error")), Limit: int(q.number("limit", 1000))}
}

func crew(*http.Request, *query) messages.Message      { return messages.GetCrew{} }
func approvals(*http.Request, *query) messages.Message { return messages.ListApprovals{} }
func status(*http.Request, *query) messages.Message    { return messages.GetStatus{} }

func cost(_ *http.Request, q *query) messages.Message {
	return messages.GetCost{By: q.choice("by", "persona", "role", "group", "task", "driver", "model", "day")}
}
