package local

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	"kurogo/messages"
)

// A link carries frames over one connection. One goroutine reads; any number
// write.
type link struct {
	conn    net.Conn
	in      *bufio.Reader
	timeout time.Duration // of one write

	// turn is a lock that one can stop waiting for: behind a deaf peer, a
	// caller whose context ends must not wait with the writer.
	turn   chan struct{}
	closed chan struct{}
	close  func()
}

func newLink(conn net.Conn, timeout time.Duration) *link {
	l := &link{
		conn:    conn,
		in:      bufio.NewReaderSize(conn, 4<<10),
		timeout: timeout,
		turn:    make(chan struct{}, 1),
		closed:  make(chan struct{}),
	}
	l.close = sync.OnceFunc(func() {
		close(l.closed)
		_ = conn.Close() // nothing is buffered on our side
	})
	return l
}

// read returns the next frame. A *messages.Error says that the peer does not
// keep to the protocol; any other error that the connection is over.
func (l *link) read() (frame, error) {
	line, err := l.line()
	if err != nil {
		return frame{}, err
	}
	return decodeFrame(line)
}

func (l *link) line() ([]byte, error) {
	var line []byte
	for {
		part, err := l.in.ReadSlice('\n')
		if len(line)+len(part) > frameBytes {
			return nil, tooLong(len(line) + len(part))
		}
		line = append(line, part...)
		switch {
		case err == nil:
			return line, nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && len(line) > 0:
			return nil, io.ErrUnexpectedEOF
		default:
			return nil, err
		}
	}
}

// write sends one frame. A frame that is too long is invalid and harms nobody;
// any other failure ends the link, because half a frame may be on its way. ctx
// counts until the frame's turn comes.
func (l *link) write(ctx context.Context, f frame) error {
	line, err := f.encode()
	if err != nil {
		return fmt.Errorf("encode frame: %w", err)
	}
	if len(line) > frameBytes {
		return tooLong(len(line))
	}
	select {
	case l.turn <- struct{}{}:
		defer func() { <-l.turn }()
	case <-l.closed:
		return net.ErrClosed
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if err := l.conn.SetWriteDeadline(time.Now().Add(l.timeout)); err != nil {
		l.close()
		return fmt.Errorf("write frame: %w", err)
	}
	if _, err := l.conn.Write(line); err != nil {
		l.close()
		return fmt.Errorf("write frame: %w", err)
	}
	return nil
}

func tooLong(n int) *messages.Error {
	return messages.Invalid("frame", "%d bytes do not fit into a frame of %d", n, frameBytes).
		Try("ask for less at once")
}
