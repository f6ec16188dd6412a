package main_test

import (
	"slices"
	"strings"
	"testing"
)

// The SDK's own client over its own WebSocket does all there is to do at the
// second address, the token in the query.
func TestCLIWebSocketClient(t *testing.T) {
	t.Parallel()
	npm(t, "@modelcontextprotocol/sdk")
	th, s := rehearse(t, "")
	token := strings.TrimSpace(th.run("token"))
	p, greeting := connect(t, th, s.WebSocket, token)
	if at(greeting.Result, "name") != "kurogo" {
		t.Fatalf("greeted with %+v", greeting)
	}
	t.Run("every tool", func(t *testing.T) {
		var names []string
		listed, _ := p.end(t, p.tell(t, map[string]any{"list": true})).Result["tools"].([]any)
		for _, tool := range listed {
			names = append(names, at(tool, "name"))
		}
		if want := catalogue(); !slices.Equal(names, want) {
			t.Fatalf("listed %q, want %q", names, want)
		}
		visit(t, p.legacy) // the SDK holds every answer against its schema, now that it knows it
	})
	t.Run("numbers of errors", func(t *testing.T) { refusals(t, p) })
	t.Run("a wait is given up", func(t *testing.T) { giveUp(t, p) })
	t.Run("forty waits", func(t *testing.T) { crowdOfWaits(t, p) })
	t.Run("the first address", func(t *testing.T) {
		first, greeting := connect(t, th, s.HTTP, token)
		if greeting.Error != nil {
			t.Fatalf("%+v", *greeting.Error)
		}
		visit(t, first.call)
	})
	for name, token := range map[string]string{"a wrong token": "c2VjcmV0", "no token": ""} {
		t.Run(name, func(t *testing.T) {
			for _, address := range []string{s.WebSocket, s.HTTP} {
				if _, greeting := connect(t, th, address, token); greeting.Error == nil {
					t.Errorf("%s let it in: %+v", address, greeting.Result)
				}
			}
		})
	}
}

// refusals are told by the numbers of the documents.
func refusals(t *testing.T, p *peer) {
	t.Helper()
	group := at(p.must(t, "create_group", `{"description":"numbers"}`), "groupId")
	idler := at(p.must(t, "run_agent", `{"groupId":"`+group+`","role":"impl-code","prompt":"take your time"}`), "agentId")
	for _, c := range []struct {
		tool, input string
		number      int
		data        map[string]string
	}{
		{"get_agent_status", `{"agentId":"nobody-1-dead"}`, -32000, map[string]string{"agent_id": "nobody-1-dead", "code": "not_found"}},
		{"wait_agent", `{"agentIds":["nobody-1-dead"]}`, -32000, map[string]string{"agent_id": "nobody-1-dead"}},
		{"cancel_agent", `{"agentId":"nobody-1-dead"}`, -32000, map[string]string{"agent_id": "nobody-1-dead"}},
		{"delete_group", `{"groupId":"grp-1-dead"}`, -32000, map[string]string{"agent_id": "", "field": "groupId"}},
		{"create_group", `{}`, -32602, map[string]string{"field": "description", "code": "invalid"}},
		{"wait_agent", `{"agentIds":[]}`, -32602, map[string]string{"field": "agentIds"}},
		{"run_agent", `{"groupId":"` + group + `","role":"impl-code","prompt":"x","model":"mine"}`, -32602, map[string]string{"field": "model"}},
		{"delete_group", `{"groupId":"` + group + `"}`, -32603, map[string]string{"code": "conflict"}},
		{"send_message", `{"to":"grand_boss","content":"x","from":"middle_manager"}`, -32603, map[string]string{"code": "denied", "field": "from"}},
		{"no_such_tool", `{}`, -32602, nil},
	} {
		h := p.end(t, p.use(t, c.tool, c.input))
		if h.Error == nil || h.Error.Code != c.number {
			t.Errorf("%s %s: %+v, want %d", c.tool, c.input, h, c.number)
			continue
		}
		for field, want := range c.data {
			if got := at(h.Error.Data, field); got != want {
				t.Errorf("%s %s: %s is %q, want %q", c.tool, c.input, field, got, want)
			}
		}
	}
	p.must(t, "cancel_agent", `{"agentId":"`+idler+`"}`)
}

// giveUp withdraws a wait once it is known to wait. The agent goes on, and the
// same call waits for it again.
func giveUp(t *testing.T, p *peer) {
	t.Helper()
	group := at(p.must(t, "create_group", `{"description":"given up"}`), "groupId")
	idler := at(p.must(t, "run_agent", `{"groupId":"`+group+`","role":"impl-code","prompt":"take your time"}`), "agentId")
	wait := p.use(t, "wait_agent", `{"agentIds":["`+idler+`"]}`)
	if h := p.next(t, wait); h.Progress == nil {
		t.Fatalf("it does not wait: %+v", h)
	}
	p.write(t, map[string]any{"withdraw": wait})
	if h := p.end(t, wait); h.Error == nil {
		t.Errorf("it was not given up: %+v", h)
	}
	eventually(t, "the agent works", func() bool {
		return at(p.must(t, "get_agent_status", `{"agentId":"`+idler+`"}`), "status") == "running"
	})
	again := p.use(t, "wait_agent", `{"agentIds":["`+idler+`"]}`)
	if h := p.next(t, again); h.Progress == nil {
		t.Fatalf("it does not wait again: %+v", h)
	}
	p.must(t, "cancel_agent", `{"agentId":"`+idler+`"}`)
	if h := p.end(t, again); at(h.Result, "structuredContent.completed.0.status") != "cancelled" {
		t.Errorf("waited in vain: %+v", h)
	}
}

// crowdOfWaits: while forty calls wait on one connection, another is answered.
func crowdOfWaits(t *testing.T, p *peer) {
	t.Helper()
	group := at(p.must(t, "create_group", `{"description":"a crowd"}`), "groupId")
	idler := at(p.must(t, "run_agent", `{"groupId":"`+group+`","role":"impl-code","prompt":"take your time"}`), "agentId")
	waits := make([]int, 40)
	for i := range waits {
		waits[i] = p.use(t, "wait_agent", `{"agentIds":["`+idler+`"]}`)
	}
	for _, wait := range waits {
		if h := p.next(t, wait); h.Progress == nil {
			t.Fatalf("it does not wait: %+v", h)
		}
	}
	if roles := p.must(t, "list_roles", `{}`); at(roles, "roles.0.id") != "impl-code" {
		t.Errorf("beside the waits: %v", roles)
	}
	p.must(t, "cancel_agent", `{"agentId":"`+idler+`"}`)
	for _, wait := range waits {
		if h := p.end(t, wait); at(h.Result, "structuredContent.completed.0.status") != "cancelled" {
			t.Errorf("waited in vain: %+v", h)
		}
	}
}
