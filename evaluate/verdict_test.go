package evaluate_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kurogo/evaluate"
	"kurogo/messages"
)

const goodVerdict = `{"score": 7.2, "rubric_scores": {"completeness": 6, "accuracy": 9, "clarity": 7.25, "usability": 8},
"suggestions": [
  {"criterion": "accuracy", "line": 3, "text": "the port is 9696"},
  {"criterion": "completeness", "line": 12, "text": "say what\n happens on failure"},
  {"criterion": "completeness", "line": 0, "text": "add an example"}],
"blocker": ""}`

func TestParseVerdict(t *testing.T) {
	want := messages.Verdict{
		Scores: messages.Rubric{Completeness: 6, Accuracy: 9, Clarity: 7.3, Usability: 8},
		Said:   7.2, Score: 7.6,
		Suggestions: []messages.Suggestion{ // completeness lacks most
			{Criterion: "completeness", Line: 0, Text: "add an example"},
			{Criterion: "completeness", Line: 12, Text: "say what happens on failure"},
			{Criterion: "accuracy", Line: 3, Text: "the port is 9696"},
		},
	}
	for name, text := range map[string]string{
		"bare":            goodVerdict,
		"with white":      "\n\n  " + goodVerdict + "\n",
		"in a fence":      "```json\n" + goodVerdict + "\n```\n",
		"in a bare fence": "```\r\n" + goodVerdict + "\r\n```",
		"after a mark":    "\ufeff" + goodVerdict,
	} {
		t.Run(name, func(t *testing.T) {
			got, err := evaluate.ParseVerdict(text, evaluate.DefaultRubric())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// The weights decide, not what the evaluator calls it; and it is told when its own
// figures do not agree.
func TestVerdictIsRecomputed(t *testing.T) {
	text := strings.Replace(goodVerdict, `"score": 7.2`, `"score": 10`, 1)
	for weights, want := range map[messages.Rubric]struct {
		score float64
		first messages.Criterion
	}{
		evaluate.DefaultRubric():          {7.6, messages.Completeness},
		{Completeness: 1}:                 {6, messages.Completeness},
		{Accuracy: 1, Completeness: 0.01}: {9, messages.Accuracy},
	} {
		v, err := evaluate.ParseVerdict(text, weights)
		if err != nil || v.Score != want.score || !v.Disagrees || v.Said != 10 || v.Suggestions[0].Criterion != want.first {
			t.Errorf("by %+v: %+v, %v, want the score %v and %s first", weights, v, err, want.score, want.first)
		}
	}
}

// What is not a whole verdict is an error and never a score.
func TestParseVerdictRefuses(t *testing.T) {
	edit := func(old, by string) string { return strings.Replace(goodVerdict, old, by, 1) }
	for name, text := range map[string]string{
		"nothing":      "",
		"white space":  " \n ",
		"prose":        "I would give it an 8.",
		"prose before": "Here it is: " + goodVerdict,
		"prose behind": goodVerdict + "\nHope this helps!",
		"two objects":  goodVerdict + goodVerdict,
		"two fences":   "```json\n" + goodVerdict + "\n```\n```json\n" + goodVerdict + "\n```",
		"an array":     "[" + goodVerdict + "]",
		"a number":     "8",
		"null":         "null",
		"cut off":      goodVerdict[:len(goodVerdict)-2],
		"no score":     edit(`"score": 7.2, `, ""),
		"no blocker": edit(`,
"blocker": ""`, ""),
		"no criterion":           edit(`"accuracy": 9, `, ""),
		"one criterion more":     edit(`"usability": 8`, `"usability": 8, "style": 9`),
		"one field more":         edit(`"blocker": ""`, `"blocker": "", "note": 1`),
		"a field in capitals":    edit(`"score": 7.2`, `"Score": 7.2`),
		"a score twice":          edit(`"score": 7.2`, `"score": 2, "score": 9`),
		"a criterion twice":      edit(`"accuracy": 9`, `"accuracy": 1, "accuracy": 9`),
		"below 0":                edit(`"accuracy": 9`, `"accuracy": -1`),
		"above 10":               edit(`"score": 7.2`, `"score": 10.1`),
		"NaN":                    edit(`"score": 7.2`, `"score": NaN`),
		"infinite":               edit(`"score": 7.2`, `"score": 1e999`),
		"a score in quotes":      edit(`"score": 7.2`, `"score": "7.2"`),
		"a score that is null":   edit(`"accuracy": 9`, `"accuracy": null`),
		"scores that are null":   edit(`"rubric_scores": {"completeness": 6, "accuracy": 9, "clarity": 7.25, "usability": 8}`, `"rubric_scores": null`),
		"a list of suggestions":  edit(`{"criterion": "accuracy", "line": 3, "text": "the port is 9696"}`, `"the port is 9696"`),
		"another criterion":      edit(`"criterion": "accuracy"`, `"criterion": "beauty"`),
		"a line before the text": edit(`"line": 3`, `"line": -3`),
		"half a line":            edit(`"line": 3`, `"line": 3.5`),
		"a suggestion of spaces": edit(`"add an example"`, `" \t "`),
		"a long suggestion":      edit(`"add an example"`, `"`+strings.Repeat("x", 5<<10)+`"`),
		"too many suggestions":   edit(`{"criterion": "accuracy"`, strings.Repeat(`{"criterion": "accuracy", "line": 1, "text": "x"},`, 100)+`{"criterion": "accuracy"`),
		"too long":               goodVerdict + strings.Repeat(" ", 300<<10),
		"not UTF-8":              edit("9696", "\xff"),
	} {
		t.Run(name, func(t *testing.T) {
			v, err := evaluate.ParseVerdict(text, evaluate.DefaultRubric())
			if !errors.Is(err, evaluate.ErrAnswer) {
				t.Errorf("became %+v, %v, want ErrAnswer", v, err)
			}
			if diff := cmp.Diff(messages.Verdict{}, v); diff != "" {
				t.Error("an error came with a verdict: " + diff)
			}
		})
	}
}

// A blocker survives, and what a model says cannot move a terminal's cursor.
func TestVerdictIsPlain(t *testing.T) {
	text := strings.NewReplacer(`"blocker": ""`, `"blocker": "only its \u001b[2Jauthor knows"`, `add an example`, `add \u202ean\u0007 example`).Replace(goodVerdict)
	v, err := evaluate.ParseVerdict(text, evaluate.DefaultRubric())
	if err != nil || v.Blocker != "only its [2Jauthor knows" || v.Suggestions[0].Text != "add an example" || v.Passes(1) {
		t.Errorf("%+v, %v", v, err)
	}
}

func TestParseImproved(t *testing.T) {
	doc, summary, err := evaluate.ParseImproved(`{"document": "# T\n\nA \"text\".\n", "summary": "shorter\nnow"}`)
	if err != nil || doc != "# T\n\nA \"text\".\n" || summary != "shorter now" {
		t.Errorf("%q, %q, %v", doc, summary, err)
	}
	for _, bad := range []string{
		``, `# T`, `{"document": "# T"}`, `{"document": " ", "summary": ""}`, `{"document": null, "summary": ""}`,
		`{"document": "x", "summary": "y", "more": 1}`, `{"document": "a\u0000b", "summary": ""}`, `{"document": 7, "summary": ""}`,
	} {
		if doc, _, err := evaluate.ParseImproved(bad); !errors.Is(err, evaluate.ErrAnswer) || doc != "" {
			t.Errorf("%s became %q, %v, want ErrAnswer", bad, doc, err)
		}
	}
}

// FuzzParseVerdict: no answer makes a panic, and what is accepted is a verdict.
func FuzzParseVerdict(f *testing.F) {
	f.Add(goodVerdict)
	f.Add("```json\n" + goodVerdict + "\n```")
	f.Add(`{"score":1e400,"rubric_scores":{},"suggestions":[],"blocker":null}`)
	f.Fuzz(func(t *testing.T, text string) {
		v, err := evaluate.ParseVerdict(text, evaluate.DefaultRubric())
		if err != nil {
			if !errors.Is(err, evaluate.ErrAnswer) {
				t.Fatalf("%v is no ErrAnswer", err)
			}
			return
		}
		for _, c := range messages.Criteria() {
			if n := v.Scores.Of(c); !(n >= 0 && n <= 10) {
				t.Fatalf("%s is %v", c, n)
			}
		}
		if !(v.Score >= 0 && v.Score <= 10 && v.Said >= 0 && v.Said <= 10) {
			t.Fatalf("%+v", v)
		}
		for _, s := range v.Suggestions {
			if s.Line < 0 || s.Text == "" || strings.ContainsAny(fmt.Sprint(s), "\n\x1b") {
				t.Fatalf("%+v", s)
			}
		}
	})
}
