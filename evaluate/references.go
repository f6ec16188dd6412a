package evaluate

import (
	"regexp"
	"strings"
)

var (
	labelled = regexp.MustCompile(`\[[^\[\]\n]{1,80}\]\[([^\[\]\n]{0,80})\]`)
	footnote = regexp.MustCompile(`\[\^([^\]\s]{1,40})\](:?)`)
	sections = regexp.MustCompile(`(?i)\b(?:see|in) (?:section|chapter) (\d+(?:\.\d+)*)|(?:第\s?(\d+)\s?[章節])`)
)

func references(p *page) finding {
	notes := p.labels()
	notes = append(notes, p.footnotes()...)
	return p.collect(append(notes, p.numbers()...))
}

// labels finds [text][label] that stayed as it is written: the parser makes a link
// of those whose label is defined.
func (p *page) labels() []note {
	var notes []note
	for _, b := range p.blocks {
		if !strings.Contains(b.text, "][") {
			continue
		}
		for _, at := range labelled.FindAllStringSubmatchIndex(b.text, -1) {
			notes = append(notes, note{b.line(at[0]), 1, p.say("the label of %s is not defined", "%s の参照先が定義されていない", quote(b.text[at[0]:at[1]]))})
		}
	}
	return notes
}

func (p *page) footnotes() []note {
	if !strings.Contains(p.text, "[^") {
		return nil
	}
	defined, used := map[string]bool{}, map[string]int{}
	var order []string
	for n := 1; n <= len(p.starts); n++ {
		line := p.line(n)
		if !p.prose[n] || !strings.Contains(line, "[^") {
			continue
		}
		ticks, from := 0, 0
		for _, at := range footnote.FindAllStringSubmatchIndex(line, -1) {
			ticks, from = ticks+strings.Count(line[from:at[0]], "`"), at[0]
			name := line[at[2]:at[3]]
			if at[5] > at[4] && at[0] < 4 {
				defined[name] = true
			} else if used[name] == 0 && ticks%2 == 0 {
				used[name] = n
				order = append(order, name)
			}
		}
	}
	var notes []note
	for _, name := range order {
		if !defined[name] {
			notes = append(notes, note{used[name], 1, p.say("the footnote %s is not there", "脚注 %s がない", quote(name))})
		}
	}
	return notes
}

// numbers finds sections that are referred to by a number that no heading has,
// where headings have numbers at all.
func (p *page) numbers() []note {
	have, numbers := map[string]bool{}, false
	for _, h := range p.headings {
		if m := numbered.FindStringSubmatch(h.text + " "); m != nil {
			have[m[1]], numbers = true, true
		}
		if m := sections.FindStringSubmatch(h.text); m != nil {
			have[m[1]+m[2]], numbers = true, true
		}
	}
	if !numbers {
		return nil
	}
	var notes []note
	for _, b := range p.blocks {
		if !strings.Contains(b.text, "ection ") && !strings.Contains(b.text, "hapter ") && !strings.Contains(b.text, "第") {
			continue
		}
		for _, at := range sections.FindAllStringSubmatchIndex(b.text, -1) {
			m := sections.FindStringSubmatch(b.text[at[0]:at[1]])
			if number := m[1] + m[2]; !have[number] {
				notes = append(notes, note{b.line(at[0]), 1, p.say("there is no section %s", "%s 節がない", number)})
			}
		}
	}
	return notes
}
