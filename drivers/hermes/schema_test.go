package hermes_test

import (
	"strings"
	"testing"

	"kurogo/drivers/modeltest"
	"kurogo/messages"
)

var verdict = []byte(`{"type":"object","additionalProperties":false,"required":["score"],"properties":{"score":{"type":"number","maximum":10}}}`)

// The last words must fit the owner's schema; what does not is asked for again.
func TestLastWordsThatMustFit(t *testing.T) {
	for name, c := range map[string]struct {
		said  []string
		tools bool
		class messages.Class
		text  string
	}{
		"they do":                    {[]string{` { "score" : 7 } `}, false, "", `{"score":7}`},
		"in a fence":                 {[]string{"```json\n{\"score\": 7}\n```"}, false, "", `{"score":7}`},
		"after thoughts":             {[]string{"<think>\nSeven?\n</think>\n{\"score\":7}"}, false, "", `{"score":7}`},
		"at the second try":          {[]string{`{"score":11}`, `{"score":9.5}`}, false, "", `{"score":9.5}`},
		"never":                      {[]string{`{"score":"good"}`}, false, messages.ClassFormat, "model JSON stayed invalid: it does not fit the schema"},
		"no JSON":                    {[]string{"It is good."}, false, messages.ClassFormat, "no valid JSON"},
		"nothing":                    {[]string{""}, false, messages.ClassFormat, "no valid JSON"},
		"in an envelope":             {[]string{`{"thought":"hm","final_answer":{"score":7}}`}, true, "", `{"score":7}`},
		"as a text in an envelope":   {[]string{`{"final_answer":"{\"score\":7}"}`}, true, "", `{"score":7}`},
		"not in an envelope, always": {[]string{`{"final_answer":{"points":7}}`}, true, messages.ClassFormat, "does not fit"},
	} {
		for _, w := range []way{ways[0], ways[2]} {
			t.Run(name+", "+w.name, func(t *testing.T) {
				var steps []modeltest.Step
				for _, text := range c.said {
					steps = append(steps, modeltest.Step{Text: text})
				}
				spec := messages.Spec{Schema: verdict, OneShot: true, ReadOnly: true, Deltas: true}
				if c.tools {
					spec.Tools = tools("read_file")
					spec.Tools[0].Hints = &messages.Hints{ReadOnly: true}
				}
				l, model := w.scripted(t, spec, steps...)
				if end := l.Turn("Judge it."); end.Class != c.class || !strings.Contains(end.Text, c.text) || c.class == "" && end.Text != c.text {
					t.Errorf("end %+v", end)
				}
				if exit := l.Until(messages.DriverExited).Exit; exit.Class != c.class {
					t.Errorf("exit %+v", exit)
				}
				r := model.Requests()[0]
				if !strings.Contains(r.System, string(verdict)) || !c.tools && string(r.Schema) != string(verdict) {
					t.Errorf("asked for %s with %s", r.Schema, r.System)
				}
				if told := l.All(messages.DriverDelta); len(told) > 0 {
					t.Errorf("JSON is for nobody's eyes: %q", told)
				}
			})
		}
	}
}
