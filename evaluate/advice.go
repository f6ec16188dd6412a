package evaluate

import (
	"cmp"
	"slices"
)

// advice is for a document in which little is wrong: where it could be better
// still. It names n places that nothing was said about yet.
func (p *page) advice(n int, said []remark) []remark {
	var out []remark
	add := func(name string, line int, text string) {
		taken := slices.ContainsFunc(slices.Concat(said, out), func(r remark) bool { return r.line == line })
		if len(out) < n && line > 0 && !taken {
			m := slices.IndexFunc(measures, func(m measure) bool { return m.name == name })
			out = append(out, remark{note: note{line: line, text: text}, of: &measures[m]})
		}
	}
	longest := slices.Clone(p.sentences)
	slices.SortStableFunc(longest, func(a, b sentence) int { return cmp.Compare(b.length, a.length) })
	for _, s := range longest[:min(len(longest), n)] {
		if s.length > 20 {
			add("sentence length", s.line, p.say("one of the longest sentences, %d words: can it be two?", "最も長い文の一つ(約%d語)。二つに分けられないか", s.length))
		}
	}
	for _, h := range p.thin() {
		add("substance", h.line, p.say("the section %q is among the shortest: is all said?", "節「%s」は最も短いものの一つ。書き足りないことはないか", quote(h.text)))
	}
	for _, c := range p.codes {
		if !c.led {
			add("examples", c.line, p.say("say in a sentence what this code shows", "このコードが何を示すか一文添える"))
		}
	}
	for _, s := range longest {
		add("sentence length", s.line, p.say("say it in fewer words, or with an example", "より短く、または例を添えて述べる"))
	}
	add("examples", lastLine(p), p.say("end with what the reader is to do next", "読み手が次に何をすればよいかで締めくくる"))
	return out
}

// thin lists the headings by how little stands under them.
func (p *page) thin() []heading {
	words := make([]int, len(p.headings))
	for _, s := range p.sentences {
		if s.section >= 0 {
			words[s.section] += s.length
		}
	}
	at := make([]int, 0, len(p.headings))
	for i, h := range p.headings {
		if h.filled && h.level > 1 {
			at = append(at, i)
		}
	}
	slices.SortStableFunc(at, func(a, b int) int { return cmp.Compare(words[a], words[b]) })
	out := make([]heading, 0, len(at))
	for _, i := range at {
		out = append(out, p.headings[i])
	}
	return out
}
