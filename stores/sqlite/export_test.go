package sqlite

import "context"

// Crash rolls back the batch that nobody waited for, as a power cut would.
func (s *Store) Crash() {
	s.between(func(w *writer) {
		if w.begun {
			w.begun = false
			_ = w.exec("ROLLBACK")
			w.steps = nil
		}
	})
}

// Pragma reads a setting of the writer's connection.
func (s *Store) Pragma(name string) (value string) {
	s.between(func(*writer) {
		_ = s.conn.QueryRowContext(context.Background(), "PRAGMA "+name).Scan(&value)
	})
	return value
}

// Exec runs a statement on the writer's connection, between two changes.
func (s *Store) Exec(query string) (err error) {
	s.between(func(w *writer) {
		w.commit()
		_, err = s.conn.ExecContext(context.Background(), query)
	})
	return err
}

func (s *Store) between(do func(*writer)) {
	done := make(chan struct{})
	_ = s.enqueue(context.Background(), op{run: func(w *writer) {
		do(w)
		close(done)
	}})
	<-done
}

// PreparedMost is about how many statements the readers keep.
const PreparedMost = preparedMost

// Prepared counts them.
func (s *Store) Prepared() int {
	s.readers.mu.RLock()
	defer s.readers.mu.RUnlock()
	return len(s.readers.prepared)
}
