package evaluate

import (
	"slices"
	"strings"
	"unicode"
)

// What cannot follow an article, "of" or a verb of mood, or end a sentence: a word
// between is missing. Only pairs are listed that no usual sentence has.
var (
	afterThe   = set("of is are was were to and or but by with at into has have had would should which the a an it its be been")
	afterA     = set("of are was were the a an by with at into has have had should which its be been")
	afterOf    = set("of is are was were to be has have had would should with")
	afterPlace = set("of is are was were has have had would should")
	places     = set("in on with for from by into at about between")
	afterModal = set("of the a an is are was were had has")
	modals     = set("can will would should must may could")
	neverLast  = set("the a an and or")
	mayDouble  = set("that had very no so really ha long many bye")
)

func phrases(p *page) finding {
	var notes []note
	for i := range p.sentences {
		s := &p.sentences[i]
		var n int
		var where string
		if p.japanese {
			n, where = brokenParticles(s.text)
		} else {
			n, where = brokenPairs(s)
			if beginsSmall(s.text) {
				n, where = n+1, quote(s.text)
			}
		}
		if at := missingStop(s.text); at != "" {
			n, where = n+1, at
		}
		if at := strandedMark(s.text); at != "" {
			n, where = n+1, at
		}
		if n > 0 {
			notes = append(notes, note{s.line, float64(n), p.say("a word is missing or doubled at %q", "「%s」の前後で語が抜けているか重なっている", where)})
		}
	}
	return p.collect(notes)
}

func brokenPairs(s *sentence) (count int, where string) {
	lower, looked := "", 0
	for i := 1; i < len(s.words) && looked < 20; i++ { // a sentence of nothing else is broken enough
		a, b := s.words[i-1], s.words[i]
		broken := a == "the" && afterThe[b] || (a == "a" || a == "an") && afterA[b] || a == "of" && afterOf[b] || places[a] && afterPlace[b] || modals[a] && afterModal[b] || a == b && len(a) > 1 && a[0] >= 'a' && !mayDouble[a] || a == b && a == "a"
		if !broken {
			continue
		}
		if looked++; lower == "" {
			lower = strings.ToLower(s.text)
		}
		if !strings.Contains(lower, a+" "+b) { // a mark stands between
			continue
		}
		count, where = count+1, a+" "+b
	}
	if n := len(s.words); n > 3 && neverLast[s.words[n-1]] && strings.HasSuffix(s.text, s.words[n-1]+".") {
		count, where = count+1, s.words[n-1]+"."
	}
	return count, where
}

// doubledWide finds a run of Han or Katakana, or three and more Hiragana, that is
// written twice. Those with 一 in front are words: 一人一人.
func doubledWide(text []rune) string {
	for i := range text {
		for n := 2; n <= 6 && i+2*n <= len(text); n++ {
			if text[i] != text[i+n] || !slices.Equal(text[i:i+n], text[i+n:i+2*n]) || text[i] == '一' {
				continue
			}
			subject := !slices.ContainsFunc(text[i:i+n], func(r rune) bool { return !unicode.In(r, unicode.Han, unicode.Katakana) })
			grammar := n > 2 && !slices.ContainsFunc(text[i:i+n], func(r rune) bool { return !unicode.Is(unicode.Hiragana, r) })
			if subject || grammar {
				return string(text[i : i+2*n])
			}
		}
	}
	return ""
}

// beginsSmall reports a sentence whose first word is a plain one in small letters:
// neither a name from code nor one that is written so.
func beginsSmall(text string) bool {
	word, _, more := strings.Cut(text, " ")
	if !more || len(word) < 2 {
		return false
	}
	for _, r := range word {
		if r < 'a' || r > 'z' {
			return false
		}
	}
	return function[word] // names of programs begin with small letters, too; these are none
}

// beginners begin sentences and are written small within them.
var beginners = set("The This It If In For When You We These That There To An However")

// missingStop finds a word that begins a sentence behind one that does not end one.
func missingStop(text string) string {
	from := 0 // of the word before
	for i := 1; i < len(text)-1; i++ {
		if text[i] != ' ' {
			continue
		}
		if last, next := text[i-1], text[i+1]; last >= 'a' && last <= 'z' && next >= 'A' && next <= 'Z' {
			word, rest, more := strings.Cut(text[i+1:], " ")
			before := text[from:i]
			if more && beginners[word] && !unicode.IsUpper(firstRune(rest)) && before == strings.ToLower(before) { // not a title
				return quote(text[from:])
			}
		}
		from = i + 1
	}
	return ""
}

// strandedMark finds a full stop or comma with a space before it.
func strandedMark(text string) string {
	for _, mark := range []string{" , ", " . ", ",,", ", ,", " ;"} {
		if at := strings.Index(text, mark); at > 0 {
			return quote(text[max(0, at-1):])
		}
	}
	if strings.HasSuffix(text, " .") || strings.HasSuffix(text, " ,") {
		return quote(text[len(text)-2:])
	}
	return ""
}

// wrongParticles are runs of particles and marks that nobody writes. Most pairs of
// kana begin some word; these begin none.
var wrongParticles = []string{"をを", "がを", "はを", "へを", "、を", "。を", "、、", "、。", "。、", "を。", "が、を", "に、を"}

func brokenParticles(text string) (count int, where string) {
	for _, pair := range wrongParticles {
		if n := strings.Count(text, pair); n > 0 {
			count, where = count+n, pair
		}
	}
	if twice := doubledWide([]rune(text)); twice != "" {
		count, where = count+1, twice
	}
	if strings.ContainsRune("をんーっゃゅょぁぃぅぇぉ、", firstRune(text)) {
		count, where = count+1, quote(text)
	}
	return count, where
}
