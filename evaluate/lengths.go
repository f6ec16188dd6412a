package evaluate

import (
	"regexp"
	"strings"
)

// A sentence may have so many words, and so many joints; in Japanese two letters
// count as one word.
const (
	longSentence     = 28
	longSentenceWide = 40
	manyJoints       = 4
	manyJointsWide   = 2
)

func sentenceLength(p *page) finding {
	limit, many := longSentence, manyJoints
	if p.japanese {
		limit, many = longSentenceWide, manyJointsWide
	}
	var notes []note
	for _, s := range p.sentences {
		if s.length > limit {
			over := float64(s.length-limit) / float64(limit)
			notes = append(notes, note{s.line, min(2, 0.1+over), p.say("split this sentence of %d words", "約%d語の文を分ける", s.length)})
		} else if n := joints(s.text); n > many && s.length > limit/2 {
			notes = append(notes, note{s.line, 0.2, p.say("this sentence has %d joints: split it", "読点などの切れ目が%d箇所ある文を分ける", n)})
		}
	}
	return p.collect(notes)
}

// joints counts where a sentence is put together.
func joints(text string) int {
	return strings.Count(text, " and ") + strings.Count(text, ", ") + strings.Count(text, "; ") + strings.Count(text, "、")
}

var (
	polite      = regexp.MustCompile(`(?:です|ます|ません|でした|ました|ください|でしょう)(?:か|ね|よ)?[。！？]?$`)
	plainEnding = regexp.MustCompile(`(?:である|だ|だった|[うくすつぬむるぐぶ]|ない|なかった|[いえきしちにみりけせてねめれげべっん]た)[。！？]$`)
)

func style(p *page) finding {
	if !p.japanese {
		return finding{}
	}
	var manners [2][]sentence
	for _, s := range p.sentences {
		text := strings.TrimRight(s.text, "」』）)")
		switch {
		case polite.MatchString(text):
			manners[0] = append(manners[0], s)
		case plainEnding.MatchString(text) && p.blocks[s.block].kind == paragraph:
			manners[1] = append(manners[1], s)
		}
	}
	fewer, names := manners[0], "です・ます"
	if len(manners[1]) < len(fewer) {
		fewer, names = manners[1], "だ・である"
	}
	var notes []note
	for _, s := range fewer {
		notes = append(notes, note{s.line, 0.5, p.say("%s", "この文だけ「%s」調。文体をそろえる", names)})
	}
	return p.collect(notes)
}
