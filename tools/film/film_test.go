package main

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// page is a picture as a page is one: a ground, a gradient, and something small on
// it at a place.
func page(at image.Point, dot color.Color) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, 64, 40))
	draw.Draw(m, m.Bounds(), image.NewUniform(color.RGBA{11, 9, 18, 255}), image.Point{}, draw.Src)
	for x := range 64 {
		m.Set(x, 39, color.RGBA{uint8(4 * x), uint8(255 - 4*x), 128, 255})
	}
	draw.Draw(m, image.Rectangle{at, at.Add(image.Pt(3, 2))}, image.NewUniform(dot), image.Point{}, draw.Src)
	return m
}

// seen plays a film and returns what is seen after each frame.
func seen(movie *gif.GIF) (out []*image.RGBA) {
	screen := image.NewRGBA(image.Rect(0, 0, movie.Config.Width, movie.Config.Height))
	for _, f := range movie.Image {
		draw.Draw(screen, f.Bounds(), f, f.Bounds().Min, draw.Over)
		still := image.NewRGBA(screen.Bounds())
		copy(still.Pix, screen.Pix)
		out = append(out, still)
	}
	return out
}

func far(a, b color.Color) float64 {
	ar, ag, ab, _ := a.RGBA()
	br, bg, bb, _ := b.RGBA()
	d := func(x, y uint32) float64 { return float64(x>>8) - float64(y>>8) }
	return math.Sqrt(d(ar, br)*d(ar, br) + d(ag, bg)*d(ag, bg) + d(ab, bb)*d(ab, bb))
}

func TestFilmShowsItsFrames(t *testing.T) {
	t.Parallel()
	red, white := color.RGBA{255, 80, 90, 255}, color.RGBA{255, 255, 255, 255}
	pictures := []*image.RGBA{page(image.Pt(2, 2), red), page(image.Pt(2, 2), red), page(image.Pt(30, 20), white), page(image.Pt(30, 20), red)}
	dir := t.TempDir()
	for i, m := range pictures {
		var b bytes.Buffer
		if err := png.Encode(&b, m); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, []string{"1-500.png", "2-250.png", "3-100.png", "4-1000.png"}[i]), b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	to := filepath.Join(t.TempDir(), "a.gif")
	var said bytes.Buffer
	if err := run([]string{"-out", to, dir}, &said); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(said.String(), "3 frames of 4, 1.85s") {
		t.Errorf("it said %s", said.String())
	}
	f, err := os.Open(to)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	movie, err := gif.DecodeAll(f)
	if err != nil {
		t.Fatal(err)
	}
	if got := movie.Delay; len(got) != 3 || got[0] != 75 || got[1] != 10 || got[2] != 100 {
		t.Errorf("delays %v", got)
	}
	if got, want := movie.Image[1].Bounds(), image.Rect(2, 2, 33, 22); got != want {
		t.Errorf("the second frame is %v, want what has changed: %v", got, want)
	}
	if got, want := movie.Image[2].Bounds(), image.Rect(30, 20, 33, 22); got != want {
		t.Errorf("the third frame is %v, want %v", got, want)
	}
	for i, want := range []*image.RGBA{pictures[0], pictures[2], pictures[3]} {
		got := seen(movie)[i]
		for y := range 40 {
			for x := range 64 {
				if d := far(got.At(x, y), want.At(x, y)); d > 12 {
					t.Fatalf("frame %d at %d,%d: %v, want %v", i, x, y, got.At(x, y), want.At(x, y))
				}
			}
		}
	}
}

// More colours than a GIF has become the nearest that it has.
func TestFilmMixesManyColours(t *testing.T) {
	t.Parallel()
	m := image.NewRGBA(image.Rect(0, 0, 256, 256))
	for y := range 256 {
		for x := range 256 {
			m.Set(x, y, color.RGBA{uint8(x), uint8(y), uint8((x + y) / 2), 255})
		}
	}
	movie, err := shoot([]frame{{m, time.Second}})
	if err != nil {
		t.Fatal(err)
	}
	worst, sum := 0.0, 0.0
	for y := range 256 {
		for x := range 256 {
			d := far(movie.Image[0].At(x, y), m.At(x, y))
			worst, sum = max(worst, d), sum+d
		}
	}
	if mean := sum / (256 * 256); mean > 12 || worst > 60 {
		t.Errorf("colours are off by %.1f, at worst by %.1f", mean, worst)
	}
}

func TestFilmRefuses(t *testing.T) {
	t.Parallel()
	none, unnamed, torn := t.TempDir(), t.TempDir(), t.TempDir()
	for path, text := range map[string]string{filepath.Join(unnamed, "a.png"): "", filepath.Join(torn, "a-1.png"): "no picture"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "name one directory"},
		{[]string{none}, "there is none"},
		{[]string{unnamed}, "does not say how long"},
		{[]string{torn}, "read frame a-1.png"},
	} {
		if err := run(append([]string{"-out", filepath.Join(none, "x.gif")}, c.args...), &bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c.args, err, c.want)
		}
	}
	if _, err := shoot([]frame{{page(image.Point{}, color.White), 0}, {image.NewRGBA(image.Rect(0, 0, 3, 3)), 0}}); err == nil {
		t.Error("frames of two sizes make a film")
	}
	if _, err := shoot(nil); err == nil {
		t.Error("no frames make a film")
	}
}
