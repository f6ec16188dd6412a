package evaluate

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

var todo = regexp.MustCompile(`\b(?:TODO|FIXME|TBD|XXX|WIP|TKTK)\b|(?i:\blorem ipsum\b|\bcoming soon\b|\bto be (?:written|determined|done|announced)\b)|要確認|未定|作成中|執筆中|準備中|(?:後で|あとで)書く|未記入`)

// What every such mark contains: looking for these first is a hundred times as
// fast as the expression.
var todoSigns = []string{
	"TODO", "FIXME", "TBD", "XXX", "WIP", "TKTK", "orem ipsum", "oming soon", "OMING SOON", "o be written", "o be determined", "o be done", "o be announced",
	"要確認", "未定", "中", "書く", "未記入",
}

func marks(p *page) finding {
	signs := slices.DeleteFunc(slices.Clone(todoSigns), func(sign string) bool { return !strings.Contains(p.text, sign) })
	if len(signs) == 0 {
		return finding{}
	}
	var notes []note
	for n := 1; n <= len(p.starts); n++ {
		line := p.line(n)
		if !p.prose[n] || !slices.ContainsFunc(signs, func(sign string) bool { return strings.Contains(line, sign) }) {
			continue
		}
		ticks, quotes, from := 0, 0, 0
		for _, at := range todo.FindAllStringIndex(line, -1) {
			ticks, quotes = ticks+strings.Count(line[from:at[0]], "`"), quotes+strings.Count(line[from:at[0]], `"`)
			if from = at[0]; ticks%2 == 0 && quotes%2 == 0 { // else it is spoken of, not meant
				notes = append(notes, note{n, 1, p.say("settle %q", "「%s」を片付ける", line[at[0]:at[1]])})
			}
		}
	}
	return p.collect(notes)
}

func characters(p *page) finding {
	var notes []note
	for n := 1; n <= len(p.starts); n++ {
		count, before := 0, rune(0)
		for _, r := range p.line(n) {
			if unbelievable(before, r) {
				count++
			}
			before = r
		}
		if count > 0 {
			notes = append(notes, note{n, float64(count), p.say("this line has %d broken characters", "この行に文字化けが%d箇所ある", count)})
		}
	}
	return p.collect(notes)
}

// unbelievable reports what UTF-8 looks like to who takes it for Latin-1 or Shift
// JIS, what such a reader leaves when he gives up, and what no text has.
func unbelievable(before, r rune) bool {
	if r < utf8.RuneSelf {
		return r < ' ' && r != '\t' && r != '\r' || r == 0x7f
	}
	high := r >= 0x80 && r <= 0xbf
	switch before {
	case 'Ã', 'Â':
		return high || strings.ContainsRune("€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ", r)
	case 'ã':
		return high
	case 'â':
		return r == '€'
	case '縺', '繧', '譁': // as three of four characters of such a text are
		return true
	}
	return r == utf8.RuneError || r < 0xa0
}
