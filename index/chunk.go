package index

import (
	"bytes"
	"crypto/sha256"
	"strings"
	"unicode/utf8"

	"kurogo/index/grammars"
)

// A chunk of a file is a passage that means something alone. Lines count from 1;
// the last one belongs to it.
type chunk struct {
	symbol      string   // "Type.Method", "Heading > Heading"; "" for what has no name
	names       []string // what is defined here, as it is written
	first, last int
	text        []byte
}

const (
	longChunk  = 150 // lines; longer ones are cut into windows
	windowSize = 60
)

// A chunkHash names a chunk by its content, wherever it stands.
type chunkHash [20]byte

func (c *chunk) hash() (h chunkHash) {
	d := sha256.New()
	d.Write([]byte(c.symbol))
	d.Write([]byte{0})
	d.Write([]byte(strings.Join(c.names, " ")))
	d.Write([]byte{0})
	d.Write(c.text)
	copy(h[:], d.Sum(nil))
	return h
}

// A cutter cuts files into chunks.
type cutter struct {
	// outline lists what a grammar finds in a text, and reports false where there
	// is no grammar or it has no answer. Nil: there are no grammars.
	outline func(l grammars.Language, text []byte) ([]grammars.Node, bool)
}

// cut cuts a file into chunks, by what its name says it is. Every line that is
// not blank is in one chunk, and none in two.
func (c cutter) cut(name string, text []byte) []chunk {
	l := split(text)
	s := styleOf(name)
	switch {
	case s == golang:
		if out, ok := cutGo(l); ok {
			return out
		}
	case s == markdown:
		return cutMarkdown(l)
	case s >= grammar && c.outline != nil:
		if nodes, ok := c.outline(s.language(), text); ok {
			return cutTree(l, nodes, s.shape())
		}
	}
	return cutWindows(l, s.shape())
}

// lines are a text and where its lines begin.
type lines struct {
	text   []byte
	starts []int // one more than there are lines
}

func split(text []byte) lines {
	starts := make([]int, 1, bytes.Count(text, []byte{'\n'})+2)
	for i := 0; i < len(text); {
		n := bytes.IndexByte(text[i:], '\n')
		if n < 0 {
			starts = append(starts, len(text))
			break
		}
		i += n + 1
		starts = append(starts, i)
	}
	return lines{text, starts}
}

func (l lines) len() int { return len(l.starts) - 1 }

// at is a line, counted from 0, without its end.
func (l lines) at(i int) []byte {
	return bytes.TrimRight(l.text[l.starts[i]:l.starts[i+1]], "\r\n")
}

// slice are the lines from one to before another, counted from 0, without the
// end of the last.
func (l lines) slice(from, to int) []byte {
	return bytes.TrimRight(l.text[l.starts[from]:l.starts[to]], "\r\n")
}

func (l lines) blank(i int) bool {
	return len(bytes.TrimSpace(l.at(i))) == 0
}

// A span of lines, counted from 0, that becomes one chunk or several.
type span struct {
	from, to int
	symbol   string
	names    []string
}

// chunks makes chunks of spans, which must be in order and apart, and of what
// lies between them. Long ones become windows that keep the symbol.
func (l lines) chunks(spans []span) []chunk {
	out := make([]chunk, 0, len(spans)+2)
	at := 0
	for _, s := range spans {
		out = l.windows(out, span{from: at, to: s.from}, longChunk)
		out = l.windows(out, s, longChunk)
		at = s.to
	}
	return l.windows(out, span{from: at, to: l.len()}, longChunk)
}

// windows appends a span, whole if it has no more lines than most.
func (l lines) windows(out []chunk, s span, most int) []chunk {
	for s.from < s.to && l.blank(s.from) {
		s.from++
	}
	for s.from < s.to && l.blank(s.to-1) {
		s.to--
	}
	names := s.names
	for s.from < s.to {
		to := s.to
		if to-s.from > most {
			to = s.from + windowSize
			if rest := s.to - to; rest < windowSize/4 { // no crumbs
				to = s.to
			}
		}
		out = append(out, chunk{symbol: s.symbol, names: names, first: s.from + 1, last: to, text: l.slice(s.from, to)})
		s.from, names = to, nil
		for s.from < s.to && l.blank(s.from) {
			s.from++
		}
		most = windowSize
	}
	return out
}

// whole reports whether bytes are text that can be indexed.
func whole(text []byte) bool {
	return bytes.IndexByte(text, 0) < 0 && utf8.Valid(text)
}
