package main_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"kurogo/drivers/modeltest"
	"kurogo/drivers/process"
	"kurogo/messages"
)

// cli is the real claude or codex, or skips the story by its name.
func cli(t *testing.T, name string) string {
	t.Helper()
	variable := "KUROGO_TEST_" + strings.ToUpper(name)
	path := os.Getenv(variable)
	if dir := os.Getenv("KUROGO_TEST_CLI_DIR"); path == "" && dir != "" {
		path = filepath.Join(dir, "node_modules", ".bin", name)
	}
	if _, err := os.Stat(path); path == "" || err != nil {
		t.Skipf("there is no %s: name one by %s, or where it is installed by KUROGO_TEST_CLI_DIR", name, variable)
	}
	return path
}

// A realCrew is four real Claude Code processes before a scripted model.
type realCrew struct {
	*theatre
	model *modeltest.Server
}

// persona are the crew's personalities, as the model must see them.
var persona = map[messages.Address]string{
	"boss": "You are BOSS, calm and decided.", "manager": "You are MANAGER, who divides the work.",
	"coder": "You are CODER, who writes it.", "tester": "You are TESTER, who tries it.",
}

func newRealCrew(t *testing.T, settings string, rules ...modeltest.Rule) realCrew {
	t.Helper()
	command := cli(t, "claude")
	c := realCrew{newTheatre(t), modeltest.New(t)}
	c.model.Add(rules...)
	var b strings.Builder
	fmt.Fprintf(&b, "language = \"en\"\ndriver = \"claude\"\n%s\n[drivers.claude]\ncommand = %q\nconfig = \"isolated\"\n", settings, command)
	fmt.Fprintf(&b, "env = { ANTHROPIC_BASE_URL = %q, ANTHROPIC_API_KEY = \"test-key\" }\n", c.model.URL)
	for _, p := range []struct{ name, superior, below string }{
		{"boss", "user", `"manager"`}, {"manager", "boss", `"boss", "coder", "tester"`}, {"coder", "manager", `"manager"`}, {"tester", "manager", `"manager"`},
	} {
		fmt.Fprintf(&b, "[personas.%s]\nmodel = \"claude-haiku-4-5\"\nreports_to = %q\ntalks_to = [%s]\nsystem_prompt = %q\n", p.name, p.superior, p.below, persona[messages.Address(p.name)])
	}
	if err := os.WriteFile(filepath.Join(c.project, "kurogo.toml"), []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.run("stop") // the lock is free a moment before its owner has gone
		eventually(t, "every process is gone", func() bool { return len(traces(c.home)) == 0 })
	})
	return c
}

// hears matches the turns of a persona that begin with a message from somebody.
func hears(who, from messages.Address) modeltest.Match {
	return func(r modeltest.Request) bool {
		return strings.Contains(r.System, persona[who]) && strings.Contains(r.Turn(), "[from "+string(from)+" ")
	}
}

func asks(to ...string) modeltest.Step {
	var s modeltest.Step
	for _, who := range to {
		s.Tools = append(s.Tools, modeltest.Tool{Name: "mcp__kurogo__send_message", Input: map[string]any{"to": who, "content": "your part, " + who}})
	}
	return s
}

// play is the way down and up through three levels.
func play() []modeltest.Rule {
	says := func(text string) modeltest.Step { return modeltest.Step{Text: text} }
	return []modeltest.Rule{
		modeltest.Turn(hears("boss", messages.User), asks("manager"), says("I wait.")),
		modeltest.Turn(hears("manager", "boss"), asks("coder", "tester"), says("I wait for both.")),
		modeltest.Turn(hears("coder", "manager"), says("It is written.")),
		modeltest.Turn(hears("tester", "manager"), says("It works.")),
		modeltest.Turn(hears("manager", "coder"), says("Written and tried.")),
		modeltest.Turn(hears("manager", "tester"), says("Tried and written.")),
		modeltest.Turn(hears("boss", "manager"), says("The house is built.")),
	}
}

// sound asks for the invariants, and how many tasks there are below the root.
func (c realCrew) sound(below int) {
	c.Helper()
	c.run("doctor", "--journal")
	var root messages.Task
	c.decode(c.run("tasks", "--json"), &root)
	var tree messages.TaskTree
	c.decode(c.run("task", string(root.ID), "--json"), &tree)
	if tree.Task.Status != messages.Completed || len(tree.Below) != below {
		c.Errorf("the task is %s with %d tasks below, want completed with %d: %+v", tree.Task.Status, len(tree.Below), below, tree)
	}
}

func (c realCrew) decode(text string, into any) {
	c.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		c.Fatalf("%v: %s", err, text)
	}
}

// A task goes through three levels of real Claude Code processes; each has its
// own personality, and what was spent is known.
func TestCLIThreeLevels(t *testing.T) {
	t.Parallel()
	c := newRealCrew(t, "", play()...)
	if out := c.run("submit", "build a house", "--wait"); strings.TrimSpace(out) != "The house is built." {
		t.Errorf("the answer is %q", out)
	}
	c.sound(3)
	for who, words := range persona {
		seen := 0
		for _, r := range c.model.Requests() {
			if strings.Contains(r.System, words) {
				seen++
			}
		}
		if seen < 2 { // the role check and a turn
			t.Errorf("the model saw %s %d times", who, seen)
		}
	}
	if cost := c.run("cost", "--by", "persona", "--json"); strings.Count(cost, "\n") != len(persona) || !strings.Contains(cost, `"micros":`) {
		t.Errorf("the bill: %s", cost)
	}
}

// A budget of one turn parks the second, asks, and goes on when it may.
func TestCLIBudget(t *testing.T) {
	t.Parallel()
	c := newRealCrew(t, "[limits]\nusd_per_task = 0.000001", play()...)
	id := strings.TrimSpace(c.run("submit", "build a house"))
	eventually(t, "an approval is asked", func() bool { return strings.Contains(c.run("approvals", "--json"), id) })
	c.run("resume", id, "--usd", "10")
	eventually(t, "the task goes on", func() bool { return strings.Contains(c.run("task", id), "boss  completed") })
	c.sound(3)
}

// A key that is not accepted stops the task and says so.
func TestCLIBadKey(t *testing.T) {
	t.Parallel()
	c := newRealCrew(t, "", modeltest.Turn(modeltest.Anybody, modeltest.Step{Status: 401, Message: "invalid x-api-key"}))
	k := c.kurogo("submit", "build a house", "--wait")
	out, err := k.Output()
	if err == nil || k.ProcessState.ExitCode() != messages.CodeUnavailable.Exit() || !strings.Contains(string(out), "Invalid API key") {
		t.Errorf("ended with %v: %q", err, out)
	}
}

// A persona's process is killed in the middle of its turn, after it asked for
// sub-tasks: nothing is lost, nothing doubled.
func TestCLIKilledAgent(t *testing.T) {
	t.Parallel()
	rules := play()
	slow := modeltest.Step{Text: "I wait for both.", Hang: true}
	rules[1] = modeltest.Queue(hears("manager", "boss"), asks("coder", "tester"), slow, asks("coder", "tester"), modeltest.Step{Text: "I wait for both."})
	c := newRealCrew(t, "", rules...)
	id := strings.TrimSpace(c.run("submit", "build a house"))
	hung := func() bool {
		for _, r := range c.model.Requests() {
			if hears("manager", "boss")(r) && r.Step() == 1 {
				return true
			}
		}
		return false
	}
	eventually(t, "the manager hangs", hung)
	for _, f := range process.Find(c.store()) {
		if strings.HasSuffix(f.Life, ":manager") {
			_ = syscall.Kill(f.Pid, syscall.SIGKILL)
		}
	}
	eventually(t, "the task ends", func() bool { return strings.Contains(c.run("task", id), "boss  completed") })
	c.sound(3)
}

// The owner of real agents is killed ten times in the middle of their work, and
// every time another one goes on: the task ends once, and nothing is left.
func TestCLIKilledOwner(t *testing.T) {
	t.Parallel()
	var rules []modeltest.Rule
	for _, rule := range play() {
		rules = append(rules, func(r modeltest.Request) (modeltest.Step, bool) {
			s, ok := rule(r)
			s.Delay = 700 * time.Millisecond // so that there is a middle
			return s, ok
		})
	}
	c := newRealCrew(t, "[limits]\nattempts = 100\n[reconnect]\ninitial_delay = \"50ms\"", rules...)
	o := c.serve()
	store := c.store()
	t.Cleanup(func() { o.kill() })
	id := strings.TrimSpace(c.run("submit", "build a house"))
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 10 {
		<-time.After(time.Duration(500+random.IntN(2500)) * time.Millisecond) // the delay is the experiment
		o.kill()
		o = c.serve()
		for _, f := range process.Find(store) {
			if epoch(f.Life) < n+2 { // every start raises every epoch
				t.Errorf("after kill %d: left from an earlier life: %+v", n+1, f)
			}
		}
	}
	eventually(t, "the task ends", func() bool { return strings.Contains(c.run("task", id), "boss  completed") })
	c.sound(3)
	c.run("stop") // in order: a killed owner leaves its agents to the next one
}
