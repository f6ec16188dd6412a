package evaluate

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A sentence of prose. Cells have none: they are words.
type sentence struct {
	text    string
	line    int
	block   int
	section int
	first   bool // of its block
	last    bool
	length  int      // words; in Japanese, half its letters
	stems   []uint64 // what it is about, each once
	words   []string // lower case, in order; not for Japanese
}

// short forms end with a full stop that ends nothing.
var short = map[string]bool{
	"e.g": true, "i.e": true, "etc": true, "vs": true, "cf": true, "mr": true, "mrs": true, "dr": true,
	"no": true, "fig": true, "sec": true, "al": true, "approx": true, "resp": true, "st": true, "jr": true,
	"inc": true, "ltd": true, "vol": true, "p": true, "pp": true,
}

// split cuts the blocks into sentences.
func (p *page) split() {
	seen := map[string]bool{}
	for i, b := range p.blocks {
		if b.kind == cell {
			continue
		}
		from := len(p.sentences)
		for _, at := range cuts(b.text) {
			text := strings.TrimSpace(b.text[at[0]:at[1]])
			if text == "" {
				continue
			}
			lead := len(b.text[at[0]:at[1]]) - len(strings.TrimLeftFunc(b.text[at[0]:at[1]], unicode.IsSpace))
			s := sentence{text: text, line: b.line(at[0] + lead), block: i, section: b.section, first: len(p.sentences) == from}
			s.understand(p.japanese)
			if !seen[text] {
				seen[text], p.words = true, p.words+s.length
			}
			p.sentences = append(p.sentences, s)
		}
		if n := len(p.sentences); n > from {
			p.sentences[n-1].last = true
		}
	}
	p.size = max(1, float64(p.words)/400)
}

// cuts are the bounds of the sentences in a text.
func cuts(text string) [][2]int {
	var out [][2]int
	from := 0
	for i, r := range text {
		switch r {
		case '。', '！', '？':
		case '.', '!', '?':
			rest := strings.TrimLeft(text[i+1:], `"')]”’*_`)
			if rest == "" || rest[0] != ' ' && rest[0] != '\n' || r == '.' && abbreviates(text[from:i]) {
				continue
			}
		default:
			continue
		}
		end := i + utf8.RuneLen(r)
		for end < len(text) && strings.ContainsRune(`"')]”’*_」』）`, firstRune(text[end:])) {
			end += utf8.RuneLen(firstRune(text[end:]))
		}
		if end > from {
			out = append(out, [2]int{from, end})
			from = end
		}
	}
	return append(out, [2]int{min(from, len(text)), len(text)})
}

func abbreviates(before string) bool {
	word := before[strings.LastIndexAny(before, " \n(")+1:]
	return short[strings.ToLower(word)] || utf8.RuneCountInString(word) == 1 && unicode.IsUpper(firstRune(word))
}

// ended reports whether a sentence ends as sentences do.
func ended(text string) bool {
	text = strings.TrimRight(text, " \n\"')]”’*_」』）")
	return text == "" || strings.ContainsRune(".!?:;。！？：…", lastRune(text))
}
