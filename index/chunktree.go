package index

import (
	"regexp"
	"slices"
	"strings"

	"kurogo/index/grammars"
)

const (
	smallContainer = 80  // lines; a class that has no more stays whole, measured
	leastPart      = 4   // lines; what is smaller and no definition stays with its neighbours
	longestName    = 120 // bytes; what is longer was no name
)

// A part is what a grammar found, in lines, with what is inside it.
type part struct {
	span
	mark  grammars.Mark
	name  string
	inner []part
}

// cutTree cuts a text at what a grammar found in it, each with the comments over
// it, and what lies between as if there were no grammar.
func cutTree(l lines, nodes []grammars.Node, shape style) []chunk {
	parts, _ := l.parts(nodes, len(l.text))
	var spans []span
	at := 0
	for _, p := range l.settle(parts, 0) {
		spans = l.flatten(l.fill(spans, at, p.from, shape), p, "")
		at = p.to
	}
	return l.chunks(l.fill(spans, at, l.len(), shape))
}

// fill cuts what lies between two parts. A line or two without a name stay with
// the first.
func (l lines) fill(spans []span, from, to int, shape style) []span {
	begin := from
	for begin < to && l.blank(begin) {
		begin++
	}
	between := join(gather(l.divide(begin, to, "", shape, 0)))
	if len(spans) > 0 && to-from < leastPart && len(between) == 1 && len(between[0].names) == 0 {
		spans[len(spans)-1].to = to
		return spans
	}
	return append(spans, between...)
}

// gather puts small neighbours together, and calls them after all of them.
func gather(spans []span) (out []span) {
	open := false // the last one takes more
	for _, s := range spans {
		small := s.to-s.from < leastPart && (len(s.names) > 0 || s.symbol == "") // a route stands alone
		if open && small && s.to-out[len(out)-1].from <= windowSize {
			last := &out[len(out)-1]
			last.to, last.names = s.to, append(last.names, s.names...)
			if len(s.names) > 0 {
				last.symbol = strings.Join(last.names[:min(len(last.names), mostSymbols)], " ")
			}
			continue
		}
		out, open = append(out, s), small
	}
	return out
}

// tidyName puts a name on one line, and drops what is too long to be one.
func tidyName(name string) string {
	if len(name) > longestName {
		return ""
	}
	return strings.Join(strings.Fields(name), " ")
}

// row is the line that a byte is in.
func (l lines) row(at int) int {
	i, _ := slices.BinarySearch(l.starts, at+1)
	return i - 1
}

// parts makes a tree of the nodes that begin before a byte.
func (l lines) parts(nodes []grammars.Node, end int) (out []part, rest []grammars.Node) {
	for len(nodes) > 0 && nodes[0].Start < end {
		n := nodes[0]
		p := part{span: span{from: l.row(n.Start), to: l.row(max(n.Start, n.End-1)) + 1}, mark: n.Mark, name: tidyName(n.Name)}
		p.inner, nodes = l.parts(nodes[1:], n.End)
		if l.stands(&p) {
			out = append(out, p)
		} else {
			out = append(out, p.inner...)
		}
	}
	return out, nodes
}

// assignedTo is a statement that gives a function or more to a name.
var assignedTo = regexp.MustCompile(`^\s*([\w$.]+)\s*=\s*(?:async\s*)?(?:function|\(|[\w$]+\s*=>|class\b|\{)`)

// stands reports whether a node is a part, and makes a wrapper what it wraps.
func (l lines) stands(p *part) bool {
	lines := p.to - p.from
	switch p.mark {
	case grammars.Definition, grammars.Signature:
	case grammars.Wrapper:
		if len(p.inner) == 0 {
			return false
		}
		in := p.inner[0]
		p.mark, p.name, p.inner = in.mark, in.name, in.inner
	case grammars.Container:
		return lines > 1 || len(p.inner) > 0
	case grammars.Tall:
		return lines > 1
	case grammars.Statement:
		line := l.at(p.from)
		if routed.Match(line) {
			p.name = ""
			return true
		}
		if m := assignedTo.FindSubmatch(line); m != nil && p.name == "" {
			p.name = string(m[1])
		}
		return lines >= leastPart && p.name != ""
	}
	return true
}

// settle gives parts what leads them, functions the signatures before them, and
// keeps them apart: several on one line are the first's.
func (l lines) settle(parts []part, at int) []part {
	var out []part
	for _, p := range parts {
		indent, _ := l.indent(p.from)
		for p.from > at && l.leads(p.from-1, indent) {
			p.from--
		}
		if n := len(out); n > 0 && out[n-1].mark == grammars.Signature && out[n-1].name == p.name {
			p.from, at = out[n-1].from, out[n-1].from
			out = out[:n-1]
		}
		if p.from = max(p.from, at); p.from >= p.to {
			continue
		}
		p.inner = l.settle(p.inner, p.from+1)
		at = p.to
		out = append(out, p)
	}
	return out
}

// flatten makes spans of a part: one, or if it is large its head and then those
// of what is inside.
func (l lines) flatten(spans []span, p part, within string) []span {
	_, route := l.opening(p.span)
	inside := p.call(within, p.name, route)
	lines := p.to - p.from
	if len(p.inner) == 0 || lines <= smallContainer || lines <= longChunk && p.mark != grammars.Container {
		for _, in := range p.inner {
			p.names = append(p.names, lastName(in.name)...)
		}
		return append(spans, p.span)
	}
	end := p.to
	p.to = p.inner[0].from
	spans = append(spans, p.span)
	for _, in := range p.inner {
		spans = l.flatten(extend(spans, in.from, inside), in, inside)
	}
	return extend(spans, end, inside)
}

// extend goes on to a line: what is small is the last one's.
func extend(spans []span, to int, symbol string) []span {
	last := &spans[len(spans)-1]
	if to-last.to < leastPart {
		last.to = to
		return spans
	}
	return append(spans, span{from: last.to, to: to, symbol: symbol})
}
