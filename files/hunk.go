package files

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var hunkHead = regexp.MustCompile(`^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@`)

// hunks reads those of one file.
func (r *diffReader) hunks() (out []hunk, err error) {
	for {
		line, more := r.peek()
		if !more || !strings.HasPrefix(line, "@@") {
			break
		}
		h, err := r.hunk(line)
		if err != nil {
			return nil, err
		}
		out = append(out, h)
	}
	if len(out) == 0 {
		return nil, r.fail(r.n, "there is no hunk below it")
	}
	return out, nil
}

// hunk reads one. Its head says how many lines belong to it: a line that begins
// with --- may be one of them.
func (r *diffReader) hunk(head string) (h hunk, err error) {
	m := hunkHead.FindStringSubmatch(head)
	if m == nil {
		return h, r.fail(r.n+1, "%s is no head of a hunk", shown(head))
	}
	number := func(text string) int {
		if text == "" {
			return 1
		}
		n, _ := strconv.Atoi(text) // nine digits
		return n
	}
	h.at, h.line = number(m[1]), r.n+1
	old, fresh := number(m[2]), number(m[4])
	r.n++
	for len(h.old) < old || len(h.new) < fresh {
		if r.n == len(r.lines) {
			return h, r.fail(h.line, "the hunk has %d old and %d new lines, its head says %d and %d", len(h.old), len(h.new), old, fresh)
		}
		line := r.lines[r.n]
		if !strings.HasSuffix(line, "\n") {
			line += "\n" // the patch ends here, not the file: that would be said
		}
		r.n++
		switch line[0] {
		case ' ':
			h.old, h.new = append(h.old, line[1:]), append(h.new, line[1:])
		case '\n': // a blank line whose space somebody has trimmed
			h.old, h.new = append(h.old, line), append(h.new, line)
		case '-':
			h.old = append(h.old, line[1:])
		case '+':
			h.new = append(h.new, line[1:])
		case '\\':
			if err := h.endless(line[0], r); err != nil {
				return h, err
			}
		default:
			return h, r.fail(r.n, "%s belongs to no hunk", shown(line))
		}
		if len(h.old) > old || len(h.new) > fresh {
			return h, r.fail(r.n, "the hunk has more lines than its head at line %d says", h.line)
		}
		if next, more := r.peek(); more && strings.HasPrefix(next, `\`) {
			r.n++
			if err := h.endless(line[0], r); err != nil {
				return h, err
			}
		}
	}
	if slices.Equal(h.old, h.new) {
		return h, r.fail(h.line, "the hunk changes nothing")
	}
	return h, nil
}

// endless takes the line end from the line above "\ No newline at end of file".
func (h *hunk) endless(above byte, r *diffReader) error {
	trim := func(lines []string) {
		if n := len(lines); n > 0 {
			lines[n-1] = strings.TrimSuffix(lines[n-1], "\n")
		}
	}
	switch above {
	case ' ', '\n':
		trim(h.old)
		trim(h.new)
	case '-':
		trim(h.old)
	case '+':
		trim(h.new)
	default:
		return r.fail(r.n, "there is no line above it that could end")
	}
	return nil
}

// apply makes the new content of the old one. A hunk is looked for near the place
// that its head names, behind the hunk before it; all of its old lines must be
// there.
func (p filePatch) apply(before []byte) ([]byte, error) {
	lines := strings.SplitAfter(string(before), "\n")
	if last := len(lines) - 1; lines[last] == "" {
		lines = lines[:last]
	}
	var out []string
	done, moved := 0, 0 // old lines that are settled; how far the last hunk was from its place
	effort := mostEffort
	for _, h := range p.hunks {
		want := h.at - 1
		if len(h.old) == 0 {
			want = h.at // behind that line
		}
		at, ok := find(lines, h.old, done, want+moved, &effort)
		if !ok {
			r := &diffReader{}
			return nil, r.fail(h.line, "the lines of this hunk are not in %s", shown(p.from))
		}
		moved = at - want
		out = append(append(out, lines[done:at]...), h.new...)
		done = at + len(h.old)
	}
	out = append(out, lines[done:]...)
	for i, line := range out {
		if i < len(out)-1 && !strings.HasSuffix(line, "\n") {
			r := &diffReader{}
			return nil, r.fail(p.line, "a line without an end would stand in the middle of %s", shown(p.to))
		}
	}
	return []byte(strings.Join(out, "")), nil
}

// mostEffort bounds the lines that are compared for one file: in a file of nothing
// but equal lines a hunk could be looked for without end.
const mostEffort = 20_000_000

// find looks for old lines, not before line from, and the nearest to want first.
func find(lines, old []string, from, want int, effort *int) (int, bool) {
	last := len(lines) - len(old)
	if last < from {
		return 0, false
	}
	want = max(from, min(want, last))
	for off := 0; *effort > 0 && (want-off >= from || want+off <= last); off++ {
		for _, at := range []int{want - off, want + off} {
			if at >= from && at <= last && equal(lines[at:], old, effort) {
				return at, true
			}
		}
	}
	return 0, false
}

// equal reports whether lines begin with old, as long as there is effort left.
func equal(lines, old []string, effort *int) bool {
	*effort--
	for i := range old {
		if *effort--; *effort < 0 || lines[i] != old[i] {
			return false
		}
	}
	return true
}
