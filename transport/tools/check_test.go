package tools_test

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"kurogo/messages"
	"kurogo/transport/tools"
)

// What never reaches the house, by field; each with a remedy.
func TestArgumentsThatAreRefused(t *testing.T) {
	long := func(n int) string { return `"` + strings.Repeat("x", n) + `"` }
	const run = `{"groupId":"g","role":"r","prompt":`
	for _, story := range []struct{ tool, args, field, says string }{
		{"create_group", ``, "description", "it is missing"},
		{"create_group", `null`, "description", "it is missing"},
		{"create_group", `[]`, "arguments", "it is a list, and wants to be an object"},
		{"create_group", `{"description":"x"} {}`, "arguments", "something follows"},
		{"create_group", `{"description":`, "arguments", "they are not JSON"},
		{"create_group", "{\"description\":\"\xff\"}", "arguments", "not UTF-8"},
		{"create_group", `{"description":" \n"}`, "description", "it is empty"},
		{"create_group", `{"description":7}`, "description", "it is a number, and wants to be a text"},
		{"create_group", `{"description":null}`, "description", "it is null, and wants to be a text"},
		{"create_group", `{"description":"a\u0000b"}`, "description", "a NUL"},
		{"create_group", `{"description":` + long(2001) + `}`, "description", "2001 characters are more than 2000"},
		{"create_group", `{"description":"x","Description":"y"}`, "Description", "no such argument. Remedy: leave it out; there are description, idempotency_key"},
		{"create_group", `{"description":"x","idempotency_key":null}`, "idempotency_key", "it is null. Remedy: leave it out, or give a text"},
		{"create_group", `{"description":"x","idempotency_key":` + long(201) + `}`, "idempotency_key", "201 characters"},
		{"create_group", `{"":1}`, `""`, "no such argument"},
		{"list_roles", `{"all":true}`, "all", "leave it out: there are none"},
		{"delete_group", `{}`, "groupId", "give a text: the groupId that create_group gave"},
		{"run_agent", run + `"p","model":"opus"}`, "model", "cannot be chosen. Remedy: leave it out: the role decides"},
		{"run_agent", run + `""}`, "prompt", "it is empty"},
		{"run_agent", run + long(1<<20+1) + `}`, "prompt", "1048577 bytes are over the limit message_bytes = 1048576. Remedy: shorten it, or raise limits.message_bytes"},
		{"run_agent", run + `"` + strings.Repeat("黒", 400_000) + `"}`, "prompt", "1200000 bytes are over the limit"},
		{"run_agent", run + long(5<<20) + `}`, "arguments", "are over 4194304"},
		{"run_agent", run + `"p","timeout_ms":999}`, "timeout_ms", "999 is out of range. Remedy: give a whole number from 1000 to 86400000"},
		{"run_agent", run + `"p","timeout_ms":86400001}`, "timeout_ms", "out of range"},
		{"run_agent", run + `"p","timeout_ms":-1}`, "timeout_ms", "-1 is out of range"},
		{"run_agent", run + `"p","timeout_ms":1.5}`, "timeout_ms", "1.5 is no whole number"},
		{"run_agent", run + `"p","timeout_ms":1e400}`, "timeout_ms", "1e400 is no whole number"},
		{"run_agent", run + `"p","timeout_ms":"60000"}`, "timeout_ms", "it is a text, and wants to be a whole number"},
		{"run_agent", run + `"p","workingDirectory":""}`, "workingDirectory", "it is empty"},
		{"run_agents", `{"groupId":"g","agents":[]}`, "agents", "it is empty. Remedy: give a list of 1 to 100"},
		{"run_agents", `{"groupId":"g","agents":{"role":"r"}}`, "agents", "it is an object, and wants to be a list"},
		{"run_agents", `{"groupId":"g","agents":[{"role":"r","prompt":"p"},{"role":"r"}]}`, "agents[1].prompt", "it is missing"},
		{"run_agents", `{"groupId":"g","agents":[{"role":"r","prompt":"p","model":"m"}]}`, "agents[0].model", "the role decides"},
		{"run_agents", `{"groupId":"g","agents":[` + strings.Repeat(`{"role":"r","prompt":"p"},`, 100) + `{"role":"r","prompt":"p"}]}`, "agents", "101 are more than 100"},
		{"run_sequential", `{"groupId":"g","stages":[{"tasks":[]}]}`, "stages[0].tasks", "it is empty"},
		{"run_sequential", `{"groupId":"g","stages":[{"tasks":[{"role":"r","prompt":"p","mode":1}]}]}`, "stages[0].tasks[0].mode", "no such argument"},
		{"list_agents", `{"status":"lost"}`, "status", `"lost" is not among the choices. Remedy: use one of running, completed, failed, all`},
		{"get_agent_status", `{"agentId":["a"]}`, "agentId", "it is a list"},
		{"wait_agent", `{"agentIds":[]}`, "agentIds", "it is empty. Remedy: give a list of 1 to 100: the agents to wait for"},
		{"wait_agent", `{"agentIds":"a"}`, "agentIds", "it is a text, and wants to be a list"},
		{"wait_agent", `{"agentIds":[1]}`, "agentIds[0]", "it is a number"},
		{"wait_agent", `{"agentIds":["a"],"mode":"some"}`, "mode", "use one of all, any"},
		{"wait_agent", `{"agentIds":["a"],"timeout_ms":0}`, "timeout_ms", "give a whole number from 1"},
		{"wait_agent", `{"agentIds":["a"],"timeout_ms":99999999999999999999}`, "timeout_ms", "is no whole number"},
		{"report_result", `{"agentId":"a","status":"done","summary":"s"}`, "status", "use one of success, failure, timeout, cancelled"},
		{"report_result", `{"agentId":"a","status":"success"}`, "summary", "it is missing"},
		{"report_result", `{"agentId":"a","status":"success","summary":"s","editedFiles":"a.go"}`, "editedFiles", "wants to be a list"},
		{"report_result", `{"agentId":"a","status":"success","summary":"s","response":` + long(1<<20+1) + `}`, "response", "message_bytes"},
		{"send_message", `{"to":"x","content":"c","type":"shout"}`, "type", "use one of task_request, "},
		{"send_message", `{"to":"x","content":"c","thinking":` + long(100<<10+1) + `}`, "thinking", "the limit thinking_bytes = 102400"},
		{"send_message", `{"to":"x","content":"c","metadata":{"priority":"asap"}}`, "metadata.priority", "use one of low, normal, high, urgent"},
		{"send_message", `{"to":"x","content":"c","metadata":{"colour":1}}`, "metadata.colour", "no such argument"},
		{"send_message", `{"to":"x","content":"c","wait":"yes"}`, "wait", "it is a text, and wants to be true or false"},
		{"send_message", `{"to":"x","content":"c","type":"info","wait":true}`, "wait", "nobody answers a message of type info"},
		{"submit_task", `{"content":"c","deadline_s":2592001}`, "deadline_s", "out of range"},
		{"submit_task", `{"content":"c","priority":1}`, "priority", "it is a number"},
	} {
		t.Run(story.tool+" "+messages.Cut(story.args, 60), func(t *testing.T) {
			h := newHouse(gives(nil, errors.New("it was asked")))
			_, err := call(t, catalogue(h), owner, story.tool, story.args)
			wantError(t, err, messages.CodeInvalid, story.field, story.says)
			if asked := h.questions(); len(asked) > 0 {
				t.Errorf("the house was asked %v", asked)
			}
		})
	}
}

// A whole number may come in any dress.
func TestNumbers(t *testing.T) {
	for _, n := range []string{"1000", "1000.0", "1e3", "100e1"} {
		h := newHouse(gives(messages.Agents{Agents: []messages.Agent{queued}}, nil))
		if _, err := call(t, catalogue(h), owner, "run_agent", `{"groupId":"g","role":"r","prompt":"p","timeout_ms":`+n+`}`); err != nil {
			t.Errorf("%s: %v", n, err)
		} else if got := h.questions()[0].(messages.RunAgents).Stages[0][0].Timeout.Milliseconds(); got != 1000 {
			t.Errorf("%s is %d", n, got)
		}
	}
}

// The limits are those of the configuration.
func TestLimitsAreConfigured(t *testing.T) {
	l := messages.DefaultLimits()
	l.MessageBytes = 4
	c := tools.New(newHouse(nil), tools.Options{Limits: l})
	_, err := call(t, c, owner, "submit_task", `{"content":"12345"}`)
	wantError(t, err, messages.CodeInvalid, "content", "limit message_bytes = 4")
}

// A relative directory counts from where the client works. Who does not say that
// must not get ours.
func TestWorkingDirectory(t *testing.T) {
	nowhere := messages.Caller{}
	for _, story := range []struct{ tool, args, field string }{
		{"run_agent", `{"groupId":"g","role":"r","prompt":"p","workingDirectory":"src"}`, "workingDirectory"},
		{"run_agents", `{"groupId":"g","agents":[{"role":"r","prompt":"p"},{"role":"r","prompt":"p","workingDirectory":"./src"}]}`, "agents[1].workingDirectory"},
		{"run_sequential", `{"groupId":"g","stages":[{"tasks":[{"role":"r","prompt":"p"}]},{"tasks":[{"role":"r","prompt":"p","workingDirectory":".."}]}]}`, "stages[1].tasks[0].workingDirectory"},
	} {
		_, err := call(t, catalogue(newHouse(nil)), nowhere, story.tool, story.args)
		wantError(t, err, messages.CodeInvalid, story.field, "is relative", "give an absolute path")
	}
}

// What the house refuses names the arguments of the tool, and what helps.
func TestRefusalsOfTheHouse(t *testing.T) {
	at := func(code messages.Code, field string) *messages.Error {
		return &messages.Error{Code: code, Field: field, Message: "no"}
	}
	const (
		one    = `{"groupId":"g","role":"r","prompt":"p"}`
		many   = `{"groupId":"g","agents":[{"role":"r","prompt":"p"},{"role":"r","prompt":"p"}]}`
		stages = `{"groupId":"g","stages":[{"tasks":[{"role":"r","prompt":"p"}]},{"tasks":[{"role":"r","prompt":"p"},{"role":"r","prompt":"p"}]}]}`
	)
	for i, story := range []struct {
		tool, args string
		house      *messages.Error
		field      string
		says       string
	}{
		{"delete_group", `{"groupId":"g"}`, at(messages.CodeNotFound, ""), "groupId", "create_group"},
		{"delete_group", `{"groupId":"g"}`, at(messages.CodeConflict, ""), "groupId", "wait_agent"},
		{"delete_group", `{"groupId":"g"}`, at(messages.CodeConflict, "").Try("do this"), "groupId", "Remedy: do this"},
		{"create_group", `{"description":"d"}`, at(messages.CodeConflict, ""), "idempotency_key", "new idempotency_key"},
		{"run_agent", one, at(messages.CodeNotFound, "role"), "role", "list_roles"},
		{"run_agent", one, at(messages.CodeConflict, ""), "groupId", "new group"},
		{"run_agent", one, at(messages.CodeUnavailable, "stages[0][0].role"), "role", "list_roles"},
		{"run_agent", one, at(messages.CodeInvalid, "stages[0][0].workingDirectory"), "workingDirectory", ""},
		{"run_agent", one, at(messages.CodeBusy, ""), "", "wait_agent"},
		{"run_agent", one, at(messages.CodeDenied, ""), "groupId", "your own group"},
		{"run_agents", many, at(messages.CodeInvalid, "stages[0][1].workingDirectory"), "agents[1].workingDirectory", ""},
		{"run_agents", many, at(messages.CodeInvalid, "stages[0][1]"), "agents[1]", ""},
		{"run_agents", many, at(messages.CodeInvalid, "agents[1].prompt"), "agents[1].prompt", ""},
		{"run_agents", many, at(messages.CodeNotFound, "role"), "role", ""},
		{"run_agents", `{"groupId":"g","agents":[{"role":"r","prompt":"p"}]}`, at(messages.CodeNotFound, "role"), "agents[0].role", ""},
		{"run_sequential", `{"groupId":"g","stages":[{"tasks":[{"role":"r","prompt":"p"}]}]}`, at(messages.CodeNotFound, "role"), "stages[0].tasks[0].role", ""},
		{"run_sequential", `{"groupId":"g","stages":[{"tasks":[{"role":"r","prompt":"p"},{"role":"r","prompt":"p"}]}]}`, at(messages.CodeNotFound, "agents[1].role"), "stages[0].tasks[1].role", ""},
		{"run_sequential", stages, at(messages.CodeNotFound, "stages[1].tasks[0].role"), "stages[1].tasks[0].role", ""},
		{"run_sequential", stages, at(messages.CodeInvalid, "stages[1]"), "stages[1]", ""},
		{"run_sequential", stages, at(messages.CodeNotFound, "stages[1][1].role"), "stages[1].tasks[1].role", ""},
		{"get_agent_status", `{"agentId":"a"}`, at(messages.CodeNotFound, ""), "agentId", "list_agents"},
		{"get_agent_status", `{"agentId":"a"}`, at(messages.CodeDenied, ""), "agentId", "own group"},
		{"report_result", `{"agentId":"a","status":"success","summary":"s"}`, at(messages.CodeDenied, ""), "agentId", "your own agentId"},
		{"cancel_agent", `{"agentId":"a"}`, at(messages.CodeNotFound, ""), "agentId", "list_agents"},
		{"send_message", `{"to":"x","content":"c"}`, at(messages.CodeNotFound, ""), "to", "grand_boss"},
		{"submit_task", `{"content":"c","to":"x"}`, at(messages.CodeDenied, ""), "to", "leave to out"},
		{"get_task", `{"taskId":"t"}`, at(messages.CodeNotFound, ""), "taskId", "submit_task"},
		{"list_roles", `{}`, at(messages.CodeUnavailable, ""), "", "kurogo doctor"},
	} {
		t.Run(strconv.Itoa(i)+" "+story.tool, func(t *testing.T) {
			before := *story.house
			_, err := call(t, catalogue(newHouse(gives(nil, story.house))), owner, story.tool, story.args)
			wantError(t, err, story.house.Code, story.field, story.says)
			if *story.house != before {
				t.Error("it changed the house's own error")
			}
		})
	}
}

// Nobody speaks in another's name.
func TestInWhoseName(t *testing.T) {
	for _, story := range []struct {
		who               messages.Caller
		tool, args, field string
	}{
		{owner, "send_message", `{"to":"x","content":"c","from":"grand_boss"}`, "from"},
		{actor, "send_message", `{"to":"x","content":"c","from":"user"}`, "from"},
		{actor, "send_message", `{"to":"x","content":"c","from":"agent:other"}`, "from"},
		{actor, "report_result", `{"agentId":"other","status":"success","summary":"s"}`, "agentId"},
	} {
		h := newHouse(gives(nil, errors.New("it was asked")))
		_, err := call(t, catalogue(h), story.who, story.tool, story.args)
		wantError(t, err, messages.CodeDenied, story.field)
		if len(h.questions()) > 0 {
			t.Errorf("the house was asked %v", h.questions())
		}
	}
	_, err := call(t, catalogue(newHouse(nil)), actor, "wait_agent", `{"agentIds":["b","impl-code-1-aaaa"]}`)
	wantError(t, err, messages.CodeInvalid, "agentIds", "wait for itself")
}
