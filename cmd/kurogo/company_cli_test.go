package main_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kurogo/drivers/modeltest"
	"kurogo/drivers/process"
	"kurogo/messages"
)

// A company is a project with two roles, each played by a real CLI before a
// scripted model, and a client, a real Claude Code before another one.
type company struct {
	*theatre
	claude string
	client *modeltest.Server
	agents *modeltest.Server
}

// What the two roles are told that they are.
const (
	scribe = "You are SCRIBE, who writes."
	smith  = "You are SMITH, who patches."
)

func newCompany(t *testing.T) *company {
	t.Helper()
	claude, codex := cli(t, "claude"), cli(t, "codex")
	c := &company{newTheatre(t), claude, modeltest.New(t), modeltest.New(t)}
	c.write("kurogo.toml", fmt.Sprintf(`language = "en"
driver = "rehearsal"
[server]
listen = "127.0.0.1:0"
mcp_websocket_listen = "127.0.0.1:0"
[drivers.claude]
command = %q
config = "isolated"
env = { ANTHROPIC_BASE_URL = %q, ANTHROPIC_API_KEY = "key-of-agents" }
[drivers.codex]
command = %q
config = "isolated"
env = { OPENAI_BASE_URL = %q, OPENAI_API_KEY = "key-of-agents" }
[roles.scribe]
driver = "claude"
model = "claude-haiku-4-5"
system_prompt = %q
[roles.smith]
driver = "codex"
system_prompt = %q
`, claude, c.agents.URL, codex, c.agents.URL+"/v1", scribe, smith))
	t.Cleanup(func() {
		c.run("stop")
		eventually(t, "every process is gone", func() bool { return len(traces(c.home)) == 0 })
	})
	return c
}

func (c *company) write(name, text string) string {
	c.Helper()
	file := filepath.Join(c.project, name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		c.Fatal(err)
	}
	return file
}

// serving is what the owner says of itself.
func (c *company) serving() messages.Status {
	c.Helper()
	s, err := ask[messages.Status](c.Context(), c.theatre, messages.GetStatus{})
	if err != nil {
		c.Fatal(err)
	}
	return s
}

// introduce starts an owner and writes the client's entry for its address.
func (c *company) introduce(entry func(s messages.Status, token string) map[string]any) (file string) {
	c.Helper()
	c.run("serve", "--detach")
	text, err := json.Marshal(map[string]any{"mcpServers": map[string]any{
		"kurogo": entry(c.serving(), strings.TrimSpace(c.run("token"))),
	}})
	if err != nil {
		c.Fatal(err)
	}
	return c.write("servers.json", string(text))
}

// delegate runs the client; what it says last comes when it has ended.
func (c *company) delegate(entry string) <-chan string {
	said := make(chan string, 1)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		said <- c.work(entry)
	}()
	c.Cleanup(func() { <-ended }) // its context has ended by then
	return said
}

func (c *company) work(entry string) string {
	k := exec.CommandContext(c.Context(), c.claude, "--print", "--mcp-config", entry, "--strict-mcp-config", "--allowedTools=mcp__kurogo",
		"--output-format", "stream-json", "--verbose", "Have it done.")
	k.Dir, k.WaitDelay = c.project, 5*time.Second // something may hold its output open
	k.Env = []string{
		"HOME=" + c.home, "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "TERM=dumb", "KUROGO_STATE_DIR=" + c.state,
		"CLAUDE_CONFIG_DIR=" + filepath.Join(c.home, "client"), "CLAUDE_CODE_TMPDIR=" + filepath.Join(c.home, "client"),
		"ANTHROPIC_BASE_URL=" + c.client.URL, "ANTHROPIC_API_KEY=key-of-client", "CLAUDE_CODE_MAX_RETRIES=0",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1", "DISABLE_TELEMETRY=1", "ENABLE_TOOL_SEARCH=false",
	}
	out, err := k.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			out = append(out, exit.Stderr...)
		}
		c.Errorf("the client: %v\n%s", err, out)
		return ""
	}
	var last struct{ Type, Result string }
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &last); err != nil || last.Type != "result" {
		c.Errorf("the client ended with %s", lines[len(lines)-1])
	}
	return last.Result
}

// awaits waits until a role's model is asked.
func (c *company) awaits(role string) {
	c.Helper()
	ctx, cancel := context.WithTimeout(c.Context(), patience)
	defer cancel()
	if _, ok := c.agents.Await(ctx.Done(), modeltest.Who(role)); !ok {
		c.Fatalf("nobody asks the model: %s", role)
	}
}

// told is what the tools of a role's last turn have answered.
func (c *company) told(role string) (answers []string) {
	var last modeltest.Request
	for _, r := range c.agents.Requests() {
		if r.Says(role) {
			last = r
		}
	}
	for _, m := range last.Messages {
		answers = append(answers, m.Results...)
	}
	return answers
}

// look is what is known of an agent.
func (c *company) look(id messages.AgentID) messages.AgentDetail {
	c.Helper()
	a, err := ask[messages.AgentDetail](c.Context(), c.theatre, messages.GetAgent{Agent: id})
	if err != nil {
		c.Fatal(err)
	}
	return a
}

// sound asks for the invariants, and whether a process of an agent is left.
func (c *company) sound() {
	c.Helper()
	c.run("doctor", "--journal")
	store := c.store()
	eventually(c.T, "no agent is left", func() bool { return len(process.Find(store)) == 0 })
}

// opens makes a group for the owner.
func (c *company) opens(description string) messages.GroupID {
	c.Helper()
	g, err := ask[messages.Group](c.Context(), c.theatre, messages.CreateGroup{Description: description})
	if err != nil {
		c.Fatal(err)
	}
	return g.ID
}

// orders has an agent run for the owner.
func (c *company) orders(group messages.GroupID, role string) messages.AgentID {
	c.Helper()
	run, err := ask[messages.Agents](c.Context(), c.theatre, messages.RunAgents{
		Group: group, Stages: [][]messages.Order{{{Role: role, Prompt: "Do it."}}},
	})
	if err != nil {
		c.Fatal(err)
	}
	return run.Agents[0].ID
}

// ends waits for an agent's end.
func (c *company) ends(id messages.AgentID) messages.AgentDetail {
	c.Helper()
	eventually(c.T, "the agent ends", func() bool { return c.look(id).Status.Final() })
	return c.look(id)
}

// A deposit is what must be there when an agent has done its work.
type deposit struct {
	summary         string
	created, edited []string
	lastLine        string // of its stream: the type
	priced          bool   // its CLI tells what it costs
}

// audit compares what is known of the agents, by their roles, with what must be.
func (c *company) audit(want map[string]deposit) {
	c.Helper()
	all, err := ask[messages.Agents](c.Context(), c.theatre, messages.ListAgents{})
	if err != nil || all.Total != len(want) {
		c.Fatalf("there are %d agents: %v", all.Total, err)
	}
	bill := c.run("cost", "--by", "persona", "--json")
	for _, one := range all.Agents {
		a, w := c.look(one.ID), want[one.Role]
		if a.Status != messages.AgentReported || a.Outcome != messages.AgentCompleted || a.Result.Status != messages.ResultSuccess || a.Result.Summary != w.summary {
			c.Errorf("%s: %+v, result %+v", a.ID, a.Agent, a.Result)
		}
		if !slices.Equal(a.Run.Created, w.created) || !slices.Equal(a.Run.Edited, w.edited) {
			c.Errorf("%s made %q and changed %q, want %+v", a.ID, a.Run.Created, a.Run.Edited, w)
		}
		for _, file := range slices.Concat(w.created, w.edited) {
			if text, err := os.ReadFile(file); err != nil || string(text) != content {
				c.Errorf("%s: %v: %q", file, err, text)
			}
		}
		if r := a.Run; r.InputTokens != 300 || r.OutputTokens != 60 || (r.CostMicros > 0) != w.priced || r.ToolCalls != 2 { // of three answers
			c.Errorf("%s: %+v", a.ID, r)
		}
		if !strings.Contains(bill, string(a.ID)) {
			c.Errorf("%s is not billed: %s", a.ID, bill)
		}
		c.listen(a.ID, w)
	}
	for _, r := range c.agents.Requests() { // whatever the client's own key is
		if key := r.Header.Get("X-Api-Key") + r.Header.Get("Authorization"); !strings.HasSuffix(key, "key-of-agents") {
			c.Errorf("an agent came to its model with %q", key)
		}
	}
}

// listen reads an agent's stream.
func (c *company) listen(id messages.AgentID, w deposit) {
	c.Helper()
	said := c.run("logs", string(id))
	var last struct{ Type string }
	for line := range strings.Lines(said) {
		if err := json.Unmarshal([]byte(line), &last); err != nil {
			c.Errorf("%s said %q: %v", id, line, err)
		}
	}
	if last.Type != w.lastLine || !strings.Contains(said, "report_result") || !strings.Contains(said, w.summary) {
		c.Errorf("%s said %s", id, said)
	}
	if strings.Contains(said, "key-of-") {
		c.Errorf("%s tells a key", id)
	}
}
