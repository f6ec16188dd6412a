package mcp

import "sync"

// backlogMost bounds the bytes of what is said to one client and not yet written:
// who asks much and reads nothing costs no more than this. One message always has
// room.
const backlogMost = 1 << 20

// A backlog counts the bytes that wait to be written.
type backlog struct {
	mu      sync.Mutex
	size    int
	waiting chan struct{} // closed when there is more room; nil: nobody waits
}

// enter counts n more bytes; it waits for room, until closed is.
func (b *backlog) enter(n int, closed <-chan struct{}) error {
	for {
		b.mu.Lock()
		if b.size == 0 || b.size+n <= backlogMost {
			b.size += n
			b.mu.Unlock()
			return nil
		}
		if b.waiting == nil {
			b.waiting = make(chan struct{})
		}
		room := b.waiting
		b.mu.Unlock()
		select {
		case <-room:
		case <-closed:
			return errShut
		}
	}
}

// leave gives n bytes back.
func (b *backlog) leave(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.size -= n
	if b.waiting != nil {
		close(b.waiting)
		b.waiting = nil
	}
}
