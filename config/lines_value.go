package config

import "strings"

// value passes over one value and records the keys inside it.
func (s *lineScanner) value(p path, depth int) {
	s.blanks()
	switch c := s.peek(); {
	case c == '"' || c == '\'':
		s.str(c)
	case (c == '[' || c == '{') && depth >= deepest:
	case c == '[':
		s.array(p, depth+1)
	case c == '{':
		s.inline(p, depth+1)
	default:
		for s.more() && strings.IndexByte(",]}#\n", s.peek()) < 0 {
			s.pos++
		}
	}
}

func (s *lineScanner) array(p path, depth int) {
	s.pos++
	for i := 0; ; {
		s.space()
		switch s.peek() {
		case ']':
			s.pos++
			return
		case ',':
			s.pos++
			i++
			continue
		}
		if !s.more() {
			return
		}
		before := s.pos
		s.record(p.at(i), s.line)
		s.value(p.at(i), depth)
		if s.pos == before {
			s.next()
		}
	}
}

func (s *lineScanner) inline(p path, depth int) {
	s.pos++
	for {
		s.space()
		switch s.peek() {
		case '}':
			s.pos++
			return
		case ',':
			s.pos++
			continue
		}
		if !s.more() {
			return
		}
		before := s.pos
		s.pair(p, depth)
		if s.pos == before {
			s.next()
		}
	}
}

// str passes over a string of any of the four kinds that begins with quote.
func (s *lineScanner) str(quote byte) {
	long := strings.Repeat(string(quote), 3)
	if !strings.HasPrefix(s.text[s.pos:], long) {
		s.short(quote)
		return
	}
	s.pos += 3
	for s.more() && !strings.HasPrefix(s.text[s.pos:], long) {
		if quote == '"' && s.peek() == '\\' {
			s.next()
		}
		if s.more() {
			s.next()
		}
	}
	s.pos = min(s.pos+3, len(s.text))
	// Up to two quotes may stand right before the closing three.
	for range 2 {
		if s.peek() == quote {
			s.pos++
		}
	}
}

// short passes over a string that ends on its line.
func (s *lineScanner) short(quote byte) {
	s.pos++
	for s.more() && s.peek() != '\n' {
		c := s.peek()
		s.pos++
		switch {
		case c == quote:
			return
		case c == '\\' && quote == '"' && s.more() && s.peek() != '\n':
			s.pos++
		}
	}
}
