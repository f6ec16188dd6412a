package claude_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kurogo/drivers/claude"
	"kurogo/drivers/modeltest"
	"kurogo/messages"
)

var verdict = []byte(`{"type":"object","additionalProperties":false,"required":["score"],"properties":{"score":{"type":"number","maximum":10}}}`)

// judges is what the CLI makes its model do with the last words.
func judges(input any) modeltest.Step { return uses("StructuredOutput", input) }

// What an evaluator's life comes to: one turn, last words that fit, nothing changed.
func TestCLILastWordsThatMustFit(t *testing.T) {
	good, done := judges(map[string]any{"score": 7.5}), says("Judged.")
	for name, c := range map[string]struct {
		steps []modeltest.Step
		class messages.Class
		text  string
	}{
		"at once":                  {[]modeltest.Step{good, done}, "", `{"score":7.5}`},
		"at the second try":        {[]modeltest.Step{judges(map[string]any{"score": 11}), good, done}, "", `{"score":7.5}`},
		"after another shape":      {[]modeltest.Step{judges(map[string]any{"points": 7}), good, done}, "", `{"score":7.5}`},
		"never":                    {[]modeltest.Step{says("It is good.")}, messages.ClassFormat, "no answer that fits the schema"},
		"JSON that is only a text": {[]modeltest.Step{says(`{"score":7}`)}, messages.ClassFormat, "no answer that fits the schema"},
		"nothing":                  {[]modeltest.Step{{}}, messages.ClassFormat, ""},
	} {
		t.Run(name, func(t *testing.T) {
			th := stage(t, claude.Options{Permission: claude.Allow, MaxRetries: -1}, modeltest.Turn(modeltest.Anybody, c.steps...)).Once()
			th.Spec.Schema, th.Spec.ReadOnly = verdict, true
			if caps, err := th.Driver.Probe(t.Context()); err != nil || !caps.Schema {
				t.Fatalf("%+v, %v", caps, err)
			}
			l := th.Begin()
			end := l.Turn(first)
			if end.Class != c.class || !strings.Contains(end.Text, c.text) || c.class == "" && end.Text != c.text {
				t.Errorf("end %+v", end)
			}
			t.Logf("end %+v after %d requests", end, len(th.Model.Requests()))
			for _, tool := range th.Model.Requests()[0].Tools {
				if slices.Contains([]string{"Bash", "Edit", "Write", "Task", "NotebookEdit"}, tool) {
					t.Errorf("it may use %s", tool)
				}
			}
			if exit := l.Gone(); exit.Class != c.class {
				t.Errorf("exit %+v", exit)
			}
		})
	}
}

// A limit within it is the CLI's to wait for, or ours.
func TestCLILastWordsAfterALimit(t *testing.T) {
	for name, c := range map[string]struct {
		retries int
		class   messages.Class
	}{
		"the CLI asks again": {1, ""}, "it may not": {-1, messages.ClassRate},
	} {
		th := stage(t, claude.Options{MaxRetries: c.retries},
			modeltest.Queue(modeltest.Anybody, modeltest.Step{Status: 429, RetryAfter: 1}), modeltest.Turn(modeltest.Anybody, judges(map[string]any{"score": 8}), says("Judged."))).Once()
		th.Spec.Schema = verdict
		if end := th.Begin().Turn(first); end.Class != c.class || c.class == "" && end.Text != `{"score":8}` {
			t.Errorf("%s: end %+v", name, end)
		}
	}
}

// Whoever hangs is stopped, and leaves nothing (begin looks).
func TestCLIAnEvaluatorThatHangs(t *testing.T) {
	th := stage(t, claude.Options{}, modeltest.Turn(modeltest.Anybody, modeltest.Step{Hang: true})).Once()
	th.Spec.Schema, th.Spec.ReadOnly = verdict, true
	l := th.Begin()
	l.Send(first)
	if _, ok := th.Model.Await(t.Context().Done(), modeltest.Anybody); !ok {
		t.Fatal("the model was never asked")
	}
	if exit := l.Session.Stop(t.Context()); exit.Class != messages.ClassKilled {
		t.Errorf("exit %+v", exit)
	}
}

// Lives of many turns keep to a form as well, and to their eyes.
func TestCLIWhoMayOnlyLookChangesNothing(t *testing.T) {
	for name, once := range map[string]bool{"one turn": true, "many turns": false} {
		t.Run(name, func(t *testing.T) {
			th := stage(t, claude.Options{Permission: claude.Allow})
			th.Spec.OneShot, th.Spec.ReadOnly, th.Spec.Tools = once, true, nil
			seen, made := filepath.Join(th.Spec.Dir, "seen.txt"), filepath.Join(th.Spec.Dir, "made.txt")
			if err := os.WriteFile(seen, []byte("what is there"), 0o600); err != nil {
				t.Fatal(err)
			}
			th.Model.Add(modeltest.Turn(modeltest.Anybody,
				uses("Write", map[string]string{"file_path": made, "content": "x"}), uses("Bash", map[string]string{"command": "echo x > " + made}),
				uses("Read", map[string]string{"file_path": seen}), says("Seen.")))
			l := th.Begin()
			if end := l.Turn(first); end.Text != "Seen." {
				t.Errorf("end %+v", end)
			}
			if _, err := os.Stat(made); err == nil {
				t.Error("it wrote a file")
			}
			r := th.LastRequest()
			if got := strings.Join(r.Messages[len(r.Messages)-1].Results, ""); !strings.Contains(got, "what is there") {
				t.Errorf("it saw %q", got)
			}
		})
	}
}

// Text is told as it comes, and then as a whole.
func TestCLITextAsItComes(t *testing.T) {
	for _, wanted := range []bool{true, false} {
		th := stage(t, claude.Options{}, modeltest.Turn(modeltest.Anybody, modeltest.Step{Thinking: "Hm.", Text: "Good morning, 世界."}))
		th.Spec.Deltas = wanted
		l := th.Begin()
		if end := l.Turn(first); end.Text != "Good morning, 世界." {
			t.Errorf("end %+v", end)
		}
		var told, kinds []string
		for _, e := range l.Heard {
			switch e.Kind { //nolint:exhaustive // the rest is heard elsewhere
			case messages.DriverDelta:
				told = append(told, e.Text)
				kinds = append(kinds, "delta")
			case messages.DriverSaid:
				kinds = append(kinds, "said")
			}
		}
		if got := strings.Join(told, ""); wanted && got != "Good morning, 世界." || !wanted && got != "" {
			t.Errorf("told %q", told)
		}
		if n := len(kinds); n == 0 || kinds[n-1] != "said" {
			t.Errorf("in the order %q", kinds)
		}
	}
}
