package config

import (
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// reserved are the KUROGO_ variables that are no keys.
var reserved = []string{
	"KUROGO_CONFIG", "KUROGO_LIFE", "KUROGO_PROJECT", "KUROGO_SOCKET", "KUROGO_STATE_DIR",
	"KUROGO_TEST_CODEX", "KUROGO_TOKEN",
}

// environ makes a map of what os.Environ gives; of a name given twice the last
// counts.
func environ(pairs []string) map[string]string {
	out := make(map[string]string, len(pairs))
	for _, pair := range pairs {
		if name, value, ok := strings.Cut(pair, "="); ok {
			out[name] = value
		}
	}
	return out
}

// override lays first the old names, then the environment, then the flags over
// the tree: who comes later wins.
func (l *loading) override(tree map[string]any) {
	all := settings(reflect.TypeFor[Config](), nil, tree)
	byKey := make(map[string]setting, len(all))
	byVariable := make(map[string]setting, len(all))
	for _, s := range all {
		byKey[s.path.String()] = s
		byVariable[s.variable()] = s
	}
	for _, name := range slices.Sorted(maps.Keys(inherited)) {
		if text := l.env[name]; text != "" {
			from := inherited[name]
			l.set(tree, byKey[from.key], from.text(l, text), origin{"environment", name})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(l.env)) {
		if !strings.HasPrefix(name, "KUROGO_") || slices.Contains(reserved, name) {
			continue
		}
		l.give(tree, byVariable, name, l.env[name], "environment")
	}
	for _, key := range slices.Sorted(maps.Keys(l.src.Overrides)) {
		l.give(tree, byKey, key, l.src.Overrides[key], "flag")
	}
}

func (l *loading) give(tree map[string]any, known map[string]setting, name, text, from string) {
	s, ok := known[name]
	if !ok {
		remedy := "remove it"
		if near := nearest(name, slices.Sorted(maps.Keys(known))); near != "" {
			remedy = "write " + near
		}
		l.problems = append(l.problems, Problem{File: from, Key: name, Message: "there is no such key", Remedy: remedy})
		return
	}
	l.set(tree, s, text, origin{from, name})
}

// set writes into the tree what a file would have said. Text that cannot be of
// the key's type is left as text: the decoder refuses it.
func (l *loading) set(tree map[string]any, s setting, text string, from origin) {
	l.given[s.path.id()] = from
	last := len(s.path) - 1
	for _, name := range s.path[:last] {
		under, ok := tree[name].(map[string]any)
		if !ok {
			if tree[name] != nil {
				return // the file has something else here, which is refused anyway
			}
			under = map[string]any{}
			tree[name] = under
		}
		tree = under
	}
	tree[s.path[last]] = typed(s.kind, text)
}

func typed(kind reflect.Type, text string) any {
	switch {
	case kind == durationType:
	case kind.Kind() == reflect.Pointer:
		return typed(kind.Elem(), text)
	case kind.Kind() == reflect.Bool:
		if is, err := strconv.ParseBool(text); err == nil {
			return is
		}
	case kind.Kind() == reflect.Int:
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return n
		}
	case kind.Kind() == reflect.Float64:
		if n, err := strconv.ParseFloat(text, 64); err == nil {
			return n
		}
	case kind.Kind() == reflect.Slice:
		list := []any{}
		for part := range strings.SplitSeq(text, ",") {
			if part = strings.TrimSpace(part); part != "" {
				list = append(list, part)
			}
		}
		return list
	}
	return text
}
