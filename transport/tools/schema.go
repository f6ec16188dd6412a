package tools

import (
	"bytes"
	"encoding/json"
)

// The types of JSON that a schema can want.
const (
	kindObject  = "object"
	kindArray   = "array"
	kindString  = "string"
	kindInteger = "integer"
	kindNumber  = "number" // whole or not; the house bounds it
	kindBoolean = "boolean"
)

// A schema says what a value must be. The same one is shown to clients and
// checks what they send, so that the two cannot differ.
type schema struct {
	kind     string // "" = anything
	about    string
	props    []prop // of an object, in the order in which they are shown
	closed   bool   // no other props
	items    *schema
	enum     []string
	min, max int64  // of a number, the characters of a text, the items of a list; max 0 = no end
	limit    string // the limit that max is called, if it counts bytes
	null     bool   // null will do
	free     bool   // a text of any kind: the house says what is wrong with it
	refused  map[string]string
}

// A prop is a named part of an object.
type prop struct {
	name     string
	required bool
	schema   *schema
}

func must(name string, s *schema) prop { return prop{name, true, s} }
func may(name string, s *schema) prop  { return prop{name, false, s} }

// object is what a client may send: nothing but these.
func object(props ...prop) *schema { return &schema{kind: kindObject, props: props, closed: true} }

// answer is what a client gets: at least these.
func answer(props ...prop) *schema { return &schema{kind: kindObject, props: props} }

func text(max int64, about string) *schema {
	return &schema{kind: kindString, min: 1, max: max, about: about}
}

// limited is a text that may be empty and whose bytes are counted by a limit that
// has a name.
func limited(limit string, most int, about string) *schema {
	return &schema{kind: kindString, max: int64(most), limit: limit, about: about}
}

func whole(min, max int64, about string) *schema {
	return &schema{kind: kindInteger, min: min, max: max, about: about}
}

func yes(about string) *schema { return &schema{kind: kindBoolean, about: about} }

func oneOf[S ~string](about string, values ...S) *schema {
	s := &schema{kind: kindString, about: about}
	for _, v := range values {
		s.enum = append(s.enum, string(v))
	}
	return s
}

func list(min, max int64, items *schema, about string) *schema {
	return &schema{kind: kindArray, min: min, max: max, items: items, about: about}
}

func said(about string) *schema { return &schema{kind: kindString, about: about} }

func number(about string) *schema { return whole(0, 0, about) }

func fraction(about string) *schema { return &schema{kind: kindNumber, about: about} }

func moment(about string) *schema { return orNull(said(about + " (ISO 8601)")) }

func orNull(s *schema) *schema {
	out := *s
	out.null = true
	return &out
}

// on is the schema with another description.
func (s *schema) on(about string) *schema {
	out := *s
	out.about = about
	return &out
}

func (s *schema) names() []string {
	out := make([]string, len(s.props))
	for i, p := range s.props {
		out[i] = p.name
	}
	return out
}

// MarshalJSON writes it as JSON Schema.
func (s *schema) MarshalJSON() ([]byte, error) {
	d := struct {
		Type       any         `json:"type,omitempty"`
		About      string      `json:"description,omitempty"`
		Properties *properties `json:"properties,omitempty"`
		Required   []string    `json:"required,omitempty"`
		Additional *bool       `json:"additionalProperties,omitempty"`
		Items      *schema     `json:"items,omitempty"`
		Enum       []any       `json:"enum,omitempty"`
		Minimum    *int64      `json:"minimum,omitempty"`
		Maximum    int64       `json:"maximum,omitempty"`
		MinLength  int64       `json:"minLength,omitempty"`
		MaxLength  int64       `json:"maxLength,omitempty"`
		MinItems   int64       `json:"minItems,omitempty"`
		MaxItems   int64       `json:"maxItems,omitempty"`
	}{Type: s.kind, About: s.about, Items: s.items}
	for _, v := range s.enum {
		d.Enum = append(d.Enum, v)
	}
	switch {
	case s.kind == "":
		d.Type = nil
	case s.null:
		d.Type = []string{s.kind, "null"}
		if len(d.Enum) > 0 {
			d.Enum = append(d.Enum, nil)
		}
	}
	switch s.kind {
	case kindObject:
		d.Properties = (*properties)(&s.props)
		for _, p := range s.props {
			if p.required {
				d.Required = append(d.Required, p.name)
			}
		}
		if s.closed {
			d.Additional = new(bool)
		}
	case kindInteger:
		d.Minimum, d.Maximum = &s.min, s.max
	case kindString:
		d.MinLength, d.MaxLength = s.min, s.max
	case kindArray:
		d.MinItems, d.MaxItems = s.min, s.max
	}
	return encode(d)
}

// properties keep their order: the first ones are read first.
type properties []prop

func (p properties) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, prop := range p {
		if i > 0 {
			b.WriteByte(',')
		}
		for j, v := range []any{prop.name, prop.schema} {
			if j > 0 {
				b.WriteByte(':')
			}
			text, err := encode(v)
			if err != nil {
				return nil, err
			}
			b.Write(text)
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// encode writes JSON that a model reads: < stays <.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
