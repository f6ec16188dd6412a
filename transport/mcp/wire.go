package mcp

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// A wire carries whole messages both ways.
type wire interface {
	read() ([]byte, error)                 // errTooLong costs a message, any other error the wire
	write(message []byte, more bool) error // more: another follows at once
	ping() error
	shut() // ends read and write as far as they can be ended
}

var errTooLong = errors.New("the message is too long")

// lines is a pipe: a message is a line. It has no close, so what is blocked in
// it stays there; whoever owns the pipe closes it, or leaves the process.
type lines struct {
	in   *bufio.Reader
	out  *bufio.Writer
	most int
}

func newLines(in io.Reader, out io.Writer, most int) *lines {
	return &lines{in: bufio.NewReaderSize(in, 64<<10), out: bufio.NewWriterSize(out, 64<<10), most: most}
}

// read takes the next line that is not blank. The last one needs no end.
func (l *lines) read() ([]byte, error) {
	for {
		line, err := l.line()
		if line = bytes.TrimSpace(line); len(line) > 0 || err != nil {
			if errors.Is(err, io.EOF) && len(line) > 0 {
				err = nil // it comes again
			}
			return line, err
		}
	}
}

// line reads up to the end of a line and never keeps more than fits.
func (l *lines) line() ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := l.in.ReadSlice('\n')
		if long = long || len(line)+len(bytes.TrimSuffix(part, []byte("\n"))) > l.most; !long {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case long && (err == nil || err == io.EOF):
			return nil, errTooLong
		}
		return line, err
	}
}

func (l *lines) write(message []byte, more bool) error {
	_, err := l.out.Write(message)
	if err == nil {
		err = l.out.WriteByte('\n')
	}
	if err != nil || more {
		return err
	}
	return l.out.Flush()
}

func (l *lines) ping() error { return nil }
func (l *lines) shut()       {}
