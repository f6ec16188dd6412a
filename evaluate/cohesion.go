package evaluate

import (
	"slices"
	"strings"
	"unicode"
)

// cohesion compares what neighbours share with what sentences share that are far
// from each other. In a text with a thread neighbours share more; in a shuffled
// one there is no difference, whatever it is about.
func cohesion(p *page) finding {
	loose := 1 - p.thread()
	return finding{fault: min(1, loose*loose*loose/2)} // a good text is not better for being a little tighter
}

// thread is −1 to 1, and 0 where there is none.
func (p *page) thread() float64 {
	s := p.sentences
	n := len(s)
	if n < 2 {
		return 0
	}
	near, far, pairs := 0.0, 0.0, 0.0
	for i := range n {
		for d := 1; d <= 2 && i+d < n && s[i].section == s[i+d].section; d++ {
			near += overlap(&s[i], &s[i+d])
			far += (overlap(&s[i], &s[(i+n/3)%n]) + overlap(&s[i], &s[(i+n/2)%n]) + overlap(&s[i+d], &s[(i+d+2*n/3+1)%n])) / 3
			pairs++
		}
	}
	about, elsewhere := p.headed()
	sure := func(n float64) float64 { return n / (n + 20) } // of few sentences little can be said
	return max(-1, min(1, 0.6*sure(pairs)*(near-far)/(near+far+0.2)+0.6*sure(float64(n))*(about-elsewhere)/(about+elsewhere+0.2)))
}

// headed is how much sections speak of their own headings, and of others'.
func (p *page) headed() (about, elsewhere float64) {
	titles := make([]sentence, len(p.headings))
	for i, h := range p.headings {
		titles[i] = sentence{text: h.text}
		titles[i].understand(p.japanese)
	}
	n := len(titles)
	if n < 3 {
		return 0, 0
	}
	for i := range p.sentences {
		s := &p.sentences[i]
		if s.section < 0 {
			continue
		}
		about += overlap(s, &titles[s.section])
		for _, jump := range []int{1 + n/4, 1 + n/2, 3 * n / 4} {
			elsewhere += overlap(s, &titles[(s.section+jump)%n]) / 3
		}
	}
	return about, elsewhere
}

// overlap is the part of the shorter one's subjects that the other has, too.
func overlap(a, b *sentence) float64 {
	least := min(len(a.stems), len(b.stems))
	if least == 0 {
		return 0
	}
	shared := 0
	for _, stem := range a.stems {
		if slices.Contains(b.stems, stem) {
			shared++
		}
	}
	return float64(shared) / float64(least)
}

var connectives = []string{
	"However", "Therefore", "Otherwise", "Thus", "Hence", "Similarly", "Moreover", "Furthermore", "Instead", "But ", "And ", "Also", "So ", "Then ", "Additionally", "Consequently", "Likewise", "Nevertheless", "As a result",
	"しかし", "また、", "そのため", "したがって", "つまり", "ただし", "一方", "さらに", "そして", "次に", "それでも", "その結果", "なお、", "すると", "だから",
}

// order finds what points at nothing: a connective at the head of a section, and
// a colon in the middle of a paragraph, where what it announced has gone.
func order(p *page) finding {
	var notes []note
	section := -2
	for _, s := range p.sentences {
		if s.section != section {
			section = s.section
			if slices.ContainsFunc(connectives, func(c string) bool { return strings.HasPrefix(s.text, c) }) {
				notes = append(notes, note{s.line, 1, p.say("%q connects to nothing at the head of a section", "節の冒頭の「%s」がつながる先がない", quote(s.text))})
			}
		}
		if colonInside(s.text) {
			notes = append(notes, note{s.line, 0.5, p.say("what the colon in %q announces does not follow", "「%s」のコロンの後に続くものがない", quote(s.text))})
		}
	}
	for i, b := range p.blocks {
		after := i+1 < len(p.blocks) && p.blocks[i+1].section == b.section
		if b.kind == paragraph && !b.leads && !after && announces(b.text) && len(p.codes) > 0 {
			notes = append(notes, note{b.line(len(b.text)), 0.5, p.say("what this announces does not follow", "ここで予告したものが続いていない")})
		}
	}
	return p.collect(notes)
}

func announces(text string) bool {
	return strings.HasSuffix(text, ":") || strings.HasSuffix(text, "：")
}

// colonInside finds "as follows: The next sentence".
func colonInside(text string) bool {
	at := strings.Index(text, ": ")
	if at < 12 || at+2 >= len(text) || strings.Count(text[:at], " ") < 3 {
		return false
	}
	rest := text[at+2:]
	return unicode.IsUpper(firstRune(rest)) && strings.Contains(rest, " ") && len(rest) > 1 && !unicode.IsUpper(rune(rest[1]))
}
