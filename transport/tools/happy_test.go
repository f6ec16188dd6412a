package tools_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kurogo/messages"
)

var (
	owner = messages.Caller{Client: "cursor", Dir: "/home/me/project"}
	actor = messages.Caller{Agent: "impl-code-1-aaaa", Client: "claude-code", Dir: "/home/me/project"}

	queued  = messages.Agent{ID: "impl-code-1-a3f2", Group: "grp-1-b4e1", Role: "impl-code", Model: "sonnet", Status: messages.AgentQueued}
	working = messages.Agent{
		ID: "impl-code-1-a3f2", Group: "grp-1-b4e1", Role: "impl-code", Model: "sonnet", Status: messages.AgentRunning, StartedAt: noon,
		Run: messages.Run{ToolCalls: 3, Last: "I begin <now>", Recent: []messages.RecentCall{
			{ID: "c1", Type: "read", Subtype: "completed", Args: `{"path":"a.go"}`}, {ID: "c2", Type: "bash", Subtype: "started", Args: `{"cmd":"x`},
		}},
	}
	reported = messages.Agent{
		ID: "impl-test-1-0001", Group: "grp-1-b4e1", Role: "impl-test", Model: "gpt", Status: messages.AgentReported, Outcome: messages.AgentFailed,
		StartedAt: noon, EndedAt: noon.Add(1500 * time.Millisecond),
	}
	done = messages.Task{
		ID: "t1", Root: "t1", Requester: "user", Owner: "grand_boss", Request: "m1", Status: messages.Completed, Content: "do it", Result: "done",
		CreatedAt: noon, StartedAt: noon.Add(time.Second), FinishedAt: noon.Add(2 * time.Second),
	}
)

const (
	bornA = `{"agentId":"impl-code-1-a3f2","groupId":"grp-1-b4e1","role":"impl-code","model":"sonnet","status":"queued"}`
	bornB = `{"agentId":"b","groupId":"grp-1-b4e1","role":"impl-code","model":"sonnet","status":"queued"}`
)

// Every tool: what it asks of the house, and to the letter what it answers.
func TestEveryTool(t *testing.T) {
	second := queued
	second.ID = "b"
	order := messages.Order{Role: "impl-code", Prompt: "do it"}
	for _, story := range []struct {
		tool, args string
		who        messages.Caller
		asks       messages.Message
		house      messages.Message
		says       string
	}{
		{
			tool: "create_group", args: `{"description":"認証","idempotency_key":"k"}`,
			asks:  messages.CreateGroup{Description: "認証", Key: "k", By: owner},
			house: messages.Group{ID: "grp-1-b4e1", Description: "認証", Status: messages.GroupActive, CreatedAt: noon, CreatedBy: "user"},
			says:  `{"groupId":"grp-1-b4e1","description":"認証","createdAt":"2026-02-13T12:00:00.000Z","status":"active"}`,
		},
		{
			tool: "delete_group", args: `{"groupId":"grp-1-b4e1"}`,
			asks:  messages.DeleteGroup{Group: "grp-1-b4e1", By: owner},
			house: messages.Group{ID: "grp-1-b4e1", Status: messages.GroupDeleted},
			says:  `{"deleted":true,"groupId":"grp-1-b4e1"}`,
		},
		{
			tool: "run_agent", args: `{"groupId":"grp-1-b4e1","role":"impl-code","prompt":"do it","workingDirectory":"sub/../lib","timeout_ms":1e3,"idempotency_key":"k"}`,
			asks: messages.RunAgents{Group: "grp-1-b4e1", Key: "k", By: owner, Stages: [][]messages.Order{{
				{Role: "impl-code", Prompt: "do it", Dir: "/home/me/project/lib", Timeout: time.Second},
			}}},
			house: messages.Agents{Agents: []messages.Agent{queued}, Total: 1},
			says:  bornA,
		},
		{
			tool: "run_agent", args: `{"groupId":"grp-1-b4e1","role":"impl-code","prompt":"do it"}`, who: actor,
			asks:  messages.RunAgents{Group: "grp-1-b4e1", By: actor, Stages: [][]messages.Order{{order}}},
			house: messages.Agents{Agents: []messages.Agent{queued}, Total: 1},
			says:  bornA,
		},
		{
			tool: "run_agents", args: `{"groupId":"grp-1-b4e1","agents":[{"role":"impl-code","prompt":"do it"},{"role":"impl-code","prompt":"do it","workingDirectory":"/else//where"}]}`,
			asks: messages.RunAgents{Group: "grp-1-b4e1", By: owner, Stages: [][]messages.Order{{
				order, {Role: "impl-code", Prompt: "do it", Dir: "/else/where"},
			}}},
			house: messages.Agents{Agents: []messages.Agent{queued, second}, Total: 2},
			says:  `{"agents":[` + bornA + `,` + bornB + `],"total":2}`,
		},
		{
			tool: "run_sequential", args: `{"groupId":"grp-1-b4e1","stages":[{"tasks":[{"role":"impl-code","prompt":"do it"}]},{"tasks":[{"role":"impl-code","prompt":"do it"}]}]}`,
			asks:  messages.RunAgents{Group: "grp-1-b4e1", By: owner, Stages: [][]messages.Order{{order}, {order}}},
			house: messages.Agents{Agents: []messages.Agent{queued, second}, Total: 2},
			says: `{"groupId":"grp-1-b4e1","totalStages":2,"currentStageIndex":0,"stages":[{"stageIndex":0,"agentIds":["impl-code-1-a3f2"]},` +
				`{"stageIndex":1,"agentIds":["b"]}],"agents":[` + bornA + `,` + bornB + `],"total":2}`,
		},
		{
			tool: "run_sequential", args: `{"groupId":"grp-1-b4e1","stages":[{"tasks":[{"role":"impl-test","prompt":"do it"}]},{"tasks":[{"role":"impl-code","prompt":"do it"}]}],"idempotency_key":"again"}`,
			asks:  messages.RunAgents{Group: "grp-1-b4e1", By: owner, Key: "again", Stages: [][]messages.Order{{{Role: "impl-test", Prompt: "do it"}}, {order}}},
			house: messages.Agents{Agents: []messages.Agent{reported, queued}, Total: 2},
			says: `{"groupId":"grp-1-b4e1","totalStages":2,"currentStageIndex":1,"stages":[{"stageIndex":0,"agentIds":["impl-test-1-0001"]},` +
				`{"stageIndex":1,"agentIds":["impl-code-1-a3f2"]}],"agents":[{"agentId":"impl-test-1-0001","groupId":"grp-1-b4e1","role":"impl-test","model":"gpt","status":"result_reported"},` +
				bornA + `],"total":2}`,
		},
		{
			tool: "list_agents", args: `{"groupId":"grp-1-b4e1","status":"running"}`,
			asks:  messages.ListAgents{Group: "grp-1-b4e1", Status: "running", Limit: 1000, By: owner},
			house: messages.Agents{Agents: []messages.Agent{working, queued, reported}, Total: 7},
			says: `{"agents":[` +
				`{"agentId":"impl-code-1-a3f2","groupId":"grp-1-b4e1","role":"impl-code","model":"sonnet","status":"running","outcome":null,"startedAt":"2026-02-13T12:00:00.000Z","elapsed_ms":15000,"toolCallCount":3},` +
				`{"agentId":"impl-code-1-a3f2","groupId":"grp-1-b4e1","role":"impl-code","model":"sonnet","status":"queued","outcome":null,"startedAt":null,"elapsed_ms":0,"toolCallCount":0},` +
				`{"agentId":"impl-test-1-0001","groupId":"grp-1-b4e1","role":"impl-test","model":"gpt","status":"result_reported","outcome":"failed","startedAt":"2026-02-13T12:00:00.000Z","elapsed_ms":1500,"toolCallCount":0}],"total":7}`,
		},
		{
			tool: "list_agents", args: ``,
			asks:  messages.ListAgents{Limit: 1000, By: owner},
			house: messages.Agents{},
			says:  `{"agents":[],"total":0}`,
		},
		{
			tool: "get_agent_status", args: `{"agentId":"impl-code-1-a3f2"}`,
			asks:  messages.GetAgent{Agent: "impl-code-1-a3f2", By: owner},
			house: messages.AgentDetail{Agent: working},
			says: `{"agentId":"impl-code-1-a3f2","groupId":"grp-1-b4e1","role":"impl-code","model":"sonnet","status":"running","outcome":null,"startedAt":"2026-02-13T12:00:00.000Z","elapsed_ms":15000,"toolCallCount":3,` +
				`"lastAssistantMessage":"I begin <now>","recentToolCalls":[{"callId":"c1","type":"read","subtype":"completed","args":{"path":"a.go"}},{"callId":"c2","type":"bash","subtype":"started","args":"{\"cmd\":\"x"}],"result":null}`,
		},
		{
			tool: "get_agent_status", args: `{"agentId":"impl-test-1-0001"}`,
			asks: messages.GetAgent{Agent: "impl-test-1-0001", By: owner},
			house: messages.AgentDetail{Agent: reported, Result: &messages.AgentResult{
				Agent: "impl-test-1-0001", Group: "grp-1-b4e1", Status: messages.ResultFailure, Summary: "no luck", Duration: 1500, Model: "gpt", Role: "impl-test",
				Error: "exit 1", Timestamp: noon.Add(1500 * time.Millisecond),
			}},
			says: `{"agentId":"impl-test-1-0001","groupId":"grp-1-b4e1","role":"impl-test","model":"gpt","status":"result_reported","outcome":"failed","startedAt":"2026-02-13T12:00:00.000Z","elapsed_ms":1500,"toolCallCount":0,` +
				`"lastAssistantMessage":"","recentToolCalls":[],"result":{"agentId":"impl-test-1-0001","groupId":"grp-1-b4e1","status":"failure","summary":"no luck","editedFiles":[],"createdFiles":[],` +
				`"duration_ms":1500,"model":"gpt","role":"impl-test","toolCallCount":0,"errorMessage":"exit 1","timestamp":"2026-02-13T12:00:01.500Z"}}`,
		},
		{
			tool: "report_result", args: `{"agentId":"impl-code-1-aaaa","status":"success","summary":"it works","response":"all of it","editedFiles":["a.go"],"createdFiles":[],"errorMessage":""}`, who: actor,
			asks: messages.ReportResult{Agent: "impl-code-1-aaaa", By: actor, Report: messages.Report{
				Status: messages.ResultSuccess, Summary: "it works", Response: "all of it", Edited: []string{"a.go"}, Created: []string{},
			}},
			house: messages.Reported{Agent: "impl-code-1-aaaa"},
			says:  `{"registered":true,"agentId":"impl-code-1-aaaa"}`,
		},
		{
			tool: "list_roles", args: `{}`,
			asks: messages.ListRoles{},
			house: messages.Roles{Checking: 1, Roles: []messages.RoleState{
				{
					Role: messages.Role{ID: "impl-code", Name: "コード実装者", Driver: "cursor", Model: "sonnet", SystemPrompt: "secret"}, Available: true,
					Health:   messages.HealthCheck{Status: messages.HealthPassed, ResponseTime: 1200, CheckedAt: noon},
					Validity: messages.ModelValidation{Status: messages.ModelValid, CheckedAt: noon},
				},
				{
					Role:     messages.Role{ID: "research", Driver: "codex", Model: "nope"},
					Health:   messages.HealthCheck{Status: messages.HealthSkipped, Reason: "no such model"},
					Validity: messages.ModelValidation{Status: messages.ModelInvalid, Message: "nope is not there", CheckedAt: noon, AvailableModels: []string{"gpt"}},
				},
			}},
			says: `{"roles":[{"id":"impl-code","name":"コード実装者","driver":"cursor","model":"sonnet","available":true,` +
				`"healthCheck":{"status":"passed","reason":null,"responseTime_ms":1200,"checkedAt":"2026-02-13T12:00:00.000Z"},` +
				`"modelValidation":{"status":"valid","message":null,"checkedAt":"2026-02-13T12:00:00.000Z","availableModels":[]}},` +
				`{"id":"research","name":"","driver":"codex","model":"nope","available":false,` +
				`"healthCheck":{"status":"skipped","reason":"no such model","responseTime_ms":0,"checkedAt":null},` +
				`"modelValidation":{"status":"invalid","message":"nope is not there","checkedAt":"2026-02-13T12:00:00.000Z","availableModels":["gpt"]}}]}`,
		},
		{
			tool: "cancel_agent", args: `{"agentId":"impl-code-1-a3f2","reason":"wrong branch"}`,
			asks:  messages.CancelAgent{Agent: "impl-code-1-a3f2", Reason: "wrong branch", By: owner},
			house: messages.Agent{ID: "impl-code-1-a3f2", Status: messages.AgentCancelled, Outcome: messages.AgentCancelled},
			says:  `{"cancelled":true,"agentId":"impl-code-1-a3f2","status":"cancelled"}`,
		},
		{
			tool: "cancel_agent", args: `{"agentId":"impl-test-1-0001"}`,
			asks:  messages.CancelAgent{Agent: "impl-test-1-0001", By: owner},
			house: reported,
			says:  `{"cancelled":false,"agentId":"impl-test-1-0001","status":"result_reported"}`,
		},
		{
			tool: "send_message", args: `{"to":"grand_boss","content":"hello","type":"info","thinking":"why not","metadata":{"priority":"high","ttl":60,"correlation_id":"c","timestamp":"now","retry_count":2},"from":"user"}`,
			asks: messages.Submit{Message: messages.CCMessage{
				ID: "m1", From: "user", To: "grand_boss", Type: messages.Info, Content: "hello", Thinking: "why not",
				Metadata: messages.Metadata{Priority: messages.High, TTL: 60, CorrelationID: "c"},
			}},
			house: messages.Accepted{Message: "m1"},
			says:  `{"messageId":"m1","accepted":true}`,
		},
		{
			tool: "send_message", args: `{"to":"grand_boss","content":"help","from":"impl-code-1-aaaa"}`, who: actor,
			asks: messages.Submit{Message: messages.CCMessage{
				ID: "m1", From: "agent:impl-code-1-aaaa", To: "grand_boss", Type: messages.TaskRequest, Content: "help",
			}},
			house: messages.Accepted{Message: "m1", Task: "t1", Status: messages.Queued},
			says:  `{"messageId":"m1","accepted":true}`,
		},
		{
			tool: "submit_task", args: `{"content":"do it","to":"grand_boss","priority":"low","deadline_s":90,"idempotency_key":"k"}`,
			asks: messages.Submit{Key: "k", Deadline: 90 * time.Second, Message: messages.CCMessage{
				ID: "m1", From: "user", To: "grand_boss", Type: messages.TaskRequest, Content: "do it", Metadata: messages.Metadata{Priority: messages.Low},
			}},
			house: messages.Accepted{Message: "m1", Task: "t1", Status: messages.Queued},
			says:  `{"taskId":"t1","status":"queued"}`,
		},
		{
			tool: "get_task", args: `{"taskId":"t1"}`,
			asks: messages.GetTask{Task: "t1"},
			house: messages.TaskTree{Task: done, Below: []messages.Task{
				{ID: "t2", Parent: "t1", Requester: "grand_boss", Owner: "middle_manager", Status: messages.Cancelled, Content: "part"},
			}},
			says: `{"taskId":"t1","parentId":null,"from":"user","to":"grand_boss","status":"completed","priority":"normal","content":"do it","result":"done","code":null,"openSubtasks":0,` +
				`"createdAt":"2026-02-13T12:00:00.000Z","startedAt":"2026-02-13T12:00:01.000Z","finishedAt":"2026-02-13T12:00:02.000Z","deadline":null,` +
				`"subtasks":[{"taskId":"t2","parentId":"t1","from":"grand_boss","to":"middle_manager","status":"cancelled","content":"part","result":null}]}`,
		},
		{
			tool: "cancel_task", args: `{"taskId":"t1","reason":"late"}`,
			asks:  messages.CancelTask{Task: "t1", Reason: "late"},
			house: messages.TaskTree{Task: messages.Task{ID: "t1", Requester: "user", Owner: "grand_boss", Status: messages.Cancelled, Code: messages.CodeCancelled, CreatedAt: noon, Priority: messages.Low}},
			says: `{"taskId":"t1","parentId":null,"from":"user","to":"grand_boss","status":"cancelled","priority":"low","content":"","result":null,"code":"cancelled","openSubtasks":0,` +
				`"createdAt":"2026-02-13T12:00:00.000Z","startedAt":null,"finishedAt":null,"deadline":null,"subtasks":[]}`,
		},
	} {
		t.Run(story.tool, func(t *testing.T) {
			if story.who.Dir == "" {
				story.who = owner
			}
			h := newHouse(gives(story.house, nil))
			c := catalogue(h)
			got, err := call(t, c, story.who, story.tool, story.args)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]messages.Message{story.asks}, h.questions()); diff != "" {
				t.Errorf("it asked (-want +got):\n%s", diff)
			}
			if got != story.says {
				t.Errorf("it said\n%s, want\n%s", got, story.says)
			}
			for _, tool := range c.Tools(messages.Caller{}) {
				if tool.Name == story.tool {
					conforms(t, tool.Answer, got)
					if story.args != "" {
						conforms(t, tool.Schema, story.args)
					}
				}
			}
		})
	}
}

// A word has one face, whether a tool shows it or somebody else.
func TestShow(t *testing.T) {
	c := catalogue(newHouse(nil))
	for _, story := range []struct {
		word     messages.Message
		has, not string
	}{
		{working, `"elapsed_ms":15000`, `"prompt"`},
		{messages.AgentDetail{Agent: working}, `"result":null`, `"prompt"`},
		{messages.Agents{}, `"agents":[]`, `null`},
		{done, `"taskId":"t1"`, `root_id`},
		{messages.TaskTree{Task: done}, `"subtasks":[]`, `root_id`},
		{messages.Tasks{}, `"tasks":[]`, `null`},
		{messages.Groups{Groups: []messages.Group{{}}}, `"agents":{}`, `idempotency`},
		{messages.Roles{}, `"roles":[]`, `null`},
		{messages.Conversation{}, `"messages":[]`, `null`},
		{messages.Status{Version: "v1"}, `"version":"v1"`, `null`},
	} {
		text, err := json.Marshal(c.Show(story.word))
		if err != nil || !strings.Contains(string(text), story.has) || strings.Contains(string(text), story.not) {
			t.Errorf("%T is shown as %s, %v", story.word, text, err)
		}
	}
}

// What the house is asked crosses a socket: every word of it has a kind.
func TestEveryWordTravels(t *testing.T) {
	for _, m := range []messages.Message{
		messages.CreateGroup{},
		messages.DeleteGroup{},
		messages.RunAgents{},
		messages.ListAgents{},
		messages.GetAgent{},
		messages.ReportResult{},
		messages.ListRoles{},
		messages.CancelAgent{},
		messages.Submit{},
		messages.GetTask{},
		messages.CancelTask{},
		messages.LendSlot{},
		messages.GetStatus{},
		messages.ListMessages{},
	} {
		if messages.KindOf(m) == "" {
			t.Errorf("%T cannot be sent", m)
		}
	}
}

// An answer of the wrong kind is a bug of ours, and said as one.
func TestAHouseThatAnswersSomethingElse(t *testing.T) {
	_, err := call(t, catalogue(newHouse(gives(messages.Done{}, nil))), owner, "create_group", `{"description":"x"}`)
	wantError(t, err, messages.CodeInternal, "", "create_group was answered with messages.Done")
	_, err = call(t, catalogue(newHouse(gives(messages.Agents{}, nil))), owner, "run_agent", `{"groupId":"g","role":"r","prompt":"p"}`)
	wantError(t, err, messages.CodeInternal, "", "accepted nobody")
}

// A bug costs one answer.
func TestAHouseThatPanics(t *testing.T) {
	c := catalogue(newHouse(func(messages.Message) (messages.Message, error) { panic("a bug") }))
	_, err := c.Call(t.Context(), owner, messages.ToolCall{Name: "list_roles", Input: json.RawMessage(`{}`)}, nil)
	wantError(t, err, messages.CodeInternal, "", "list_roles: a bug")
}
