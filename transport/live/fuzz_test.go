package live_test

import (
	"bytes"
	"testing"
	"unicode/utf8"

	"kurogo/messages"
	"kurogo/transport/live"
)

// Whatever a page sends, it is an order with an id, or a refusal that says what to
// do; nothing falls.
func FuzzOrder(f *testing.F) {
	for _, seed := range []string{
		`{"type":"call","id":"1","tool":"cancel_agent","input":{"agentId":"a"}}`,
		`{"type":"sub","id":"1","topics":["agent:a:log"],"offset":-9}`,
		`{"type":"config:update_role","id":"1","data":{}}`,
		`{"type":"unsub","id":"1","topics":[]}`, `null`, `{"id":null}`, `{"type":"call"`, "\xff",
	} {
		f.Add(1, []byte(seed))
	}
	f.Fuzz(func(t *testing.T, kind int, raw []byte) {
		id, err := live.Decode(kind, raw)
		if len(id) > 64 {
			t.Errorf("the id has %d bytes", len(id))
		}
		if err == nil {
			if id == "" {
				t.Error("an order without an id")
			}
			return
		}
		if e := messages.AsError(err); e.Code != messages.CodeInvalid || e.Field == "" || e.Remedy == "" || e.Message == "" {
			t.Errorf("refused with %+v", e)
		}
	})
}

// Cutting a text loses nothing but the beginning of a letter.
func FuzzWhole(f *testing.F) {
	f.Add([]byte("黒衣")[:5], false)
	f.Add([]byte("\x80\x80\x80\x80"), false)
	f.Add([]byte("a\xff"), true)
	f.Fuzz(func(t *testing.T, data []byte, ended bool) {
		got := live.Whole(data, ended)
		rest, ok := bytes.CutPrefix(data, got)
		switch {
		case !ok || len(rest) >= utf8.UTFMax || ended && len(rest) > 0:
			t.Errorf("%q became %q", data, got)
		case len(rest) > 0 && (utf8.FullRune(rest) || !utf8.RuneStart(rest[0])):
			t.Errorf("%q lost %q", data, rest)
		case utf8.Valid(data) && len(rest) > 0:
			t.Errorf("%q is whole and lost %q", data, rest)
		}
	})
}
