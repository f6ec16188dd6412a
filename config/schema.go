package config

import (
	"reflect"
	"strings"
	"time"
)

var durationType = reflect.TypeFor[time.Duration]()

// fields maps the keys of a table to the fields of t.
func fields(t reflect.Type) map[string]int {
	out := make(map[string]int, t.NumField())
	for i := range t.NumField() {
		if name, _, _ := strings.Cut(t.Field(i).Tag.Get("toml"), ","); name != "" && name != "-" {
			out[name] = i
		}
	}
	return out
}

// A setting is one key that a variable or a flag can give.
type setting struct {
	path path
	kind reflect.Type
}

// settings lists the scalar and list keys of t. The names of the tables that
// users name themselves come from the tree.
func settings(t reflect.Type, at path, tree any) []setting {
	table, _ := tree.(map[string]any)
	switch {
	case t.Kind() == reflect.Struct:
		var out []setting
		for name, i := range fields(t) {
			out = append(out, settings(t.Field(i).Type, at.key(name), table[name])...)
		}
		return out
	case t.Kind() == reflect.Map && t.Elem().Kind() == reflect.Struct:
		var out []setting
		for name := range table {
			out = append(out, settings(t.Elem(), at.key(name), table[name])...)
		}
		return out
	case t.Kind() == reflect.Map:
		return nil
	}
	return []setting{{at, t}}
}

// variable is the name of the environment variable for a key.
func (s setting) variable() string {
	return "KUROGO_" + strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z':
			return r - 'a' + 'A'
		case 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
			return r
		}
		return '_'
	}, strings.Join(s.path, "_"))
}
