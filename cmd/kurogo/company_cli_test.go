package main_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

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
	c := &company{claude: cli(t)}
	codex := codexCLI(t)
	c.theatre, c.client, c.agents = newTheatre(t), modeltest.New(t), modeltest.New(t)
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
`, c.claude, c.agents.URL, codex, c.agents.URL+"/v1", scribe, smith))
	t.Cleanup(func() {
		c.run("stop")
		eventually(t, "every process is gone", func() bool { return len(traces(c.home)) == 0 })
	})
	return c
}

// codexCLI is the real Codex, or skips the story by its name.
func codexCLI(t *testing.T) string {
	t.Helper()
	path := os.Getenv("KUROGO_TEST_CODEX")
	if dir := os.Getenv("KUROGO_TEST_CLI_DIR"); path == "" && dir != "" {
		path = filepath.Join(dir, "node_modules", ".bin", "codex")
	}
	if _, err := os.Stat(path); path == "" || err != nil {
		t.Skip("there is no codex: name one by KUROGO_TEST_CODEX, or where it is installed by KUROGO_TEST_CLI_DIR")
	}
	return path
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

// delegate runs the client to its end and returns what it said last.
func (c *company) delegate(entry string) string {
	k := exec.CommandContext(c.Context(), c.claude, "--print", "--mcp-config", entry, "--strict-mcp-config", "--allowedTools=mcp__kurogo",
		"--output-format", "stream-json", "--verbose", "Have it done.")
	k.Dir = c.project
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

// use is a step in which a model uses a tool of ours.
func use(tool string, input map[string]any) modeltest.Step {
	return modeltest.Step{Tools: []modeltest.Tool{{Name: "mcp__kurogo__" + tool, Input: input}}}
}

// A part is what a client does next, knowing what its tools have answered so far.
type part func(told []answer) modeltest.Step

// An answer is what our tools say of groups and agents.
type answer struct {
	Group  messages.GroupID `json:"groupId"`
	Agents []struct {
		ID messages.AgentID `json:"agentId"`
	} `json:"agents"`
	text string
}

// parts play one after another, until a tool answers with no object.
func parts(all ...part) modeltest.Rule {
	return func(r modeltest.Request) (modeltest.Step, bool) {
		var told []answer
		for _, m := range r.Messages {
			for _, text := range m.Results {
				a := answer{text: text}
				if err := json.Unmarshal([]byte(text), &a); err != nil {
					return modeltest.Step{Text: "I give up: " + text}, true
				}
				told = append(told, a)
			}
		}
		return all[min(r.Step(), len(all)-1)](told), true
	}
}

// errand is the whole way of a client: it opens a group, has two agents run, waits
// for both, looks at both, closes the group, and says what it was told.
func errand() modeltest.Rule {
	return parts(
		func([]answer) modeltest.Step { return use("create_group", map[string]any{"description": "a verse and a gate"}) },
		func(told []answer) modeltest.Step {
			return use("run_agents", map[string]any{"groupId": told[0].Group, "agents": []any{
				map[string]any{"role": "scribe", "prompt": "Write a verse."}, map[string]any{"role": "smith", "prompt": "Forge a gate."},
			}})
		},
		func(told []answer) modeltest.Step {
			return use("wait_agent", map[string]any{"agentIds": []messages.AgentID{told[1].Agents[0].ID, told[1].Agents[1].ID}})
		},
		func(told []answer) modeltest.Step {
			var looks modeltest.Step
			for _, a := range told[1].Agents {
				looks.Tools = append(looks.Tools, use("get_agent_status", map[string]any{"agentId": a.ID}).Tools...)
			}
			return looks
		},
		func(told []answer) modeltest.Step { return use("delete_group", map[string]any{"groupId": told[0].Group}) },
		func(told []answer) modeltest.Step {
			var all []string
			for _, a := range told[2:] {
				all = append(all, a.text)
			}
			return modeltest.Step{Text: strings.Join(all, "\n")}
		},
	)
}

// A deed is what an agent's model does, knowing which agent it is.
type deed func(r modeltest.Request, self messages.AgentID) modeltest.Step

var named = regexp.MustCompile(`agentId="([^"]+)"`)

// does is the work of a role: one deed after another.
func does(role string, deeds ...deed) modeltest.Rule {
	return func(r modeltest.Request) (modeltest.Step, bool) {
		self := named.FindStringSubmatch(r.System)
		if !strings.Contains(r.System, role) || self == nil {
			return modeltest.Step{}, false
		}
		return deeds[min(r.Step(), len(deeds)-1)](r, messages.AgentID(self[1])), true
	}
}

func hangs(modeltest.Request, messages.AgentID) modeltest.Step { return modeltest.Step{Hang: true} }

func speaks(text string) deed {
	return func(modeltest.Request, messages.AgentID) modeltest.Step { return modeltest.Step{Text: text} }
}

// uses is the use of a tool. The newer models of Codex are given none: they write
// code that uses them.
func uses(tool string, input func(self messages.AgentID) map[string]any) deed {
	return func(r modeltest.Request, self messages.AgentID) modeltest.Step {
		call := modeltest.Tool{Name: tool, Input: input(self)}
		if !slices.Contains(r.Tools, tool) && r.Header.Get("X-Api-Key") == "" {
			args, _ := json.Marshal(call.Input) // texts
			call = modeltest.Tool{Name: "exec", Input: fmt.Sprintf("text(await tools.%s(%s));", tool, args)}
		}
		return modeltest.Step{Tools: []modeltest.Tool{call}}
	}
}

func reports(summary string) deed {
	return uses("mcp__kurogo__report_result", func(self messages.AgentID) map[string]any {
		return map[string]any{"agentId": self, "status": "success", "summary": summary}
	})
}

// content is what every file holds when the agents have done their work.
const content = "iron\n"

// writes has Claude Code make a file.
func writes(file string) deed {
	return uses("Write", func(messages.AgentID) map[string]any {
		return map[string]any{"file_path": file, "content": content}
	})
}

// patches has Codex make one file and change another.
func patches(fresh, old string) deed {
	return uses("exec_command", func(messages.AgentID) map[string]any {
		return map[string]any{"cmd": "apply_patch <<'END'\n*** Begin Patch\n*** Add File: " + fresh + "\n+" + content + "*** Update File: " + old + "\n@@\n-before\n+" + content + "*** End Patch\nEND\n"}
	})
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
