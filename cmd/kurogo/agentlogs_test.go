package main

import (
	"strings"
	"testing"

	"kurogo/messages"
)

// A stream is read in pieces of any size; for a person it is whole letters and
// nothing that moves the cursor, for a pipe it is what was said.
func TestALogIsWholeInPieces(t *testing.T) {
	t.Parallel()
	const said = "幕が\x1b[31m開く\r\n\xe9 and \xf0\x9f\x8e\xad\n"
	for size := 1; size <= len(said)+1; size++ {
		for _, tame := range []bool{false, true} {
			h := &script{answer: func(m messages.Message) (messages.Message, error) {
				r := m.(messages.ReadStream)
				end := min(r.Offset+int64(size), int64(len(said)))
				return messages.StreamChunk{Data: []byte(said[r.Offset:end]), Next: end, Size: int64(len(said)), Ended: end == int64(len(said))}, nil
			}}
			p, out, _ := aProgram()
			tap := &tap{program: p, House: h, word: messages.ReadStream{Agent: "a"}, tame: tame}
			if ended, err := tap.drain(t.Context()); err != nil || !ended {
				t.Fatalf("%v, %v", ended, err)
			}
			want := said
			if tame {
				want = "幕が[31m開く\n\uFFFD and 🎭\n"
			}
			if got := out.String(); got != want {
				t.Errorf("in pieces of %d, tame %v: %q, want %q", size, tame, got, want)
			}
		}
	}
}

// What has come so far is read to its end, and what comes later from there.
func TestALogGoesOnWhereItWas(t *testing.T) {
	t.Parallel()
	said := "one\n"
	asked := 0
	h := &script{answer: func(m messages.Message) (messages.Message, error) {
		asked++
		r := m.(messages.ReadStream)
		return messages.StreamChunk{Data: []byte(said[r.Offset:]), Next: int64(len(said)), Size: int64(len(said))}, nil
	}}
	p, out, _ := aProgram()
	tap := &tap{program: p, House: h}
	for range 2 {
		if ended, err := tap.drain(t.Context()); err != nil || ended {
			t.Fatalf("%v, %v", ended, err)
		}
	}
	said += "two\n"
	if _, err := tap.drain(t.Context()); err != nil || out.String() != "one\ntwo\n" || asked != 3 {
		t.Errorf("%q after asking %d times, %v", out, asked, err)
	}
	p.flags.json = true
	tap.word.Offset = 4
	out.Reset()
	if _, err := tap.drain(t.Context()); err != nil || strings.TrimSpace(out.String()) != `{"data":"dHdvCg==","next":8,"size":8,"ended":false}` {
		t.Errorf("%s, %v", out, err)
	}
}
