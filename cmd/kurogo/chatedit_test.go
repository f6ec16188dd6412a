package main

import (
	"bufio"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"

	"kurogo/messages"
)

func typed(keys string, past ...string) *editor {
	return &editor{in: bufio.NewReader(strings.NewReader(keys)), out: io.Discard, cols: func() int { return 80 }, most: 100, past: past}
}

// What keys do to a line.
func TestALineIsEdited(t *testing.T) {
	const up, down, left, right, home, end, del = "\x1b[A", "\x1b[B", "\x1b[D", "\x1bOC", "\x1b[H", "\x1b[4~", "\x1b[3~"
	for _, c := range []struct{ keys, want string }{
		{"plain\r", "plain"},
		{"日本誤\x7f語\n", "日本語"},
		{"ac" + left + "b" + right + "d\r", "abcd"},
		{"bc" + home + "a" + end + "d\r", "abcd"},
		{"xabc\x01\x04\x05d\r", "abcd"},
		{"abXc" + left + left + del + "\r", "abc"},
		{"one two  three\x17\r", "one two  "},
		{"one two\x02\x02\x02\x15\r", "two"},
		{"one two\x02\x02\x02\x0b\r", "one "},
		{left + right + "\x7fa" + right + "\r", "a"},
		{up + "\r", "second"},
		{up + up + up + "!\r", "first!"},
		{up + up + down + "\r", "second"},
		{"new" + up + up + down + down + "er\r", "newer"},
		{"\x10\x10\x0e\r", "second"},
		{"a\x1b[1;5Cb\x1b[15~\x07c\r", "abc"}, // keys that we do not know
		{"say: \x1b[200~one\rtwo\n\x04\tthree\x1b[201~!\r", "say: one\ntwo\n\x04\tthree!"},
	} {
		if got, err := typed(c.keys, "first", "second").line(); got != c.want || err != nil {
			t.Errorf("%q: %q, %v, want %q", c.keys, got, err, c.want)
		}
	}
}

// A line that was typed stands above the next one, once.
func TestLinesAreRemembered(t *testing.T) {
	e := typed("one\rtwo\r\x1b[A\r \r\x1b[A\x1b[A\r")
	for _, want := range []string{"one", "two", "two", " ", "one"} {
		if got, err := e.line(); got != want || err != nil {
			t.Fatalf("%q, %v, want %q", got, err, want)
		}
	}
}

func TestHowLinesEnd(t *testing.T) {
	if _, err := typed("\x04").line(); !errors.Is(err, io.EOF) {
		t.Errorf("Ctrl-D: %v", err)
	}
	if _, err := typed("half a line").line(); !errors.Is(err, io.EOF) {
		t.Errorf("the terminal has gone: %v", err)
	}
	for _, keys := range []string{"\xff\r", strings.Repeat("x", 101) + "\r"} {
		if _, err := typed(keys).line(); !messages.IsCode(err, messages.CodeInvalid) {
			t.Errorf("%.10q: %v", keys, err)
		}
	}
}

// Whatever is typed, and wherever the cursor is, a line stays on one line.
func TestALineFitsTheScreen(t *testing.T) {
	var out strings.Builder
	keys := strings.Repeat("a長い", 30) + strings.Repeat("\x02", 60) + "い\x05x\x01\r"
	e := &editor{in: bufio.NewReader(iotest.OneByteReader(strings.NewReader(keys))), out: &out, cols: func() int { return 20 }, prompt: "› ", most: 1000}
	if _, err := e.line(); err != nil {
		t.Fatal(err)
	}
	frames := regexp.MustCompile(`\r(› [^\x1b]*)\x1b\[K\r\x1b\[(\d+)C`).FindAllStringSubmatch(out.String(), -1)
	if len(frames) < 150 {
		t.Fatalf("%d frames of %q", len(frames), out.String())
	}
	for _, f := range frames {
		if n := columns(f[1]); n >= 20 {
			t.Errorf("%q is %d columns wide", f[1], n)
		}
	}
	if last := frames[len(frames)-1]; !strings.HasSuffix(last[1], "いx") || last[2] != "18" {
		t.Errorf("at the end it shows %q, with the cursor at %s", last[1], last[2])
	}
}
