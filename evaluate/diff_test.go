package evaluate_test

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kurogo/evaluate"
)

func TestDiff(t *testing.T) {
	for name, c := range map[string]struct{ before, after, want string }{
		"nothing": {"a\n", "a\n", ""},
		"a line in the middle": {
			"1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n",
			"--- a/doc.md\n+++ b/doc.md\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n",
		},
		"two far apart": {
			"1\n2\n3\n4\n5\n6\n7\n8\n9\n", "one\n2\n3\n4\n5\n6\n7\n8\nnine\n",
			"--- a/doc.md\n+++ b/doc.md\n@@ -1,4 +1,4 @@\n-1\n+one\n 2\n 3\n 4\n@@ -6,4 +6,4 @@\n 6\n 7\n 8\n-9\n+nine\n",
		},
		"two near each other": {
			"1\n2\n3\n4\n", "one\n2\n3\nfour\n",
			"--- a/doc.md\n+++ b/doc.md\n@@ -1,4 +1,4 @@\n-1\n+one\n 2\n 3\n-4\n+four\n",
		},
		"out of nothing": {"", "1\n", "--- a/doc.md\n+++ b/doc.md\n@@ -0,0 +1 @@\n+1\n"},
		"into nothing":   {"1\n2\n", "", "--- a/doc.md\n+++ b/doc.md\n@@ -1,2 +0,0 @@\n-1\n-2\n"},
		"the last end of line": {
			"1\n2", "1\n2\n",
			"--- a/doc.md\n+++ b/doc.md\n@@ -1,2 +1,2 @@\n 1\n-2\n\\ No newline at end of file\n+2\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := evaluate.Diff(c.before, c.after, "doc.md"); got != c.want {
				t.Errorf("\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// Whatever the texts are, the difference applied to the one makes the other, and
// in reverse.
func TestDiffApplies(t *testing.T) {
	text := func(t *rapid.T, name string) string {
		lines := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", "", "the same line", "x" + name}), 0, 40).Draw(t, name)
		out := strings.Join(lines, "\n")
		if rapid.Bool().Draw(t, name+" ends") && out != "" {
			out += "\n"
		}
		return out
	}
	rapid.Check(t, func(t *rapid.T) {
		before, after := text(t, "before"), text(t, "after")
		diff := evaluate.Diff(before, after, "x")
		if got, err := apply(before, diff, '+', '-'); err != nil || got != after {
			t.Fatalf("%q by\n%s\nbecame %q, %v, want %q", before, diff, got, err, after)
		}
		if got, err := apply(after, diff, '-', '+'); err != nil || got != before {
			t.Fatalf("in reverse: %q by\n%s\nbecame %q, %v, want %q", after, diff, got, err, before)
		}
	})
}

var hunkHead = regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@$`)

// apply reads a difference as patch(1) does: positions and counts must fit.
func apply(text, diff string, adds, takes byte) (string, error) {
	if diff == "" {
		return text, nil
	}
	old := strings.SplitAfter(text, "\n")
	if old[len(old)-1] == "" {
		old = old[:len(old)-1]
	}
	lines := strings.Split(strings.TrimSuffix(diff, "\n"), "\n")
	var out strings.Builder
	at := 0
	for i := 2; i < len(lines); {
		m := hunkHead.FindStringSubmatch(lines[i])
		if m == nil {
			return "", fmt.Errorf("line %d is no hunk: %q", i+1, lines[i])
		}
		from, count := m[1], m[2]
		if adds == '-' {
			from, count = m[3], m[4]
		}
		start, _ := strconv.Atoi(from)
		n := 1
		if count != "" {
			n, _ = strconv.Atoi(count)
		}
		if n > 0 {
			start--
		}
		if start < at || start > len(old) {
			return "", errors.New("a hunk lies outside")
		}
		out.WriteString(strings.Join(old[at:start], ""))
		at = start
		for i++; i < len(lines) && !strings.HasPrefix(lines[i], "@@"); i++ {
			line := lines[i][1:] + "\n"
			if i+1 < len(lines) && strings.HasPrefix(lines[i+1], `\`) {
				line = strings.TrimSuffix(line, "\n")
			}
			switch lines[i][0] {
			case adds:
				out.WriteString(line)
			case ' ', takes:
				if at >= len(old) || old[at] != line {
					return "", fmt.Errorf("line %d does not fit: %q", i+1, line)
				}
				if lines[i][0] == ' ' {
					out.WriteString(line)
				}
				at, n = at+1, n-1
			case '\\':
			default:
				return "", fmt.Errorf("line %d is nothing: %q", i+1, lines[i])
			}
		}
		if n != 0 {
			return "", errors.New("a hunk counts wrongly")
		}
	}
	out.WriteString(strings.Join(old[at:], ""))
	return out.String(), nil
}
