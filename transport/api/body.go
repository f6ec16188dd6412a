package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"regexp"

	"kurogo/messages"
)

// noBody refuses what would not be read.
func noBody(r *http.Request) error {
	if r.ContentLength == 0 {
		return nil
	}
	return messages.Invalid("body", "this route takes none").Try("send what you mean in the path and the query")
}

// bodyOf is the body of a request, which must be JSON; nil if there is none.
func bodyOf(r *http.Request) ([]byte, error) {
	if r.ContentLength == 0 {
		return nil, nil
	}
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return nil, fault{http.StatusUnsupportedMediaType, messages.Invalid("Content-Type", "%q is not JSON", messages.Cut(r.Header.Get("Content-Type"), 100)).
			Try("send application/json")}
	}
	body, err := io.ReadAll(r.Body)
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return nil, fault{http.StatusRequestEntityTooLarge, messages.Invalid("body", "it is over %d bytes", large.Limit).Try("send less at once")}
	case err != nil:
		return nil, fmt.Errorf("read body: %w", err)
	}
	return body, nil
}

// arguments are a tool's: what the body, or the query, says and what the path does.
// What the path says cannot be said again.
func arguments(said map[string]json.RawMessage, path map[string]string) (json.RawMessage, error) {
	out := make(map[string]json.RawMessage, len(said)+len(path))
	for name, v := range said {
		out[name] = v
	}
	for name, v := range path {
		if _, twice := out[name]; twice {
			return nil, messages.Invalid(name, "it is in the path already").Try("leave it out of the body")
		}
		text, err := json.Marshal(v)
		if err != nil {
			return nil, err
		}
		out[name] = text
	}
	return json.Marshal(out)
}

// object takes a body apart. What is no object is the tool's to refuse.
func object(body []byte) (fields map[string]json.RawMessage, ok bool) {
	if len(bytes.TrimSpace(body)) == 0 {
		return nil, true
	}
	err := json.Unmarshal(body, &fields)
	return fields, err == nil
}

var unknownField = regexp.MustCompile(`^json: unknown field "(.*)"$`)

// decode reads the few fields of a body that is no tool's.
func decode(body []byte, into any) error {
	if len(bytes.TrimSpace(body)) == 0 {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	err := d.Decode(into)
	if err == nil {
		if _, err := d.Token(); !errors.Is(err, io.EOF) {
			return messages.Invalid("body", "something follows the object").Try("send one JSON object")
		}
		return nil
	}
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) && kind.Field != "" {
		return messages.Invalid(kind.Field, "it is a %s", kind.Value).Try("give a " + kind.Type.String())
	}
	if name := unknownField.FindStringSubmatch(err.Error()); name != nil {
		return messages.Invalid(named(name[1]), "there is no such field").Try("leave it out")
	}
	return messages.Invalid("body", "it is no JSON object that we understand: %v", err).Try("send one JSON object")
}
