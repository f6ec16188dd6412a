package config

import (
	"maps"
	"slices"
	"strings"

	"kurogo/messages"
)

// An assignment gives a key a value: a text, or what stands elsewhere as it is.
type assignment struct {
	key, text string
	raw       string // TOML; "" = the text
}

// says is the value as TOML: in the style of what it replaces, on one line where
// it is in an inline table.
func (a assignment) says(instead string, inline bool) string {
	if a.raw != "" {
		return a.raw
	}
	return quoteLike(instead, a.text, inline)
}

// assign gives keys of an existing table new values. The table stays in the form
// in which it is written.
func assign(text string, at path, sets []assignment) (string, error) {
	tree, err := parseTree(text)
	if err != nil {
		return "", err
	}
	out := text
	for _, set := range sets {
		next, ok := newDocument(out).set(at, set)
		if !ok {
			return "", stubborn(at)
		}
		out = next
	}
	return out, verify(out, at, graft(tree, at, sets))
}

// addTable puts a table at the end, or into the braces of the one around it.
func addTable(text string, at path, sets []assignment) (string, error) {
	tree, err := parseTree(text)
	if err != nil {
		return "", err
	}
	d := newDocument(text)
	var out string
	if around, ok := d.inlineTable(at[:len(at)-1]); ok {
		out = d.intoBraces(around, quoteKey(at[len(at)-1])+" = "+braces(sets))
	} else {
		out = d.behind(at, sets)
	}
	return out, verify(out, at, graft(tree, at, sets))
}

// graft is the tree with the keys set. A raw value is read as what it says.
func graft(tree map[string]any, at path, sets []assignment) map[string]any {
	tree = maps.Clone(tree)
	for under, i := tree, 0; ; i++ {
		if i == len(at) {
			for _, set := range sets {
				under[set.key] = set.value()
			}
			return tree
		}
		next, _ := under[at[i]].(map[string]any)
		if next = maps.Clone(next); next == nil {
			next = map[string]any{}
		}
		under[at[i]] = next
		under = next
	}
}

func (a assignment) value() any {
	if a.raw == "" {
		return a.text
	}
	tree, err := parseTree("v = " + a.raw)
	if err != nil {
		return err
	}
	return tree["v"]
}

// verify is the net under all of this: what came out must say what was asked for,
// and nothing else.
func verify(text string, at path, want map[string]any) error {
	got, err := parseTree(text)
	if err != nil || !equal(got, want) {
		return stubborn(at)
	}
	return nil
}

func stubborn(at path) error {
	return messages.Errorf(messages.CodeConflict, "%s is written in a form that cannot be changed in place", at).
		Try("write it as a table of its own, [" + at.String() + "], or change it by hand")
}

// set gives one key of the table a value; it is not ok when there is no such
// table.
func (d document) set(at path, a assignment) (string, bool) {
	if p, ok := d.pair(at.key(a.key)); ok {
		return d.text[:p.value] + a.says(d.text[p.value:p.end], p.inline) + d.text[p.end:], true
	}
	if h, ok := d.header(at); ok {
		if last, ok := d.lastOf(h); ok {
			return d.lineBelow(last.start, last.end, quoteKey(a.key)+" = "+a.says("", false)), true
		}
		return d.lineBelow(h.start, h.start, quoteKey(a.key)+" = "+a.says("", false)), true
	}
	if table, ok := d.inlineTable(at); ok {
		return d.intoBraces(table, quoteKey(a.key)+" = "+a.says("", true)), true
	}
	if last, ok := d.dotted(at); ok {
		said := quoteKeys(at.key(a.key)[len(last.in):]) + " = " + a.says("", last.inline)
		if last.inline {
			return d.text[:last.end] + ", " + said + d.text[last.end:], true
		}
		return d.lineBelow(last.start, last.end, said), true
	}
	if slices.ContainsFunc(d.headers, func(h header) bool { return h.at.within(at) }) {
		return d.behind(at, []assignment{a}), true // there are only tables below it so far
	}
	return "", false
}

// lineBelow puts a line below the one where something ends, as far in as that
// begins.
func (d document) lineBelow(start, end int, line string) string {
	at := d.lineEnd(end)
	return d.text[:at] + d.eol() + d.indent(start) + line + d.text[at:]
}

// intoBraces puts a pair behind the last one of an inline table.
func (d document) intoBraces(table pair, said string) string {
	if last, ok := d.lastIn(table); ok {
		return d.text[:last.end] + ", " + said + d.text[last.end:]
	}
	open := table.value + 1
	rest := d.text[open:]
	if strings.HasPrefix(rest, "}") {
		rest = " " + rest
	}
	return d.text[:open] + " " + said + rest
}

// braces are assignments as an inline table.
func braces(sets []assignment) string {
	pairs := make([]string, len(sets))
	for i, set := range sets {
		pairs[i] = quoteKey(set.key) + " = " + set.says("", true)
	}
	if len(pairs) == 0 {
		return "{}"
	}
	return "{ " + strings.Join(pairs, ", ") + " }"
}

// behind is the text with a table behind everything else.
func (d document) behind(at path, sets []assignment) string {
	eol := d.eol()
	var b strings.Builder
	b.WriteString(d.text)
	if body := strings.TrimPrefix(d.text, byteOrderMark); body != "" {
		if !strings.HasSuffix(body, "\n") {
			b.WriteString(eol)
		}
		if !strings.HasSuffix(body, eol+eol) {
			b.WriteString(eol)
		}
	}
	b.WriteString("[" + quoteKeys(at) + "]" + eol)
	for _, set := range sets {
		b.WriteString(quoteKey(set.key) + " = " + set.says("", false) + eol)
	}
	return b.String()
}
