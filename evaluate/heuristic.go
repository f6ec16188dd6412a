package evaluate

import (
	"cmp"
	"slices"

	"kurogo/messages"
)

// How many suggestions a heuristic verdict has: at least so many for a document
// that is not flawless, and no more than can be heeded; so many of one measure.
const (
	fewest     = 3
	mostSaid   = 20
	mostOfEach = 4
)

// Heuristic judges a document without a model: by what can be measured in its
// text alone. The same document gets the same verdict.
func Heuristic(doc string, weights messages.Rubric) messages.Verdict {
	p := readPage(doc)
	exact, notes := p.examine()
	var v messages.Verdict
	for _, c := range messages.Criteria() {
		v.Scores = v.Scores.With(c, round(exact.Of(c)))
	}
	v.Said = Score(v.Scores, weights)
	if len(notes) < fewest {
		notes = append(notes, p.advice(fewest-len(notes), notes)...)
	}
	for _, n := range notes[:min(len(notes), mostSaid)] {
		v.Suggestions = append(v.Suggestions, n.suggestion())
	}
	return weigh(v, weights)
}

// A remark is a note with the measure that made it.
type remark struct {
	note
	of    *measure
	value float64 // of heeding it
}

func (r remark) suggestion() messages.Suggestion {
	return messages.Suggestion{Criterion: r.of.criterion, Line: r.line, Text: r.text}
}

// examine measures the page: the scores, not yet rounded, and what to say, the
// most valuable first.
func (p *page) examine() (messages.Rubric, []remark) {
	scores := messages.Rubric{Completeness: most, Accuracy: most, Clarity: most, Usability: most}
	var notes []remark
	for i := range measures {
		m := &measures[i]
		f := m.find(p)
		scores = scores.With(m.criterion, scores.Of(m.criterion)*(1-m.weight*f.fault))
		slices.SortStableFunc(f.notes, func(a, b note) int { return cmp.Compare(b.cost, a.cost) })
		for _, n := range f.notes[:min(len(f.notes), mostOfEach)] {
			notes = append(notes, remark{n, m, m.weight * f.fault * n.cost})
		}
	}
	slices.SortStableFunc(notes, func(a, b remark) int {
		return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(a.line, b.line))
	})
	return scores, notes
}
