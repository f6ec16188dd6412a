package evaluate

import (
	"math"

	"kurogo/messages"
)

// The most that a criterion, or a document, can get.
const most = 10

// Disagreement is how far an evaluator's own overall score may lie from what its
// criteria come to before we say so.
const Disagreement = 0.5

// DefaultRubric is what the criteria count where nobody says otherwise.
func DefaultRubric() messages.Rubric {
	return messages.Rubric{Completeness: 0.3, Accuracy: 0.3, Clarity: 0.2, Usability: 0.2}
}

// CheckRubric makes weights that add up to 1 of any that have a proportion. What
// has none is invalid, and the error names the field: a negative weight, one that
// is no number, or nothing but zeros.
func CheckRubric(weights messages.Rubric) (messages.Rubric, error) {
	largest := 0.0
	for _, c := range messages.Criteria() {
		switch w := weights.Of(c); {
		case math.IsNaN(w) || math.IsInf(w, 0):
			return messages.Rubric{}, messages.Invalid("rubric."+string(c), "%v is no weight", w).Try("write a number, 0 or more")
		case w < 0:
			return messages.Rubric{}, messages.Invalid("rubric."+string(c), "the weight %v is below 0", w).Try("write a number, 0 or more")
		case w > largest:
			largest = w
		}
	}
	if largest == 0 {
		return messages.Rubric{}, messages.Invalid("rubric", "all weights are 0").Try("write at least one above 0")
	}
	sum := 0.0
	for _, c := range messages.Criteria() {
		sum += weights.Of(c) / largest // which cannot overflow
	}
	for _, c := range messages.Criteria() {
		weights = weights.With(c, weights.Of(c)/largest/sum)
	}
	return weights, nil
}

// CheckTarget refuses a target that is no score.
func CheckTarget(target float64) error {
	if !(target >= 0 && target <= most) { // nor is it NaN
		return messages.Invalid("target_score", "%v is not 0 to 10", target).Try("write a score such as 8.0")
	}
	return nil
}

// Score is what scores come to by weights: 0 to 10, one decimal, half up. Weights
// need not add up to 1; those that CheckRubric refuses score 0.
func Score(scores, weights messages.Rubric) float64 { return round(mean(scores, weights)) }

func mean(scores, weights messages.Rubric) float64 {
	weights, err := CheckRubric(weights)
	if err != nil {
		return 0
	}
	sum := 0.0
	for _, c := range messages.Criteria() {
		sum += clamp(scores.Of(c)) * weights.Of(c)
	}
	return clamp(sum)
}

// round keeps one decimal, half up. What is a half but for the noise of binary
// fractions is a half: 7.25 is 7.3 however it was added up.
func round(x float64) float64 { return math.Floor(x*10+0.5+1e-9) / 10 }

func clamp(x float64) float64 {
	if !(x > 0) { // NaN is no merit
		return 0
	}
	return min(x, most)
}

// weigh completes a verdict by our own arithmetic.
func weigh(v messages.Verdict, weights messages.Rubric) messages.Verdict {
	v.Score = Score(v.Scores, weights)
	v.Disagrees = math.Abs(v.Said-v.Score) > Disagreement+1e-9
	v.Suggestions = WorstFirst(v.Suggestions, v.Scores, weights)
	return v
}
