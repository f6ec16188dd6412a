package index

import (
	"encoding/binary"
	"math"
	"slices"
)

// A bag counts the terms of one chunk after the other. Every worker has its own;
// they share the lexicon.
type bag struct {
	lexicon *lexicon
	known   map[string][]termID // what an identifier consists of
	counts  []count             // by term
	seen    []termID
}

type count struct {
	body   uint16
	symbol uint8
}

func newBag(l *lexicon) *bag { return &bag{lexicon: l, known: map[string][]termID{}} }

const mostKnown = 200_000 // identifiers a worker remembers

// defined marks the term of a name that is defined somewhere, exactly as it is
// written: no word has this byte.
const defined = "\x01"

// pack counts the words of a chunk. What it returns holds, for every term in
// ascending order: its distance from the one before, and how often it stands in
// text and symbol. length is the number of words in the text.
func (b *bag) pack(symbol string, names []string, text []byte) (packed []byte, length int) {
	b.seen = b.seen[:0]
	b.each(text, func(t termID) {
		c := b.count(t)
		if c.body < math.MaxUint16 {
			c.body++
		}
		length++
	})
	b.each([]byte(symbol), func(t termID) {
		if c := b.count(t); c.symbol < math.MaxUint8 {
			c.symbol++
		}
	})
	for _, name := range names {
		b.count(b.lexicon.number([]byte(defined + name))).symbol = 1
	}
	slices.Sort(b.seen)
	packed = make([]byte, 0, 4*len(b.seen))
	before := termID(0)
	for _, t := range b.seen {
		c := b.counts[t]
		b.counts[t] = count{}
		packed = binary.AppendUvarint(packed, uint64(t-before))
		// Most terms stand once or twice in the text and not in the symbol.
		packed = binary.AppendUvarint(packed, uint64(c.body)<<1|uint64(min(c.symbol, 1)))
		if c.symbol > 0 {
			packed = append(packed, c.symbol)
		}
		before = t
	}
	return packed, length
}

func (b *bag) count(t termID) *count {
	if int(t) >= len(b.counts) {
		b.counts = append(b.counts, make([]count, int(t)+1-len(b.counts)+len(b.counts)/2)...)
	}
	c := &b.counts[t]
	if *c == (count{}) {
		b.seen = append(b.seen, t)
	}
	return c
}

// each calls with every term of the text, remembering what identifiers are made
// of: code says the same few again and again.
func (b *bag) each(text []byte, use func(termID)) {
	scan(text, func(id []byte) {
		for _, t := range b.partsOf(id) {
			use(t)
		}
	}, func(w []byte) { use(b.lexicon.number(w)) })
}

func (b *bag) partsOf(id []byte) []termID {
	parts, ok := b.known[string(id)]
	if !ok {
		identifier(id, func(w []byte) { parts = append(parts, b.lexicon.number(w)) })
		if len(b.known) >= mostKnown {
			clear(b.known)
		}
		b.known[string(id)] = parts
	}
	return parts
}

// unpack calls with what pack has packed. It trusts its input: the database is
// ours, and a damaged one is made anew.
func unpack(packed []byte, use func(t termID, body uint16, symbol uint8)) {
	t := termID(0)
	for i := 0; i < len(packed); {
		step, n := binary.Uvarint(packed[i:])
		i += n
		c, m := binary.Uvarint(packed[i:])
		i += m
		if n <= 0 || m <= 0 {
			return
		}
		symbol := uint8(0)
		if c&1 == 1 && i < len(packed) {
			symbol = packed[i]
			i++
		}
		t += termID(step)
		use(t, uint16(c>>1), symbol)
	}
}
