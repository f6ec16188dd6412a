package claude

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A plan says how a value of some type is read. Most of what the CLI says is for
// a screen: encoding/json would walk over all of it twice to find the little that
// is for us, a plan walks once and stops only where something is.
//
// What is unusual (another type, a name twice or in other letters) a plan leaves
// to encoding/json, so that nothing is read in another way than there.
type plan struct {
	kind   reflect.Kind
	fields map[string]*field // of a struct, by name
	small  map[string]bool   // their names in small letters
	elem   *plan             // of a slice, a map
	custom bool              // it reads itself where it is no array
}

type field struct {
	index int
	plan  *plan
}

var (
	unmarshaler = reflect.TypeFor[json.Unmarshaler]()
	raw         = reflect.TypeFor[json.RawMessage]()

	events   = planOf(reflect.TypeFor[event]())
	speeches = planOf(reflect.TypeFor[speech]())
	strokes  = planOf(reflect.TypeFor[stroke]())
)

// rawKind is the kind of what is kept as it is.
const rawKind = reflect.Invalid

func planOf(t reflect.Type) *plan {
	p := &plan{kind: t.Kind(), custom: reflect.PointerTo(t).Implements(unmarshaler)}
	switch {
	case t == raw:
		p.kind = rawKind
	case p.kind == reflect.Slice || p.kind == reflect.Map:
		p.elem = planOf(t.Elem())
	case p.kind == reflect.Struct:
		p.fields, p.small = map[string]*field{}, map[string]bool{}
		for f := range t.Fields() {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			p.fields[name], p.small[strings.ToLower(name)] = &field{f.Index[0], planOf(f.Type)}, true
		}
	}
	return p
}

// read reads an object. It reports false when encoding/json should.
func (p *plan) read(text []byte, into any) bool {
	s := &scan{text: text}
	s.space()
	return s.peek() == '{' && s.value(p, reflect.ValueOf(into).Elem()) && s.done()
}

// decode reads an object into a zero value, the fast way where that can be.
func decode[T any](p *plan, text []byte, into *T) error {
	if p.read(text, into) {
		return nil
	}
	var zero T
	*into = zero // what was read of it is worth nothing
	return json.Unmarshal(text, into)
}

// value reads the value that begins here.
func (s *scan) value(p *plan, v reflect.Value) bool {
	begin, c := s.at, s.peek()
	switch {
	case p.kind == rawKind:
		ok := s.skip()
		v.SetBytes(append([]byte{}, s.text[begin:s.at]...))
		return ok
	case c == 'n' && !p.custom:
		return s.word("null") // leaves things as they are
	case p.kind == reflect.Slice && c == '[':
		return s.slice(p.elem, v)
	case p.custom:
		return s.skip() && v.Addr().Interface().(json.Unmarshaler).UnmarshalJSON(s.text[begin:s.at]) == nil
	case p.kind == reflect.Struct && c == '{':
		return s.object(p, v)
	case p.kind == reflect.Map && c == '{':
		return s.table(p.elem, v)
	case p.kind == reflect.String && c == '"':
		text, ok := s.words()
		v.SetString(text)
		return ok
	case p.kind == reflect.Bool && (c == 't' || c == 'f'):
		v.SetBool(c == 't')
		return s.skip()
	case !s.number():
		return false
	}
	return assign(v, string(s.text[begin:s.at]))
}

// assign gives a number to what can hold it.
func assign(v reflect.Value, text string) bool {
	if v.CanInt() {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || v.OverflowInt(n) {
			return false
		}
		v.SetInt(n)
		return true
	}
	if !v.CanFloat() {
		return false
	}
	f, err := strconv.ParseFloat(text, v.Type().Bits())
	v.SetFloat(f)
	return err == nil
}

func (s *scan) object(p *plan, v reflect.Value) bool {
	seen := uint64(0)
	return s.members(func(name []byte) bool {
		f, known := p.fields[string(name)]
		if !known {
			return !p.resembles(name) && s.skip()
		}
		bit := uint64(1) << f.index
		if seen&bit != 0 {
			return false
		}
		seen |= bit
		return s.value(f.plan, v.Field(f.index))
	})
}

// resembles reports whether encoding/json could take the name for one of ours.
func (p *plan) resembles(name []byte) bool {
	var buffer [64]byte
	lower := buffer[:0]
	for _, c := range name[:min(len(name), len(buffer))] {
		switch {
		case c >= utf8.RuneSelf || c == '\\':
			return true
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		}
		lower = append(lower, c)
	}
	return p.small[string(lower)]
}

func (s *scan) slice(elem *plan, v reflect.Value) bool {
	v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	return s.elements(func() bool {
		v.Grow(1)
		v.SetLen(v.Len() + 1)
		return s.value(elem, v.Index(v.Len()-1))
	})
}

func (s *scan) table(elem *plan, v reflect.Value) bool {
	v.Set(reflect.MakeMap(v.Type()))
	return s.members(func(name []byte) bool {
		one := reflect.New(v.Type().Elem()).Elem()
		ok := utf8.Valid(name) && !strings.Contains(string(name), `\`) && s.value(elem, one)
		v.SetMapIndex(reflect.ValueOf(string(name)), one)
		return ok
	})
}

// words reads a string.
func (s *scan) words() (string, bool) {
	begin := s.at
	text, ok := s.quoted()
	if !ok || utf8.Valid(text) && strings.IndexByte(string(text), '\\') < 0 {
		return string(text), ok
	}
	var out string
	err := json.Unmarshal(s.text[begin:s.at], &out)
	return out, err == nil
}
