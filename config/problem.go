package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A Problem is one thing that is wrong with a configuration or a performance,
// and what to write instead. Line is 1-based; 0 means that there is none.
type Problem struct {
	File    string // as the user would name it; "environment" or "flag" where it is no file
	Line    int
	Key     string // dotted, or the variable's name
	Message string
	Remedy  string
}

// String is "file:line: key: what is wrong. Remedy: what to write instead".
func (p Problem) String() string {
	var b strings.Builder
	b.WriteString(p.File)
	if p.Line > 0 {
		fmt.Fprintf(&b, ":%d", p.Line)
	}
	if p.Key != "" {
		b.WriteString(": " + p.Key)
	}
	b.WriteString(": " + p.Message)
	if p.Remedy != "" {
		b.WriteString(". Remedy: " + p.Remedy)
	}
	return b.String()
}

// Problems is the error of Load and LoadPerformance: everything that is wrong,
// in the order of the file.
type Problems []Problem

// Error lists the problems, one a line.
func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

// sorted is nil when there are no problems, so that the caller can return it.
func (ps Problems) sorted() error {
	if len(ps) == 0 {
		return nil
	}
	slices.SortStableFunc(ps, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Key, b.Key))
	})
	return slices.Compact(ps)
}
