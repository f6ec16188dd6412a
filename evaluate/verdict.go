package evaluate

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"kurogo/messages"
)

// Bounds of a verdict's parts. An evaluator that needs more is not evaluating.
const (
	suggestionsMost = 100
	suggestionBytes = 4 << 10
)

// ParseVerdict reads an evaluator's answer, strictly, and completes it by our own
// arithmetic: the score, whether the evaluator disagrees with itself, and the order
// of its suggestions. What is not a whole verdict is an ErrAnswer, never a score.
func ParseVerdict(text string, weights messages.Rubric) (messages.Verdict, error) {
	var v messages.Verdict
	if len(text) > answerBytes {
		return v, fmt.Errorf("%w: it has %d bytes, the most are %d", ErrAnswer, len(text), answerBytes)
	}
	fields, err := object(text, "score", "rubric_scores", "suggestions", "blocker")
	if err != nil {
		return v, err
	}
	if v.Said, err = score(fields, "score"); err != nil {
		return messages.Verdict{}, err
	}
	if v.Scores, err = scores(fields["rubric_scores"]); err != nil {
		return messages.Verdict{}, err
	}
	if v.Suggestions, err = suggestions(fields); err != nil {
		return messages.Verdict{}, err
	}
	if err := value(fields, "blocker", &v.Blocker); err != nil {
		return messages.Verdict{}, err
	}
	if v.Blocker = plain(v.Blocker); len(v.Blocker) > suggestionBytes {
		return messages.Verdict{}, fmt.Errorf("%w: the blocker is too long", ErrAnswer)
	}
	return weigh(v, weights), nil
}

func scores(raw json.RawMessage) (messages.Rubric, error) {
	var names []string
	for _, c := range messages.Criteria() {
		names = append(names, string(c))
	}
	fields, err := members(raw, names...)
	if err != nil {
		return messages.Rubric{}, fmt.Errorf("read rubric_scores: %w", err)
	}
	var out messages.Rubric
	for _, c := range messages.Criteria() {
		n, err := score(fields, string(c))
		if err != nil {
			return messages.Rubric{}, err
		}
		out = out.With(c, round(n))
	}
	return out, nil
}

func score(fields map[string]json.RawMessage, name string) (float64, error) {
	var n float64
	if err := value(fields, name, &n); err != nil {
		return 0, err
	}
	if !(n >= 0 && n <= most) {
		return 0, fmt.Errorf("%w: %q is %v, not 0 to %d", ErrAnswer, name, n, most)
	}
	return n, nil
}

func suggestions(fields map[string]json.RawMessage) ([]messages.Suggestion, error) {
	var raw []json.RawMessage
	if err := value(fields, "suggestions", &raw); err != nil {
		return nil, err
	}
	if len(raw) > suggestionsMost {
		return nil, fmt.Errorf("%w: %d suggestions, the most are %d", ErrAnswer, len(raw), suggestionsMost)
	}
	out := make([]messages.Suggestion, 0, len(raw))
	for i, one := range raw {
		s, err := suggestion(one)
		if err != nil {
			return nil, fmt.Errorf("read suggestion %d: %w", i+1, err)
		}
		out = append(out, s)
	}
	return out, nil
}

func suggestion(raw json.RawMessage) (messages.Suggestion, error) {
	var s messages.Suggestion
	fields, err := members(raw, "criterion", "line", "text")
	if err != nil {
		return s, err
	}
	if err := errors.Join(value(fields, "criterion", &s.Criterion), value(fields, "line", &s.Line), value(fields, "text", &s.Text)); err != nil {
		return s, err
	}
	s.Text = plain(s.Text)
	switch {
	case !slices.Contains(messages.Criteria(), s.Criterion):
		return s, fmt.Errorf("%w: %q is no criterion", ErrAnswer, s.Criterion)
	case s.Line < 0:
		return s, fmt.Errorf("%w: there is no line %d", ErrAnswer, s.Line)
	case s.Text == "":
		return s, fmt.Errorf("%w: it says nothing", ErrAnswer)
	case len(s.Text) > suggestionBytes:
		return s, fmt.Errorf("%w: it is too long", ErrAnswer)
	}
	return s, nil
}

// plain is a model's text as one line without what would move a terminal's cursor.
func plain(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
	}), " ")
}

// WorstFirst orders suggestions by what their criterion costs the document: how
// much is missing there, times what it counts. Within one, by line.
func WorstFirst(of []messages.Suggestion, scores, weights messages.Rubric) []messages.Suggestion {
	lost := func(c messages.Criterion) float64 { return (most - scores.Of(c)) * weights.Of(c) }
	out := slices.Clone(of)
	slices.SortStableFunc(out, func(a, b messages.Suggestion) int {
		if a.Criterion == b.Criterion {
			return cmp.Compare(a.Line, b.Line)
		}
		return cmp.Or(cmp.Compare(lost(b.Criterion), lost(a.Criterion)), cmp.Compare(a.Criterion, b.Criterion))
	})
	return out
}
