package evaluate_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"kurogo/evaluate"
	"kurogo/messages"
)

// Weights are any numbers that have a proportion; the rest is refused by name.
func TestCheckRubric(t *testing.T) {
	for name, c := range map[string]struct {
		weights messages.Rubric
		field   string // at fault; empty = none
		want    messages.Rubric
	}{
		"the default":    {evaluate.DefaultRubric(), "", evaluate.DefaultRubric()},
		"percents":       {messages.Rubric{Completeness: 40, Accuracy: 30, Clarity: 20, Usability: 10}, "", messages.Rubric{Completeness: 0.4, Accuracy: 0.3, Clarity: 0.2, Usability: 0.1}},
		"only one":       {messages.Rubric{Clarity: 3}, "", messages.Rubric{Clarity: 1}},
		"huge":           {messages.Rubric{Completeness: math.MaxFloat64, Accuracy: math.MaxFloat64}, "", messages.Rubric{Completeness: 0.5, Accuracy: 0.5}},
		"tiny":           {messages.Rubric{Usability: math.SmallestNonzeroFloat64}, "", messages.Rubric{Usability: 1}},
		"negative":       {messages.Rubric{Completeness: 1, Accuracy: -0.1}, "rubric.accuracy", messages.Rubric{}},
		"no number":      {messages.Rubric{Completeness: 1, Clarity: math.NaN()}, "rubric.clarity", messages.Rubric{}},
		"infinite":       {messages.Rubric{Usability: math.Inf(1)}, "rubric.usability", messages.Rubric{}},
		"less than that": {messages.Rubric{Completeness: math.Inf(-1)}, "rubric.completeness", messages.Rubric{}},
		"nothing at all": {messages.Rubric{}, "rubric", messages.Rubric{}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := evaluate.CheckRubric(c.weights)
			if c.field != "" {
				if e := messages.AsError(err); e == nil || e.Code != messages.CodeInvalid || e.Field != c.field || e.Remedy == "" {
					t.Fatalf("%+v became %+v, %v, want invalid %s with a remedy", c.weights, got, err, c.field)
				}
				return
			}
			for _, criterion := range messages.Criteria() {
				if math.Abs(got.Of(criterion)-c.want.Of(criterion)) > 1e-12 {
					t.Errorf("%+v became %+v, %v, want %+v", c.weights, got, err, c.want)
				}
			}
		})
	}
}

// One decimal, half up, whatever binary fractions make of the halves.
func TestScore(t *testing.T) {
	for _, c := range []struct {
		scores, weights messages.Rubric
		want            float64
	}{
		{messages.Rubric{Completeness: 8, Accuracy: 8, Clarity: 8, Usability: 8}, evaluate.DefaultRubric(), 8},
		{messages.Rubric{Completeness: 10, Accuracy: 10, Clarity: 10, Usability: 10}, evaluate.DefaultRubric(), 10},
		{messages.Rubric{Completeness: 7.5, Accuracy: 7, Clarity: 7.5, Usability: 7}, messages.Rubric{Completeness: 1, Accuracy: 1, Clarity: 1, Usability: 1}, 7.3},
		{messages.Rubric{Completeness: 8.5, Accuracy: 6, Clarity: 7, Usability: 9}, evaluate.DefaultRubric(), 7.6}, // 7.55
		{messages.Rubric{Completeness: 9, Accuracy: 2}, messages.Rubric{Completeness: 1}, 9},
		{messages.Rubric{Completeness: math.NaN(), Accuracy: 99}, messages.Rubric{Completeness: 1, Accuracy: 1}, 5},
		{messages.Rubric{Completeness: 9}, messages.Rubric{}, 0},
	} {
		if got := evaluate.Score(c.scores, c.weights); got != c.want {
			t.Errorf("%+v by %+v is %v, want %v", c.scores, c.weights, got, c.want)
		}
	}
}

// tenths are numbers with one decimal, as scores are.
func tenths(t *rapid.T, name string, least, most int) float64 {
	return float64(rapid.IntRange(least, most).Draw(t, name)) / 10
}

func rubrics(t *rapid.T, name string, least, most int) messages.Rubric {
	var out messages.Rubric
	for _, c := range messages.Criteria() {
		out = out.With(c, tenths(t, name+" "+string(c), least, most))
	}
	return out
}

// The arithmetic that every verdict goes through, for any of them.
func TestScoreProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scores, weights := rubrics(t, "score", 0, 100), rubrics(t, "weight", 0, 50)
		if _, err := evaluate.CheckRubric(weights); err != nil {
			t.Skip("no weights")
		}
		got := evaluate.Score(scores, weights)
		low, high := 10.0, 0.0
		for _, c := range messages.Criteria() {
			if weights.Of(c) > 0 {
				low, high = min(low, scores.Of(c)), max(high, scores.Of(c))
			}
		}
		if got < low || got > high {
			t.Fatalf("%v lies outside %v–%v", got, low, high)
		}
		if got*10 != math.Trunc(got*10) {
			t.Fatalf("%v has more than one decimal", got)
		}

		c := rapid.SampledFrom(messages.Criteria()).Draw(t, "criterion")
		better := scores.With(c, min(10, scores.Of(c)+tenths(t, "more", 0, 50)))
		if more := evaluate.Score(better, weights); more < got {
			t.Fatalf("a better %s made %v of %v", c, more, got)
		}

		factor := tenths(t, "factor", 1, 1000)
		scaled, turned, shifted := weights, weights, scores
		criteria := messages.Criteria()
		for i, c := range criteria {
			scaled = scaled.With(c, weights.Of(c)*factor)
			next := criteria[(i+1)%len(criteria)]
			turned, shifted = turned.With(next, weights.Of(c)), shifted.With(next, scores.Of(c))
		}
		if same := evaluate.Score(scores, scaled); same != got {
			t.Fatalf("weights times %v make %v of %v", factor, same, got)
		}
		if same := evaluate.Score(shifted, turned); same != got {
			t.Fatalf("other names for the criteria make %v of %v", same, got)
		}
	})
}

func TestCheckTarget(t *testing.T) {
	for _, target := range []float64{0, 0.1, 8, 10} {
		if err := evaluate.CheckTarget(target); err != nil {
			t.Errorf("%v: %v", target, err)
		}
	}
	for _, target := range []float64{-0.1, 10.1, math.NaN(), math.Inf(1)} {
		if e := messages.AsError(evaluate.CheckTarget(target)); e == nil || e.Field != "target_score" {
			t.Errorf("%v: %v, want invalid target_score", target, e)
		}
	}
}
