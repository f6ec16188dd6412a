package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"kurogo/messages"
)

// An op is what the writer takes from its queue: a change with the place of its
// answer, or something to do between two transactions.
type op struct {
	change messages.Change
	answer chan<- answer
	run    func(*writer)
}

type answer struct {
	out messages.Outcome
	err error
}

// Commit makes one change durable and says what came of it. ctx counts until the
// change is enqueued, never after: whoever waits for an answer gets the true one.
func (s *Store) Commit(ctx context.Context, c messages.Change) (messages.Outcome, error) {
	if err := ctx.Err(); err != nil {
		return messages.Outcome{}, err
	}
	back := make(chan answer, 1)
	if err := s.enqueue(ctx, op{change: c, answer: back}); err != nil {
		return messages.Outcome{}, err
	}
	a := <-back
	return a.out, a.err
}

// enqueue waits for room in the queue as long as ctx lets it.
func (s *Store) enqueue(ctx context.Context, o op) error {
	s.closing.RLock()
	defer s.closing.RUnlock()
	if s.closed {
		return messages.Errorf(messages.CodeUnavailable, "the journal is closed")
	}
	select {
	case s.queue <- o:
		return nil
	case <-ctx.Done():
		e := messages.Errorf(messages.CodeBusy, "the journal has %d changes waiting", queueDepth)
		e.RetryAfter = 100 * time.Millisecond
		return e.Try("try again")
	}
}

// lazy reports whether nobody waits for the change to be durable.
func lazy(c messages.Change) bool {
	switch c := c.(type) {
	case messages.Audit:
		return c.Lazy
	case messages.Lease, messages.Observe, messages.KeepRun, messages.KeepJob:
		return true
	}
	return false
}

// write is the only goroutine that changes the database.
func (s *Store) write() {
	defer close(s.done)
	w := &writer{store: s, stmts: map[string]*sql.Stmt{}}
	for first := range s.queue {
		w.batch(first)
	}
	for _, st := range w.stmts {
		_ = st.Close() // an open statement would keep the WAL from being folded in
	}
}

// A writer runs batches: begin, changes, commit, publish, answer.
type writer struct {
	store *Store
	stmts map[string]*sql.Stmt
	begun bool
	due   []func(error) // answers that wait for the commit
	steps []*step       // what the batch did, in order
}

// batch runs first and what else is queued, greedily: while one commit syncs,
// the next batch gathers by itself. A batch that nobody waits for stays open for
// a moment, so that the change it leads to shares its commit.
func (w *writer) batch(first op) {
	w.take(first)
	var patience <-chan time.Time
	for n := 1; n < batchMost; n++ {
		var next op
		var ok bool
		select {
		case next, ok = <-w.store.queue:
		default:
			if len(w.due) > 0 || !w.begun {
				w.commit()
				return
			}
			if patience == nil {
				patience = time.After(w.store.opt.Linger)
			}
			select {
			case next, ok = <-w.store.queue:
			case <-patience:
			}
		}
		if !ok {
			break
		}
		w.take(next)
	}
	w.commit()
}

func (w *writer) take(o op) {
	if o.run != nil {
		o.run(w)
		return
	}
	st, out, err := w.try(o.change)
	if err != nil {
		o.answer <- answer{err: err}
		return
	}
	w.steps = append(w.steps, st)
	if lazy(o.change) {
		o.answer <- answer{out: out}
		return
	}
	w.due = append(w.due, func(err error) { o.answer <- answer{out, err} })
}

// try runs one change under a savepoint. A change that fails leaves nothing.
func (w *writer) try(c messages.Change) (*step, messages.Outcome, error) {
	if !w.begun {
		if err := w.exec("BEGIN IMMEDIATE"); err != nil {
			return nil, messages.Outcome{}, w.blame(err)
		}
		w.begun = true
	}
	if err := w.exec("SAVEPOINT change"); err != nil {
		return nil, messages.Outcome{}, w.blame(err)
	}
	st := &step{w: w, limits: w.store.opt.Limits, newID: w.store.opt.NewID, hex: w.store.opt.Hex}
	out, err := st.run(c)
	if err == nil {
		err = w.exec("RELEASE change")
	}
	if err != nil {
		if undo := w.exec("ROLLBACK TO change; RELEASE change"); undo != nil {
			err = errors.Join(err, undo)
			w.begun = false // SQLite has rolled everything back
			w.fail(err)
		}
		return nil, messages.Outcome{}, w.blame(err)
	}
	return st, out, nil
}

// commit makes the open batch durable, tells the tail, and answers.
func (w *writer) commit() {
	if !w.begun {
		return
	}
	w.begun = false
	err := w.tell()
	if err == nil {
		err = w.exec("COMMIT")
	}
	if err != nil {
		_ = w.exec("ROLLBACK")
		w.fail(err)
		return
	}
	w.store.commits.Add(1)
	w.store.written.Add(int64(len(w.steps)))
	w.publish()
	for _, tell := range w.due {
		tell(nil)
	}
	w.steps, w.due = w.steps[:0], w.due[:0]
}

// fail answers a whole batch that did not become durable.
func (w *writer) fail(err error) {
	err = w.blame(err)
	for _, tell := range w.due {
		tell(err)
	}
	w.steps, w.due = w.steps[:0], w.due[:0]
}

// publish happens after the commit and before anybody is answered.
func (w *writer) publish() {
	var n Notice
	seen := map[messages.Address]bool{}
	for _, st := range w.steps {
		w.store.tail.append(st.events)
		for _, to := range st.wakes {
			if !seen[to] {
				seen[to] = true
				n.Wakes = append(n.Wakes, messages.Wake{To: to})
			}
		}
		n.Interrupts = append(n.Interrupts, st.interrupts...)
		if !st.due.IsZero() && (n.Due.IsZero() || st.due.Before(n.Due)) {
			n.Due = st.due
		}
	}
	if len(n.Wakes) > 0 || len(n.Interrupts) > 0 || !n.Due.IsZero() {
		w.store.opt.Notify(n)
	}
}

// blame turns SQLite's errors into ours. A full disk and a broken constraint are
// answers; an I/O error under a commit ends the process, because what is on the
// disk is then anybody's guess and a restart is the tested way to find out.
func (w *writer) blame(err error) error {
	var coded *messages.Error
	var e *sqlite.Error
	if errors.As(err, &coded) || !errors.As(err, &e) {
		return err
	}
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_FULL:
		return messages.Errorf(messages.CodeUnavailable, "write journal: the disk is full").Try("free some space; nothing was lost, try again")
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM:
		return messages.Errorf(messages.CodeUnavailable, "write journal: the file is read-only").Try("make the state directory writable")
	case sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		w.store.opt.Fatal(err)
	}
	return messages.Errorf(messages.CodeInternal, "write journal: %v", err)
}

func (w *writer) exec(query string, args ...any) error {
	_, err := w.result(query, args...)
	return err
}

func (w *writer) result(query string, args ...any) (sql.Result, error) {
	st, err := w.stmt(query)
	if err != nil {
		return nil, err
	}
	return st.Exec(args...) //nolint:noctx // no cancellation after enqueue
}

func (w *writer) stmt(query string) (*sql.Stmt, error) {
	if st, ok := w.stmts[query]; ok {
		return st, nil
	}
	st, err := w.store.conn.PrepareContext(context.Background(), query)
	if err == nil {
		w.stmts[query] = st
	}
	return st, err
}
