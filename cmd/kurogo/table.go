package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/sys/unix"
)

// A table has columns that stand below one another on a screen, where Japanese
// letters are wide and colours are nothing. Its last column takes what is left of
// the line.
type table struct {
	*program
	rows [][]cell
}

// A cell is a text and its colour, "" for none.
type cell struct{ text, colour string }

func (p *program) table(head ...string) *table {
	t := &table{program: p}
	if len(head) > 0 {
		t.add(head...)
	}
	return t
}

// add puts a row of plain texts below the others.
func (t *table) add(texts ...string) {
	row := make([]cell, len(texts))
	for i, text := range texts {
		row[i].text = text
	}
	t.rows = append(t.rows, row)
}

// print writes the table to w.
func (t *table) print(w io.Writer) error {
	colour, room := t.colours(w), t.width(w)
	var widths []int
	for _, row := range t.rows {
		for i, c := range row[:len(row)-1] {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], columns(c.text))
		}
	}
	for _, row := range t.rows {
		var b strings.Builder
		at := 0
		for i, c := range row {
			last := i == len(row)-1
			if last && room > 0 {
				c.text = fit(c.text, max(room-at, 8))
			}
			if colour && c.colour != "" {
				b.WriteString(c.colour + c.text + plainC)
			} else {
				b.WriteString(c.text)
			}
			if !last {
				b.WriteString(strings.Repeat(" ", widths[i]-columns(c.text)+2))
				at += widths[i] + 2
			}
		}
		if _, err := fmt.Fprintln(w, strings.TrimRight(b.String(), " ")); err != nil {
			return err
		}
	}
	return nil
}

// width is how many columns w has; 0 when it is no terminal and COLUMNS does not
// say.
func (p *program) width(w io.Writer) int {
	if n, err := strconv.Atoi(p.getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	if f, ok := w.(*os.File); ok && isTerminal(w) {
		if size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ); err == nil {
			return int(size.Col)
		}
	}
	return 0
}

// columns is how wide a text is on a screen.
func columns(s string) (n int) {
	for _, r := range s {
		n += wide(r)
	}
	return n
}

// fit cuts a text to so many columns.
func fit(s string, most int) string {
	if columns(s) <= most {
		return s
	}
	n := 0
	for i, r := range s {
		if n+wide(r) > most-1 {
			return s[:i] + "…"
		}
		n += wide(r)
	}
	return s
}

// wides are what takes two columns: East Asian letters and pictures.
var wides = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x1100, 0x115f, 1},
		{0x231a, 0x231b, 1},
		{0x2e80, 0x303e, 1},
		{0x3041, 0xa4cf, 1},
		{0xac00, 0xd7a3, 1},
		{0xf900, 0xfaff, 1},
		{0xfe30, 0xfe6f, 1},
		{0xff00, 0xff60, 1},
		{0xffe0, 0xffe6, 1},
	},
	R32: []unicode.Range32{{0x1f300, 0x1f64f, 1}, {0x1f680, 0x1f6ff, 1}, {0x1f900, 0x1f9ff, 1}, {0x20000, 0x3fffd, 1}},
}

func wide(r rune) int {
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case unicode.Is(wides, r):
		return 2
	}
	return 1
}

// or is the text, or a dash where there is none.
func or(text string) string { return cmp.Or(text, "-") }
