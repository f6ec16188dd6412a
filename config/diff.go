package config

import (
	"fmt"
	"strings"
)

// What a diff shows around a change, and how many pairs of lines are compared
// before a change is shown as one block.
const (
	diffContext = 3
	diffWork    = 1 << 20
)

// unified shows how a file changes, "" if it does not. A file that is not there
// yet is empty.
func unified(name, before, after string) string {
	if before == after {
		return ""
	}
	ops := compare(splitLines(before), splitLines(after))
	var b strings.Builder
	fmt.Fprintf(&b, "--- %s\n+++ %s\n", name, name)
	for i := 0; i < len(ops); {
		if ops[i].mark == ' ' {
			i++
			continue
		}
		start, end := max(0, i-diffContext), hunkEnd(ops, i)
		writeHunk(&b, ops, start, end)
		i = end
	}
	return b.String()
}

// An op is one line of a comparison: in both files, or taken out, or put in.
type op struct {
	mark byte // ' ', '-', '+'
	line string
}

// hunkEnd is behind the hunk with the change at i: what follows at a distance of
// two contexts is another one's.
func hunkEnd(ops []op, i int) int {
	last := i
	for j := i; j < len(ops) && j <= last+2*diffContext; j++ {
		if ops[j].mark != ' ' {
			last = j
		}
	}
	return min(len(ops), last+diffContext+1)
}

func writeHunk(b *strings.Builder, ops []op, start, end int) {
	oldLine, oldCount := count(ops, start, end, '+')
	newLine, newCount := count(ops, start, end, '-')
	fmt.Fprintf(b, "@@ -%d,%d +%d,%d @@\n", oldLine, oldCount, newLine, newCount)
	for _, op := range ops[start:end] {
		b.WriteByte(op.mark)
		b.WriteString(op.line)
		if !strings.HasSuffix(op.line, "\n") {
			b.WriteString("\n\\ No newline at end of file\n")
		}
	}
}

// count is where a hunk begins in one of the files, and how many lines it has
// there. The other file's lines are not in this one.
func count(ops []op, start, end int, other byte) (line, n int) {
	for i, op := range ops[:end] {
		switch {
		case op.mark == other:
		case i < start:
			line++
		default:
			n++
		}
	}
	if n > 0 {
		line++
	}
	return line, n
}

func splitLines(text string) []string {
	lines := strings.SplitAfter(text, "\n")
	return lines[:len(lines)-1+min(1, len(lines[len(lines)-1]))]
}

// compare lines two files up. What they have in common at both ends is quickly
// said; between, the longest common run of lines stays.
func compare(a, b []string) []op {
	var head, tail []op
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		head = append(head, op{' ', a[0]})
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		tail = append(tail, op{' ', a[len(a)-1]})
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	head = append(head, middle(a, b)...)
	for i := len(tail) - 1; i >= 0; i-- {
		head = append(head, tail[i])
	}
	return head
}

// middle is the rest: by its longest common subsequence, unless that is too much
// work for what a person would read anyway.
func middle(a, b []string) (out []op) {
	var longest [][]int // of a[i:] and b[j:]
	if len(a)*len(b) <= diffWork {
		longest = common(a, b)
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case longest != nil && i < len(a) && j < len(b) && a[i] == b[j]:
			out = append(out, op{' ', a[i]})
			i++
			j++
		case i < len(a) && (j == len(b) || longest == nil || longest[i+1][j] >= longest[i][j+1]):
			out = append(out, op{'-', a[i]})
			i++
		default:
			out = append(out, op{'+', b[j]})
			j++
		}
	}
	return out
}

func common(a, b []string) [][]int {
	longest := make([][]int, len(a)+1)
	longest[len(a)] = make([]int, len(b)+1)
	for i := len(a) - 1; i >= 0; i-- {
		longest[i] = make([]int, len(b)+1)
		for j := len(b) - 1; j >= 0; j-- {
			longest[i][j] = max(longest[i+1][j], longest[i][j+1])
			if a[i] == b[j] {
				longest[i][j] = longest[i+1][j+1] + 1
			}
		}
	}
	return longest
}
