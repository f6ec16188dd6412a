package config

import (
	"maps"
	"reflect"
	"slices"
	"time"
)

// What the stories must see of the inside: where keys stand, and which keys a
// variable can give.

func Lines(text string) map[string]int { return indexLines(text) }

func LineOf(text string, at ...string) int { return indexLines(text).of(at) }

// ID is the name under which Lines knows a path; a number is an element.
func ID(at ...any) string {
	var p path
	for _, segment := range at {
		if i, ok := segment.(int); ok {
			p = p.at(i)
			continue
		}
		p = p.key(segment.(string))
	}
	return p.id()
}

// Variables maps each key that no user names to its environment variable.
func Variables() map[string]string {
	out := map[string]string{}
	for _, s := range settings(reflect.TypeFor[Config](), nil, nil) {
		out[s.path.String()] = s.variable()
	}
	return out
}

// The editing of a text without the loader, which knows only a configuration's
// keys.

func Assign(text, section, id string, values map[string]string) (string, error) {
	var sets []assignment
	for _, key := range slices.Sorted(maps.Keys(values)) {
		sets = append(sets, assignment{key: key, text: values[key]})
	}
	return assign(text, path{section, id}, sets)
}

func AddTable(text, section, id string, values map[string]string) (string, error) {
	var sets []assignment
	for _, key := range slices.Sorted(maps.Keys(values)) {
		sets = append(sets, assignment{key: key, text: values[key]})
	}
	return addTable(text, path{section, id}, sets)
}

func CutTable(text, section, id string) (string, error) { return cutTable(text, path{section, id}) }

func Quote(instead, text string, inline bool) string { return quoteLike(instead, text, inline) }

func Unified(name, before, after string) string { return unified(name, before, after) }

func LockFolder(file string, wait time.Duration) (func(), error) { return lockFolder(file, wait) }

func ReplaceFile(name, before, after string) error { return replaceFile(name, before, after) }
