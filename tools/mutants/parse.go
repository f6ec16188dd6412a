package main

import (
	"errors"
	"fmt"
	"strings"
)

// A mutant is one planted bug.
type mutant struct {
	name string
	line int    // where it stands in mutants.txt
	file string // below the root
	old  string // found exactly once …
	new  string // … and replaced by this
	pkg  string // whose test must notice
	run  string // go test -run
	want string // must be in the output of the failing test
}

// parse reads the blocks of mutants.txt; its head comment tells the format.
func parse(text string) ([]mutant, error) {
	var out []mutant
	var m *mutant
	var body *string // where the lines of old or new go
	for i, line := range strings.Split(text, "\n") {
		key, value, isKey := strings.Cut(line, ":")
		switch {
		case strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "== "):
			out = append(out, mutant{name: strings.TrimSpace(line[3:]), line: i + 1})
			m, body = &out[len(out)-1], nil
		case m == nil && strings.TrimSpace(line) == "":
		case m == nil:
			return nil, fmt.Errorf("line %d: %q stands before the first == name", i+1, line)
		case line == "--- old":
			body = &m.old
		case line == "--- new":
			body = &m.new
		case body != nil:
			*body += line + "\n"
		case strings.TrimSpace(line) == "":
		case !isKey:
			return nil, fmt.Errorf("line %d: %q is no key: value", i+1, line)
		default:
			if err := m.set(key, strings.TrimSpace(value)); err != nil {
				return nil, fmt.Errorf("line %d: %w", i+1, err)
			}
		}
	}
	seen := map[string]bool{}
	for i := range out {
		if err := out[i].finish(); err != nil {
			return nil, fmt.Errorf("line %d: %s: %w", out[i].line, out[i].name, err)
		}
		if seen[out[i].name] {
			return nil, fmt.Errorf("line %d: %s is there twice", out[i].line, out[i].name)
		}
		seen[out[i].name] = true
	}
	return out, nil
}

func (m *mutant) set(key, value string) error {
	switch key {
	case "file":
		m.file = value
	case "test":
		m.pkg, m.run, _ = strings.Cut(value, " ")
		m.run = strings.TrimSpace(m.run)
	case "want":
		m.want = value
	default:
		return fmt.Errorf("%q is no key: use file, test or want", key)
	}
	return nil
}

// finish drops the empty lines that separate a block from the next.
func (m *mutant) finish() error {
	m.old = strings.TrimRight(m.old, "\n")
	m.new = strings.TrimRight(m.new, "\n")
	for what, value := range map[string]string{"file": m.file, "test": m.pkg, "test's pattern": m.run, "want": m.want, "old": m.old} {
		if value == "" {
			return fmt.Errorf("its %s is missing", what)
		}
	}
	if m.old == m.new {
		return errors.New("old and new are the same")
	}
	return nil
}
