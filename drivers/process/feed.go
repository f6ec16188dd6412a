package process

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"
)

var errTorn = errors.New("an earlier line was cut off in the middle")

// A feed writes lines into a pipe that may be full.
type feed struct {
	file *os.File
	turn chan struct{} // one writer at a time, and waiting for it can be given up
	torn bool          // guarded by turn
}

func newFeed(file *os.File) *feed { return &feed{file: file, turn: make(chan struct{}, 1)} }

func (f *feed) write(ctx context.Context, line []byte) error {
	select {
	case f.turn <- struct{}{}:
		defer func() { <-f.turn }()
	case <-ctx.Done():
		return fmt.Errorf("write line: %w", ctx.Err())
	}
	if f.torn {
		return fmt.Errorf("write line: %w", errTorn)
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("write line: %w", err)
	}
	fired := make(chan struct{})
	disarm := context.AfterFunc(ctx, func() {
		defer close(fired)
		_ = f.file.SetWriteDeadline(time.Unix(1, 0))
	})
	n, err := f.file.Write(append(line[:len(line):len(line)], '\n'))
	if !disarm() {
		<-fired // else it could set the deadline after it is lifted here
		_ = f.file.SetWriteDeadline(time.Time{})
	}
	f.torn = err != nil && n > 0
	if errors.Is(err, os.ErrDeadlineExceeded) {
		err = context.Cause(ctx)
	}
	if err != nil {
		return fmt.Errorf("write line: %w", err)
	}
	return nil
}

// close also wakes a writer that waits for room.
func (f *feed) close() { _ = f.file.Close() }
