package claude

import "bytes"

// A scan walks over a JSON text once and believes nothing: it takes exactly what
// encoding/json takes (scan_test.go), in a fraction of the time, because it
// keeps no state between two bytes.
type scan struct {
	text  []byte
	at    int
	depth int
}

// deepest is how deep values may lie in one another, as in encoding/json.
const deepest = 10000

// plain are the bytes that mean only themselves within a string.
var plain = func() (is [256]bool) {
	for c := range is {
		is[c] = c >= ' ' && c != '"' && c != '\\'
	}
	return is
}()

// peek is the byte that comes next, 0 at the end.
func (s *scan) peek() byte {
	if s.at < len(s.text) {
		return s.text[s.at]
	}
	return 0
}

// take passes over a byte that must come now.
func (s *scan) take(c byte) bool {
	if s.peek() != c || s.at >= len(s.text) {
		return false
	}
	s.at++
	return true
}

func (s *scan) space() {
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case ' ', '\t', '\r', '\n':
			s.at++
		default:
			return
		}
	}
}

// done reports whether nothing follows.
func (s *scan) done() bool {
	s.space()
	return s.at == len(s.text)
}

// skip passes over a whole value.
func (s *scan) skip() bool {
	switch c := s.peek(); c {
	case '{':
		return s.members(func([]byte) bool { return s.skip() })
	case '[':
		return s.elements(s.skip)
	case '"':
		_, ok := s.quoted()
		return ok
	case 't':
		return s.word("true")
	case 'f':
		return s.word("false")
	case 'n':
		return s.word("null")
	default:
		return s.number()
	}
}

// members passes over an object; value passes over the value of a name, which
// is as it stands in the text, with its escapes.
func (s *scan) members(value func(name []byte) bool) bool {
	return s.list('{', '}', func() bool {
		name, ok := s.quoted()
		if !ok {
			return false
		}
		s.space()
		if !s.take(':') {
			return false
		}
		s.space()
		return value(name)
	})
}

// elements passes over an array.
func (s *scan) elements(value func() bool) bool { return s.list('[', ']', value) }

func (s *scan) list(first, last byte, item func() bool) bool {
	if s.depth++; s.depth > deepest || !s.take(first) {
		return false
	}
	defer func() { s.depth-- }()
	s.space()
	if s.take(last) {
		return true
	}
	for {
		s.space()
		if !item() {
			return false
		}
		s.space()
		if s.take(last) {
			return true
		}
		if !s.take(',') {
			return false
		}
	}
}

// quoted passes over a string and returns what is between its quotes.
func (s *scan) quoted() ([]byte, bool) {
	if !s.take('"') {
		return nil, false
	}
	begin := s.at
	for i := s.at; i < len(s.text); i++ {
		c := s.text[i]
		if plain[c] {
			continue
		}
		if s.at = i; c == '"' {
			s.at++
			return s.text[begin:i], true
		}
		if c != '\\' || !s.escape() {
			return nil, false
		}
		i = s.at - 1
	}
	return nil, false
}

func (s *scan) escape() bool {
	s.at++ // the backslash
	c := s.peek()
	s.at++
	if c != 'u' {
		return c != 0 && bytes.IndexByte([]byte(`"\/bfnrt`), c) >= 0
	}
	for range 4 {
		if c := s.peek(); bytes.IndexByte([]byte("0123456789abcdefABCDEF"), c) < 0 {
			return false
		}
		s.at++
	}
	return true
}

func (s *scan) word(w string) bool {
	if !bytes.HasPrefix(s.text[s.at:], []byte(w)) {
		return false
	}
	s.at += len(w)
	return true
}

func (s *scan) number() bool {
	s.take('-')
	if !s.take('0') && !s.digits() {
		return false
	}
	if s.take('.') && !s.digits() {
		return false
	}
	if s.take('e') || s.take('E') {
		if !s.take('+') {
			s.take('-')
		}
		return s.digits()
	}
	return true
}

// digits passes over one or more.
func (s *scan) digits() bool {
	begin := s.at
	for s.at < len(s.text) && s.text[s.at] >= '0' && s.text[s.at] <= '9' {
		s.at++
	}
	return s.at > begin
}
