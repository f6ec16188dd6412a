package evaluate

import (
	"strconv"

	"kurogo/messages"
)

// Weighted is a document's score before it is rounded, by the default weights.
func Weighted(doc string) float64 {
	scores, _ := readPage(doc).examine()
	return mean(scores, DefaultRubric())
}

// Fault is what one measure finds in a document.
func Fault(name, doc string) float64 {
	for _, m := range measures {
		if m.name == name {
			return m.find(readPage(doc)).fault
		}
	}
	panic("there is no measure " + name)
}

// Measures are the rows of the table in the docs: criterion, name, weight, looks.
func Measures() [][4]string {
	var out [][4]string
	for _, c := range messages.Criteria() {
		for _, m := range measures {
			if m.criterion == c {
				out = append(out, [4]string{string(c), m.name, strconv.FormatFloat(m.weight, 'g', -1, 64), m.looks})
			}
		}
	}
	return out
}
