package command

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// A node is a value somewhere within a line.
type node struct{ value any }

// decode reads a line; numbers stay as they are written.
func decode(line []byte) (node, error) {
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	var v any
	err := d.Decode(&v)
	return node{v}, err
}

// at follows a path. What is not there is an empty node.
func (n node) at(path string) node {
	if path == "" {
		return node{}
	}
	for name := range strings.SplitSeq(path, ".") {
		switch v := n.value.(type) {
		case map[string]any:
			n = node{v[name]}
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i < 0 || i >= len(v) {
				return node{}
			}
			n = node{v[i]}
		default:
			return node{}
		}
	}
	return n
}

// text is what a person would read: a text as it is, anything else as JSON, and
// nothing as nothing.
func (n node) text() string {
	switch v := n.value.(type) {
	case nil:
		return ""
	case string:
		return v
	}
	return string(n.json())
}

// isText is true of nothing, too.
func (n node) isText() bool {
	_, ok := n.value.(string)
	return ok || n.value == nil
}

func (n node) list() []any {
	v, _ := n.value.([]any)
	return v
}

// json is nil for nothing.
func (n node) json() json.RawMessage {
	if n.value == nil {
		return nil
	}
	b, err := json.Marshal(n.value)
	if err != nil { // it came from JSON
		return nil
	}
	return b
}

// count is a number that counts something, 0 where there is none.
func (n node) count() int64 {
	f := n.number()
	if f < 0 || f > math.MaxInt32 {
		return 0
	}
	return int64(f)
}

// micros are dollars in micro-dollars.
func (n node) micros() int64 {
	f := n.number() * 1e6
	if f < 0 || f > math.MaxInt32*1e6 {
		return 0
	}
	return int64(math.Round(f))
}

func (n node) number() float64 {
	v, ok := n.value.(json.Number)
	if !ok {
		return 0
	}
	f, err := v.Float64()
	if err != nil || math.IsNaN(f) {
		return 0
	}
	return f
}

// holds reports whether every path has its value.
func (n node) holds(want map[string]string) bool {
	for path, value := range want {
		if n.at(path).text() != value {
			return false
		}
	}
	return true
}
