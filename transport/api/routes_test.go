package api_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kurogo/messages"
	"kurogo/transport/api"
)

const bornA = `{"agentId":"a","groupId":"g","role":"r","model":"m","status":"queued"}`

var (
	queued = messages.Agent{ID: "a", Group: "g", Role: "r", Model: "m", Status: messages.AgentQueued}
	listed = `{"agents":[{"agentId":"a","groupId":"g","role":"r","model":"m","status":"queued","outcome":null,"startedAt":null,"elapsed_ms":0,"toolCallCount":0}],"total":1}`
	group  = messages.Group{ID: "g", Description: "d", Status: messages.GroupActive, CreatedBy: "user", CreatedAt: noon, Agents: map[messages.AgentStatus]int{messages.AgentQueued: 1}}
	task   = messages.Task{ID: "t", Root: "t", Requester: "user", Owner: "grand_boss", Status: messages.Queued, Content: "c", CreatedAt: noon}
)

const (
	groupJSON = `{"groupId":"g","description":"d","createdAt":"2026-02-13T12:00:00.000Z","status":"active","createdBy":"user","deletedAt":null,"agents":{"queued":1}}`
	taskJSON  = `{"taskId":"t","parentId":null,"from":"user","to":"grand_boss","status":"queued","priority":"normal","content":"c","result":null,"code":null,"openSubtasks":0,` +
		`"createdAt":"2026-02-13T12:00:00.000Z","startedAt":null,"finishedAt":null,"deadline":null`
)

type story struct {
	line  string // METHOD path body
	route string // if it differs from the line's
	asks  messages.Message
	house messages.Message
	data  string
}

var stories = []story{
	{
		line: "GET /api/groups?deleted=true&limit=5", asks: messages.ListGroups{Deleted: true, Limit: 5},
		house: messages.Groups{Groups: []messages.Group{group}}, data: `{"groups":[` + groupJSON + `]}`,
	},
	{line: "GET /api/groups", asks: messages.ListGroups{}, house: messages.Groups{}, data: `{"groups":[]}`},
	{
		line: `POST /api/groups {"description":"d","idempotency_key":"k"}`, asks: messages.CreateGroup{Description: "d", Key: "k", By: owner},
		house: group, data: `{"groupId":"g","description":"d","createdAt":"2026-02-13T12:00:00.000Z","status":"active"}`,
	},
	{line: "GET /api/groups/g", route: "GET /api/groups/{id}", asks: messages.GetGroup{Group: "g"}, house: group, data: groupJSON},
	{
		line: "DELETE /api/groups/g", route: "DELETE /api/groups/{id}", asks: messages.DeleteGroup{Group: "g", By: owner},
		house: messages.Group{ID: "g", Status: messages.GroupDeleted}, data: `{"deleted":true,"groupId":"g"}`,
	},
	{
		line: "GET /api/groups/g/agents?status=running", route: "GET /api/groups/{id}/agents", asks: messages.ListAgents{Group: "g", Status: "running", Limit: 1000, By: owner},
		house: messages.Agents{Agents: []messages.Agent{queued}, Total: 1}, data: listed,
	},
	{
		line: `POST /api/groups/g/agents {"agents":[{"role":"r","prompt":"p","workingDirectory":"src","timeout_ms":5000}]}`, route: "POST /api/groups/{id}/agents",
		asks: messages.RunAgents{Group: "g", By: owner, Stages: [][]messages.Order{{
			{Role: "r", Prompt: "p", Dir: "/home/me/src", Timeout: 5 * time.Second},
		}}},
		house: messages.Agents{Agents: []messages.Agent{queued}, Total: 1}, data: `{"agents":[` + bornA + `],"total":1}`,
	},
	{
		line: `POST /api/groups/g/sequences {"stages":[{"tasks":[{"role":"r","prompt":"p"}]}]}`, route: "POST /api/groups/{id}/sequences",
		asks:  messages.RunAgents{Group: "g", By: owner, Stages: [][]messages.Order{{{Role: "r", Prompt: "p"}}}},
		house: messages.Agents{Agents: []messages.Agent{queued}, Total: 1},
		data:  `{"groupId":"g","totalStages":1,"currentStageIndex":0,"stages":[{"stageIndex":0,"agentIds":["a"]}],"agents":[` + bornA + `],"total":1}`,
	},
	{
		line: "GET /api/agents?groupId=g&status=all", asks: messages.ListAgents{Group: "g", Status: "all", Limit: 1000, By: owner},
		house: messages.Agents{Agents: []messages.Agent{queued}, Total: 1}, data: listed,
	},
	{
		line: "GET /api/agents/a", route: "GET /api/agents/{id}", asks: messages.GetAgent{Agent: "a", By: owner}, house: messages.AgentDetail{Agent: queued},
		data: `{"agentId":"a","groupId":"g","role":"r","model":"m","status":"queued","outcome":null,"startedAt":null,"elapsed_ms":0,"toolCallCount":0,"lastAssistantMessage":"","recentToolCalls":[],"result":null}`,
	},
	{
		line: "DELETE /api/agents/a?reason=wrong+branch", route: "DELETE /api/agents/{id}", asks: messages.CancelAgent{Agent: "a", Reason: "wrong branch", By: owner},
		house: messages.Agent{ID: "a", Status: messages.AgentCancelled}, data: `{"cancelled":true,"agentId":"a","status":"cancelled"}`,
	},
	{
		line: `POST /api/agents/a/result {"status":"success","summary":"s"}`, route: "POST /api/agents/{id}/result",
		asks:  messages.ReportResult{Agent: "a", Report: messages.Report{Status: messages.ResultSuccess, Summary: "s"}, By: owner},
		house: messages.Reported{Agent: "a"}, data: `{"registered":true,"agentId":"a"}`,
	},
	{
		line: "GET /api/roles", asks: messages.ListRoles{}, house: messages.Roles{}, data: `{"roles":[]}`,
	},
	{
		line: `POST /api/roles/r {"model":"m","name":null,"base":"b","dry_run":true}`, route: "POST /api/roles/{id}",
		asks:  messages.ChangeRole{Edit: messages.RoleEdit{ID: "r", Model: new("m")}, Base: "b", DryRun: true},
		house: messages.RoleChanged{Path: "/p", Base: "c", Diff: "+x"}, data: `{"path":"/p","base":"c","diff":"+x","applied":false}`,
	},
	{line: `POST /api/roles/r/check`, route: "POST /api/roles/{id}/check", asks: messages.CheckRoles{Role: "r"}, house: messages.Done{}, data: `{}`},
	{line: `POST /api/roles/check {}`, asks: messages.CheckRoles{}, house: messages.Done{}, data: `{}`},
	{
		line: "GET /api/tasks?status=waiting&of=crew&limit=500", asks: messages.ListTasks{Status: messages.Waiting, Of: messages.CrewTasks, Limit: 500},
		house: messages.Tasks{Tasks: []messages.Task{task}}, data: `{"tasks":[` + taskJSON + `}]}`,
	},
	{
		line:  `POST /api/tasks {"content":"c","deadline_s":1}`,
		asks:  messages.Submit{Deadline: time.Second, Message: messages.CCMessage{ID: "m1", From: "user", Type: messages.TaskRequest, Content: "c"}},
		house: messages.Accepted{Message: "m1", Task: "t", Status: messages.Queued}, data: `{"taskId":"t","status":"queued"}`,
	},
	{
		line: "GET /api/tasks/t", route: "GET /api/tasks/{id}", asks: messages.GetTask{Task: "t"}, house: messages.TaskTree{Task: task}, data: taskJSON + `,"subtasks":[]}`,
	},
	{
		line: "DELETE /api/tasks/t?reason=late", route: "DELETE /api/tasks/{id}", asks: messages.CancelTask{Task: "t", Reason: "late"},
		house: messages.TaskTree{Task: task}, data: taskJSON + `,"subtasks":[]}`,
	},
	{
		line: `POST /api/tasks/t/resume {"micros":500000}`, route: "POST /api/tasks/{id}/resume", asks: messages.ResumeTask{Task: "t", Micros: 500_000},
		house: messages.Resumed{Granted: 500_000, Released: 2}, data: `{"granted_micros":500000,"released":2}`,
	},
	{
		line: "GET /api/messages?task=t&group=g&since=4&limit=10", asks: messages.ListMessages{Task: "t", Group: "g", Since: 4, Limit: 10},
		house: messages.Conversation{Next: 9, Messages: []messages.CCMessage{{ID: "m", From: "user", To: "x", Type: messages.Info, Content: "<b>"}}},
		data: `{"messages":[{"id":"m","from_agent":"user","to_agent":"x","type":"info","content":"\u003cb\u003e",` +
			`"metadata":{"timestamp":"0001-01-01T00:00:00Z","priority":"","retry_count":0},"timestamp":"0001-01-01T00:00:00Z"}],"next":9}`,
	},
	{
		line:  `POST /api/messages {"to":"grand_boss","content":"c"}`,
		asks:  messages.Submit{Message: messages.CCMessage{ID: "m1", From: "user", To: "grand_boss", Type: messages.TaskRequest, Content: "c"}},
		house: messages.Accepted{Message: "m1", Task: "t"}, data: `{"messageId":"m1","accepted":true}`,
	},
	{line: "GET /api/messages/log?level=warn&limit=3", asks: messages.ListLog{Level: messages.Warn, Limit: 3}, house: messages.CommunicationLog{}, data: `{"rows":[]}`},
	{
		line:  "GET /api/history?group=g&role=r&status=failed&find=a+b&sort=-tools&until=9&offset=20&limit=10",
		asks:  messages.ListHistory{Group: "g", Role: "r", Status: messages.AgentFailed, Find: "a b", Sort: "-tools", Until: 9, Offset: 20, Limit: 10},
		house: messages.History{Agents: []messages.Agent{}, Groups: []messages.Group{}, Roles: []string{"r"}, Total: 3, Until: 9},
		data:  `{"agents":[],"groups":[],"roles":["r"],"total":3,"until":9}`,
	},
	{
		line: "GET /api/history/a", route: "GET /api/history/{id}", asks: messages.GetAgent{Agent: "a"},
		house: messages.AgentDetail{Agent: messages.Agent{ID: "a", QueuedAt: noon, Run: messages.Run{Argv: []string{"claude", "-p"}}}},
		data: `{"agentId":"a","groupId":"","role":"","driver":"","model":"","status":"","taskId":"","stage":0,"waiting":"","workingDirectory":"","timeout":0,"isolation":"","createdBy":"",` +
			`"queuedAt":"2026-02-13T12:00:00Z","prompt":"","run":{"toolCallCount":0,"lastAssistantMessage":"","exitCode":0,"argv":["claude","-p"]},"rehearsal":false,"result":null}`,
	},
	{
		line: "GET /api/ledger?task=t", asks: messages.GetLedger{Task: "t"},
		house: messages.Ledger{Rows: []messages.LedgerRow{{Task: "t", Turns: 2, Attempts: 3, Micros: 4}}},
		data:  `{"rows":[{"task_id":"t","turns":2,"attempts":3,"micros":4,"input_tokens":0,"output_tokens":0}]}`,
	},
	{
		line: "GET /api/settings", asks: messages.GetSettings{}, house: messages.Settings{Tables: []messages.SettingTable{}, Connections: []messages.Connection{}},
		data: `{"path":"","tables":[],"budget":{"day_limit_micros":0,"day_spent_micros":0,"task_limit_micros":0,"turn_limit_micros":0},"connections":[]}`,
	},
	{
		line:  "GET /api/evaluations?status=failed&session=s&before=e9&limit=3",
		asks:  messages.ListJobs{Kind: messages.JobEvaluation, Status: messages.JobFailed, Session: "s", Before: "e9", Limit: 3},
		house: messages.Jobs{Jobs: []messages.Job{}, Total: 7}, data: `{"jobs":[],"total":7}`,
	},
	{
		line: "GET /api/index", asks: messages.GetIndexStatus{}, house: messages.IndexStatus{Root: "/p", Files: 2, StaleFiles: []string{}},
		data: `{"root":"/p","files":2,"chunks":0,"terms":0,"parsed":0,"syncing":false,"queued":0,"stale_files":[],"embedded":0}`,
	},
	{
		line: `POST /api/index/search {"query":"q","filters":{"path_prefix":"src"}}`, asks: messages.Search{Query: "q", Filters: messages.SearchFilters{PathPrefix: "src"}},
		house: messages.Found{Chunks: []messages.Chunk{}, StaleFiles: []string{"a"}}, data: `{"chunks":[],"stale_files":["a"]}`,
	},
	{line: "GET /api/crew", asks: messages.GetCrew{}, house: messages.Crew{}, data: `{"members":[]}`},
	{line: "GET /api/approvals", asks: messages.ListApprovals{}, house: messages.Approvals{}, data: `{"approvals":[]}`},
	{line: `POST /api/approvals {}`, asks: messages.ResumeTask{}, house: messages.Resumed{}, data: `{"granted_micros":0,"released":0}`},
	{line: "GET /api/cost?by=model", asks: messages.GetCost{By: "model"}, house: messages.Cost{By: "model"}, data: `{"by":"model","rows":[]}`},
	{
		line: "GET /api/status", asks: messages.GetStatus{}, house: messages.Status{Version: "v1", StartedAt: noon, LastEvent: 7},
		data: `{"version":"v1","schema":0,"store":"","pid":0,"state_dir":"","config":"","started_at":"2026-02-13T12:00:00Z","rehearsal":false,"open_tasks":0,"last_event":7}`,
	},
}

// Every route: what it asks of the house, and to the letter what it answers.
func TestEveryRoute(t *testing.T) {
	var told []string
	for _, s := range slices.Concat(stories, chatStories, runStories) {
		if s.route == "" {
			method, rest, _ := strings.Cut(s.line, " ")
			path, _, _ := strings.Cut(rest, " ")
			path, _, _ = strings.Cut(path, "?")
			s.route = method + " " + path
		}
		told = append(told, s.route)
		t.Run(s.line, func(t *testing.T) {
			h := gives(s.house, nil)
			w := do(serve(h, owner), request(s.line))
			if want := `{"ok":true,"data":` + s.data + `,"error":null}`; w.Code != http.StatusOK || w.Body.String() != want {
				t.Errorf("%d %s, want\n%s", w.Code, w.Body, want)
			}
			if diff := cmp.Diff([]messages.Message{s.asks}, h.questions()); diff != "" {
				t.Errorf("it asked (-want +got):\n%s", diff)
			}
			if w.Header().Get("Content-Type") != "application/json" || w.Header().Get("X-Content-Type-Options") != "nosniff" || w.Header().Get("Cache-Control") != "no-store" {
				t.Errorf("headers %v", w.Header())
			}
		})
	}
	told = append(told, "GET /api/events", "GET /api/agents/{id}/log", "POST /api/agents/wait",
		"POST /api/evaluations", "GET /api/evaluations/{id}", "DELETE /api/evaluations/{id}", "GET /api/jobs/{id}/entries", "POST /api/chat",
		"POST /api/runs", "GET /api/runs/{id}", "DELETE /api/runs/{id}", "GET /api/runs/{id}/trace") // have tests of their own
	for _, route := range api.Routes() {
		if !slices.Contains(told, route) {
			t.Errorf("%s has no story", route)
		}
	}
}

// What is the owner's is not for agents; where their tools are, the catalogue
// decides.
func TestAgentsHaveTheirTools(t *testing.T) {
	for _, s := range slices.Concat(stories, chatStories, runStories) {
		h := gives(s.house, nil)
		w := do(serve(h, actor), request(s.line))
		agents := false
		for _, mine := range []string{"/agents", "/sequences", "/roles", "POST /api/messages"} {
			agents = agents || strings.Contains(s.line, mine) && !strings.HasPrefix(s.line, "DELETE") && s.route != "POST /api/roles/{id}" && !strings.Contains(s.line, "check") && !strings.Contains(s.line, "result")
		}
		if agents {
			if w.Code != http.StatusOK {
				t.Errorf("%s: %d %s", s.line, w.Code, w.Body)
			}
			continue
		}
		if e := refused(t, w); w.Code != http.StatusForbidden || e.Code != messages.CodeDenied || e.Field == "" || e.Remedy == "" || len(h.questions()) > 0 {
			t.Errorf("%s: %d %+v after %v", s.line, w.Code, e, h.questions())
		}
	}
}
