package index

const (
	pageBits = 8
	pageSize = 1 << pageBits
)

// A paged is a long slice that can be copied and changed at the cost of the
// pages that change: a snapshot keeps its own while the writer goes on.
type paged[T any] struct {
	pages []*[pageSize]T
	n     int
	mine  map[int]bool // pages that no snapshot has seen; nil in a snapshot
}

func (p *paged[T]) len() int { return p.n }

func (p *paged[T]) at(i uint32) *T { return &p.pages[i>>pageBits][i&(pageSize-1)] }

// edit returns a place to write to.
func (p *paged[T]) edit(i uint32) *T {
	page := int(i >> pageBits)
	if !p.mine[page] {
		fresh := *p.pages[page]
		p.pages[page] = &fresh
		p.mine[page] = true
	}
	return &p.pages[page][i&(pageSize-1)]
}

// add appends and returns where.
func (p *paged[T]) add(v T) uint32 {
	i := uint32(p.n)
	if p.n&(pageSize-1) == 0 {
		p.mine[len(p.pages)] = true
		p.pages = append(p.pages, new([pageSize]T))
	}
	p.n++
	*p.edit(i) = v
	return i
}

// freeze returns what readers may have: the writer copies what it changes from
// now on.
func (p *paged[T]) freeze() paged[T] {
	seen := paged[T]{pages: p.pages, n: p.n}
	p.pages = append(make([]*[pageSize]T, 0, len(p.pages)+len(p.pages)/8+1), p.pages...)
	p.mine = map[int]bool{}
	return seen
}

func newPaged[T any]() paged[T] { return paged[T]{mine: map[int]bool{}} }
