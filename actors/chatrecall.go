package actors

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"

	"kurogo/messages"
)

// terms are the words of a text as they are compared: lower case, and for scripts
// without spaces each pair of letters.
func terms(text string) []string {
	var out []string
	var word, pair []rune
	flush := func() {
		if len(word) > 1 && !idle[string(word)] {
			out = append(out, string(word))
		}
		if len(pair) == 1 {
			out = append(out, string(pair))
		}
		word, pair = word[:0], pair[:0]
	}
	for _, r := range text {
		switch r = unicode.ToLower(r); {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
			if len(word) > 0 {
				flush()
			}
			if pair = append(pair, r); len(pair) > 1 {
				out = append(out, string(pair[len(pair)-2:]))
			}
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_':
			if len(pair) > 0 {
				flush()
			}
			word = append(word, r)
		default:
			flush()
		}
	}
	flush()
	return out
}

// idle words say nothing of what a text is about.
var idle = set(strings.Fields("a an and are as at be by can do does for from how i in is it me my not of on or that the there this to us was we what when where which who why will with you your please"))

func set(words []string) map[string]bool {
	out := make(map[string]bool, len(words))
	for _, w := range words {
		out[w] = true
	}
	return out
}

// talkMost is how many earlier turns are recalled, talkBytes how much of each.
const (
	talkMost  = 3
	talkBytes = 1000
)

// EarlierTalk finds the earlier turns that have most in common with a question,
// but for those that are remembered anyway, and for quotations. A word that few of
// them have counts more; one word in common is none.
func EarlierTalk(question string, past, remembered []messages.ChatTurn) []messages.ChatSource {
	known := map[messages.MessageID]bool{}
	for _, t := range remembered {
		known[t.Answer.ID] = true
	}
	asked := set(terms(question))
	said := make([]map[string]bool, len(past))
	has := map[string]float64{}
	for i, t := range past {
		said[i] = set(terms(t.Question.Content + "\n" + t.Answer.Content))
		for w := range asked {
			if said[i][w] {
				has[w]++
			}
		}
	}
	type find struct {
		turn  int
		score float64
	}
	var finds []find
	for i, t := range past {
		score, common := 0.0, 0
		for _, w := range slices.Sorted(maps.Keys(asked)) { // the order in which floats are added
			if said[i][w] {
				common++
				score += math.Log(1 + float64(len(past))/has[w])
			}
		}
		if common >= min(2, len(asked)) && common > 0 && !known[t.Answer.ID] && t.Answer.Model != NoModel {
			finds = append(finds, find{i, score / math.Sqrt(1+float64(len(said[i])))})
		}
	}
	slices.SortStableFunc(finds, func(a, b find) int { return cmp.Compare(b.score, a.score) })
	var out []messages.ChatSource
	for _, f := range finds[:min(talkMost, len(finds))] {
		t := past[f.turn]
		out = append(out, messages.ChatSource{
			Session: t.Question.Session, Message: t.Answer.ID, Score: math.Round(f.score*1000) / 1000,
			Text: "Q: " + messages.Cut(strings.TrimSpace(t.Question.Content), talkBytes/2) + "\nA: " + messages.Cut(strings.TrimSpace(t.Answer.Content), talkBytes),
		})
	}
	return out
}

// Impression is what can be said of an answer without a model: whether it speaks
// of what was asked, and leans on what was found.
func Impression(t messages.ChatTurn) (score float64, feedback string) {
	if t.Answer.Fallback {
		return 0, "nobody answered: these are words of ours (heuristic)"
	}
	asked, said := set(terms(t.Question.Content)), set(terms(t.Answer.Content))
	common := 0
	for w := range asked {
		if said[w] {
			common++
		}
	}
	share := 1.0
	if len(asked) > 0 {
		share = float64(common) / float64(len(asked))
	}
	cited := 0
	for _, s := range t.Answer.Sources {
		if s.Path != "" && strings.Contains(t.Answer.Content, s.Path) {
			cited++
		}
	}
	score = 3 + 4*share
	switch {
	case cited > 0:
		score += 3
	case len(t.Answer.Sources) == 0:
		score++
	}
	return math.Round(score*10) / 10, fmt.Sprintf("%d of %d words of the question come up, %d of %d sources are cited (heuristic)", common, len(asked), cited, len(t.Answer.Sources))
}
