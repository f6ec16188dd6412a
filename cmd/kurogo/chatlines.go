package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"

	"kurogo/messages"
)

// A lineRead is what somebody typed, or why there is no more.
type lineRead struct {
	text string
	err  error
}

// readLines reads beside us, so that Ctrl-C is heard while nobody types.
func readLines(ctx context.Context, in io.Reader, most int) <-chan lineRead {
	out := make(chan lineRead)
	go func() {
		defer close(out)
		r := bufio.NewReader(in)
		for {
			text, err := lineOf(r, most)
			if err != nil && (!errors.Is(err, io.EOF) || text == "") {
				if !errors.Is(err, io.EOF) {
					send(ctx, out, lineRead{err: err})
				}
				return
			}
			if !send(ctx, out, lineRead{text: text}) {
				return
			}
		}
	}()
	return out
}

func send(ctx context.Context, out chan<- lineRead, l lineRead) bool {
	select {
	case out <- l:
		return true
	case <-ctx.Done():
		return false
	}
}

// lineOf reads up to the end of a line, and no more than fits into a message.
func lineOf(r *bufio.Reader, most int) (string, error) {
	var b strings.Builder
	for {
		piece, err := r.ReadSlice('\n')
		b.Write(piece)
		if b.Len() > most+1 {
			return "", messages.TooLarge("line", "message_bytes", b.Len(), most)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return b.String(), err
		}
	}
}
