package mcp

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"kurogo/messages"
)

// schemas keeps what was compiled, by the text of the schema.
type schemas struct{ compiled sync.Map }

// check says which argument of a tool does not fit, and how.
func (s *schemas) check(schema json.RawMessage, tool string, input json.RawMessage) error {
	compiled, err := s.compile(schema)
	if err != nil {
		return messages.Errorf(messages.CodeInternal, "the schema of %s is broken: %v", tool, err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(input))
	if err != nil {
		return messages.Invalid("arguments", "%v", err)
	}
	err = compiled.Validate(value)
	var wrong *jsonschema.ValidationError
	if !errors.As(err, &wrong) {
		return err
	}
	return sentence(leaves(wrong, nil), known(schema))
}

func (s *schemas) compile(schema json.RawMessage) (*jsonschema.Schema, error) {
	text := string(schema)
	if c, ok := s.compiled.Load(text); ok {
		return c.(*jsonschema.Schema), nil
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(jsonschema.SchemeURLLoader{}) // a schema of ours is whole; nothing is fetched
	if err := c.AddResource("input", document); err != nil {
		return nil, err
	}
	compiled, err := c.Compile("input")
	if err != nil {
		return nil, err
	}
	s.compiled.Store(text, compiled)
	return compiled, nil
}

// known lists the arguments that a schema names.
func known(schema json.RawMessage) []string {
	var s struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	_ = json.Unmarshal(schema, &s) // it was compiled
	names := make([]string, 0, len(s.Properties))
	for name := range s.Properties {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// leaves are the errors that no other error explains. Of a choice we can only
// say that nothing fits.
func leaves(e *jsonschema.ValidationError, found []*jsonschema.ValidationError) []*jsonschema.ValidationError {
	switch e.ErrorKind.(type) {
	case *kind.AnyOf, *kind.OneOf, *kind.Not, *kind.Contains:
		return append(found, e)
	}
	if len(e.Causes) == 0 {
		return append(found, e)
	}
	for _, cause := range e.Causes {
		found = leaves(cause, found)
	}
	return found
}

// sentence tells of the one error that explains most: an argument that is not
// known comes first, because it is often the one that is missing, misspelt.
func sentence(wrong []*jsonschema.ValidationError, known []string) error {
	slices.SortFunc(wrong, func(a, b *jsonschema.ValidationError) int {
		return cmp.Or(cmp.Compare(weight(a), weight(b)), slices.Compare(a.InstanceLocation, b.InstanceLocation))
	})
	e := wrong[0]
	field := path(e.InstanceLocation)
	switch k := e.ErrorKind.(type) {
	case *kind.AdditionalProperties:
		slices.Sort(k.Properties)
		remedy := "leave it out; see the tool's input schema"
		if len(e.InstanceLocation) == 0 {
			remedy = "this tool takes no arguments"
			if len(known) > 0 {
				remedy = "the arguments are " + strings.Join(known, ", ")
			}
		}
		return messages.Invalid(path(append(slices.Clone(e.InstanceLocation), k.Properties[0])), "there is no such argument").Try(remedy)
	case *kind.Required:
		slices.Sort(k.Missing)
		return messages.Invalid(path(append(slices.Clone(e.InstanceLocation), k.Missing[0])), "it is missing").Try("give it")
	case *kind.Type:
		return messages.Invalid(field, "it is %s", article(k.Got)).Try("give " + article(strings.Join(k.Want, " or ")))
	case *kind.Enum:
		return messages.Invalid(field, "%v is not one of its values", brief(k.Got)).Try("give one of " + list(k.Want))
	case *kind.Const:
		return messages.Invalid(field, "%v is not its value", brief(k.Got)).Try("give " + list([]any{k.Want}))
	case *kind.MinItems:
		return messages.Invalid(field, "it has %d items", k.Got).Try(fmt.Sprintf("give at least %d", k.Want))
	case *kind.MaxItems:
		return messages.Invalid(field, "it has %d items", k.Got).Try(fmt.Sprintf("give at most %d", k.Want))
	case *kind.MinLength:
		return messages.Invalid(field, "it has %d characters", k.Got).Try(fmt.Sprintf("give at least %d", k.Want))
	case *kind.MaxLength:
		return messages.Invalid(field, "it has %d characters", k.Got).Try(fmt.Sprintf("give at most %d", k.Want))
	case *kind.Minimum:
		return messages.Invalid(field, "%s is too little", k.Got.RatString()).Try("give at least " + k.Want.RatString())
	case *kind.Maximum:
		return messages.Invalid(field, "%s is too much", k.Got.RatString()).Try("give at most " + k.Want.RatString())
	case *kind.ExclusiveMinimum:
		return messages.Invalid(field, "%s is too little", k.Got.RatString()).Try("give more than " + k.Want.RatString())
	case *kind.ExclusiveMaximum:
		return messages.Invalid(field, "%s is too much", k.Got.RatString()).Try("give less than " + k.Want.RatString())
	case *kind.Pattern:
		return messages.Invalid(field, "%v has the wrong form", brief(k.Got)).Try("give what matches " + k.Want)
	case *kind.UniqueItems:
		return messages.Invalid(field, "items %d and %d are the same", k.Duplicates[0], k.Duplicates[1]).Try("give each once")
	}
	return messages.Invalid(field, "it does not fit the tool's input schema").Try("see inputSchema in tools/list")
}

func weight(e *jsonschema.ValidationError) int {
	switch e.ErrorKind.(type) {
	case *kind.AdditionalProperties:
		return 0
	case *kind.Required:
		return 1
	}
	return 2
}

// path names a place as people write it: stages[0].tasks[2].role.
func path(location []string) string {
	var b strings.Builder
	for _, step := range location {
		if _, err := strconv.Atoi(step); err == nil {
			b.WriteString("[" + step + "]")
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(step)
	}
	if b.Len() == 0 {
		return "arguments"
	}
	return b.String()
}

func article(kind string) string {
	switch kind[0] {
	case 'a', 'e', 'i', 'o', 'u':
		return "an " + kind
	}
	if kind == "null" {
		return kind
	}
	return "a " + kind
}

func list(values []any) string {
	words := make([]string, len(values))
	for i, v := range values {
		words[i] = brief(v)
	}
	return strings.Join(words, ", ")
}

// brief shows a value, or how it begins.
func brief(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return "it"
	}
	if r := []rune(string(text)); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return string(text)
}
