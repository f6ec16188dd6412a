package hermes

import (
	"encoding/json"
	"strings"
)

// A teller finds, in an answer that is still coming, what is said aloud: all of a
// plain text but its thoughts, or the final_answer of an envelope.
type teller struct {
	silent bool // nothing of it is for people
	sealed bool

	head    string // of a plain text, until it is clear whether it begins with thoughts
	through bool   // they are over

	depth  int
	key    []byte // the one that was read last, at depth 1
	escape []byte // of the string that is being told
	in     where
	named  bool // the key of a value has been read
	told   bool // final_answer has been told
}

// where is where in an envelope the teller is.
type where int

const (
	between where = iota
	inKey
	inFinal
	inString
	inStringEscape
)

func newTeller(v voice, formed bool) *teller { return &teller{silent: formed, sealed: v == sealed} }

// hear takes a piece of the answer and returns what is to be told of it.
func (t *teller) hear(text string) string {
	switch {
	case t.silent:
		return ""
	case !t.sealed:
		return t.plain(text)
	}
	var out strings.Builder
	for i := range len(text) {
		t.byte(text[i], &out)
	}
	return out.String()
}

// plain holds back what may be a thought.
func (t *teller) plain(text string) string {
	const open, end = "<think>", "</think>"
	if t.through {
		return text
	}
	t.head += text
	head := strings.TrimLeft(t.head, " \n")
	switch {
	case strings.HasPrefix(head, "{"): // an envelope though nobody asked for one, or at least not for people
		t.silent = true
		return ""
	case strings.HasPrefix(open, head): // it may yet become one
		return ""
	case !strings.HasPrefix(head, open):
		t.through = true
		return t.head
	}
	_, rest, ok := strings.Cut(head, end)
	if !ok {
		return ""
	}
	t.through, t.head = true, ""
	return strings.TrimLeft(rest, " \n")
}

// byte reads one byte of an envelope. Only what is needed to find one string in
// it: whether all of it is JSON is seen at the end.
func (t *teller) byte(c byte, out *strings.Builder) {
	switch t.in {
	case inFinal:
		t.final(c, out)
	case inStringEscape:
		t.in = inString
	case inString, inKey:
		switch {
		case c == '\\':
			t.in = inStringEscape
		case c == '"':
			t.in = between
		case t.in == inKey && len(t.key) < 32:
			t.key = append(t.key, c)
		}
	case between:
		t.structure(c)
	}
}

func (t *teller) structure(c byte) {
	switch c {
	case '{', '[':
		t.depth++
		t.named = false
	case '}', ']':
		t.depth--
	case ',':
		t.named = t.named && t.depth != 1
	case ':':
		t.named = t.named || t.depth == 1
	case '"':
		switch {
		case t.depth == 1 && !t.named:
			t.in, t.key = inKey, t.key[:0]
		case t.depth == 1 && string(t.key) == "final_answer" && !t.told:
			t.in, t.told = inFinal, true
		default:
			t.in = inString
		}
	}
}

// final tells a byte of the string, or waits until an escape is whole.
func (t *teller) final(c byte, out *strings.Builder) {
	if len(t.escape) == 0 {
		switch c {
		case '"':
			t.in = between
		case '\\':
			t.escape = append(t.escape, c)
		default:
			out.WriteByte(c)
		}
		return
	}
	if len(t.escape) == 6 && c != '\\' { // it was the first of two, and stands alone
		t.alone(out)
		t.final(c, out)
		return
	}
	t.escape = append(t.escape, c)
	if len(t.escape) == 8 && c != 'u' || len(t.escape) == 12 && half(t.escape[6:]) {
		t.alone(out)
	}
	if n := len(t.escape); n == 2 && c != 'u' || n == 6 && !half(t.escape) || n == 12 {
		var text string
		if json.Unmarshal([]byte(`"`+string(t.escape)+`"`), &text) == nil {
			out.WriteString(text)
		}
		t.escape = t.escape[:0]
	}
}

// alone tells the first half of a character that has no second.
func (t *teller) alone(out *strings.Builder) {
	out.WriteString("\uFFFD")
	t.escape = append([]byte{}, t.escape[6:]...)
}

// half reports whether an escape is the first of two that are one character.
func half(escape []byte) bool {
	h := strings.ToLower(string(escape[2:6]))
	return h >= "d800" && h < "dc00"
}
