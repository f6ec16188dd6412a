package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A jsonText is a JSON file that is edited where it stands: whatever is not
// changed keeps its place, its form and its comments.
type jsonText struct {
	text    string
	plain   []byte // the same without comments and trailing commas, byte under byte
	unit    string // of indentation
	newline string
}

// A jsonSpan is an object or a list, and what is in it.
type jsonSpan struct {
	open, close int // of the brackets
	items       []jsonItem
	depth       int
}

type jsonItem struct {
	key      string // "" in a list
	from, to int    // of the value
}

// parseJSON takes an empty text for an empty object.
func parseJSON(text string) (*jsonText, error) {
	if strings.TrimSpace(strings.TrimPrefix(text, "\ufeff")) == "" {
		text = "{}\n"
	}
	d := &jsonText{unit: "  ", newline: "\n"}
	if strings.Contains(text, "\r\n") {
		d.newline = "\r\n"
	}
	if err := d.set(text); err != nil {
		return nil, err
	}
	root, err := d.span(d.start(), 0)
	if err != nil {
		return nil, err
	}
	if len(root.items) > 0 {
		if indent := d.indentation(root.items[0].from); indent != "" {
			d.unit = indent
		}
	}
	return d, nil
}

// set takes a new text, if it is JSON.
func (d *jsonText) set(text string) error {
	plain := blankJSON(text)
	var v any
	if err := json.Unmarshal(plain, &v); err != nil {
		line := 1
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			line += strings.Count(text[:min(int(syntax.Offset), len(text))], "\n")
		}
		return fmt.Errorf("line %d is no JSON: %w", line, err)
	}
	if _, ok := v.(map[string]any); !ok {
		return errors.New("it is no JSON object")
	}
	d.text, d.plain = text, plain
	return nil
}

// tree is what the file says.
func (d *jsonText) tree() map[string]any {
	dec := json.NewDecoder(bytes.NewReader(d.plain))
	dec.UseNumber()
	var out map[string]any
	_ = dec.Decode(&out) // set has seen that it is an object
	return out
}

func (d *jsonText) start() int { return bytes.IndexByte(d.plain, '{') }

// span reads the object or list that opens at a place.
func (d *jsonText) span(at, depth int) (jsonSpan, error) {
	s := jsonSpan{open: at, depth: depth}
	dec := json.NewDecoder(bytes.NewReader(d.plain[at:]))
	open, err := dec.Token()
	if err != nil {
		return s, err
	}
	for dec.More() {
		var item jsonItem
		if open == json.Delim('{') {
			key, err := dec.Token()
			if err != nil {
				return s, err
			}
			item.key, _ = key.(string) // it is nothing else
		}
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return s, err
		}
		item.to = at + int(dec.InputOffset())
		item.from = item.to - len(raw)
		s.items = append(s.items, item)
	}
	_, err = dec.Token()
	s.close = at + int(dec.InputOffset()) - 1
	return s, err
}

// find is the last item of that key, as JSON means it; ok is false without one.
func (s jsonSpan) find(key string) (jsonItem, bool) {
	for _, item := range slices.Backward(s.items) {
		if item.key == key {
			return item, true
		}
	}
	return jsonItem{}, false
}

// merge puts entry under the path. What stands there keeps the keys that are not
// in ours.
func (d *jsonText) merge(path []string, entry string, ours []string) error {
	at, depth := d.start(), 0
	for i, key := range path {
		s, err := d.span(at, depth)
		if err != nil {
			return err
		}
		item, ok := s.find(key)
		if !ok {
			for _, below := range slices.Backward(path[i+1:]) {
				entry = `{` + quoteJSON(below) + `:` + entry + `}`
			}
			return d.insert(s, quoteJSON(key)+": ", entry)
		}
		if d.plain[item.from] != '{' {
			return fmt.Errorf("%s is no object", strings.Join(path[:i+1], "."))
		}
		at, depth = item.from, depth+1
	}
	s, err := d.span(at, depth)
	if err != nil {
		return err
	}
	return d.replace(s, entry, ours)
}

// replace writes entry over an object, whose other keys go on behind it.
func (d *jsonText) replace(s jsonSpan, entry string, ours []string) error {
	same := map[string]string{}
	var kept []string
	for _, item := range s.items {
		raw := string(d.plain[item.from:item.to])
		if slices.Contains(ours, item.key) {
			same[item.key] = raw
			continue
		}
		kept = append(kept, quoteJSON(item.key)+":"+raw)
	}
	var want, have map[string]any
	if err := json.Unmarshal([]byte(entry), &want); err != nil {
		return err
	}
	old, err := encodeJSON(raws(same))
	if err != nil {
		return err
	}
	if err := json.Unmarshal([]byte(old), &have); err != nil {
		return err
	}
	if equal(want, have) {
		return nil
	}
	if len(kept) > 0 {
		entry = strings.TrimSuffix(entry, "}") + "," + strings.Join(kept, ",") + "}"
	}
	pretty, err := d.pretty(entry, s.depth)
	if err != nil {
		return err
	}
	return d.set(d.text[:s.open] + pretty + d.text[s.close+1:])
}

// list adds an object to a list at the top, unless one there has that value.
func (d *jsonText) list(name, key, value, object string) error {
	root, err := d.span(d.start(), 0)
	if err != nil {
		return err
	}
	item, ok := root.find(name)
	if !ok {
		return d.insert(root, quoteJSON(name)+": ", "["+object+"]")
	}
	if d.plain[item.from] != '[' {
		return fmt.Errorf("%s is no list", name)
	}
	s, err := d.span(item.from, 1)
	if err != nil {
		return err
	}
	for _, item := range s.items {
		var v map[string]any
		if json.Unmarshal(d.plain[item.from:item.to], &v) == nil && v[key] == value {
			return nil
		}
	}
	return d.insert(s, "", object)
}

// insert adds an item behind the last.
func (d *jsonText) insert(s jsonSpan, head, value string) error {
	pretty, err := d.pretty(value, s.depth+1)
	if err != nil {
		return err
	}
	at, comma := s.open+1, ""
	if n := len(s.items); n > 0 {
		at, comma = s.items[n-1].to, ","
	}
	bare := blankComments(d.text)
	if i := strings.IndexByte(bare[at:s.close], ','); i >= 0 { // it trails: ours to use
		at, comma = at+i+1, ""
	}
	line := func(depth int) string { return d.newline + strings.Repeat(d.unit, depth) }
	// What is between the last item and the bracket stays before ours, but for
	// the last line break.
	lead, tail := strings.TrimRight(d.text[at:s.close], " \t"), line(s.depth)
	if i := strings.LastIndexByte(bare[at:s.close], '\n'); i >= 0 {
		i += at
		if strings.HasSuffix(d.text[at:i], "\r") {
			i--
		}
		lead, tail = d.text[at:i], d.text[i:s.close]
	}
	return d.set(d.text[:at] + comma + lead + line(s.depth+1) + head + pretty + tail + d.text[s.close:])
}

// pretty breaks a value into lines as deep as it will stand.
func (d *jsonText) pretty(value string, depth int) (string, error) {
	var b bytes.Buffer
	if err := json.Indent(&b, []byte(value), strings.Repeat(d.unit, depth), d.unit); err != nil {
		return "", err
	}
	return strings.ReplaceAll(b.String(), "\n", d.newline), nil
}

// indentation is the white space before the first thing on the line of at.
func (d *jsonText) indentation(at int) string {
	line := d.text[strings.LastIndexByte(d.text[:at], '\n')+1 : at]
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

func quoteJSON(s string) string {
	b, _ := json.Marshal(s) // a string has JSON
	return string(b)
}

func raws(in map[string]string) map[string]json.RawMessage {
	out := make(map[string]json.RawMessage, len(in))
	for k, v := range in {
		out[k] = json.RawMessage(v)
	}
	return out
}
