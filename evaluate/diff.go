package evaluate

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// contextLines is how many lines stand around a change.
const contextLines = 3

// Diff is what turns before into after, as a unified diff of the file called
// name; empty when they are equal.
//
// Lines that occur once in both texts are held fast where most of them keep their
// order (a patience diff), and what equals around them is kept too. It is not the
// shortest diff, but never slow, and it reads as one that a person would draw.
func Diff(before, after, name string) string {
	if before == after {
		return ""
	}
	a, b := lines(before), lines(after)
	var out strings.Builder
	fmt.Fprintf(&out, "--- a/%s\n+++ b/%s\n", name, name)
	for _, h := range hunks(edits(a, b)) {
		h.write(&out, a, b)
	}
	return out.String()
}

// lines keeps the ends of lines, so that a missing last one is a difference.
func lines(text string) []string { return slices.Collect(strings.Lines(text)) }

// An edit replaces a[a0:a1] by b[b0:b1].
type edit struct{ a0, a1, b0, b1 int }

// edits lists the differences in order, with something equal between each two.
func edits(a, b []string) []edit {
	var out []edit
	i, j := 0, 0 // all before them is done
	for _, m := range append(held(a, b), [2]int{len(a), len(b)}) {
		if m[0] < i || m[1] < j {
			continue // lies in what the last one has grown over
		}
		for i < m[0] && j < m[1] && a[i] == b[j] {
			i, j = i+1, j+1
		}
		x, y := m[0], m[1]
		for x > i && y > j && a[x-1] == b[y-1] {
			x, y = x-1, y-1
		}
		if i < x || j < y {
			out = append(out, edit{i, x, j, y})
		}
		for i, j = m[0], m[1]; i < len(a) && j < len(b) && a[i] == b[j]; {
			i, j = i+1, j+1
		}
	}
	return out
}

// held are the pairs of lines that occur once in both texts: the longest series of
// them that is in order in both.
func held(a, b []string) [][2]int {
	var pairs [][2]int // in the order of a
	at := onces(b)
	for i, line := range a {
		if j, ok := at[line]; ok {
			pairs = append(pairs, [2]int{i, j})
		}
	}
	inA := onces(a)
	pairs = slices.DeleteFunc(pairs, func(p [2]int) bool { _, once := inA[a[p[0]]]; return !once })

	// The classic: tails[n] ends the best series of n+1 pairs, before links it.
	var tails []int
	before := make([]int, len(pairs))
	for p := range pairs {
		n, _ := slices.BinarySearchFunc(tails, pairs[p][1], func(tail, j int) int { return cmp.Compare(pairs[tail][1], j) })
		before[p] = -1
		if n > 0 {
			before[p] = tails[n-1]
		}
		if n == len(tails) {
			tails = append(tails, p)
		}
		tails[n] = p
	}
	if len(tails) == 0 {
		return nil
	}
	var out [][2]int
	for p := tails[len(tails)-1]; p >= 0; p = before[p] {
		out = append(out, pairs[p])
	}
	slices.Reverse(out)
	return out
}

// onces maps the lines that occur once to where.
func onces(text []string) map[string]int {
	at := make(map[string]int, len(text))
	for i, line := range text {
		if _, seen := at[line]; seen {
			i = -1
		}
		at[line] = i
	}
	for line, i := range at {
		if i < 0 {
			delete(at, line)
		}
	}
	return at
}

// A hunk is edits that share their surroundings.
type hunk []edit

func hunks(of []edit) []hunk {
	var out []hunk
	for _, e := range of {
		if n := len(out); n > 0 && e.a0-out[n-1][len(out[n-1])-1].a1 <= 2*contextLines {
			out[n-1] = append(out[n-1], e)
			continue
		}
		out = append(out, hunk{e})
	}
	return out
}

func (h hunk) write(out *strings.Builder, a, b []string) {
	first, last := h[0], h[len(h)-1]
	lead := min(contextLines, first.a0)
	trail := min(contextLines, len(a)-last.a1)
	fmt.Fprintf(out, "@@ -%s +%s @@\n", span(first.a0-lead, last.a1+trail), span(first.b0-lead, last.b1+trail))
	at := first.a0 - lead
	for _, e := range h {
		put(out, " ", a[at:e.a0])
		put(out, "-", a[e.a0:e.a1])
		put(out, "+", b[e.b0:e.b1])
		at = e.a1
	}
	put(out, " ", a[at:at+trail])
}

// span is a range as hunks name it: the first line counts 1, one of no lines is
// named after the line before it.
func span(from, to int) string {
	switch n := to - from; n {
	case 0:
		return fmt.Sprintf("%d,0", from)
	case 1:
		return strconv.Itoa(from + 1)
	default:
		return fmt.Sprintf("%d,%d", from+1, n)
	}
}

func put(out *strings.Builder, mark string, of []string) {
	for _, line := range of {
		out.WriteString(mark + line)
		if !strings.HasSuffix(line, "\n") {
			out.WriteString("\n\\ No newline at end of file\n")
		}
	}
}
