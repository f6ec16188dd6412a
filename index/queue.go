package index

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// The queue is a file that hooks append a line to and run on. Which hook it was
// does not matter to us: a line means that a Sync would find something.

const (
	taken     = ".taken"
	mostQueue = 1 << 20 // a line more or less says nothing new
)

// Drain takes what hooks have written, and reports how many lines there were. A
// hook that writes meanwhile writes to a new file, or to the one that is being
// read, before it is; what a crash leaves behind is taken the next time.
func Drain(queue string) (lines int, err error) {
	for _, step := range []func() error{
		func() error { return nil }, // what a crash left
		func() error { return os.Rename(queue, queue+taken) },
	} {
		if err := step(); errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			return lines, fmt.Errorf("drain queue: %w", err)
		}
		n := queued(queue + taken)
		if err := os.Remove(queue + taken); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return lines, fmt.Errorf("drain queue: %w", err)
		}
		lines += n
	}
	return lines, nil
}

// queued counts the lines of a queue.
func queued(queue string) int {
	f, err := os.Open(queue)
	if err != nil {
		return 0
	}
	defer f.Close()
	buf := make([]byte, mostQueue)
	n, _ := f.Read(buf)
	return bytes.Count(buf[:n], []byte{'\n'})
}
