package evaluate

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

func title(p *page) finding {
	var notes []note
	switch {
	case len(p.headings) == 0:
		notes = append(notes, note{1, 4, p.say("begin with a title", "表題から始める")})
	case p.headings[0].level != 1:
		notes = append(notes, note{p.headings[0].line, 3, p.say("make the first heading %q the title, of the first level", "最初の見出し「%s」を第一レベルの表題にする", quote(p.headings[0].text))})
	case p.headings[0].blocks > 0 && p.proseBefore(p.headings[0].line):
		notes = append(notes, note{1, 2, p.say("put the title before the text", "本文の前に表題を置く")})
	}
	return p.bare(notes)
}

// bare is a finding whose size does not depend on how long the text is.
func (p *page) bare(notes []note) finding {
	n := 0.0
	for _, one := range notes {
		n += one.cost
	}
	return finding{n / (n + 1), notes}
}

// proseBefore reports whether sentences stand before a line. Badges and language
// links do not count.
func (p *page) proseBefore(line int) bool {
	for _, s := range p.sentences {
		if s.line < line && s.length >= 6 {
			return true
		}
	}
	return false
}

// enough is the amount of text to which more adds nothing, in words.
const enough = 6_000

// substance grows with the logarithm of the amount: a section more is much for a
// page, and little for a book.
func substance(p *page) finding {
	amount := float64(p.words) + 25*float64(len(p.headings)) + 30*float64(p.shownCode()) + 20*float64(len(p.tables)) + 2*float64(len(p.links))
	f := finding{fault: max(0, 1-math.Log1p(amount/100)/math.Log1p(enough/100))}
	if p.words < 80 {
		f.notes = append(f.notes, note{1, 1, p.say("say more: there are about %d words", "内容を増やす。約%d語しかない", p.words)})
	}
	return f
}

func emptySections(p *page) finding {
	var notes []note
	for i, h := range p.headings {
		deeper := i+1 < len(p.headings) && p.headings[i+1].level > h.level
		if !h.filled && !deeper {
			notes = append(notes, note{h.line, 1.5, p.say("the section %q is empty: write it or drop it", "節「%s」が空。書くか、見出しを消す", quote(h.text))})
		}
	}
	return p.collect(notes)
}

func ending(p *page) finding {
	var notes []note
	if n := len(p.headings); n > 0 && !p.headings[n-1].filled {
		notes = append(notes, note{p.headings[n-1].line, 3, p.say("the document stops at the heading %q", "見出し「%s」で文書が終わっている", quote(p.headings[n-1].text))})
	} else if n := len(p.blocks); n > 0 {
		b := p.blocks[n-1]
		last := lastLine(p)
		switch {
		case b.kind != paragraph || b.line(len(b.text)) < last || ended(b.text):
		case len(p.sentences) > 0 && p.sentences[len(p.sentences)-1].length >= 8 && len(p.sentences[len(p.sentences)-1].stems) > 3:
			notes = append(notes, note{last, 4, p.say("the text stops in the middle of a sentence: %q", "文の途中で終わっている:「%s」", quote(p.sentences[len(p.sentences)-1].text))})
		}
	}
	for i := range p.sentences {
		s := &p.sentences[i]
		if b := &p.blocks[s.block]; s.last && !s.first && b.kind == paragraph && !b.leads && !ended(s.text) && s.length > 3 && !strings.HasSuffix(s.text, "URL") {
			notes = append(notes, note{s.line, 0.5, p.say("the paragraph stops without a full stop: %q", "段落が文の途中で終わっている:「%s」", quote(s.text))})
		}
	}
	return p.collect(notes)
}

func lastLine(p *page) int {
	for n := len(p.starts); n > 0; n-- {
		if strings.TrimSpace(p.line(n)) != "" {
			return n
		}
	}
	return 1
}

func ladder(p *page) finding {
	var notes []note
	titles, previous := 0, 0
	var beside [7]map[string]int // by level: where the headings are since the last higher one
	for _, h := range p.headings {
		if h.level == 1 {
			titles++
		}
		if previous > 0 && h.level > previous+1 {
			notes = append(notes, note{h.line, 1, p.say("%q goes from level %d to %d: leave no step out", "「%s」でレベル%dから%dに飛んでいる。段を飛ばさない", quote(h.text), previous, h.level)})
		}
		for level := h.level + 1; level < len(beside); level++ {
			beside[level] = nil
		}
		if beside[h.level] == nil {
			beside[h.level] = map[string]int{}
		}
		if at, twice := beside[h.level][h.text]; twice {
			notes = append(notes, note{h.line, 1, p.say("the heading %q is also on line %d", "見出し「%s」が%d行目にもある", quote(h.text), at)})
		}
		beside[h.level][h.text], previous = h.line, h.level
		if highest := p.headings[0].level; h.level < highest {
			notes = append(notes, note{h.line, 1, p.say("%q stands above the first heading", "「%s」が最初の見出しより上位にある", quote(h.text))})
		}
	}
	for _, h := range p.lone() {
		notes = append(notes, note{h.line, 0.3, p.say("%q is the only part of its section: a division has two", "「%s」は節の唯一の小節。分けるなら二つ以上にする", quote(h.text))})
	}
	if titles > 1 && titles*2 <= len(p.headings) {
		notes = append(notes, note{p.headings[0].line, 1, p.say("%d headings are of the first level: keep it for the title", "第一レベルの見出しが%d個ある。表題だけにする", titles)})
	}
	return p.collect(notes)
}

// lone are the headings that no other of their level stands beside.
func (p *page) lone() []heading {
	var out []heading
	for i, h := range p.headings {
		if i == 0 || h.level <= p.headings[0].level {
			continue
		}
		alone := p.headings[i-1].level < h.level
		for _, next := range p.headings[i+1:] {
			if next.level <= h.level {
				alone = alone && next.level < h.level
				break
			}
		}
		if alone {
			out = append(out, h)
		}
	}
	return out
}

var numbered = regexp.MustCompile(`^(\d+(?:\.\d+)*)[.)．、:]?\s`)

func numbering(p *page) finding {
	var notes []note
	for _, l := range p.lists {
		for i := 1; i < len(l.numbers); i++ {
			if gap := l.numbers[i] - l.numbers[i-1]; gap != 1 && (gap != 0 || l.numbers[i] > 1) {
				notes = append(notes, note{l.lines[i], 1, p.say("the list counts %d after %d", "番号が%[2]dの次に%[1]dになっている", l.numbers[i], l.numbers[i-1])})
			}
		}
		if len(l.numbers) > 1 && l.numbers[0] > 1 {
			notes = append(notes, note{l.lines[0], 1, p.say("the list begins with %d", "番号が%dから始まっている", l.numbers[0])})
		}
	}
	for _, b := range p.blocks {
		for _, at := range b.runs[min(1, len(b.runs)):] {
			if n, ok := leadingNumber(p.line(at.line)); ok && b.kind == paragraph && strings.Contains(b.text[at.at:], " ") && n < 100 && itemLine(p.line(at.line)) {
				notes = append(notes, note{at.line, 1, p.say("the item %d is part of a paragraph: the list begins wrongly", "項目%dが段落の一部になっている。番号を直す", n)})
			}
		}
	}
	last := map[string]int{} // by what stands before the last number
	for _, h := range p.headings {
		m := numbered.FindStringSubmatch(h.text + " ")
		if m == nil || len(m[1]) > 12 {
			continue
		}
		before, n := parent(m[1])
		want := last[before] + 1
		if seen := last[before] > 0; n < 1000 && (n != want && (seen || n != 0) && (seen || n != 1)) {
			notes = append(notes, note{h.line, 1, p.say("the heading %q should have the number %s%d", "見出し「%s」の番号は%s%dのはず", quote(h.text), before, want)})
		}
		last[before] = n
	}
	return p.collect(notes)
}

// parent splits 2.3.1 into "2.3." and 1.
func parent(number string) (string, int) {
	at := strings.LastIndexByte(number, '.') + 1
	n, _ := strconv.Atoi(number[at:]) // digits, and not many
	return number[:at], n
}

// itemLine reports a line that looks like an item of a numbered list.
func itemLine(line string) bool {
	rest := strings.TrimLeft(strings.TrimLeft(line, " \t>"), "0123456789")
	return strings.HasPrefix(rest, ". ") || strings.HasPrefix(rest, ") ")
}

// leadingNumber is the number that an item of a list begins with.
func leadingNumber(line string) (int, bool) {
	line = strings.TrimLeft(line, " \t>")
	end := strings.IndexAny(line, ".)")
	if end < 1 || end > 9 {
		return 0, false
	}
	n, err := strconv.Atoi(line[:end])
	return n, err == nil
}

func navigation(p *page) finding {
	const long, stretch = 150, 600 // words
	var notes []note
	words := map[int]int{} // by block
	sections := map[int]int{}
	for _, s := range p.sentences {
		words[s.block] += s.length
		sections[s.section] += s.length
	}
	for i, b := range p.blocks {
		if n := words[i]; n > long {
			notes = append(notes, note{b.line(0), float64(n-long) / long, p.say("split this paragraph of %d words", "%d語の段落を分ける", n)})
		}
	}
	for i := -1; i < len(p.headings); i++ {
		if n := sections[i]; n > stretch {
			line := 1
			if i >= 0 {
				line = p.headings[i].line
			}
			notes = append(notes, note{line, float64(n-stretch) / stretch, p.say("%d words follow without a heading: divide them", "見出しのないまま%d語続く。区切る", n)})
		}
	}
	return p.collect(notes)
}
