package hermes

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"kurogo/messages"
)

// A form is what the owner wants a turn's last words to be; nil is free.
type form struct {
	text     json.RawMessage
	compiled *jsonschema.Schema
}

// readSchema compiles the owner's schema. Errors: invalid.
func readSchema(schema json.RawMessage) (*form, error) {
	if len(schema) == 0 {
		return nil, nil //nolint:nilnil // free
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err == nil {
		c := jsonschema.NewCompiler()
		c.UseLoader(jsonschema.SchemeURLLoader{}) // it is whole; nothing is fetched
		if err = c.AddResource("answer", document); err == nil {
			var compiled *jsonschema.Schema
			if compiled, err = c.Compile("answer"); err == nil {
				return &form{schema, compiled}, nil
			}
		}
	}
	return nil, messages.Invalid("schema", "%v", err)
}

// fit reads last words that must fit, as JSON or as a text with JSON in it. The
// error is for the model.
func (f *form) fit(raw json.RawMessage) (string, error) {
	var inner string
	if json.Unmarshal(raw, &inner) == nil {
		if fitted, err := f.fit(json.RawMessage(unfenced(inner))); err == nil {
			return fitted, nil
		}
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return "", fmt.Errorf("it is no valid JSON: %w", err)
	}
	if err := f.compiled.Validate(value); err != nil {
		return "", fmt.Errorf("it does not fit the schema: %s", messages.Cut(strings.ReplaceAll(err.Error(), "\n", " "), longestReason))
	}
	var out bytes.Buffer
	if err := json.Compact(&out, raw); err != nil {
		return "", fmt.Errorf("it is no valid JSON: %w", err)
	}
	return strings.ToValidUTF8(out.String(), "\uFFFD"), nil
}
