package claude

import (
	"encoding/json"
	"reflect"
)

// ReadsAlike reports whether a plan reads a line at all, and whether what it
// reads is what encoding/json reads.
func ReadsAlike(line []byte) (read, alike bool) {
	var fast, slow event
	if !events.read(line, &fast) {
		return false, true
	}
	if json.Unmarshal(line, &slow) != nil || !reflect.DeepEqual(fast, slow) {
		return true, false
	}
	var said, heard speech
	return true, !speeches.read(fast.Message, &said) || json.Unmarshal(slow.Message, &heard) == nil && reflect.DeepEqual(said, heard)
}

// Skips reports whether a text is one JSON value, for a scan.
func Skips(text []byte) bool {
	s := scan{text: text}
	s.space()
	return s.skip() && s.done()
}
