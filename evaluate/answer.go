package evaluate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"
)

// ErrAnswer is in every error about what a model has answered: it is not what it
// was asked for. Asking again may help; guessing never does.
var ErrAnswer = errors.New("the model's answer is not what it was asked for")

// answerBytes bounds an answer that is no document.
const answerBytes = 256 << 10

var fenced = regexp.MustCompile("(?s)\\A```(?:json|JSON)?[ \t]*\r?\n(.*?)\r?\n?```\\z")

// object reads an answer that is one JSON object with just these fields, each
// there and each once. White space around it is allowed, and one fence around all
// of it, which models like to draw; prose is not: whoever adds a word to it may
// have meant another object.
func object(text string, fields ...string) (map[string]json.RawMessage, error) {
	text = strings.TrimSpace(strings.TrimPrefix(text, "\ufeff"))
	if m := fenced.FindStringSubmatch(text); m != nil {
		text = m[1]
	}
	switch {
	case text == "":
		return nil, fmt.Errorf("%w: it is empty", ErrAnswer)
	case !utf8.ValidString(text):
		return nil, fmt.Errorf("%w: it is not UTF-8", ErrAnswer)
	}
	return members([]byte(text), fields...)
}

// members is encoding/json without its leniency: names are exact, and a field that
// is given twice could be read either way.
func members(text []byte, fields ...string) (map[string]json.RawMessage, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil, fmt.Errorf("%w: it is no JSON object", ErrAnswer)
	}
	got := make(map[string]json.RawMessage, len(fields))
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrAnswer, err)
		}
		name, _ := token.(string) // the decoder has no other keys
		if _, twice := got[name]; twice {
			return nil, fmt.Errorf("%w: it has %q twice", ErrAnswer, name)
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, fmt.Errorf("%w: %q: %w", ErrAnswer, name, err)
		}
		got[name] = value
	}
	if _, err := d.Token(); err != nil { // the closing brace
		return nil, fmt.Errorf("%w: it is cut off", ErrAnswer)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%w: something follows the object", ErrAnswer)
	}
	for _, name := range fields {
		if _, ok := got[name]; !ok {
			return nil, fmt.Errorf("%w: %q is missing", ErrAnswer, name)
		}
	}
	if len(got) > len(fields) {
		return nil, fmt.Errorf("%w: it has fields that nobody asked for", ErrAnswer)
	}
	return got, nil
}

// value reads one field. null is no value: encoding/json would pass over it.
func value(fields map[string]json.RawMessage, name string, to any) error {
	raw := bytes.TrimSpace(fields[name])
	if bytes.Equal(raw, []byte("null")) {
		return fmt.Errorf("%w: %q is null", ErrAnswer, name)
	}
	if err := json.Unmarshal(raw, to); err != nil {
		return fmt.Errorf("%w: %q: %w", ErrAnswer, name, err)
	}
	return nil
}
