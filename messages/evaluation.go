package messages

import (
	"strconv"
	"strings"
)

// A Criterion is one of the four things that a document is judged by.
type Criterion string

// The criteria, as the wire names them.
const (
	Completeness Criterion = "completeness"
	Accuracy     Criterion = "accuracy"
	Clarity      Criterion = "clarity"
	Usability    Criterion = "usability"
)

// Criteria lists all of them in the order in which they are shown.
func Criteria() []Criterion {
	return []Criterion{Completeness, Accuracy, Clarity, Usability}
}

// A Rubric is a number for each criterion: what it counts, or how a document did.
type Rubric struct {
	Completeness float64 `json:"completeness"`
	Accuracy     float64 `json:"accuracy"`
	Clarity      float64 `json:"clarity"`
	Usability    float64 `json:"usability"`
}

// Of is the number of one criterion; 0 for what is none.
func (r Rubric) Of(c Criterion) float64 {
	if at := r.at(c); at != nil {
		return *at
	}
	return 0
}

// With is the rubric with one number changed.
func (r Rubric) With(c Criterion, to float64) Rubric {
	if at := r.at(c); at != nil {
		*at = to
	}
	return r
}

func (r *Rubric) at(c Criterion) *float64 {
	switch c {
	case Completeness:
		return &r.Completeness
	case Accuracy:
		return &r.Accuracy
	case Clarity:
		return &r.Clarity
	case Usability:
		return &r.Usability
	}
	return nil
}

// A Suggestion says what would make a document better, and where.
type Suggestion struct {
	Criterion Criterion `json:"criterion"`
	Line      int       `json:"line"` // the first is 1; 0 is the document as a whole
	Text      string    `json:"text"`
}

// String is the suggestion as it travels: "L12 · completeness · say why", without
// the line where it means the whole document.
func (s Suggestion) String() string {
	parts := []string{string(s.Criterion), s.Text}
	if s.Line > 0 {
		parts = append([]string{"L" + strconv.Itoa(s.Line)}, parts...)
	}
	return strings.Join(parts, " · ")
}

// A Verdict is what an evaluator found. Score is ours, recomputed from the
// criteria by the weights; Said is what the evaluator called it overall.
type Verdict struct {
	Scores      Rubric       `json:"rubric_scores"`
	Said        float64      `json:"said"`
	Score       float64      `json:"score"`
	Disagrees   bool         `json:"disagrees,omitempty"` // Said is not what the criteria come to
	Suggestions []Suggestion `json:"suggestions"`         // the worst criterion first
	Blocker     string       `json:"blocker,omitempty"`   // why no rewriting can help
}

// A Round is one evaluation of a run that improves a document, counted from 1.
type Round struct {
	Number  int     `json:"number"`
	Verdict Verdict `json:"verdict"`
}

// A Stop is why a run of rounds goes no further.
type Stop string

// Why a run stops. GoOn is no reason: another round may help.
const (
	GoOn        Stop = ""
	StopTarget  Stop = "target"
	StopBlocker Stop = "blocker"
	StopMaximum Stop = "maximum"
	StopPlateau Stop = "plateau"
)

// Evaluated is the answer of evaluate_document: data, not a word.
type Evaluated struct {
	Score       float64            `json:"score"`
	Scores      Rubric             `json:"rubric_scores"`
	Pass        bool               `json:"pass"`
	Suggestions []string           `json:"suggestions"`
	Metadata    EvaluationMetadata `json:"metadata"`
}

// EvaluationMetadata says how a score came about.
type EvaluationMetadata struct {
	Iteration int    `json:"iteration"`
	Time      int64  `json:"evaluation_time"` // milliseconds
	Model     string `json:"model_used"`
	Note      string `json:"note,omitempty"` // over the maximum, or the evaluator disagrees with itself
}

// Answer is the verdict as evaluate_document tells it.
func (v Verdict) Answer(target float64, m EvaluationMetadata) Evaluated {
	out := Evaluated{
		Score: v.Score, Scores: v.Scores, Metadata: m,
		Pass:        v.Passes(target),
		Suggestions: make([]string, len(v.Suggestions)),
	}
	for i, s := range v.Suggestions {
		out.Suggestions[i] = s.String()
	}
	return out
}

// Passes reports whether the document is good enough: what has a blocker never is.
func (v Verdict) Passes(target float64) bool { return v.Blocker == "" && v.Score >= target }
