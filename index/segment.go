package index

import "slices"

// A posting says that a chunk has a term, and how often in text and symbol.
type posting struct {
	chunk  uint32
	body   uint16
	symbol uint8
}

// A segment is an immutable piece of the inverted index: postings by term, each
// list in the order of chunks. Later segments have later chunks.
type segment struct {
	terms  []termID
	starts []uint32 // one more than terms
	posts  []posting
}

// find returns a term's postings.
func (s *segment) find(t termID) []posting {
	i, ok := slices.BinarySearch(s.terms, t)
	if !ok {
		return nil
	}
	return s.posts[s.starts[i]:s.starts[i+1]]
}

// A bundle collects the terms of chunks until they become a segment.
type bundle struct {
	counts []uint32 // by term
	chunks []uint32
	terms  [][]byte // packed, one a chunk
	n      int
}

func (b *bundle) add(chunk uint32, packed []byte) {
	b.chunks, b.terms = append(b.chunks, chunk), append(b.terms, packed)
	unpack(packed, func(t termID, _ uint16, _ uint8) {
		if int(t) >= len(b.counts) {
			b.counts = append(b.counts, make([]uint32, int(t)+1-len(b.counts)+len(b.counts)/2)...)
		}
		b.counts[t]++
		b.n++
	})
}

// segment sorts what was collected by term: counted once, so that it needs no
// comparing.
func (b *bundle) segment() *segment {
	s := &segment{posts: make([]posting, b.n), starts: []uint32{0}}
	next := make([]uint32, len(b.counts))
	at := uint32(0)
	for t, n := range b.counts {
		if n == 0 {
			continue
		}
		next[t] = at
		at += n
		s.terms, s.starts = append(s.terms, termID(t)), append(s.starts, at)
	}
	for i, packed := range b.terms {
		chunk := b.chunks[i]
		unpack(packed, func(t termID, body uint16, symbol uint8) {
			s.posts[next[t]] = posting{chunk, body, symbol}
			next[t]++
		})
	}
	return s
}

// merge joins two neighbours.
func merge(a, b *segment) *segment {
	out := &segment{
		terms:  make([]termID, 0, max(len(a.terms), len(b.terms))),
		starts: append(make([]uint32, 0, max(len(a.starts), len(b.starts))), 0),
		posts:  make([]posting, 0, len(a.posts)+len(b.posts)),
	}
	i, j := 0, 0
	for i < len(a.terms) || j < len(b.terms) {
		var t termID
		switch {
		case j == len(b.terms):
			t = a.terms[i]
		case i == len(a.terms):
			t = b.terms[j]
		default:
			t = min(a.terms[i], b.terms[j])
		}
		if i < len(a.terms) && a.terms[i] == t {
			out.posts = append(out.posts, a.posts[a.starts[i]:a.starts[i+1]]...)
			i++
		}
		if j < len(b.terms) && b.terms[j] == t {
			out.posts = append(out.posts, b.posts[b.starts[j]:b.starts[j+1]]...)
			j++
		}
		out.terms, out.starts = append(out.terms, t), append(out.starts, uint32(len(out.posts)))
	}
	return out
}

// settle merges small segments into their neighbours until each is at least
// twice its successor, so that there are few and a posting moves rarely. The
// first, which holds what was loaded, is left alone: a reload makes it anew.
func settle(s []*segment) []*segment {
	for n := len(s); n > 2 && len(s[n-2].posts) < 2*len(s[n-1].posts); n = len(s) {
		s = append(s[:n-2:n-2], merge(s[n-2], s[n-1]))
	}
	return s
}
