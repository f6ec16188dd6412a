package mcp

import (
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
)

// However many speak at once, no more waits than may, one message always has
// room, and nobody is forgotten.
func TestABacklogIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b backlog
		var now, most atomic.Int64
		var all sync.WaitGroup
		for seed := range uint64(200) {
			all.Go(func() {
				n := rand.New(rand.NewPCG(seed, 1)).IntN(backlogMost / 2)
				if err := b.enter(n, nil); err != nil {
					t.Error(err)
				}
				if size := now.Add(int64(n)); size > most.Load() {
					most.Store(size)
				}
				now.Add(int64(-n))
				b.leave(n)
			})
		}
		all.Wait()
		if most.Load() > backlogMost || b.size != 0 || b.waiting != nil {
			t.Errorf("up to %d bytes waited, %d are left", most.Load(), b.size)
		}
		if err := b.enter(3*backlogMost, nil); err != nil {
			t.Errorf("one large message: %v", err)
		}
		closed, refused := make(chan struct{}), make(chan error, 1)
		go func() { refused <- b.enter(1, closed) }()
		synctest.Wait()
		select {
		case err := <-refused:
			t.Errorf("behind it there was room: %v", err)
		default:
		}
		close(closed)
		if err := <-refused; !errors.Is(err, errShut) {
			t.Errorf("the connection has ended, and it hears %v", err)
		}
	})
}
