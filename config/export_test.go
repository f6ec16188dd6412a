package config

import "reflect"

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
