package evaluate

import "strings"

func repetition(p *page) finding {
	var notes []note
	seen := map[string]int{}
	for _, b := range p.blocks {
		key := strings.TrimSpace(b.text)
		if b.kind == cell || weight(key) < 40 {
			continue
		}
		if at, twice := seen[key]; twice {
			notes = append(notes, note{b.line(0), 2, p.say("line %d says the same: drop one of the two", "%d行目と同じ段落。どちらかを消す", at)})
			continue
		}
		seen[key] = b.line(0)
	}
	blocks := map[string]int{} // where a sentence was said first
	for i, s := range p.sentences {
		at, twice := blocks[s.text]
		again := twice && (s.block == p.sentences[at].block || p.blocks[p.sentences[at].block].text != p.blocks[s.block].text) // else said above
		switch {
		case again && (weight(s.text) >= 30 || at == i-1):
			notes = append(notes, note{s.line, 1, p.say("line %d has the same sentence", "%d行目と同じ文", p.sentences[at].line)})
		case !twice:
			blocks[s.text] = i
		}
	}
	codes := map[string]int{}
	for _, c := range p.codes {
		if len(c.text) < 40 {
			continue
		}
		if at, twice := codes[c.text]; twice {
			notes = append(notes, note{c.line, 1, p.say("line %d has the same code", "%d行目と同じコード", at)})
			continue
		}
		codes[c.text] = c.line
	}
	return p.collect(notes)
}

// weight is a text's length in Latin letters: one of ours says as much as two.
func weight(text string) int {
	n := 0
	for _, r := range text {
		if n++; wide(r) {
			n++
		}
	}
	return n
}
