package main_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kurogo/messages"
)

// busyEvening has in it what can happen to a crew: specialists side by side, a
// request that is refused, one who falls, one who fails for good, one who answers
// before all is in, a note, and words that nobody else should read.
const busyEvening = `
[[scene]]
who = "grand_boss"
on = "task_request"
[[scene.line]]
wait = "20ms"
think = "I ask the wrong one first."
[[scene.line]]
send = { to = "coding_specialist", content = "past the manager", expect = "denied" }
[[scene.line]]
send = { to = "nobody_at_all", content = "to nobody", expect = "not_found" }
[[scene.line]]
say = "Then the manager."
[[scene.line]]
wait = "10ms"
send = { to = "middle_manager", content = "Please:\n{{content}}\n\"quoted\" (a+b)* [x]", thinking = "he knows how", priority = "high" }

[[scene]]
who = "grand_boss"
[[scene.line]]
say = "All in all: {{content}}"

[[scene]]
who = "middle_manager"
on = "task_request"
[[scene.line]]
send = { to = "coding_specialist", content = "code it" }
[[scene.line]]
send = { to = "testing_specialist", content = "test it", type = "task_request" }
[[scene.line]]
send = { to = "writing_specialist", content = "write it, with API_KEY=topsecret-value-1" }
[[scene.line]]
send = { to = "research_specialist", content = "look it up" }
[[scene.line]]
send = { to = "analysis_specialist", content = "fail at it" }
[[scene.line]]
send = { to = "grand_boss", content = "they are at work", type = "info" }
[[scene.line]]
send = { to = "grand_boss", content = "ten percent", type = "progress" }
[[scene.line]]
think = "Now I wait."

[[scene]]
who = "middle_manager"
on = "info"
[[scene.line]]
say = "I am the middle manager."

[[scene]]
who = "middle_manager"
[[scene.line]]
think = "It is all here, Bearer 0123456789abcdef."
[[scene.line]]
send = { to = "grand_boss", content = "Bound: {{content}}", type = "task_complete" }
[[scene.line]]
say = "That is all."

[[scene]]
who = "coding_specialist"
on = "task_request"
attempt = 1
[[scene.line]]
think = "I begin."
[[scene.line]]
wait = "10ms"
crash = 7
[[scene]]
who = "coding_specialist"
on = "task_request"
[[scene.line]]
wait = "40ms"
say = "first a word"
[[scene.line]]
say = "coded"

[[scene]]
who = "testing_specialist"
on = "task_request"
[[scene.line]]
wait = "60ms"
say = "tested"

[[scene]]
who = "writing_specialist"
on = "task_request"
[[scene.line]]
wait = "20ms"
say = "written with sk-abcdefgh12345678"

[[scene]]
who = "research_specialist"
on = "task_request"
[[scene.line]]
babble = "\n"

[[scene]]
who = "analysis_specialist"
on = "task_request"
[[scene.line]]
fail = "it cannot be done"
`

const evening = `
language = "en"
driver = "rehearsal"
[reconnect]
initial_delay = "10ms"
max_delay = "20ms"
[drivers.rehearsal]
performance = "play.toml"
`

// A task is recorded; the recording is played in another project that knows
// nothing of the first; the conversation is the same.
func TestARecordingPlaysTheSameConversation(t *testing.T) {
	t.Parallel()
	first, second := newTheatre(t), newTheatre(t)
	const task = "Sew a curtain.\nTwo of them."
	first.write("kurogo.toml", evening)
	first.write("play.toml", busyEvening)
	want := first.performed(task)
	id := want[0].Metadata.TaskID
	script := filepath.Join(second.project, "play.toml")
	first.run("record", string(id), "--out", script)
	first.run("stop")

	recorded, err := os.ReadFile(script)
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"topsecret-value-1", "sk-abcdefgh12345678", "0123456789abcdef"} {
		if strings.Contains(string(recorded), secret) {
			t.Errorf("the recording tells %s", secret)
		}
	}
	for _, line := range []string{`expect = "denied"`, `expect = "not_found"`, "crash = 7", `fail = "it cannot be done"`, `think = "I begin."`, `type = "progress"`, `thinking = "he knows how"`} {
		if !strings.Contains(string(recorded), line) {
			t.Errorf("the recording lacks %s:\n%s", line, recorded)
		}
	}
	if info, err := os.Stat(script); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}

	second.write("kurogo.toml", evening)
	got := second.performed(task)
	second.run("stop")
	if d := cmp.Diff(talk(hideAll(want)), talk(got)); d != "" {
		t.Errorf("the conversation differs: -recorded +played\n%s\n%s", d, recorded)
	}
	if len(got) < 13 {
		t.Errorf("only %d messages", len(got))
	}
}

// hideAll is what the recording makes of the messages.
func hideAll(all []messages.CCMessage) []messages.CCMessage {
	hide := strings.NewReplacer("topsecret-value-1", "[redacted]", "sk-abcdefgh12345678", "[redacted]")
	for i := range all {
		all[i].Content = hide.Replace(all[i].Content)
	}
	return all
}

// talk is who said what to whom, in order for each two of them.
func talk(all []messages.CCMessage) map[string][]string {
	out := map[string][]string{}
	for _, m := range all {
		pair := string(m.From + " to " + m.To)
		out[pair] = append(out[pair], string(m.Type)+": "+m.Content)
	}
	return out
}

// performed has a task done and returns what was said.
func (th *theatre) performed(task string) []messages.CCMessage {
	th.Helper()
	th.run("submit", task, "--wait")
	c, err := ask[messages.Conversation](context.Background(), th, messages.ListMessages{})
	if err != nil {
		th.Fatal(err)
	}
	return c.Messages
}

func TestARecordingIsWrittenOnceAndSaysWhatItCannot(t *testing.T) {
	t.Parallel()
	th := newTheatre(t)
	th.write("kurogo.toml", evening)
	th.write("play.toml", "[[scene]]\nwho = \"grand_boss\"\n[[scene.line]]\nsay = \"done: {{content}}\"\n")
	id := string(th.performed("say it")[0].Metadata.TaskID)

	var answer struct {
		Task        string `json:"task_id"`
		Scenes      int
		Notes       []string
		Performance string
		File        string
	}
	if err := json.Unmarshal([]byte(th.run("record", id, "--json")), &answer); err != nil {
		t.Fatal(err)
	}
	if answer.Task != id || answer.Scenes == 0 || len(answer.Notes) != 0 || answer.Performance != th.run("record", id) {
		t.Errorf("%+v", answer)
	}
	th.run("record", id, "--out", "once.toml")
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"record", id, "--out", "once.toml"}, 1, "once.toml is there already"},
		{[]string{"record", id, "--out", "no/such/dir.toml"}, 64, "invalid: out: "},
		{[]string{"record", "0199"}, 1, "not_found: there is no task 0199"},
		{[]string{"record"}, 64, "kurogo record --help"},
	} {
		k := th.kurogo(c.args...)
		out, _ := k.CombinedOutput() // the status says it
		if code := k.ProcessState.ExitCode(); code != c.code || !strings.Contains(string(out), c.want) {
			t.Errorf("%q ended with %d: %s", c.args, code, out)
		}
	}
	th.run("stop")
}

// What real Claude Codes did is played without them.
func TestCLIARecordingOfARealCrew(t *testing.T) {
	t.Parallel()
	crew := newRealCrew(t, "", play()...)
	want := crew.performed("build a house")
	stage := newTheatre(t)
	crew.run("record", string(want[0].Metadata.TaskID), "--out", filepath.Join(stage.project, "play.toml"))
	text, err := os.ReadFile(filepath.Join(crew.project, "kurogo.toml"))
	if err != nil {
		t.Fatal(err)
	}
	stage.write("kurogo.toml", strings.Replace(string(text), `driver = "claude"`, `driver = "rehearsal"`, 1)+"\n[drivers.rehearsal]\nperformance = \"play.toml\"\n")
	got := stage.performed("build a house")
	stage.run("stop")
	if d := cmp.Diff(talk(want), talk(got)); d != "" || len(got) < 8 {
		t.Errorf("%d messages, -recorded +played\n%s", len(got), d)
	}
}
