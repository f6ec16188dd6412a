package cursor

import "strings"

// longestPassage bounds what is gathered of pieces that nothing ends.
const longestPassage = 1 << 20

// passages make whole passages of what the CLI says. With partial output on, an
// assistant event is
//
//	a piece                     with a timestamp and without a model call,
//	the repeat of a passage     with a model call,
//	the repeat of all           without a timestamp;
//
// with partial output off it is always a whole passage, without a timestamp.
type passages struct {
	pieces  strings.Builder
	partial bool   // pieces were seen
	last    string // the last passage that was given
	all     strings.Builder
	over    bool // all does not hold everything
}

// hear returns the passages that are whole now.
func (p *passages) hear(e event) []string {
	text := e.Message.text()
	switch {
	case given(e.Stamp) && e.ModelCall == "":
		p.partial = true
		p.pieces.WriteString(text)
		if p.pieces.Len() > longestPassage {
			return p.flush()
		}
		return nil
	case p.pieces.Len() > 0:
		return p.settle(text)
	case text == "", p.partial && p.repeats(text):
		return nil
	}
	return p.give(text)
}

// settle gives what was gathered, as a repeat shows it: the repeat may be of a
// passage after which the next one has begun, or hold pieces that never came.
func (p *passages) settle(text string) []string {
	gathered := p.pieces.String()
	if rest, ok := strings.CutPrefix(gathered, text); ok && text != "" {
		p.pieces.Reset()
		p.pieces.WriteString(rest)
		return p.give(text)
	}
	if p.repeats(text) {
		return nil
	}
	p.pieces.Reset()
	if strings.HasPrefix(text, gathered) {
		return p.give(text)
	}
	return p.give(gathered)
}

// flush gives what was gathered: something else begins.
func (p *passages) flush() []string {
	text := p.pieces.String()
	p.pieces.Reset()
	if text == "" {
		return nil
	}
	return p.give(text)
}

func (p *passages) give(text string) []string {
	p.last = text
	if p.all.Len()+len(text) > 8*longestPassage {
		p.over = true
	} else {
		p.all.WriteString(text)
	}
	return []string{text}
}

// repeats reports whether a text was given before: the last passage, all of them
// or as many as were taken apart by something between their pieces.
func (p *passages) repeats(text string) bool {
	return text == p.last || !p.over && strings.HasSuffix(p.all.String(), text)
}
