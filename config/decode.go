package config

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"time"
)

// A decoder lays a raw tree over Go values and reports whatever does not fit.
type decoder struct {
	report reporter
}

func (d decoder) decode(v any, into reflect.Value, at path) {
	switch t := into.Type(); {
	case t == durationType:
		d.duration(v, into, at)
	case t.Kind() == reflect.Struct:
		d.table(v, into, at)
	case t.Kind() == reflect.Map:
		d.named(v, into, at)
	case t.Kind() == reflect.Slice:
		d.list(v, into, at)
	case t.Kind() == reflect.Pointer:
		into.Set(reflect.New(t.Elem()))
		d.decode(v, into.Elem(), at)
	default:
		d.scalar(v, into, at)
	}
}

func (d decoder) table(v any, into reflect.Value, at path) {
	tree, ok := v.(map[string]any)
	if !ok {
		d.mistyped(v, at, "a table", `write it as a table, such as [server]`)
		return
	}
	known := fields(into.Type())
	for _, name := range slices.Sorted(maps.Keys(tree)) {
		i, ok := known[name]
		if !ok {
			d.report(at.key(name), instead(name, slices.Collect(maps.Keys(known))), "unknown key")
			continue
		}
		d.decode(tree[name], into.Field(i), at.key(name))
	}
}

// named decodes a table whose keys the user chooses. Each value is laid over
// what the map has under that name.
func (d decoder) named(v any, into reflect.Value, at path) {
	tree, ok := v.(map[string]any)
	if !ok {
		d.mistyped(v, at, "a table", "write it as a table")
		return
	}
	if into.IsNil() {
		into.Set(reflect.MakeMap(into.Type()))
	}
	for _, name := range slices.Sorted(maps.Keys(tree)) {
		value := reflect.New(into.Type().Elem()).Elem()
		if old := into.MapIndex(reflect.ValueOf(name)); old.IsValid() {
			value.Set(old)
		}
		d.decode(tree[name], value, at.key(name))
		into.SetMapIndex(reflect.ValueOf(name), value)
	}
}

func (d decoder) list(v any, into reflect.Value, at path) {
	raw := reflect.ValueOf(v)
	if !raw.IsValid() || raw.Kind() != reflect.Slice {
		d.mistyped(v, at, "a list", `write a list, such as ["a", "b"]`)
		return
	}
	out := reflect.MakeSlice(into.Type(), raw.Len(), raw.Len())
	for i := range raw.Len() {
		d.decode(raw.Index(i).Interface(), out.Index(i), at.at(i))
	}
	into.Set(out)
}

func (d decoder) duration(v any, into reflect.Value, at path) {
	const remedy = `write a duration in quotes, such as "30s" or "5m"`
	text, ok := v.(string)
	if !ok {
		d.mistyped(v, at, "a duration", remedy)
		return
	}
	parsed, err := time.ParseDuration(text)
	if err != nil {
		d.report(at, remedy, "%q is no duration", text)
		return
	}
	into.SetInt(int64(parsed))
}

func (d decoder) scalar(v any, into reflect.Value, at path) {
	switch into.Kind() {
	case reflect.String:
		if text, ok := v.(string); ok {
			into.SetString(text)
			return
		}
		d.mistyped(v, at, "text", "put it in quotes")
	case reflect.Bool:
		if is, ok := v.(bool); ok {
			into.SetBool(is)
			return
		}
		d.mistyped(v, at, "true or false", "write true or false, without quotes")
	case reflect.Int:
		if n, ok := v.(int64); ok {
			into.SetInt(n)
			return
		}
		d.mistyped(v, at, "a whole number", "write a whole number, such as 10")
	case reflect.Float64:
		d.float(v, into, at)
	default:
		panic(fmt.Sprintf("decode %s: no rule for %s", at, into.Type())) // a field of Config nobody taught us
	}
}

func (d decoder) float(v any, into reflect.Value, at path) {
	const remedy = "write a number, such as 0.5"
	switch n := v.(type) {
	case int64:
		into.SetFloat(float64(n))
	case float64:
		if math.IsNaN(n) || math.IsInf(n, 0) {
			d.report(at, remedy, "%v is no usable number", n)
			return
		}
		into.SetFloat(n)
	default:
		d.mistyped(v, at, "a number", remedy)
	}
}

func (d decoder) mistyped(v any, at path, want, remedy string) {
	d.report(at, remedy, "this is %s, not %s", typeName(v), want)
}

func typeName(v any) string {
	switch v.(type) {
	case string:
		return "text"
	case bool:
		return "true or false"
	case int64, float64:
		return "a number"
	case time.Time:
		return "a date"
	case map[string]any:
		return "a table"
	}
	return "a list"
}
