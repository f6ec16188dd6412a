package tools_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// conform says how a value breaks a JSON Schema, as far as ours use it. It reads
// the schema as a client does, and knows nothing of how it was made. strict also
// wants every field to be described.
func conform(s map[string]any, v any, strict bool, at string) []string {
	if len(s) == 0 || s["type"] == nil {
		return nil
	}
	kinds, many := s["type"].([]any)
	if !many {
		kinds = []any{s["type"]}
	}
	if !slices.Contains(kinds, any(kindOf(v))) && (kindOf(v) != "integer" || !slices.Contains(kinds, any("number"))) {
		return []string{fmt.Sprintf("%s is %s, want %v", at, kindOf(v), kinds)}
	}
	var out []string
	breaks := func(yes bool, what string) {
		if yes {
			out = append(out, at+": "+what)
		}
	}
	if enum, ok := s["enum"].([]any); ok {
		breaks(!slices.Contains(enum, v), fmt.Sprintf("%v is not in the enum", v))
	}
	bound := func(name string, n float64, over func(n, bound float64) bool) {
		b, ok := s[name].(float64)
		breaks(ok && over(n, b), fmt.Sprintf("%s %v is broken by %v", name, b, n))
	}
	less, more := func(n, b float64) bool { return n < b }, func(n, b float64) bool { return n > b }
	switch v := v.(type) {
	case map[string]any:
		props, _ := s["properties"].(map[string]any)
		required, _ := s["required"].([]any)
		for _, name := range required {
			_, ok := v[name.(string)]
			breaks(!ok, fmt.Sprintf("%s is missing", name))
		}
		for name, field := range v {
			prop, ok := props[name].(map[string]any)
			breaks(!ok && (strict || s["additionalProperties"] == false), name+" is not described")
			out = append(out, conform(prop, field, strict, at+"."+name)...)
		}
	case []any:
		bound("minItems", float64(len(v)), less)
		bound("maxItems", float64(len(v)), more)
		items, _ := s["items"].(map[string]any)
		for i, item := range v {
			out = append(out, conform(items, item, strict, fmt.Sprintf("%s[%d]", at, i))...)
		}
	case string:
		bound("minLength", float64(utf8.RuneCountInString(v)), less)
		bound("maxLength", float64(utf8.RuneCountInString(v)), more)
	case float64:
		bound("minimum", v, less)
		bound("maximum", v, more)
	}
	return out
}

func kindOf(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case map[string]any:
		return "object"
	case []any:
		return "array"
	case string:
		return "string"
	case bool:
		return "boolean"
	case float64:
		if v == float64(int64(v)) {
			return "integer"
		}
	}
	return "number"
}

func parsed(t *testing.T, raw string) (v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(raw), &v); err != nil {
		t.Fatalf("%v in %s", err, raw)
	}
	return v
}

// conforms wants a value to keep to a schema in every part.
func conforms(t *testing.T, schema json.RawMessage, value string) {
	t.Helper()
	s := parsed(t, string(schema)).(map[string]any)
	if broken := conform(s, parsed(t, value), true, "answer"); len(broken) > 0 {
		t.Errorf("%s breaks the schema:\n%s", value, strings.Join(broken, "\n"))
	}
}
