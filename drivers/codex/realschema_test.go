package codex_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kurogo/drivers/codex"
	"kurogo/drivers/modeltest"
	"kurogo/messages"
)

const verdict = `{"type":"object","additionalProperties":false,"required":["score"],"properties":{"score":{"type":"number"}}}`

// An evaluator's life: the model is told the form, and what is no JSON is no end.
func TestCLILastWordsThatMustFit(t *testing.T) {
	for name, c := range map[string]struct {
		step  modeltest.Step
		class messages.Class
		text  string
	}{
		"they do":                {speaks(` {"score": 7.5} `), "", `{"score":7.5}`},
		"another shape":          {speaks(`{"points":7}`), "", `{"points":7}`}, // the CLI does not look, and so who asked must
		"no JSON":                {speaks("It is good."), messages.ClassFormat, "no answer that fits the schema: It is good."},
		"half of it":             {speaks(`{"score":`), messages.ClassFormat, "no answer that fits the schema"},
		"nothing, and status 0":  {modeltest.Step{}, messages.ClassFormat, "no answer that fits the schema"},
		"429":                    {modeltest.Step{Status: 429}, messages.ClassRate, ""},
		"a schema it won't take": {modeltest.Step{Status: 400, Message: "Invalid schema for response_format"}, messages.ClassInvalid, "Invalid schema"},
	} {
		for mode, once := range map[string]bool{"app-server": false, "exec": true} {
			t.Run(name+" "+mode, func(t *testing.T) {
				th := stage(t, codex.Options{Permission: codex.Allow, MaxRetries: -1}, modeltest.Turn(modeltest.Anybody, c.step))
				th.Spec.OneShot, th.Spec.ReadOnly, th.Spec.Tools, th.Spec.Schema = once, true, nil, []byte(verdict)
				l := th.Begin()
				end := l.Turn(first)
				if end.Class != c.class || !strings.Contains(end.Text, c.text) || c.class == "" && end.Text != c.text {
					t.Errorf("end %+v", end)
				}
				if r := th.LastRequest(); !strings.Contains(string(r.Schema), `"score"`) {
					t.Errorf("the model was told of no form: %s", r.Schema)
				}
				if once {
					if exit := l.Gone(); exit.Class != c.class {
						t.Errorf("exit %+v", exit)
					}
				}
			})
		}
	}
}

// A limit is over when the CLI asks again.
func TestCLILastWordsAfterALimit(t *testing.T) {
	th := stage(t, codex.Options{MaxRetries: 1}, modeltest.Queue(modeltest.Anybody, modeltest.Step{Status: 429, RetryAfter: 1}), modeltest.Turn(modeltest.Anybody, speaks(`{"score":8}`))).Once()
	th.Spec.Schema = []byte(verdict)
	end := th.Begin().Turn(first)
	t.Logf("end %+v after %d requests", end, len(th.Model.Requests()))
	if end.Text != `{"score":8}` && end.Class != messages.ClassRate { // some versions leave waiting to others
		t.Errorf("end %+v", end)
	}
}

// Whoever hangs is stopped, and leaves nothing (begin looks).
func TestCLIAnEvaluatorThatHangs(t *testing.T) {
	th := stage(t, codex.Options{}, modeltest.Turn(modeltest.Anybody, modeltest.Step{Hang: true})).Once()
	th.Spec.Schema, th.Spec.ReadOnly = []byte(verdict), true
	l := th.Begin()
	l.Send(first)
	th.Asked("The first")
	if exit := l.Session.Stop(t.Context()); exit.Class != messages.ClassKilled {
		t.Errorf("exit %+v", exit)
	}
}

// Who may only look changes nothing, whatever the crew may.
func TestCLIWhoMayOnlyLookChangesNothing(t *testing.T) {
	for mode, once := range map[string]bool{"app-server": false, "exec": true} {
		th := stage(t, codex.Options{Permission: codex.Allow}, modeltest.Turn(modeltest.Anybody, shell("echo x > made.txt"), shell(patch), shell("cat seen.txt"), speaks("Seen.")))
		th.Spec.OneShot, th.Spec.ReadOnly, th.Spec.Tools = once, true, nil
		if err := os.WriteFile(filepath.Join(th.Spec.Dir, "seen.txt"), []byte("what is there\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if end := th.Begin().Turn(first); end.Text != "Seen." {
			t.Errorf("%s: end %+v", mode, end)
		}
		for _, name := range []string{"made.txt", "new.txt"} {
			if _, err := os.Stat(filepath.Join(th.Spec.Dir, name)); err == nil {
				t.Errorf("%s: it wrote %s", mode, name)
			}
		}
	}
}
