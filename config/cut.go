package config

import (
	"maps"
	"strings"
)

// cutTable takes a table out of a text, with the comments that belong to it: those
// directly above it, those in it, and those directly below its last key.
func cutTable(text string, at path) (string, error) {
	tree, err := parseTree(text)
	if err != nil {
		return "", err
	}
	out := text
	for {
		next, ok := newDocument(out).cutOne(at)
		if !ok {
			break
		}
		out = next
	}
	return out, verify(out, at, prune(tree, at))
}

// prune is the tree without the table.
func prune(tree map[string]any, at path) map[string]any {
	tree = maps.Clone(tree)
	under, ok := tree[at[0]].(map[string]any)
	switch {
	case len(at) == 1:
		delete(tree, at[0])
	case ok:
		tree[at[0]] = prune(under, at[1:])
	}
	return tree
}

// cutOne takes out the first piece of the table that there is.
func (d document) cutOne(at path) (string, bool) {
	for i, p := range d.pairs {
		switch {
		case !reaches(p, at):
		case p.inline:
			return d.cutFromBraces(i), true
		default:
			return d.cut(d.commentsAbove(p.start), d.nextLine(p.end)), true
		}
	}
	for _, h := range d.headers {
		if h.at.within(at) {
			return d.cut(d.commentsAbove(h.start), d.blockEnd(h)), true
		}
	}
	return "", false
}

// blockEnd is behind the last line that belongs to a table. Comments that touch
// the next table belong to that one.
func (d document) blockEnd(h header) int {
	end := d.nextLine(h.start)
	if last, ok := d.lastOf(h); ok {
		end = d.nextLine(last.end)
	}
	below := end
	for below < len(d.text) && strings.HasPrefix(d.trimmed(below), "#") {
		below = d.nextLine(below)
	}
	if below < len(d.text) && d.trimmed(below) != "" {
		return end
	}
	return below
}

// trimmed is the line that begins at pos, without blanks around it.
func (d document) trimmed(pos int) string { return strings.TrimSpace(d.text[pos:d.nextLine(pos)]) }

// commentsAbove is where the comments begin that touch the line of pos from above,
// or that line. A line of a text that looks like a comment is none.
func (d document) commentsAbove(pos int) int {
	floor := 0
	for _, p := range d.pairs {
		if p.end <= pos {
			floor = max(floor, p.end)
		}
	}
	start := d.lineStart(pos)
	for start > 0 {
		above := d.lineStart(start - 1)
		if above == start || above < floor || !strings.HasPrefix(d.trimmed(above), "#") {
			break
		}
		start = above
	}
	return start
}

// cut takes out whole lines, and the empty ones that would then stand together or
// at the end.
func (d document) cut(start, end int) string {
	before, after := d.text[:start], d.text[end:]
	body := strings.TrimPrefix(before, byteOrderMark)
	if body == "" || endsEmpty(body) {
		after = afterEmpty(after)
	}
	for after == "" && body != "" && endsEmpty(body) {
		body = body[:strings.LastIndexByte(strings.TrimSuffix(body, "\n"), '\n')+1]
	}
	if strings.HasPrefix(before, byteOrderMark) {
		body = byteOrderMark + body
	}
	return body + after
}

// endsEmpty reports whether the last line of a text is empty. All of its lines
// end.
func endsEmpty(text string) bool {
	text = strings.TrimSuffix(text, "\n")
	return strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:]) == ""
}

// afterEmpty is what stands behind the empty lines at the beginning.
func afterEmpty(text string) string {
	for text != "" {
		line, rest, _ := strings.Cut(text, "\n")
		if strings.TrimSpace(line) != "" {
			break
		}
		text = rest
	}
	return text
}

// cutFromBraces takes a pair out of an inline table, with one of the commas beside
// it.
func (d document) cutFromBraces(i int) string {
	p := d.pairs[i]
	if comma, ok := d.comma(p.end); ok {
		return d.text[:p.start] + strings.TrimLeft(d.text[comma+1:], " \t")
	}
	before := d.text[:p.start]
	for j := i - 1; j >= 0; j-- {
		if q := d.pairs[j]; q.in.equal(p.in) && q.inline && q.end <= p.start {
			comma, _ := d.comma(q.end)
			before = d.text[:comma] + strings.TrimRight(d.text[comma+1:p.start], " \t")
			break
		}
	}
	return before + d.text[p.end:]
}

// comma is the next one behind a value, past blanks, line ends and comments.
func (d document) comma(pos int) (int, bool) {
	s := &lineScanner{text: d.text, pos: pos}
	s.space()
	return s.pos, s.peek() == ','
}
