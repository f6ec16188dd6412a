package config

import (
	"strings"

	"github.com/BurntSushi/toml"
)

// lines knows on which line of a TOML document each key stands: the library
// gives positions for syntax errors only. It is made for documents that have
// been parsed; on anything else it ends, with whatever it has understood.
type lines map[string]int

// deepest bounds the nesting and the dots that are followed; keys below have
// their parent's line.
const deepest = 100

// of is the line of p, or of the nearest thing around it; 0 for neither.
func (l lines) of(p path) int {
	for ; len(p) > 0; p = p[:len(p)-1] {
		if line := l[p.id()]; line > 0 {
			return line
		}
	}
	return 0
}

func indexLines(text string) lines { return scan(text).found }

func scan(text string) *lineScanner {
	s := &lineScanner{text: text, line: 1, found: lines{}, tables: map[string]int{}}
	if strings.HasPrefix(text, byteOrderMark) {
		s.pos = len(byteOrderMark)
	}
	var table path
	for s.space(); s.more(); s.space() {
		if s.peek() == '[' {
			table = s.header()
		} else {
			s.pair(table, 0)
		}
		for s.more() && s.peek() != '\n' {
			s.next()
		}
	}
	return s
}

const byteOrderMark = "\ufeff"

type lineScanner struct {
	text    string
	pos     int
	line    int
	found   lines
	tables  map[string]int // elements so far of each array of tables
	headers []header
	pairs   []pair // an inline table before what is in it
}

// A header is where a table begins.
type header struct {
	at    path
	start int // of its bracket
}

// A pair is a key and its value, as bytes of the text.
type pair struct {
	in, at path // the table around it, and its own path
	start  int  // of the key
	value  int  // the first byte of it …
	end    int  // … and the one behind the last
	inline bool // within an inline table
}

func (s *lineScanner) more() bool { return s.pos < len(s.text) }

func (s *lineScanner) peek() byte {
	if !s.more() {
		return 0
	}
	return s.text[s.pos]
}

func (s *lineScanner) next() {
	if s.peek() == '\n' {
		s.line++
	}
	s.pos++
}

func (s *lineScanner) blanks() {
	for s.more() && strings.IndexByte(" \t\r", s.peek()) >= 0 {
		s.pos++
	}
}

// space skips blanks, line ends and comments.
func (s *lineScanner) space() {
	for s.more() {
		switch s.peek() {
		case ' ', '\t', '\r', '\n':
			s.next()
		case '#':
			for s.more() && s.peek() != '\n' {
				s.pos++
			}
		default:
			return
		}
	}
}

// record keeps the first line of p and of everything around it.
func (s *lineScanner) record(p path, line int) {
	for ; len(p) > 0; p = p[:len(p)-1] {
		if _, ok := s.found[p.id()]; ok {
			return
		}
		s.found[p.id()] = line
	}
}

// header reads [a.b] or [[a.b]]; a name on the way that is an array of tables
// means its last element.
func (s *lineScanner) header() path {
	line, start := s.line, s.pos
	s.pos++
	array := s.peek() == '['
	if array {
		s.pos++
	}
	var p path
	names := s.key()
	for i, name := range names {
		p = p.key(name)
		count := s.tables[p.id()]
		switch {
		case array && i == len(names)-1:
			s.tables[p.id()]++
			p = p.at(count)
		case count > 0:
			p = p.at(count - 1)
		}
	}
	s.record(p, line)
	s.headers = append(s.headers, header{p, start})
	return p
}

func (s *lineScanner) pair(table path, depth int) {
	line, start := s.line, s.pos
	names := s.key()
	if len(names) == 0 {
		return
	}
	p := append(table[:len(table):len(table)], names...)
	s.record(p, line)
	s.blanks()
	if s.peek() != '=' {
		return
	}
	s.pos++
	s.blanks()
	i := len(s.pairs)
	s.pairs = append(s.pairs, pair{in: table, at: p, start: start, value: s.pos, inline: depth > 0})
	s.value(p, depth)
	s.pairs[i].end = s.pairs[i].value + len(strings.TrimRight(s.text[s.pairs[i].value:s.pos], " \t\r"))
}

// key reads a dotted key, whose parts may be quoted.
func (s *lineScanner) key() path {
	var p path
	for {
		s.blanks()
		start := s.pos
		if c := s.peek(); c == '"' || c == '\'' {
			s.short(c)
		} else {
			for s.more() && strings.IndexByte(" \t\r\n.=[]{}'\"#,", s.peek()) < 0 {
				s.pos++
			}
			if s.pos == start {
				return p
			}
		}
		if len(p) < deepest {
			p = append(p, unquote(s.text[start:s.pos]))
		}
		s.blanks()
		if s.peek() != '.' {
			return p
		}
		s.pos++
	}
}

func unquote(raw string) string {
	if raw[0] != '"' && raw[0] != '\'' {
		return raw
	}
	var v struct{ K string }
	if err := toml.Unmarshal([]byte("K = "+raw), &v); err != nil {
		return raw
	}
	return v.K
}
