package sqlite

import "context"

// Crash rolls back the batch that nobody waited for, as a power cut would.
func (s *Store) Crash() {
	done := make(chan struct{})
	_ = s.enqueue(context.Background(), op{run: func(w *writer) {
		if w.begun {
			w.begun = false
			_ = w.exec("ROLLBACK")
			w.steps = nil
		}
		close(done)
	}})
	<-done
}
