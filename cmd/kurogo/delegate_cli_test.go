package main_test

import (
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"kurogo/drivers/modeltest"
	"kurogo/messages"
)

// A door is a way by which a client comes in: it has the entry written that the
// client reads.
type door func(*company) (entry string)

// pipe is what a newcomer does, and nothing else: kurogo mcp starts the owner.
func pipe(c *company) string {
	c.run("mcp", "install", "claude")
	return filepath.Join(c.project, ".mcp.json")
}

func request(c *company) string {
	return c.introduce(func(s messages.Status, token string) map[string]any {
		return map[string]any{"type": "http", "url": "http://" + s.HTTP + "/mcp", "headers": map[string]string{"Authorization": "Bearer " + token}}
	})
}

func socket(address func(messages.Status) string) door {
	return func(c *company) string {
		return c.introduce(func(s messages.Status, token string) map[string]any {
			return map[string]any{"type": "ws", "url": "ws://" + address(s) + "/mcp?token=" + url.QueryEscape(token)}
		})
	}
}

// A real Claude Code hands work to a real Claude Code and a real Codex, waits for
// both, reads what they report and what their streams have shown, and closes the
// group: through every door.
func TestCLIDelegate(t *testing.T) {
	t.Parallel()
	for name, enter := range map[string]door{
		"stdio":                           pipe,
		"HTTP":                            request,
		"WebSocket":                       socket(func(s messages.Status) string { return s.HTTP }),
		"WebSocket at the second address": socket(func(s messages.Status) string { return s.WebSocket }),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCompany(t)
			verse, gate, plan := filepath.Join(c.project, "verse.txt"), filepath.Join(c.project, "gate.txt"), c.write("plan.txt", "before\n")
			c.agents.Add(
				does(scribe, writes(verse), reports("The verse is written."), speaks("Done.")),
				does(smith, patches("gate.txt", "plan.txt"), reports("The gate is forged."), speaks("Done.")))
			c.client.Add(errand())
			said := <-c.delegate(enter(c))
			for _, want := range []string{
				"The verse is written.", "The gate is forged.", `"status":"result_reported","outcome":"completed"`, verse, gate, plan, `"deleted":true`,
			} {
				if !strings.Contains(said, want) {
					t.Errorf("the client does not say %q: %s", want, said)
				}
			}
			c.audit(map[string]deposit{
				"scribe": {summary: "The verse is written.", created: []string{verse}, lastLine: "result", priced: true},
				"smith":  {summary: "The gate is forged.", created: []string{gate}, edited: []string{plan}, lastLine: "turn.completed"},
			})
			c.sound()
		})
	}
}

// Over HTTP this client gives a call up that is silent for a minute. While it is
// told how things go, it waits.
func TestCLIDelegateForMoreThanAMinute(t *testing.T) {
	t.Parallel()
	c := newCompany(t)
	slow := func(modeltest.Request, messages.AgentID) modeltest.Step {
		return modeltest.Step{Delay: 65 * time.Second, Text: "It took its time."}
	}
	c.agents.Add(does(scribe, slow), does(smith, speaks("Done.")))
	c.client.Add(errand())
	said := <-c.delegate(request(c))
	if !strings.Contains(said, "It took its time.") || !strings.Contains(said, `"timedOut":false`) || !strings.Contains(said, `"deleted":true`) {
		t.Errorf("the client says %s", said)
	}
}

// The owner is killed while a client waits for agents. The client's kurogo mcp
// finds the next owner, the call is answered, and the client goes on.
func TestCLIDelegateAcrossAFall(t *testing.T) {
	t.Parallel()
	c := newCompany(t)
	c.agents.Add(does(scribe, hangs), does(smith, hangs))
	c.client.Add(errand())
	said := c.delegate(pipe(c))
	c.awaits(scribe)
	c.awaits(smith)
	eventually(t, "the client waits", func() bool {
		return slices.ContainsFunc(c.client.Requests(), func(r modeltest.Request) bool { return r.Step() == 2 })
	})
	<-time.After(time.Second) // until its call has arrived: the delay is the experiment
	before := c.serving()
	if err := syscall.Kill(before.Pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	text := <-said
	for _, want := range []string{`"status":"lost"`, `"outcome":"lost"`, `"timedOut":false`, `"deleted":true`} {
		if !strings.Contains(text, want) {
			t.Errorf("the client does not say %q: %s", want, text)
		}
	}
	if after := c.serving(); after.Pid == before.Pid || after.Store != before.Store {
		t.Errorf("the owner was %+v and is %+v", before, after)
	}
	c.sound()
}

// An agent sees its own group and speaks for itself, whatever its model asks for.
func TestCLIAnAgentIsNobodyElse(t *testing.T) {
	t.Parallel()
	c := newCompany(t)
	c.agents.Add(does(smith, speaks("Done.")))
	c.run("serve", "--detach")
	theirs, ours := c.opens("theirs"), c.opens("ours")
	stranger, comrade := c.orders(theirs, "smith"), c.orders(ours, "smith")
	c.ends(stranger)
	c.ends(comrade)
	try := func(tool string, input map[string]any) deed {
		return uses("mcp__kurogo__"+tool, func(messages.AgentID) map[string]any { return input })
	}
	c.agents.Add(does(scribe,
		try("list_agents", map[string]any{}),
		try("list_agents", map[string]any{"groupId": theirs}),
		try("get_agent_status", map[string]any{"agentId": stranger}),
		try("run_agent", map[string]any{"groupId": theirs, "role": "smith", "prompt": "Join me."}),
		try("report_result", map[string]any{"agentId": comrade, "status": "failure", "summary": "It is no good."}),
		try("create_group", map[string]any{"description": "mine"}),
		try("wait_agent", map[string]any{"agentIds": []messages.AgentID{comrade}}),
		reports("I have looked around."), speaks("Done.")))
	me := c.orders(ours, "scribe")
	if a := c.ends(me); a.Status != messages.AgentReported || a.Result.Summary != "I have looked around." {
		t.Errorf("%+v, result %+v", a.Agent, a.Result)
	}
	told := c.told(scribe)
	if len(told) != 8 {
		t.Fatalf("the agent's tools answered %q", told)
	}
	if !strings.Contains(told[0], string(comrade)) || !strings.Contains(told[0], string(me)) || strings.Contains(told[0], string(stranger)) {
		t.Errorf("it sees %s", told[0])
	}
	for i, want := range []string{1: "denied: ", 2: "denied: ", 3: "denied: ", 4: "denied: ", 5: "No such tool", 6: string(comrade), 7: `"registered":true`} {
		if !strings.Contains(told[i], want) {
			t.Errorf("answer %d is %s, want %s", i, told[i], want)
		}
	}
	if a := c.look(comrade); a.Status != messages.AgentCompleted || a.Result.Summary != "Done." {
		t.Errorf("somebody reported for %+v, result %+v", a.Agent, a.Result)
	}
	if groups, err := ask[messages.Groups](t.Context(), c.theatre, messages.ListGroups{}); err != nil || len(groups.Groups) != 2 {
		t.Errorf("%+v, %v", groups, err)
	}
	c.sound()
}
