package process

import (
	"errors"
	"io"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// lateBytes is more than a pipe holds. What is still in the pipe when its time
// is over is read; what somebody keeps adding after that is not.
const lateBytes = 1 << 20

// A spout reads the near end of a pipe. Its end is EOF, or the moment that
// endBy names: a grandchild may hold the far end open for ever.
type spout struct {
	file *os.File
	late int // bytes read after the end
	over bool
}

func (s *spout) Read(b []byte) (int, error) {
	if !s.over {
		n, err := s.file.Read(b)
		switch {
		case errors.Is(err, os.ErrClosed):
			return n, io.EOF
		case !errors.Is(err, os.ErrDeadlineExceeded):
			return n, err
		}
		s.over = true
		_ = s.file.SetReadDeadline(time.Time{})
	}
	return s.readLate(b)
}

// readLate takes what the pipe holds and never waits for more.
func (s *spout) readLate(b []byte) (int, error) {
	raw, err := s.file.SyscallConn()
	if err != nil || s.late > lateBytes {
		return 0, io.EOF
	}
	n := 0
	err = raw.Read(func(fd uintptr) bool {
		n, _ = unix.Read(int(fd), b)
		return true
	})
	if err != nil || n <= 0 {
		return 0, io.EOF
	}
	s.late += n
	return n, nil
}

func (s *spout) endBy(t time.Time) { _ = s.file.SetReadDeadline(t) }

func (s *spout) close() { _ = s.file.Close() }
