package process_test

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"kurogo/drivers/process"
)

func read(t require, from io.Reader, most int) []process.Line {
	r := process.NewReader(from, most)
	var out []process.Line
	for {
		line, err := r.Next()
		switch {
		case errors.Is(err, io.EOF):
			return out
		case err != nil:
			t.Fatalf("read: %v", err)
		}
		out = append(out, line)
	}
}

type require interface{ Fatalf(string, ...any) }

// model cuts lines the slow and obvious way.
func model(all []byte, most int) []process.Line {
	parts := bytes.Split(all, []byte("\n"))
	if len(parts[len(parts)-1]) == 0 {
		parts = parts[:len(parts)-1]
	}
	var out []process.Line
	for _, part := range parts {
		if len(part) > most {
			out = append(out, process.Line{Text: part[:most], Truncated: true})
			continue
		}
		out = append(out, process.Line{Text: bytes.TrimSuffix(part, []byte("\r"))})
	}
	return out
}

func same(a, b []process.Line) bool {
	return slices.EqualFunc(a, b, func(x, y process.Line) bool {
		return bytes.Equal(x.Text, y.Text) && x.Truncated == y.Truncated
	})
}

func TestReaderAgreesWithItsModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOf(rapid.OneOf(
			rapid.SampledFrom([]string{"\n", "\r\n", "\r", "", "x", "\xff\x00"}),
			rapid.Map(rapid.IntRange(0, 9000), func(n int) string { return strings.Repeat("é", n) }),
		)).Draw(t, "words")
		all := []byte(strings.Join(words, ""))
		most := rapid.SampledFrom([]int{1, 7, 4095, 4096, 4097, 10_000}).Draw(t, "most")
		var from io.Reader = bytes.NewReader(all)
		if rapid.Bool().Draw(t, "slow") {
			from = iotest.HalfReader(from)
		}
		if got, want := read(t, from, most), model(all, most); !same(got, want) {
			t.Fatalf("%d lines, want %d", len(got), len(want))
		}
	})
}

func FuzzReader(f *testing.F) {
	f.Add([]byte("one\ntwo\r\n\nhalf"), 3)
	f.Add([]byte("\r\n\r"), 1)
	f.Fuzz(func(t *testing.T, all []byte, most int) {
		if most < 1 || most > 1<<20 {
			t.Skip()
		}
		if got, want := read(t, iotest.OneByteReader(bytes.NewReader(all)), most), model(all, most); !same(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
	})
}

func TestReaderTellsWhyItStopped(t *testing.T) {
	r := process.NewReader(iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader("ab"))), 10)
	if line, err := r.Next(); err != nil || string(line.Text) != "a" {
		t.Fatalf("first: %q, %v", line.Text, err)
	}
	if _, err := r.Next(); !errors.Is(err, iotest.ErrTimeout) {
		t.Fatalf("then: %v", err)
	}
}
