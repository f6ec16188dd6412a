package api

import (
	"net/http"

	"kurogo/messages"
)

const (
	get    = http.MethodGet
	post   = http.MethodPost
	patch  = http.MethodPatch
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
		"/api/roles/{id}":       {post: order(s, changeRole)},
		"/api/roles/{id}/check": {post: order(s, checkRole)},
		"/api/roles/check":      {post: order(s, checkRole)},

		"/api/tasks":             {get: s.word(listTasks), post: s.tool("submit_task", nil)},
		"/api/tasks/{id}":        {get: s.tool("get_task", in("taskId")), remove: s.tool("cancel_task", in("taskId"), "reason")},
		"/api/tasks/{id}/resume": {post: order(s, resume)},

		"/api/messages":     {get: s.word(listMessages), post: s.tool("send_message", nil)},
		"/api/messages/log": {get: s.word(listLog)},

		"/api/evaluations":       {get: s.word(evaluations.list), post: s.orderEvaluation},
		"/api/evaluations/{id}":  {get: s.getEvaluation, remove: evaluations.cancel(s)},
		"/api/jobs/{id}/entries": {get: s.entries},

		"/api/runs":            {get: s.word(runs.list), post: s.orderRun},
		"/api/runs/{id}":       {get: s.getRun, remove: runs.cancel(s)},
		"/api/runs/{id}/trace": {get: s.traceRun},
		"/api/runs/{id}/undo":  {post: order(s, undoRun)},
		"/api/stats":           {get: s.word(getStats)},

		"/api/chat":                {post: s.chat},
		"/api/sessions":            {get: s.talk(listSessions), post: s.openSession},
		"/api/sessions/{id}":       {get: s.talk(getSession), remove: s.talk(dropSession)},
		"/api/sessions/{id}/title": {patch: order(s.spoken(), nameSession)},
		"/api/sessions/{id}/logs":  {get: s.talk(getSessionLog)},

		"/api/index":        {get: s.word(indexStatus)},
		"/api/index/search": {post: order(s, searchIndex)},

		"/api/crew":         {get: s.word(crew)},
		"/api/history":      {get: s.whole(listHistory)},
		"/api/history/{id}": {get: s.whole(getPast)},
		"/api/ledger":       {get: s.word(ledger)},
		"/api/settings":     {get: s.word(settings)},

		"/api/approvals":      {get: s.word(approvals), post: order(s, resume)},
		"/api/approvals/{id}": {post: order(s, answerApproval)},
		"/api/cost":           {get: s.word(cost)},
		"/api/status":         {get: s.word(status)},
		"/api/events":         {get: s.events},
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
	return messages.ListTasks{Status: messages.TaskStatus(status), Of: messages.TaskOwners(q.choice("of", "crew", "agents")), Limit: int(q.number("limit", 500))}
}

func listMessages(_ *http.Request, q *query) messages.Message {
	return messages.ListMessages{Task: messages.TaskID(q.text("task")), Group: messages.GroupID(q.text("group")), Since: q.number("since", 1<<62), Limit: int(q.number("limit", 1000))}
}

func listLog(_ *http.Request, q *query) messages.Message {
	return messages.ListLog{Level: messages.Level(q.choice("level", "debug", "info", "warn", "error")), Limit: int(q.number("limit", 1000))}
}

func crew(*http.Request, *query) messages.Message      { return messages.GetCrew{} }
func approvals(*http.Request, *query) messages.Message { return messages.ListApprovals{} }
func status(*http.Request, *query) messages.Message    { return messages.GetStatus{} }

func ledger(_ *http.Request, q *query) messages.Message {
	return messages.GetLedger{Task: messages.TaskID(q.text("task"))}
}

func settings(*http.Request, *query) messages.Message { return messages.GetSettings{} }

func listHistory(_ *http.Request, q *query) messages.Message {
	return messages.ListHistory{
		Group: messages.GroupID(q.text("group")), Role: q.text("role"), Status: messages.AgentStatus(q.text("status")), Find: q.text("find"),
		Sort: q.text("sort"), Until: q.number("until", 1<<62), Offset: int(q.number("offset", 1<<31)), Limit: int(q.number("limit", 500)),
	}
}

func getPast(r *http.Request, _ *query) messages.Message {
	return messages.GetAgent{Agent: messages.AgentID(r.PathValue("id"))}
}

func cost(_ *http.Request, q *query) messages.Message {
	return messages.GetCost{By: q.choice("by", "persona", "role", "group", "task", "driver", "model", "day")}
}
