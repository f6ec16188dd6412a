package config

import (
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// A document is a TOML text of which we know which bytes are whose. Its methods
// give a new text and leave every byte as it is that they do not speak of. It is
// made for text that has been parsed, and its editors parse what comes out.
type document struct {
	text    string
	headers []header
	pairs   []pair
}

func newDocument(text string) document {
	s := scan(text)
	return document{text, s.headers, s.pairs}
}

// parseTree is what a text says, as raw values.
func parseTree(text string) (map[string]any, error) {
	tree := map[string]any{}
	if err := toml.Unmarshal([]byte(text), &tree); err != nil {
		return nil, tomlProblem(err)
	}
	return tree, nil
}

func (p path) equal(q path) bool { return slices.Equal(p, q) }

// within reports whether p is q or below it.
func (p path) within(q path) bool { return len(p) >= len(q) && p[:len(q)].equal(q) }

// pair is the key at that path.
func (d document) pair(at path) (pair, bool) {
	i := slices.IndexFunc(d.pairs, func(p pair) bool { return p.at.equal(at) })
	if i < 0 {
		return pair{}, false
	}
	return d.pairs[i], true
}

// inlineTable is the pair whose value is the table at that path, in braces.
func (d document) inlineTable(at path) (pair, bool) {
	p, ok := d.pair(at)
	return p, ok && p.value < len(d.text) && d.text[p.value] == '{'
}

// header is where the table at that path begins.
func (d document) header(at path) (header, bool) {
	i := slices.IndexFunc(d.headers, func(h header) bool { return h.at.equal(at) })
	if i < 0 {
		return header{}, false
	}
	return d.headers[i], true
}

// dotted is the last pair that says something of the table at that path from
// outside of it, as roles.x.model = "…" does.
func (d document) dotted(at path) (last pair, ok bool) {
	for _, p := range d.pairs {
		if reaches(p, at) {
			last, ok = p, true
		}
	}
	return last, ok
}

// reaches reports whether a pair that stands outside of a table is about it.
func reaches(p pair, at path) bool { return p.at.within(at) && len(p.in) < len(at) }

// lastOf is the last pair below a header.
func (d document) lastOf(h header) (last pair, ok bool) {
	next := d.headerBehind(h.start)
	for _, p := range d.pairs {
		if !p.inline && p.start > h.start && p.start < next {
			last, ok = p, true
		}
	}
	return last, ok
}

// headerBehind is where the next table begins, or the text ends.
func (d document) headerBehind(pos int) int {
	for _, h := range d.headers {
		if h.start > pos {
			return h.start
		}
	}
	return len(d.text)
}

// lastIn is the last pair directly in an inline table.
func (d document) lastIn(table pair) (last pair, ok bool) {
	for _, p := range d.pairs {
		if p.inline && p.start > table.value && p.end < table.end && p.in.equal(table.at) {
			last, ok = p, true
		}
	}
	return last, ok
}

// keys are the pairs of the table at that path, however it is written.
func (d document) keys(at path) []pair {
	var out []pair
	for _, p := range d.pairs {
		if len(p.at) == len(at)+1 && p.at.within(at) {
			out = append(out, p)
		}
	}
	return out
}

// lineStart is where the line of pos begins. The mark of the byte order is
// before every line.
func (d document) lineStart(pos int) int {
	start := strings.LastIndexByte(d.text[:pos], '\n') + 1
	if start == 0 && strings.HasPrefix(d.text, byteOrderMark) {
		return len(byteOrderMark)
	}
	return start
}

// lineEnd is where the line of pos ends, before what breaks it.
func (d document) lineEnd(pos int) int {
	end := d.nextLine(pos)
	return pos + len(strings.TrimRight(d.text[pos:end], "\r\n"))
}

// nextLine is where the line behind that of pos begins.
func (d document) nextLine(pos int) int {
	if i := strings.IndexByte(d.text[pos:], '\n'); i >= 0 {
		return pos + i + 1
	}
	return len(d.text)
}

// indent is what stands before pos on its line, if that is nothing but blanks.
func (d document) indent(pos int) string {
	before := d.text[d.lineStart(pos):pos]
	return before[:len(before)-len(strings.TrimLeft(before, " \t"))]
}

// eol is how the document breaks its lines.
func (d document) eol() string {
	if i := strings.IndexByte(d.text, '\n'); i > 0 && d.text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}
