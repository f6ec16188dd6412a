package messages_test

import (
	"encoding/json"
	"testing"

	"kurogo/messages"
)

// The answer of evaluate_document has the shape of the contract, field by field.
func TestEvaluatedOnTheWire(t *testing.T) {
	v := messages.Verdict{
		Scores: messages.Rubric{Completeness: 6, Accuracy: 9, Clarity: 7.3, Usability: 8}, Score: 7.6, Said: 7.2,
		Suggestions: []messages.Suggestion{
			{Criterion: messages.Completeness, Line: 12, Text: "say why"},
			{Criterion: messages.Clarity, Text: "shorten it"},
		},
	}
	for name, c := range map[string]struct {
		verdict messages.Verdict
		want    string
	}{
		"a verdict": {v, `{"score":7.6,"rubric_scores":{"completeness":6,"accuracy":9,"clarity":7.3,"usability":8},"pass":true,` +
			`"suggestions":["L12 · completeness · say why","clarity · shorten it"],"metadata":{"iteration":2,"evaluation_time":1200,"model_used":"heuristic"}}`},
		"an empty one": {messages.Verdict{}, `{"score":0,"rubric_scores":{"completeness":0,"accuracy":0,"clarity":0,"usability":0},"pass":false,` +
			`"suggestions":[],"metadata":{"iteration":2,"evaluation_time":1200,"model_used":"heuristic"}}`},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := json.Marshal(c.verdict.Answer(7.6, messages.EvaluationMetadata{Iteration: 2, Time: 1200, Model: "heuristic"}))
			if err != nil || string(got) != c.want {
				t.Errorf("%s, %v, want\n%s", got, err, c.want)
			}
		})
	}
	if v.Blocker = "its author is gone"; v.Passes(1) {
		t.Error("a document with a blocker passes")
	}
}

// A rubric is read and changed by name, and what is no criterion is nothing.
func TestRubricByName(t *testing.T) {
	var r messages.Rubric
	for i, c := range messages.Criteria() {
		r = r.With(c, float64(i+1))
	}
	if want := (messages.Rubric{Completeness: 1, Accuracy: 2, Clarity: 3, Usability: 4}); r != want || r.Of(messages.Usability) != 4 {
		t.Errorf("%+v, want %+v", r, want)
	}
	if r.With("beauty", 9) != r || r.Of("beauty") != 0 {
		t.Error("beauty is no criterion")
	}
}
