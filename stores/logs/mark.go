package logs

import (
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
)

// A mark is the line at the end of a stream of which the rest was dropped. Its
// number is written over in place, so that it also counts when we fall.
const (
	markHead   = "\n[kurogo] the log is full: "
	markTail   = " bytes more were said and dropped\n"
	markDigits = 15
	markSize   = int64(len(markHead) + markDigits + len(markTail))
)

var markForm = regexp.MustCompile(`\A` + regexp.QuoteMeta(markHead) + ` *(\d+)` + regexp.QuoteMeta(markTail) + `\z`)

func count(n int64) []byte { return fmt.Appendf(nil, "%*d", markDigits, n) }

// drop counts what is not kept. Nothing is ever written behind a mark but, after
// the log was closed, another.
func (st *stream) drop(n int64) error {
	if st.dropped == 0 {
		if err := st.write(append(append([]byte(markHead), count(n)...), markTail...), math.MaxInt64); err != nil {
			return err
		}
		st.dropped = n
		return nil
	}
	if err := st.reopen(); err != nil {
		return err
	}
	st.dropped += n
	_, err := st.file.WriteAt(count(st.dropped), st.last().size-markSize+int64(len(markHead)))
	return err
}

// marked is the number in the mark that a segment ends with, 0 without one.
func marked(f io.ReaderAt, size int64) (int64, error) {
	if size < markSize {
		return 0, nil
	}
	tail := make([]byte, markSize)
	if _, err := f.ReadAt(tail, size-markSize); err != nil {
		return 0, err
	}
	m := markForm.FindSubmatch(tail)
	if m == nil {
		return 0, nil
	}
	return strconv.ParseInt(string(m[1]), 10, 64)
}
