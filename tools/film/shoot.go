package main

import (
	"errors"
	"image"
	"image/color"
	"image/gif"
	"time"
)

const (
	tick    = 10 * time.Millisecond // GIF counts time in these
	through = 255                   // the colour that lets the frame below through
	colour  = through               // how many others there are
)

// shoot makes the film. Where nothing has changed, the frame before is seen longer.
func shoot(frames []frame) (*gif.GIF, error) {
	if len(frames) == 0 {
		return nil, errors.New("there is no frame")
	}
	size := frames[0].picture.Bounds().Size()
	p := mix(frames)
	table := append(p.colours(), color.RGBA{})
	movie := &gif.GIF{Config: image.Config{ColorModel: table, Width: size.X, Height: size.Y}}
	var before []byte
	for _, f := range frames {
		if f.picture.Bounds().Size() != size {
			return nil, errors.New("the frames are not of one size")
		}
		now := p.paint(f.picture)
		delay := int(f.seen / tick)
		rect := image.Rectangle{Max: size}
		if before != nil {
			if rect = changed(before, now, size); rect.Empty() {
				movie.Delay[len(movie.Delay)-1] += delay
				continue
			}
		}
		movie.Image = append(movie.Image, cut(before, now, rect, size, table))
		movie.Delay = append(movie.Delay, delay)
		movie.Disposal = append(movie.Disposal, gif.DisposalNone)
		before = now
	}
	return movie, nil
}

// changed is the least rectangle outside of which two frames are alike.
func changed(before, now []byte, size image.Point) (r image.Rectangle) {
	for y := range size.Y {
		for x := range size.X {
			if i := y*size.X + x; before[i] != now[i] {
				r = r.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return r
}

// cut is a part of a frame, and in it only what has changed.
func cut(before, now []byte, r image.Rectangle, size image.Point, table color.Palette) *image.Paletted {
	out := image.NewPaletted(r, table)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			i, c := y*size.X+x, byte(through)
			if before == nil || before[i] != now[i] {
				c = now[i]
			}
			out.Pix[out.PixOffset(x, y)] = c
		}
	}
	return out
}
