package logs_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"kurogo/messages"
	"kurogo/stores/logs"
)

// voice is what a stream must be: what was said, and behind it the mark.
type voice struct {
	text    []byte
	dropped int64
}

func (v voice) whole() []byte {
	if v.dropped == 0 {
		return v.text
	}
	return fmt.Appendf(bytes.Clone(v.text), "\n[kurogo] the log is full: %15d bytes more were said and dropped\n", v.dropped)
}

// Whatever is said, closed, torn and begun anew: a log reads as if it were one
// slice of bytes for each stream.
func TestALogIsASliceOfBytes(t *testing.T) {
	const most = 300
	temp, evening := t.TempDir(), 0
	rapid.Check(t, func(t *rapid.T) {
		o := logs.Options{Segment: rapid.Int64Range(1, 60).Draw(t, "segment"), Most: most}
		evening++
		dir := filepath.Join(temp, strconv.Itoa(evening))
		var l *logs.Logs
		begin := func() {
			var err error
			if l, err = logs.Open(dir, o); err != nil {
				t.Fatal(err)
			}
		}
		begin()
		defer func() { _ = l.Shut() }()
		model := map[messages.AgentID]map[string]*voice{"a-1-0000": {}, "b-2-ffff": {}}
		agents := []messages.AgentID{"a-1-0000", "b-2-ffff"}
		who := rapid.SampledFrom(agents)
		which := rapid.SampledFrom([]string{"stdout", "stderr"})
		t.Repeat(map[string]func(*rapid.T){
			"say": func(t *rapid.T) {
				id, stream := who.Draw(t, "who"), which.Draw(t, "stream")
				data := rapid.SliceOfN(rapid.Byte(), 0, 100).Draw(t, "data")
				if err := l.Append(id, stream, data); err != nil {
					t.Fatal(err)
				}
				total := 0
				for _, v := range model[id] {
					total += len(v.whole())
				}
				v := model[id][stream]
				if v == nil {
					v = &voice{}
					model[id][stream] = v
				}
				n := min(max(0, most-total), len(data))
				v.text = append(v.text, data[:n]...)
				v.dropped += int64(len(data) - n)
			},
			"close": func(t *rapid.T) {
				id := who.Draw(t, "who")
				if err := l.Close(id); err != nil {
					t.Fatal(err)
				}
				for _, v := range model[id] {
					v.text, v.dropped = v.whole(), 0
				}
			},
			"remove": func(t *rapid.T) {
				id := who.Draw(t, "who")
				if err := l.Remove(id); err != nil {
					t.Fatal(err)
				}
				model[id] = map[string]*voice{}
			},
			"begin anew": func(t *rapid.T) {
				if err := l.Shut(); err != nil {
					t.Fatal(err)
				}
				begin()
			},
			"": func(t *rapid.T) {
				for _, id := range agents {
					for _, stream := range []string{"stdout", "stderr"} {
						var want []byte
						if v := model[id][stream]; v != nil {
							want = v.whole()
						}
						at := rapid.IntRange(0, len(want)).Draw(t, "at")
						c, err := l.Read(id, stream, int64(at), rapid.IntRange(0, 80).Draw(t, "limit"))
						switch {
						case err != nil:
							t.Fatal(err)
						case c.Size != int64(len(want)) || c.Next != int64(at+len(c.Data)):
							t.Fatalf("%s %s from %d: %d bytes of %d, next %d, want %d in all", id, stream, at, len(c.Data), c.Size, c.Next, len(want))
						case len(c.Data) == 0 && at < len(want):
							t.Fatalf("%s %s from %d: nothing, of %d", id, stream, at, len(want))
						case !bytes.Equal(c.Data, want[at:at+len(c.Data)]):
							t.Fatalf("%s %s from %d: %q, want %q", id, stream, at, c.Data, want[at:])
						}
					}
				}
			},
		})
	})
}
