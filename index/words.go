package index

import (
	"unicode"
	"unicode/utf8"
)

const (
	longestWord   = 64 // longer ones are data
	longestNumber = 4
)

// words cuts text into what is searched for and calls emit with each: the parts
// of identifiers, stemmed; identifiers of several parts as a whole; and of
// Chinese, Japanese and Korean, which put no spaces, every pair of characters.
// The slice is only lent.
func words(text []byte, emit func(word []byte)) {
	scan(text, func(id []byte) { identifier(id, emit) }, emit)
}

// scan finds the ASCII identifiers of a text, and the words of everything else.
func scan(text []byte, id, word func([]byte)) {
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf && !wordByte[c] {
			i++
			continue
		}
		end := i
		for end < len(text) && wordByte[text[end]] {
			end++
		}
		if end == i || end < len(text) && text[end] >= utf8.RuneSelf {
			i = foreign(text, i, word)
			continue
		}
		id(text[i:end])
		i = end
	}
}

var wordByte = func() (is [256]bool) {
	for c := range is[:utf8.RuneSelf] {
		is[c] = c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
	}
	return is
}()

// identifier emits the parts of an ASCII identifier, and the whole where it has
// several.
func identifier(id []byte, emit func([]byte)) {
	if len(id) > longestWord {
		return
	}
	var buf [longestWord + 2]byte
	parts := 0
	var whole [longestWord]byte
	n := 0
	for i := 0; i < len(id); {
		if id[i] == '_' {
			i++
			continue
		}
		end := partEnd(id, i)
		part := buf[:end-i]
		for j := range part {
			part[j] = lower(id[i+j])
		}
		n += copy(whole[n:], part)
		parts++
		i = end
		if part = term(part); part != nil {
			emit(part)
		}
	}
	if parts > 1 {
		emit(whole[:n])
	}
}

// term is what a lower-case part is indexed as, nil for what is only noise.
func term(part []byte) []byte {
	switch {
	case digit(part[0]):
		if len(part) > longestNumber {
			return nil
		}
		return part
	case len(part) < 3:
		return part
	}
	return stem(part)
}

// partEnd finds where the part that begins at i ends: before a capital that
// follows a small letter, before the last capital of several, between letters
// and digits.
func partEnd(id []byte, i int) int {
	end := i + 1
	switch {
	case digit(id[i]):
		for end < len(id) && digit(id[end]) {
			end++
		}
	case upper(id[i]):
		for end < len(id) && upper(id[end]) {
			end++
		}
		if end < len(id) && small(id[end]) {
			if end-i > 1 {
				return end - 1
			}
			for end < len(id) && small(id[end]) {
				end++
			}
		}
	default:
		for end < len(id) && small(id[end]) {
			end++
		}
	}
	return end
}

func digit(c byte) bool { return c >= '0' && c <= '9' }
func upper(c byte) bool { return c >= 'A' && c <= 'Z' }
func small(c byte) bool { return c >= 'a' && c <= 'z' }

func lower(c byte) byte {
	if upper(c) {
		return c + 'a' - 'A'
	}
	return c
}

// foreign emits the word that begins at i and has letters beyond ASCII, and
// returns where it ends.
func foreign(text []byte, i int, emit func([]byte)) int {
	first, size := utf8.DecodeRune(text[i:])
	if ideographic(first) {
		return pairs(text, i, emit)
	}
	if !unicode.IsLetter(first) && !unicode.IsDigit(first) && first != '_' {
		return i + size
	}
	var word []byte
	ascii := true
	start := i
	for i < len(text) {
		r, size := utf8.DecodeRune(text[i:])
		if ideographic(r) || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.Mn, r) && r != '_' {
			break
		}
		ascii = ascii && r < utf8.RuneSelf
		word = utf8.AppendRune(word, unicode.ToLower(r))
		i += size
	}
	switch {
	case ascii:
		identifier(text[start:i], emit)
	case len(word) <= longestWord:
		emit(word)
	}
	return i
}

// pairs emits every pair of neighbours in a run of ideographic characters, and
// every character alone that means something alone.
func pairs(text []byte, i int, emit func([]byte)) int {
	before := -1
	for i < len(text) {
		r, size := utf8.DecodeRune(text[i:])
		if !ideographic(r) {
			break
		}
		if before >= 0 {
			emit(text[before : i+size])
		}
		if unicode.Is(unicode.Han, r) {
			emit(text[i : i+size])
		}
		before = i
		i += size
	}
	return i
}

func ideographic(r rune) bool {
	return r >= 0x1100 && (unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) || r == 'ー' || r == '々')
}

// asked are the words of a query: as words, but without the single characters of
// longer runs and without what every sentence has.
func asked(query string, emit func(word []byte)) {
	text := []byte(query)
	alone := func(w []byte) bool { return utf8.RuneCount(w) == 1 && w[0] >= utf8.RuneSelf }
	paired := map[string]bool{}
	words(text, func(w []byte) {
		if !alone(w) && w[0] >= utf8.RuneSelf {
			for _, r := range string(w) {
				paired[string(r)] = true
			}
		}
	})
	all := true // a query of such words only is about them
	words(text, func(w []byte) { all = all && commonWords[string(w)] })
	words(text, func(w []byte) {
		if !all && commonWords[string(w)] || alone(w) && paired[string(w)] {
			return
		}
		emit(w)
	})
}

// commonWords say nothing about code. They stand as they come out of words.
var commonWords = func() map[string]bool {
	out := map[string]bool{}
	words([]byte(`a an the this that these those it its is are was were be been being am
		of to in on at by for from with into onto as and or nor but not no if then than so such
		do does did done doing has have had having can could may might must shall should will would
		which who whom whose what when where why how there here we you they he she i me my your our their his her them us
		also any each both either neither only other same some all more most very just about out up down over under again`),
		func(w []byte) { out[string(w)] = true })
	return out
}()
