package api

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"kurogo/messages"
)

// A query reads the parameters of a request. A name that nobody reads is not
// known, and refused.
type query struct {
	values url.Values
	known  []string
	wrong  error
}

func queryOf(r *http.Request) *query {
	values, err := url.ParseQuery(r.URL.RawQuery)
	q := &query{values: values}
	if err != nil {
		q.wrong = messages.Invalid("query", "it cannot be read: %v", err).Try("encode it as name=value&…")
	}
	return q
}

// text is the parameter's value, "" if it was not said.
func (q *query) text(name string) string {
	q.known = append(q.known, name)
	switch v := q.values[name]; {
	case len(v) == 0:
		return ""
	case len(v) > 1:
		q.blame(messages.Invalid(name, "it is said %d times", len(v)).Try("say it once"))
	case v[0] == "":
		q.blame(messages.Invalid(name, "it is empty").Try("leave it out, or give a value"))
	case len(v[0]) > 4096:
		q.blame(messages.Invalid(name, "%d bytes are more than 4096", len(v[0])).Try("shorten it"))
	default:
		return v[0]
	}
	return ""
}

// number is a whole number up to most; 0 if it was not said.
func (q *query) number(name string, most int64) int64 {
	v := q.text(name)
	if v == "" {
		return 0
	}
	n, err := strconv.ParseInt(v, 10, 64)
	if err != nil || n < 0 || n > most {
		q.blame(messages.Invalid(name, "%q is no whole number from 0 to %d", messages.Cut(v, 64), most).Try("give one, or leave it out"))
	}
	return n
}

func (q *query) yes(name string) bool {
	switch v := q.text(name); v {
	case "true", "1":
		return true
	case "", "false", "0":
	default:
		q.blame(messages.Invalid(name, "%q is neither true nor false", messages.Cut(v, 64)).Try("use true or false"))
	}
	return false
}

// choice is one of the values; "" if it was not said.
func (q *query) choice(name string, values ...string) string {
	v := q.text(name)
	if v != "" && !slices.Contains(values, v) {
		q.blame(messages.Invalid(name, "%q is not among the choices", messages.Cut(v, 64)).Try("use one of " + strings.Join(values, ", ")))
	}
	return v
}

// list is what stands between commas.
func (q *query) list(name string) []string {
	v := q.text(name)
	if v == "" {
		return nil
	}
	return strings.Split(v, ",")
}

func (q *query) blame(e *messages.Error) {
	if q.wrong == nil {
		q.wrong = e
	}
}

// fault is what is wrong with the parameters; it is asked when all are read.
func (q *query) fault() error {
	for _, name := range slices.Sorted(maps.Keys(q.values)) {
		if slices.Contains(q.known, name) {
			continue
		}
		remedy := "leave it out: there are none"
		if len(q.known) > 0 {
			remedy = "leave it out; there are " + strings.Join(q.known, ", ")
		}
		q.blame(messages.Invalid(named(name), "there is no such parameter").Try(remedy))
	}
	return q.wrong
}

// named is a name of a client's own making as we repeat it.
func named(name string) string {
	if strings.TrimSpace(name) == "" || len(name) > 64 {
		return strconv.Quote(messages.Cut(name, 64))
	}
	return name
}
