package tools

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"kurogo/messages"
)

// maxArguments bounds the arguments of one call, whatever carried them.
const maxArguments = 4 << 20

// arguments is what a refusal calls the whole of them.
const arguments = "arguments"

// read checks the arguments of a call and gives them back in plain form: each
// field once, whole numbers as such. Errors: invalid, naming field and remedy.
func (s *schema) read(raw json.RawMessage) (json.RawMessage, error) {
	switch {
	case len(raw) > maxArguments:
		return nil, messages.Invalid(arguments, "%d bytes are over %d", len(raw), maxArguments).Try("put less into one call")
	case !utf8.Valid(raw):
		return nil, messages.Invalid(arguments, "they are not UTF-8").Try("send UTF-8")
	}
	if raw = bytes.TrimSpace(raw); len(raw) == 0 || string(raw) == "null" {
		raw = json.RawMessage("{}")
	}
	if len(s.props) == 0 && string(raw) == "{}" {
		return raw, nil // nothing is wanted, and nothing given
	}
	v, err := parse(raw)
	if err != nil {
		return nil, messages.Invalid(arguments, "they are not JSON: %v", err).Try("send one JSON object")
	}
	if v, err = s.check("", v); err != nil {
		return nil, err
	}
	return encode(v)
}

func parse(raw []byte) (v any, err error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows the object")
	}
	return v, nil
}

// check says what is wrong with a value, or gives it back in plain form.
func (s *schema) check(at string, v any) (any, error) {
	if v == nil && s.null {
		return v, nil
	}
	ok := true
	switch s.kind {
	case kindObject:
		var o map[string]any
		if o, ok = v.(map[string]any); ok {
			return s.checkObject(at, o)
		}
	case kindArray:
		var l []any
		if l, ok = v.([]any); ok {
			return s.checkList(at, l)
		}
	case kindString:
		var t string
		if t, ok = v.(string); ok {
			return t, s.checkText(at, t)
		}
	case kindInteger:
		var n json.Number
		if n, ok = v.(json.Number); ok {
			return s.checkNumber(at, n)
		}
	case kindNumber:
		var n json.Number
		if n, ok = v.(json.Number); ok {
			return n, s.checkFraction(at, n)
		}
	case kindBoolean:
		_, ok = v.(bool)
	}
	if !ok {
		return nil, s.blame(at, "it is %s, and wants to be %s", kindOf(v), s.wanted())
	}
	return v, nil
}

func (s *schema) checkObject(at string, o map[string]any) (any, error) {
	for _, name := range slices.Sorted(maps.Keys(o)) {
		if why, ok := s.refused[name]; ok {
			return nil, messages.Invalid(join(at, name), "it cannot be chosen").Try(why)
		}
		if s.closed && !slices.Contains(s.names(), name) {
			return nil, messages.Invalid(join(at, named(name)), "there is no such argument").Try(s.known())
		}
	}
	out := make(map[string]any, len(o))
	for _, p := range s.props {
		v, ok := o[p.name]
		if !ok {
			if p.required {
				return nil, p.schema.blame(join(at, p.name), "it is missing")
			}
			continue
		}
		if v == nil && !p.required && !p.schema.null {
			return nil, messages.Invalid(join(at, p.name), "it is null").Try("leave it out, or give " + p.schema.wanted())
		}
		plain, err := p.schema.check(join(at, p.name), v)
		if err != nil {
			return nil, err
		}
		out[p.name] = plain
	}
	return out, nil
}

func (s *schema) known() string {
	if len(s.props) == 0 {
		return "leave it out: there are none"
	}
	return "leave it out; there are " + strings.Join(s.names(), ", ")
}

func (s *schema) checkList(at string, l []any) (any, error) {
	switch n := int64(len(l)); {
	case n < s.min:
		return nil, s.blame(at, "it is empty")
	case s.max > 0 && n > s.max:
		return nil, messages.Invalid(at, "%d are more than %d", n, s.max).Try("give at most " + strconv.FormatInt(s.max, 10) + " at once")
	}
	out := make([]any, len(l))
	for i, v := range l {
		plain, err := s.items.check(at+"["+strconv.Itoa(i)+"]", v)
		if err != nil {
			return nil, err
		}
		out[i] = plain
	}
	return out, nil
}

func (s *schema) checkText(at, t string) error {
	switch n := int64(utf8.RuneCountInString(t)); {
	case s.min > 0 && strings.TrimSpace(t) == "":
		return s.blame(at, "it is empty")
	case !s.free && strings.ContainsRune(t, 0):
		return messages.Invalid(at, "it has a NUL in it").Try("leave the NUL out")
	case len(s.enum) > 0 && !slices.Contains(s.enum, t):
		return messages.Invalid(at, "%q is not among the choices", messages.Cut(t, 64)).Try("use " + s.wanted())
	case s.limit != "" && int64(len(t)) > s.max:
		return messages.TooLarge(at, s.limit, len(t), int(s.max))
	case s.max > 0 && n > s.max:
		return messages.Invalid(at, "%d characters are more than %d", n, s.max).Try("shorten it")
	}
	return nil
}

// checkNumber takes 3, 3.0 and 3e0 for the same.
func (s *schema) checkNumber(at string, n json.Number) (any, error) {
	i, err := n.Int64()
	if err != nil {
		f, err := n.Float64()
		const exact = 1 << 53 // beyond this a float is no whole number any more
		if err != nil || f != math.Trunc(f) || math.Abs(f) > exact {
			return nil, s.blame(at, "%s is no whole number that we can count", messages.Cut(n.String(), 64))
		}
		i = int64(f)
	}
	if i < s.min || s.max > 0 && i > s.max {
		return nil, s.blame(at, "%d is out of range", i)
	}
	return i, nil
}

// checkFraction refuses what no computer counts with.
func (s *schema) checkFraction(at string, n json.Number) error {
	if _, err := n.Float64(); err != nil {
		return s.blame(at, "%s is no number that we can count with", messages.Cut(n.String(), 64))
	}
	return nil
}

// blame refuses a value and says what would have been right.
func (s *schema) blame(at, format string, args ...any) *messages.Error {
	if at == "" {
		at = arguments
	}
	remedy := "give " + s.wanted()
	if s.about != "" {
		remedy += ": " + s.about
	}
	return messages.Invalid(at, format, args...).Try(remedy)
}

func (s *schema) wanted() string {
	switch s.kind {
	case kindObject:
		return "an object"
	case kindArray:
		if s.min > 0 {
			return "a list of " + strconv.FormatInt(s.min, 10) + " to " + strconv.FormatInt(s.max, 10)
		}
		return "a list"
	case kindString:
		if len(s.enum) > 0 {
			return "one of " + strings.Join(s.enum, ", ")
		}
		return "a text"
	case kindInteger:
		if s.max == 0 {
			return fmt.Sprintf("a whole number from %d", s.min)
		}
		return fmt.Sprintf("a whole number from %d to %d", s.min, s.max)
	case kindNumber:
		return "a number"
	case kindBoolean:
		return "true or false"
	}
	return "a value"
}

func kindOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case map[string]any:
		return "an object"
	case []any:
		return "a list"
	case string:
		return "a text"
	case bool:
		return "true or false"
	}
	return "a number"
}

// named is a name of a client's own making as we repeat it.
func named(name string) string {
	if strings.TrimSpace(name) == "" || len(name) > 64 {
		return strconv.Quote(messages.Cut(name, 64))
	}
	return name
}

func join(at, name string) string {
	if at == "" {
		return name
	}
	return at + "." + name
}
