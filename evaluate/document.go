package evaluate

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"kurogo/messages"
)

// LimitName is what the limit of a document's size is called.
const LimitName = "document_bytes"

// CheckDocument refuses what cannot be judged, by name: what is too large, empty,
// binary, or no UTF-8. A limit of 0 is none.
func CheckDocument(content []byte, limit int) error {
	switch {
	case limit > 0 && len(content) > limit:
		return messages.TooLarge("content", LimitName, len(content), limit)
	case len(bytes.TrimFunc(content, blank)) == 0:
		return messages.Invalid("content", "the document is empty").Try("write something first")
	case bytes.IndexByte(content, 0) >= 0:
		return messages.Invalid("content", "the document is binary: byte %d is 0", bytes.IndexByte(content, 0)+1).
			Try("give a text, such as Markdown, in UTF-8")
	case !utf8.Valid(content):
		return messages.Invalid("content", "the document is not UTF-8: line %d is broken", brokenLine(content)).
			Try("save it as UTF-8")
	}
	return nil
}

// blank is what nobody sees: spaces, and a byte order mark.
func blank(r rune) bool { return unicode.IsSpace(r) || r == '\ufeff' }

func brokenLine(content []byte) int {
	line := 1
	for len(content) > 0 {
		r, size := utf8.DecodeRune(content)
		if r == utf8.RuneError && size == 1 {
			break
		}
		if r == '\n' {
			line++
		}
		content = content[size:]
	}
	return line
}
