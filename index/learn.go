package index

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
)

// What is learned from, and how much of it: more makes it slower and no better,
// measured.
const (
	latentSize  = 128
	learnLeast  = 1000   // chunks; of fewer there is nothing to learn
	learnChunks = 40_000 // of more, every so many
	learnTerms  = 65_536
	learnShare  = 0.2 // of the chunks: a word that stands in more says nothing
	learnRounds = 3
	learnAgain  = 5 // when one of so many chunks is new
)

// Learn learns which words keep company, if there is enough to learn from and
// much of it is new, and reports whether it did. It takes seconds; nobody waits
// for it: without, what is found is found by its words alone.
func (x *Index) Learn(ctx context.Context) (learned bool, err error) {
	x.embedding.Lock()
	defer x.embedding.Unlock()
	s := x.seen.Load()
	if !x.worthLearning(s) {
		return false, nil
	}
	l, err := s.learn(ctx)
	if err != nil {
		return false, fmt.Errorf("learn: %w", err)
	}
	return true, x.saveLatent(ctx, l)
}

func (x *Index) worthLearning(s *snapshot) bool {
	if x.opt.Embedder != nil || s.alive < learnLeast {
		return false
	}
	l := x.latent.Load()
	if l == nil {
		return true
	}
	fresh := 0
	for c, row := range s.rows {
		if row > l.newest && s.length(uint32(c)) > 0 {
			fresh++
		}
	}
	return fresh > s.alive/learnAgain
}

// A lesson is a matrix of words and chunks, as the postings hold it.
type lesson struct {
	words   []wanted
	rarity  []float32 // by word
	columns []int32   // by chunk: where it is among those learned from, -1 = it is not
	n       int       // of these
	lengths []float32 // by column, inverse
}

// learn finds the directions along which the chunks differ most: a singular value
// decomposition, cut off, by iterating a random subspace (Halko, Martinsson and
// Tropp, 2011). Chance is seeded: the same index learns the same.
func (s *snapshot) learn(ctx context.Context) (*latent, error) {
	m := s.lesson()
	size := min(latentSize, len(m.words), m.n)
	words, chunks := make([]float32, len(m.words)*size), make([]float32, m.n*size)
	chance := rand.New(rand.NewPCG(1, 2))
	for i := range words {
		words[i] = float32(chance.NormFloat64())
	}
	for range learnRounds {
		clear(chunks)
		m.each(func(word, column int, weight float32) {
			addTimes(chunks[column*size:][:size], words[word*size:][:size], weight)
		})
		clear(words)
		m.each(func(word, column int, weight float32) {
			addTimes(words[word*size:][:size], chunks[column*size:][:size], weight)
		})
		orthonormal(words, size)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	l := &latent{size: size}
	for i, w := range m.words {
		step, data := inBytes(words[i*size:][:size])
		l.add(w.id, float32(step)*m.rarity[i], data)
	}
	for _, row := range s.rows {
		l.newest = max(l.newest, row)
	}
	return l, nil
}

func (s *snapshot) lesson() *lesson {
	m := &lesson{columns: make([]int32, s.chunks.len())}
	step := 1 + (s.alive-1)/learnChunks
	seen := 0
	for c := range m.columns {
		m.columns[c] = -1
		if s.length(uint32(c)) > 0 {
			if seen%step == 0 {
				m.columns[c] = int32(m.n)
				m.n++
			}
			seen++
		}
	}
	most, all := int(learnShare*float64(s.alive)), s.lexicon.since(0)
	for least := 2; ; least++ { // the rarest words go first when there are too many
		m.words = m.words[:0]
		for id := range termID(len(all)) {
			if w := s.want(id); w.found >= least && w.found <= most && !strings.HasPrefix(all[id], defined) {
				m.words = append(m.words, w)
			}
		}
		if len(m.words) <= learnTerms {
			break
		}
	}
	for _, w := range m.words {
		m.rarity = append(m.rarity, float32(math.Log(1+float64(s.alive)/float64(w.found))))
	}
	m.lengths = slices.Repeat([]float32{1}, m.n) // until they are known
	sums := make([]float64, m.n)
	m.each(func(_, column int, weight float32) { sums[column] += float64(weight) * float64(weight) })
	for i, sum := range sums {
		if sum > 0 {
			m.lengths[i] = float32(1 / math.Sqrt(sum))
		}
	}
	return m
}

// each calls with every entry of the matrix that is not 0.
func (m *lesson) each(use func(word, column int, weight float32)) {
	for i := range m.words {
		for _, list := range m.words[i].lists {
			for _, p := range list {
				if column := m.columns[p.chunk]; column >= 0 {
					use(i, int(column), often(p.body, p.symbol)*m.rarity[i]*m.lengths[column])
				}
			}
		}
	}
}

func addTimes(to, from []float32, times float32) {
	from = from[:len(to)]
	for i := range to {
		to[i] += times * from[i]
	}
}
