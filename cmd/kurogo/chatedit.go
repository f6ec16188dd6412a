package main

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"kurogo/messages"
)

// An editor reads lines that somebody types at a terminal which gives us each key:
// with a cursor, and above what was typed before. A line that is longer than the
// screen moves sideways; what is pasted is one line, whatever it holds.
type editor struct {
	in     *bufio.Reader
	out    io.Writer
	cols   func() int
	prompt string // without its colours it has two columns
	most   int    // bytes of a line
	past   []string

	text   []rune
	size   int    // of the text in bytes, kept: counting again at each key makes a paste slow
	at     int    // the cursor
	left   int    // the first rune that is seen
	age    int    // how far back in the past
	draft  []rune // what was typed before going there
	pastes bool
}

// promptColumns is how wide the prompt is.
const promptColumns = 2

// Terminals mark what is pasted, where they are asked to.
const (
	pasteOn  = "\x1b[?2004h"
	pasteOff = "\x1b[?2004l"
)

// remember puts a line above the next one.
func (e *editor) remember(line string) {
	if line = strings.TrimSpace(line); line != "" && (len(e.past) == 0 || e.past[len(e.past)-1] != line) {
		e.past = append(e.past, line)
	}
}

// line reads one line, io.EOF when there is no more.
func (e *editor) line() (string, error) {
	e.text, e.size, e.at, e.left, e.age, e.draft, e.pastes = nil, 0, 0, 0, 0, nil, false
	fmt.Fprint(e.out, pasteOn)
	defer e.leave()
	for {
		if e.in.Buffered() == 0 { // else more is known than a person could see
			e.show()
		}
		r, size, err := e.in.ReadRune()
		switch {
		case err != nil:
			return "", err
		case r == utf8.RuneError && size == 1:
			return "", messages.Invalid("line", "the text is not UTF-8").Try("type UTF-8")
		case e.pastes && r != '\x1b':
			e.insert(pasted(r))
		case r == '\r' || r == '\n':
			e.at = len(e.text)
			e.show()
			line := string(e.text)
			e.remember(line)
			return line, nil
		case r == 4 && len(e.text) == 0: // Ctrl-D
			return "", io.EOF
		default:
			e.key(r)
		}
		if e.size > e.most {
			return "", messages.TooLarge("line", "message_bytes", e.size, e.most)
		}
	}
}

// leave gives the terminal back as it was, below the line.
func (e *editor) leave() { fmt.Fprint(e.out, pasteOff+"\n") }

// pasted is what a character is in a line.
func pasted(r rune) rune {
	if r == '\r' {
		return '\n'
	}
	return r
}

func (e *editor) key(r rune) {
	switch r {
	case 1: // Ctrl-A
		e.at = 0
	case 2: // Ctrl-B
		e.move(-1)
	case 4: // Ctrl-D
		e.cut(e.at, e.at+1)
	case 5: // Ctrl-E
		e.at = len(e.text)
	case 6: // Ctrl-F
		e.move(1)
	case 8, 127: // backspace
		e.cut(e.at-1, e.at)
	case 11: // Ctrl-K
		e.cut(e.at, len(e.text))
	case 12: // Ctrl-L
		fmt.Fprint(e.out, "\x1b[H\x1b[2J")
	case 14: // Ctrl-N
		e.back(-1)
	case 16: // Ctrl-P
		e.back(1)
	case 21: // Ctrl-U
		e.cut(0, e.at)
	case 23: // Ctrl-W
		e.cut(e.wordBefore(), e.at)
	case '\x1b':
		e.escape()
	case '\t':
		e.insert(' ')
	default:
		if !unicode.IsControl(r) {
			e.insert(r)
		}
	}
}

// escape reads what a key says of itself in several characters. One that we do not
// know does nothing.
func (e *editor) escape() {
	if e.in.Buffered() == 0 {
		return // the key itself
	}
	if r, _, err := e.in.ReadRune(); err != nil || r != '[' && r != 'O' {
		return
	}
	var said strings.Builder
	for {
		r, _, err := e.in.ReadRune()
		if err != nil {
			return
		}
		said.WriteRune(r)
		if r >= '@' && r <= '~' {
			break
		}
	}
	switch said.String() {
	case "A":
		e.back(1)
	case "B":
		e.back(-1)
	case "C":
		e.move(1)
	case "D":
		e.move(-1)
	case "H", "1~", "7~":
		e.at = 0
	case "F", "4~", "8~":
		e.at = len(e.text)
	case "3~":
		e.cut(e.at, e.at+1)
	case "200~":
		e.pastes = true
	case "201~":
		e.pastes = false
	}
}

func (e *editor) insert(r rune) {
	e.text = slices.Insert(e.text, e.at, r)
	e.size += utf8.RuneLen(r)
	e.at++
}

func (e *editor) move(by int) { e.at = min(max(0, e.at+by), len(e.text)) }

func (e *editor) cut(from, to int) {
	from, to = max(0, from), min(to, len(e.text))
	if from < to {
		e.size -= len(string(e.text[from:to]))
		e.text, e.at = slices.Delete(e.text, from, to), from
	}
}

func (e *editor) wordBefore() int {
	at := e.at
	for at > 0 && unicode.IsSpace(e.text[at-1]) {
		at--
	}
	for at > 0 && !unicode.IsSpace(e.text[at-1]) {
		at--
	}
	return at
}

// back goes back in the past, or forth again to what was being typed.
func (e *editor) back(by int) {
	age := min(max(0, e.age+by), len(e.past))
	if age == e.age {
		return
	}
	if e.age == 0 {
		e.draft = e.text
	}
	if e.age = age; age == 0 {
		e.text = e.draft
	} else {
		e.text = []rune(e.past[len(e.past)-age])
	}
	e.at, e.size = len(e.text), len(string(e.text))
}

// show draws the line, as much of it as there is room for around the cursor.
func (e *editor) show() {
	room := e.cols() - promptColumns - 1
	if room < 8 {
		room = 80 - promptColumns - 1
	}
	if e.left = min(e.left, e.at); breadth(e.text[e.left:e.at]) > room {
		for e.left = e.at; e.left > 0 && breadth(e.text[e.left-1:e.at]) <= room; {
			e.left--
		}
	}
	to := e.left
	for to < len(e.text) && breadth(e.text[e.left:to+1]) <= room {
		to++
	}
	fmt.Fprintf(e.out, "\r%s%s\x1b[K\r\x1b[%dC", e.prompt, seen(e.text[e.left:to]), promptColumns+breadth(e.text[e.left:e.at]))
}

// seen is a text as it is shown on one line.
func seen(text []rune) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return '↵'
		case unicode.IsControl(r):
			return ' '
		}
		return r
	}, string(text))
}

func breadth(text []rune) int { return columns(seen(text)) }
