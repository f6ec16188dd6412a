package index

import "slices"

// stem takes the ending off an English word, so that "indexes", "indexed" and
// "indexing" are one term. It is the algorithm of M. F. Porter (1980); w is
// lower case ASCII and is changed in place.
func stem(w []byte) []byte {
	if len(w) <= 2 {
		return w
	}
	w = stemPlural(w)
	w = stemPast(w)
	if ends(w, "y") && hasVowel(w[:len(w)-1]) {
		w[len(w)-1] = 'i'
	}
	w = replaceEnding(w, endings2, 0)
	w = replaceEnding(w, endings3, 0)
	w = dropEnding(w)
	return tidyEnd(w)
}

type ending struct{ from, to string }

var (
	endings2 = []ending{
		{"ational", "ate"},
		{"tional", "tion"},
		{"enci", "ence"},
		{"anci", "ance"},
		{"izer", "ize"},
		{"bli", "ble"},
		{"alli", "al"},
		{"entli", "ent"},
		{"eli", "e"},
		{"ousli", "ous"},
		{"ization", "ize"},
		{"ation", "ate"},
		{"ator", "ate"},
		{"alism", "al"},
		{"iveness", "ive"},
		{"fulness", "ful"},
		{"ousness", "ous"},
		{"aliti", "al"},
		{"iviti", "ive"},
		{"biliti", "ble"},
		{"logi", "log"},
	}
	endings3 = []ending{
		{"icate", "ic"},
		{"ative", ""},
		{"alize", "al"},
		{"iciti", "ic"},
		{"ical", "ic"},
		{"ful", ""},
		{"ness", ""},
	}
	// The longer of two that fit comes first.
	endings4 = []string{
		"ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ion", "ism",
		"ate", "iti", "ous", "ive", "ize", "al", "er", "ic", "ou",
	}
)

func ends(w []byte, with string) bool {
	return len(w) >= len(with) && string(w[len(w)-len(with):]) == with
}

func consonant(w []byte, i int) bool {
	switch w[i] {
	case 'a', 'e', 'i', 'o', 'u':
		return false
	case 'y':
		return i == 0 || !consonant(w, i-1)
	}
	return true
}

func hasVowel(w []byte) bool {
	for i := range w {
		if !consonant(w, i) {
			return true
		}
	}
	return false
}

// measure counts how often a vowel is followed by a consonant: roughly syllables.
func measure(w []byte) (n int) {
	after := false
	for i := range w {
		c := consonant(w, i)
		if c && after {
			n++
		}
		after = !c
	}
	return n
}

func doubled(w []byte) bool {
	n := len(w)
	return n >= 2 && w[n-1] == w[n-2] && consonant(w, n-1)
}

// short reports an end of consonant, vowel, consonant, as in "hop".
func short(w []byte) bool {
	n := len(w)
	if n < 3 || !consonant(w, n-1) || consonant(w, n-2) || !consonant(w, n-3) {
		return false
	}
	return w[n-1] != 'w' && w[n-1] != 'x' && w[n-1] != 'y'
}

func stemPlural(w []byte) []byte {
	switch {
	case ends(w, "sses"), ends(w, "ies"):
		return w[:len(w)-2]
	case ends(w, "s") && !ends(w, "ss"):
		return w[:len(w)-1]
	}
	return w
}

func stemPast(w []byte) []byte {
	var rest []byte
	switch {
	case ends(w, "eed"):
		if measure(w[:len(w)-3]) > 0 {
			return w[:len(w)-1]
		}
		return w
	case ends(w, "ed"):
		rest = w[:len(w)-2]
	case ends(w, "ing"):
		rest = w[:len(w)-3]
	}
	if rest == nil || !hasVowel(rest) {
		return w
	}
	switch {
	case ends(rest, "at"), ends(rest, "bl"), ends(rest, "iz"):
		return append(rest, 'e')
	case doubled(rest) && !ends(rest, "l") && !ends(rest, "s") && !ends(rest, "z"):
		return rest[:len(rest)-1]
	case measure(rest) == 1 && short(rest):
		return append(rest, 'e')
	}
	return rest
}

func replaceEnding(w []byte, table []ending, least int) []byte {
	best := -1
	for i, e := range table {
		if ends(w, e.from) && (best < 0 || len(e.from) > len(table[best].from)) {
			best = i
		}
	}
	if best < 0 {
		return w
	}
	rest := w[:len(w)-len(table[best].from)]
	if measure(rest) > least {
		return append(rest, table[best].to...)
	}
	return w
}

func dropEnding(w []byte) []byte {
	i := slices.IndexFunc(endings4, func(e string) bool { return ends(w, e) })
	if i < 0 {
		return w
	}
	rest := w[:len(w)-len(endings4[i])]
	if measure(rest) <= 1 || endings4[i] == "ion" && !ends(rest, "s") && !ends(rest, "t") {
		return w
	}
	return rest
}

func tidyEnd(w []byte) []byte {
	if ends(w, "e") {
		rest := w[:len(w)-1]
		if m := measure(rest); m > 1 || m == 1 && !short(rest) {
			w = rest
		}
	}
	if ends(w, "l") && doubled(w) && measure(w) > 1 {
		w = w[:len(w)-1]
	}
	return w
}
