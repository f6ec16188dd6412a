package messages_test

import (
	"bytes"
	"reflect"
	"testing"

	"kurogo/messages"
)

// Whatever is decoded can be encoded, and means the same when it is decoded
// again: no input changes its meaning by being passed on.
func FuzzDecode(f *testing.F) {
	for _, zero := range messages.Kinds() {
		full := reflect.New(reflect.TypeOf(zero)).Elem()
		fill(f, full)
		line, err := messages.Encode(full.Interface().(messages.Message))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(line)
	}
	f.Add([]byte(`{"kind":"message","body":{"from":"user","to":"grand_boss"}}`))
	f.Add([]byte(`{"kind":"sing","body":null}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		m, err := messages.Decode(line)
		if err != nil {
			return
		}
		once, err := messages.Encode(m)
		if err != nil {
			t.Fatalf("encode %#v: %v", m, err)
		}
		again, err := messages.Decode(once)
		if err != nil {
			t.Fatalf("%s was accepted, but %s is not: %v", line, once, err)
		}
		twice, err := messages.Encode(again)
		if err != nil || !bytes.Equal(once, twice) {
			t.Fatalf("%s became %s, %v", once, twice, err)
		}
	})
}
