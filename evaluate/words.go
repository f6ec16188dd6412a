package evaluate

import (
	"slices"
	"strings"
	"unicode"
)

// function words carry the grammar, not the subject.
var function = set(`a about above after again all also an and any are as at be because been before being below between both but by
can could did do does doing down during each either else even few for from further get had has have having he her here him his how however
i if in into is it its itself just like made make many may might more most must my need no nor not now of off on once one only or other our out over own
same see set she should since so some such than that the their them then there therefore these they this those through thus to too under until up use used using
very via was we were what when where whether which while who whom why will with within without would you your`)

func set(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}

// hash is FNV-1a: the same in every process, or a score might differ by a clash.
func hash(word string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(word) {
		h = (h ^ uint64(word[i])) * 1099511628211
	}
	return h
}

// understand finds the words of a sentence and what it is about.
func (s *sentence) understand(japanese bool) {
	s.stems = make([]uint64, 0, 12)
	if japanese {
		s.understandWide()
		return
	}
	s.words = make([]string, 0, 24)
	for word := range strings.FieldsFuncSeq(s.text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' && r != '_' }) {
		word = strings.ToLower(word)
		s.words = append(s.words, word)
		if len(word) > 2 && !function[word] {
			s.about(stem(word))
		}
	}
	s.length = len(s.words)
}

// understandWide takes runs of Han and Katakana by twos, and Latin words: what is
// in Hiragana is mostly grammar.
func (s *sentence) understandWide() {
	letters, run := 0, []rune{}
	flush := func() {
		switch {
		case len(run) == 0:
		case run[0] < 0x80 || len(run) == 1:
			if len(run) > 1 || run[0] >= 0x80 {
				s.about(strings.ToLower(string(run)))
			}
		default:
			for i := range len(run) - 1 {
				s.about(string(run[i : i+2]))
			}
		}
		run = run[:0]
	}
	for _, r := range s.text {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			letters++
		}
		subject := unicode.Is(unicode.Han, r) || unicode.Is(unicode.Katakana, r) || r == 'ー'
		latin := r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_')
		if !subject && !latin || len(run) > 0 && (run[len(run)-1] < 0x80) != latin {
			flush()
		}
		if subject || latin {
			run = append(run, r)
		}
	}
	flush()
	s.length = (letters + 1) / 2
}

func (s *sentence) about(stem string) {
	h := hash(stem)
	if !slices.Contains(s.stems, h) && len(s.stems) < 64 {
		s.stems = append(s.stems, h)
	}
}

// stem takes the commonest endings off an English word, and what is long.
func stem(word string) string {
	for _, end := range []string{"'s", "ing", "ies", "ed", "es", "s"} {
		if rest, ok := strings.CutSuffix(word, end); ok && len(rest) >= 3 {
			word = rest
			break
		}
	}
	return word[:min(len(word), 7)] // install, installing and installation
}
