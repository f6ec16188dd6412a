package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
)

// A keyboard is where the lines of a chat come from: a person at a terminal, or a
// file.
type keyboard struct {
	file   *os.File
	lines  *bufio.Reader
	most   int
	editor *editor // nil: nobody is there
}

// next reads one line beside us, so that Ctrl-C is heard while nobody types; not
// more than one, for the terminal shows what is typed while we answer as it likes.
// The end is io.EOF.
func (k *keyboard) next(ctx context.Context) (string, error) {
	read := k.line
	if k.editor != nil {
		if restore, ok := eachKey(k.file); ok {
			defer restore()
			read = k.editor.line
		} else {
			fmt.Fprint(k.editor.out, k.editor.prompt)
		}
	}
	got := make(chan lineRead, 1)
	go func() {
		text, err := read()
		got <- lineRead{text, err}
	}()
	select {
	case line := <-got:
		return line.text, line.err
	case <-ctx.Done():
		if k.editor != nil {
			k.editor.leave()
		}
		return "", ctx.Err()
	}
}

// line is a whole line; the last may have no end.
func (k *keyboard) line() (string, error) {
	text, err := lineOf(k.lines, k.most)
	if errors.Is(err, io.EOF) && text != "" {
		err = nil
	}
	return text, err
}
