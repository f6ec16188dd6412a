package config

import (
	"fmt"
	"regexp"
	"strings"
)

// The four ways to write a text in TOML.
const (
	basic       = `"`
	literal     = `'`
	longBasic   = `"""`
	longLiteral = `'''`
)

// quoteLike writes a text in the way of the value that it replaces, where that
// can hold it. Several lines are a block, except in an inline table, whose line
// must not break.
func quoteLike(instead, text string, inline bool) string {
	lines := strings.Contains(text, "\n")
	switch {
	case inline && (lines || !strings.HasPrefix(instead, literal)):
		return quote(text)
	case lines, strings.HasPrefix(instead, longBasic+"\n"), strings.HasPrefix(instead, longBasic+"\r\n"):
		return block(text)
	case strings.HasPrefix(instead, longLiteral) && isPlain(text) && !strings.Contains(text, longLiteral):
		return longLiteral + text + longLiteral
	case strings.HasPrefix(instead, longBasic):
		return longBasic + escape(text, false) + longBasic
	case strings.HasPrefix(instead, literal) && isPlain(text) && !strings.Contains(text, literal):
		return literal + text + literal
	}
	return quote(text)
}

// quote is a text on one line.
func quote(text string) string { return basic + escape(text, false) + basic }

// block is a text on lines of its own. They break as the text says, for what
// breaks a line in a block is part of what it says.
func block(text string) string {
	return longBasic + "\n" + escape(text, true) + longBasic
}

// isPlain reports whether a text can stand without escapes.
func isPlain(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' && r != '\t' || r == '\x7f' })
}

// escape writes what cannot stand as it is. In a block lines may break, and so may
// quotes, unless they would end it.
func escape(text string, inBlock bool) string {
	var b strings.Builder
	quotes := 0 // in a row, just before
	for i, r := range text {
		if r != '"' {
			quotes = 0
		}
		switch {
		case r == '"':
			quotes++
			if !inBlock || quotes == 3 || i == len(text)-1 {
				b.WriteByte('\\')
				quotes = 0
			}
			b.WriteByte('"')
		case r == '\\':
			b.WriteString(`\\`)
		case r == '\n' && !inBlock:
			b.WriteString(`\n`)
		case r == '\t' && !inBlock:
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case r < ' ' && r != '\n' && r != '\t' || r == '\x7f':
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

var bareKey = regexp.MustCompile(`\A[A-Za-z0-9_-]+\z`)

func quoteKey(name string) string {
	if bareKey.MatchString(name) {
		return name
	}
	return quote(name)
}

func quoteKeys(names path) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = quoteKey(name)
	}
	return strings.Join(quoted, ".")
}
