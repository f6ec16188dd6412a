package config

import (
	"slices"
	"strconv"
	"strings"
)

// A path leads to one value of a TOML document. An element of an array is a
// segment of its own, marked so that no key can look like it.
type path []string

const element = "\x01"

func keyPath(dotted string) path { return strings.Split(dotted, ".") }

func (p path) key(name string) path { return append(slices.Clip(p), name) }

func (p path) at(i int) path { return append(slices.Clip(p), element+strconv.Itoa(i)) }

func (p path) id() string { return strings.Join(p, "\x00") }

// String is the path as a person reads it: scene[1].line[0].say.
func (p path) String() string {
	var b strings.Builder
	for i, segment := range p {
		if n, ok := strings.CutPrefix(segment, element); ok {
			b.WriteString("[" + n + "]")
			continue
		}
		if i > 0 {
			b.WriteByte('.')
		}
		b.WriteString(segment)
	}
	return b.String()
}
