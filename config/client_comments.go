package config

import "strings"

// blankComments writes blanks over the comments of a JSON text, byte for byte.
// The line breaks within a comment are blanks too, those behind one stay.
func blankComments(text string) string {
	b := []byte(text)
	for i := 0; i < len(b); i++ {
		switch {
		case b[i] == '"':
			i = endOfString(text, i)
		case strings.HasPrefix(text[i:], "//"):
			for ; i < len(b) && b[i] != '\n' && b[i] != '\r'; i++ {
				b[i] = ' '
			}
		case strings.HasPrefix(text[i:], "/*"):
			end := len(b)
			if n := strings.Index(text[i+2:], "*/"); n >= 0 {
				end = i + 2 + n + 2
			}
			for ; i < end; i++ {
				b[i] = ' '
			}
			i--
		}
	}
	return string(b)
}

// endOfString is where the string that begins at i ends: at its quote, or at the
// end of the text.
func endOfString(text string, i int) int {
	for i++; i < len(text) && text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i
}

// blankJSON leaves of a text what strict JSON knows, byte for byte: no comments,
// no mark of the byte order, and no comma before a bracket.
func blankJSON(text string) []byte {
	b := []byte(blankComments(text))
	if strings.HasPrefix(text, "\ufeff") {
		copy(b, "   ")
	}
	comma := -1
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case ' ', '\t', '\r', '\n':
			continue
		case '"':
			i = endOfString(string(b), i)
		case '}', ']':
			if comma >= 0 {
				b[comma] = ' '
			}
		case ',':
			comma = i
			continue
		}
		comma = -1
	}
	return b
}
