package local_test

import (
	"bytes"
	"testing"

	"kurogo/transport/local"
)

// Whatever comes down the socket, the decoder neither falls nor changes what
// was said: decode, encode and decode again is stable.
func FuzzFrame(f *testing.F) {
	for _, line := range []string{
		hello,
		`{"id":1,"verb":"ask","word":{"kind":"get_crew","body":{}}}`,
		`{"id":2,"verb":"watch","topic":{"task_id":"t1","kinds":["task:status_update"]},"since":7}`,
		`{"id":2,"verb":"more","more":32}`,
		`{"verb":"fail","word":{"kind":"error","body":{"code":"busy","message":"full"}}}`,
		`{"id":2,"verb":"end"}`,
		`{"id":-1,"verb":"end"} `,
		`{"id":1,"verb":"ask","word":null}`,
	} {
		f.Add([]byte(line))
		f.Add([]byte(line + "\n"))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		once, err := local.Reframe(line)
		if err != nil {
			return
		}
		twice, err := local.Reframe(once)
		if err != nil {
			t.Fatalf("%s was accepted, but %s is not: %v", line, once, err)
		}
		if !bytes.Equal(once, twice) {
			t.Fatalf("%s became %s", once, twice)
		}
	})
}
