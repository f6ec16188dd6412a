package main

import (
	"cmp"
	"image"
	"image/color"
	"slices"
)

// depth is how many bits of red, green and blue are told apart.
const depth = 6

// A shade is a colour of six bits each: red, green, blue.
type shade uint32

func shadeOf(c color.Color) shade {
	r, g, b, _ := c.RGBA()
	return shade(r>>(16-depth)<<(2*depth) | g>>(16-depth)<<depth | b>>(16-depth))
}

// part is red, green or blue: 0, 1 or 2.
func (s shade) part(n int) int { return int(s>>(depth*(2-n))) & (1<<depth - 1) }

// A palette is the colours of a film, and which of them each shade becomes.
type palette struct {
	boxes []box
	index map[shade]byte
}

// A box is shades that become one colour.
type box struct {
	shades []shade
	many   map[shade]int // of all
}

// mix chooses the colours of a film by cutting the space of shades in halves, the
// busiest and widest box first.
func mix(frames []frame) *palette {
	many := map[shade]int{}
	for _, f := range frames {
		each(f.picture, func(_ int, s shade) { many[s]++ })
	}
	all := make([]shade, 0, len(many))
	for s := range many {
		all = append(all, s)
	}
	slices.Sort(all) // the same frames make the same film
	p := &palette{boxes: []box{{all, many}}, index: map[shade]byte{}}
	for len(p.boxes) < colour {
		at, most := -1, 0
		for i, b := range p.boxes {
			if weight := b.weight(); len(b.shades) > 1 && weight > most {
				at, most = i, weight
			}
		}
		if at < 0 {
			break
		}
		low, high := p.boxes[at].halves()
		p.boxes[at] = low
		p.boxes = append(p.boxes, high)
	}
	for i, b := range p.boxes {
		for _, s := range b.shades {
			p.index[s] = byte(i)
		}
	}
	return p
}

// widest is the part in which the shades of a box differ most, and how much.
func (b box) widest() (part, width int) {
	for n := range 3 {
		low, high := 1<<depth, 0
		for _, s := range b.shades {
			low, high = min(low, s.part(n)), max(high, s.part(n))
		}
		if high-low > width {
			part, width = n, high-low
		}
	}
	return part, width
}

// weight is how much is lost when all of a box becomes one colour. Few pixels far
// apart count as much as many that are close: small letters are few.
func (b box) weight() int {
	pixels := 0
	for _, s := range b.shades {
		pixels += b.many[s]
	}
	_, width := b.widest()
	return width * width * (1 + root(pixels))
}

func root(n int) (r int) {
	for r*r < n {
		r++
	}
	return r
}

func (b box) halves() (low, high box) {
	part, _ := b.widest()
	shades := slices.Clone(b.shades)
	slices.SortStableFunc(shades, func(x, y shade) int { return cmp.Compare(x.part(part), y.part(part)) })
	pixels := 0
	for _, s := range shades {
		pixels += b.many[s]
	}
	at, half := 1, 0
	for i, s := range shades[:len(shades)-1] {
		if half += b.many[s]; half*2 >= pixels {
			at = i + 1
			break
		}
		at = i + 1
	}
	return box{shades[:at], b.many}, box{shades[at:], b.many}
}

// colours are the mean of each box.
func (p *palette) colours() color.Palette {
	var out color.Palette
	for _, b := range p.boxes {
		var sum [3]int
		pixels := 0
		for _, s := range b.shades {
			for n := range sum {
				sum[n] += s.part(n) * b.many[s]
			}
			pixels += b.many[s]
		}
		var mean [3]uint8
		for n := range sum {
			mean[n] = uint8(sum[n] * 255 / max(1, pixels) / (1<<depth - 1))
		}
		out = append(out, color.RGBA{mean[0], mean[1], mean[2], 255})
	}
	for len(out) < colour {
		out = append(out, color.RGBA{A: 255})
	}
	return out
}

// paint is a picture in the colours of the palette.
func (p *palette) paint(picture image.Image) []byte {
	size := picture.Bounds().Size()
	out := make([]byte, size.X*size.Y)
	each(picture, func(i int, s shade) { out[i] = p.index[s] })
	return out
}

func each(picture image.Image, do func(i int, s shade)) {
	b, i := picture.Bounds(), 0
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			do(i, shadeOf(picture.At(x, y)))
			i++
		}
	}
}
