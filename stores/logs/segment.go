package logs

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"

	"github.com/klauspost/compress/zstd"
)

// A segment is a piece of a stream that has a file of its own.
type segment struct {
	first, size int64
	packed      bool
}

func (s segment) end() int64 { return s.first + s.size }

// What the names of segments end with; temporary is what is not yet there.
const (
	plain     = ".log"
	packed    = ".log.zst"
	temporary = ".tmp"
)

func (s segment) name(stream string) string {
	return fmt.Sprintf("%s-%012d%s", stream, s.first, map[bool]string{false: plain, true: packed}[s.packed])
}

var nameForm = regexp.MustCompile(`\A([a-z][a-z0-9]{0,15})-(\d{12,18})\.log(\.zst)?\z`)

// parseName is the other way of name; it is not ok for what is no segment.
func parseName(file string) (stream string, s segment, ok bool) {
	m := nameForm.FindStringSubmatch(file)
	if m == nil {
		return "", s, false
	}
	first, err := strconv.ParseInt(m[2], 10, 64)
	return m[1], segment{first: first, packed: m[3] != ""}, err == nil
}

// unpackedSize reads off the head of a compressed segment how long it was.
func unpackedSize(head []byte) (int64, error) {
	var h zstd.Header
	if err := h.Decode(head); err != nil {
		return 0, fmt.Errorf("read head of segment: %w", err)
	}
	if !h.HasFCS {
		return 0, errors.New("read head of segment: it does not say how long it is")
	}
	return int64(h.FrameContentSize), nil
}
