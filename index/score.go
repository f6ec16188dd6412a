package index

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"strings"
)

// BM25F: how often a term stands in the text counts less the longer that is; in
// the symbol it counts more; and more of the same counts less and less. Chosen on
// one half of the questions that bench asks of the Go distribution; the other
// half was no worse.
const (
	saturation   = 2
	lengthWeight = 0.85
	symbolWeight = 5
	pathWeight   = 1
)

// mostTerms are those of a query that are looked for: the rarest.
const mostTerms = 48

// A hit is a chunk and how well it fits.
type hit struct {
	chunk uint32
	score float64
}

// A scratch is what one search writes into, used again by the next.
type scratch struct {
	scores  []float32 // by chunk
	touched []uint32
	extra   []float32 // by chunk: what its path says of the term at hand
	lent    []uint32
}

func (s *scratch) fit(n int) {
	if len(s.scores) < n {
		s.scores, s.extra = make([]float32, n+n/8), make([]float32, n+n/8)
	}
}

func (s *scratch) add(chunk uint32, score float32) {
	if s.scores[chunk] == 0 {
		s.touched = append(s.touched, chunk)
	}
	s.scores[chunk] += score
}

func (s *scratch) clear() {
	for _, c := range s.touched {
		s.scores[c] = 0
	}
	s.touched = s.touched[:0]
}

// A wanted term, with what is known of it.
type wanted struct {
	id    termID
	lists [][]posting
	found int // chunks that have it
	files []uint32
}

// wants looks up the terms of a query, the rarest first.
func (s *snapshot) wants(query string) []wanted {
	var out []wanted
	known := map[termID]bool{}
	asked(query, func(word []byte) {
		id, ok := s.lexicon.find(word)
		if ok && !known[id] {
			known[id] = true
			out = append(out, s.want(id))
		}
	})
	slices.SortStableFunc(out, func(a, b wanted) int { return cmp.Compare(a.found, b.found) })
	out = out[:min(len(out), mostTerms)]
	s.paths(out)
	return out
}

func (s *snapshot) want(id termID) wanted {
	w := wanted{id: id}
	for _, g := range s.segments {
		list := g.find(id)
		if len(list) == 0 {
			continue
		}
		w.lists = append(w.lists, list)
		for i := range list {
			if s.length(list[i].chunk) > 0 {
				w.found++
			}
		}
	}
	return w
}

// length is 0 for a chunk that stands nowhere, or came after this snapshot.
func (s *snapshot) length(chunk uint32) uint32 {
	if int(chunk) >= s.lengths.n {
		return 0
	}
	return *s.lengths.at(chunk)
}

// paths finds the files whose path has a term. Paths have few words: going
// through all of them costs less than keeping an index of them would.
func (s *snapshot) paths(of []wanted) {
	var maybe [256]bool
	at := map[termID]int{}
	for i := range of {
		at[of[i].id] = i
		maybe[of[i].id&0xff] = true
	}
	for slot := range uint32(s.files.len()) {
		f := s.files.at(slot)
		if f.blob == nil {
			continue
		}
		for _, t := range f.terms {
			if maybe[t&0xff] {
				if i, ok := at[t]; ok {
					of[i].files = append(of[i].files, slot)
				}
			}
		}
	}
}

// score adds up what every term says of every chunk.
func (s *snapshot) score(terms []wanted, to *scratch) {
	to.fit(s.chunks.len())
	average := float32(s.words) / float32(max(s.alive, 1))
	for i := range terms {
		t := &terms[i]
		for _, slot := range t.files {
			for _, sp := range s.files.at(slot).blob.spans {
				if to.extra[sp.chunk] == 0 {
					to.extra[sp.chunk] = pathWeight
					to.lent = append(to.lent, sp.chunk)
				}
			}
		}
		n := float64(cmp.Or(t.found, len(to.lent)))
		rarity := float32(math.Log(1 + (float64(s.alive)-n+0.5)/(n+0.5)))
		rarity = max(rarity, 0.01) // a file may hold a passage twice
		for _, list := range t.lists {
			for _, p := range list {
				length := s.length(p.chunk)
				if length == 0 {
					continue
				}
				f := float32(p.body)/(1-lengthWeight+lengthWeight*float32(length)/average) + symbolWeight*float32(p.symbol) + to.extra[p.chunk]
				to.extra[p.chunk] = 0
				to.add(p.chunk, rarity*f*(saturation+1)/(saturation+f))
			}
		}
		for _, c := range to.lent {
			if f := to.extra[c]; f > 0 {
				to.extra[c] = 0
				to.add(c, rarity*f*(saturation+1)/(saturation+f))
			}
		}
		to.lent = to.lent[:0]
	}
}

// best returns the chunks with the highest scores that are allowed, the best
// first. What is equal is ordered by content, so that no order of arrival shows.
func (s *snapshot) best(from *scratch, most int, allowed func(chunk uint32) bool) []hit {
	var heap []hit // the worst first
	for _, c := range from.touched {
		h := hit{c, float64(from.scores[c])}
		if len(heap) == most && !s.better(h, heap[0]) || !allowed(c) {
			continue
		}
		if len(heap) < most {
			heap = append(heap, h)
			for i := len(heap) - 1; i > 0 && s.better(heap[(i-1)/2], heap[i]); i = (i - 1) / 2 {
				heap[i], heap[(i-1)/2] = heap[(i-1)/2], heap[i]
			}
			continue
		}
		heap[0] = h
		for i := 0; ; {
			worst := i
			for _, child := range []int{2*i + 1, 2*i + 2} {
				if child < len(heap) && s.better(heap[worst], heap[child]) {
					worst = child
				}
			}
			if worst == i {
				break
			}
			heap[i], heap[worst] = heap[worst], heap[i]
			i = worst
		}
	}
	slices.SortFunc(heap, s.order)
	return heap
}

func (s *snapshot) better(a, b hit) bool { return s.order(a, b) < 0 }

func (s *snapshot) order(a, b hit) int {
	if a.score != b.score {
		return cmp.Compare(b.score, a.score)
	}
	x, y := s.chunks.at(a.chunk), s.chunks.at(b.chunk)
	return bytes.Compare(x.hash[:], y.hash[:])
}

// under returns what allows chunks that stand below a prefix.
func (s *snapshot) under(prefix string) func(uint32) bool {
	if prefix == "" {
		return func(uint32) bool { return true }
	}
	return func(c uint32) bool {
		return slices.ContainsFunc(s.chunks.at(c).places, func(p place) bool {
			return strings.HasPrefix(s.files.at(p.file).path, prefix)
		})
	}
}
