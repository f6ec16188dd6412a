package api

import (
	"encoding/json"
	"net/http"

	"kurogo/messages"
)

// tool uses a tool of the catalogue. Its arguments are in the path and, by POST,
// in the body, or else in the parameters of the query.
func (s *server) tool(name string, path map[string]string, params ...string) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		args, err := s.gather(r, path, params)
		if err != nil {
			return err
		}
		answer, err := s.tools.Call(r.Context(), s.o.Caller(r), messages.ToolCall{Name: name, Input: args}, nil)
		if err != nil {
			return err
		}
		return s.answer(w, answer)
	}
}

func (s *server) gather(r *http.Request, path map[string]string, params []string) (json.RawMessage, error) {
	q, said := queryOf(r), map[string]json.RawMessage{}
	for _, name := range params {
		if v := q.text(name); v != "" {
			text, err := json.Marshal(v)
			if err != nil {
				return nil, err
			}
			said[name] = text
		}
	}
	if err := q.fault(); err != nil {
		return nil, err
	}
	if r.Method != post {
		if err := noBody(r); err != nil {
			return nil, err
		}
	} else {
		body, err := bodyOf(r)
		if err != nil {
			return nil, err
		}
		fields, ok := object(body)
		if !ok {
			return body, nil // the tool says what is wrong with it
		}
		said = fields
	}
	named := make(map[string]string, len(path))
	for wildcard, argument := range path {
		named[argument] = r.PathValue(wildcard)
	}
	return arguments(said, named)
}
