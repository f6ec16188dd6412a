package main

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// marker colours the words of a query in a line, on a terminal.
func (p *program) marker(query string) func(string) string {
	words := marks(query)
	if !p.colours(p.out) || len(words) == 0 {
		return func(line string) string { return line }
	}
	return func(line string) string {
		var spans [][]int
		for _, w := range words {
			spans = append(spans, w.FindAllStringIndex(line, -1)...)
		}
		slices.SortFunc(spans, func(a, b []int) int { return cmp.Compare(a[0], b[0]) })
		var b strings.Builder
		at := 0
		for i := 0; i < len(spans); {
			from, to := spans[i][0], spans[i][1]
			for ; i < len(spans) && spans[i][0] <= to; i++ { // pairs of characters overlap
				to = max(to, spans[i][1])
			}
			b.WriteString(line[at:from] + yellow + line[from:to] + plainC)
			at = to
		}
		return b.String() + line[at:]
	}
}

// marks are the words of a query as they are looked for in a line: without those
// that stand everywhere, without the ends that words change, and by pairs of
// characters where words have no spaces between them. The index knows better; this
// only leads the eye.
func marks(query string) (out []*regexp.Regexp) {
	for _, word := range strings.FieldsFunc(strings.ToLower(query), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.M, r) && r != '_'
	}) {
		letters := []rune(word)
		switch {
		case slices.ContainsFunc(letters, unspaced):
			for i := range max(1, len(letters)-1) {
				out = append(out, regexp.MustCompile("(?i)"+regexp.QuoteMeta(string(letters[i:min(i+2, len(letters))]))))
			}
		case slices.Contains(everywhere, word) || len(letters) < 2:
		case len(letters) == 2:
			out = append(out, regexp.MustCompile(`(?i)\b`+regexp.QuoteMeta(word)+`\b`))
		default:
			out = append(out, regexp.MustCompile("(?i)"+unbent(word)))
		}
	}
	return out
}

func unspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

// everywhere are words that say nothing of what is looked for.
var everywhere = strings.Fields("a an and are as at be by can do does for from how i in is it its not of on or that the there this to was we what when where which who why will with you")

// unbent is a word with any of the commonest endings, if it has one itself and is
// long enough to stay a word without it.
func unbent(word string) string {
	for _, end := range []string{"ing", "ed", "es", "s"} {
		if short, ok := strings.CutSuffix(word, end); ok && len(short) >= 4 {
			return regexp.QuoteMeta(short) + "(?:ing|ed|es|e|s)?"
		}
	}
	return regexp.QuoteMeta(word)
}
