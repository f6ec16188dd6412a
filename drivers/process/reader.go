package process

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// firstBuffer is small because most lives are idle most of the time.
const firstBuffer = 4 << 10

// A Line is one line of output without its end.
type Line struct {
	Text      []byte
	Truncated bool // it was longer than the limit: Text is its head, the rest is lost
}

// A Reader cuts a stream into lines, none of them longer than a limit. A stream
// of bytes without any line end costs no more memory than that.
type Reader struct {
	from *bufio.Reader
	most int
	err  error
}

// NewReader reads lines of at most most bytes.
func NewReader(from io.Reader, most int) *Reader {
	return &Reader{from: bufio.NewReaderSize(from, firstBuffer), most: most}
}

// Next returns the next line; its memory is the caller's. A last line that
// nothing ends is a line too. Then comes io.EOF, or why reading failed.
func (r *Reader) Next() (Line, error) {
	var line Line
	for r.err == nil {
		part, err := r.from.ReadSlice('\n')
		ended := err == nil
		if ended {
			part = part[:len(part)-1]
		} else if !errors.Is(err, bufio.ErrBufferFull) {
			r.err = err
		}
		if room := r.most - len(line.Text); len(part) > room {
			part, line.Truncated = part[:room], true
		}
		line.Text = append(line.Text, part...)
		if ended {
			return line.trimmed(), nil
		}
	}
	if len(line.Text) > 0 {
		return line.trimmed(), nil
	}
	return Line{}, r.err
}

func (l Line) trimmed() Line {
	if !l.Truncated {
		l.Text = bytes.TrimSuffix(l.Text, []byte("\r"))
	}
	return l
}
