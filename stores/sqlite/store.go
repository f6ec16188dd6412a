package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	_ "modernc.org/sqlite" // the database/sql driver

	"kurogo/messages"
)

// Options has working zero values.
type Options struct {
	Limits messages.Limits    // zero: messages.DefaultLimits
	NewID  func() string      // zero: messages.NewID
	Hex    func(n int) string // n hexadecimal digits for the ids that people read; zero: messages.Hex
	Notify func(Notice)       // called by the writer after each commit; must not block
	Fatal  func(error)        // the disk failed under a commit; zero: panic
	Linger time.Duration      // how long a batch nobody waits for may stay open; zero: 20 ms
}

// A Notice is what one commit asks of others: rows to pull, turns to interrupt,
// a time at which something is due.
type Notice struct {
	Wakes      []messages.Wake
	Interrupts []messages.Interrupt
	Due        time.Time // zero: nothing new
}

// Store is the journal. Its methods may be called from any goroutine.
type Store struct {
	opt     Options
	id      string
	db      *sql.DB   // the writer's, one connection
	conn    *sql.Conn // that connection
	readers *readers  // nil in memory: reads go through the writer
	queue   chan op
	tail    *tail
	commits atomic.Int64
	written atomic.Int64 // changes

	closing sync.RWMutex // held for reading while enqueuing
	closed  bool
	done    chan struct{}
}

const (
	queueDepth = 1024
	batchMost  = 256
)

// Open opens or creates the journal in the file at path, whose directory must
// exist; an empty path is a journal in memory. Errors: unavailable when the
// file is no journal, is damaged or was written by a newer Kurogo; it is never
// overwritten.
func Open(ctx context.Context, path string, opt Options) (*Store, error) {
	if opt.Limits == (messages.Limits{}) {
		opt.Limits = messages.DefaultLimits()
	}
	if opt.NewID == nil {
		opt.NewID = messages.NewID
	}
	if opt.Hex == nil {
		opt.Hex = messages.Hex
	}
	if opt.Notify == nil {
		opt.Notify = func(Notice) {}
	}
	if opt.Fatal == nil {
		opt.Fatal = func(err error) { panic(err) }
	}
	if opt.Linger == 0 {
		opt.Linger = 20 * time.Millisecond
	}
	s := &Store{opt: opt, queue: make(chan op, queueDepth), done: make(chan struct{})}
	if err := s.open(ctx, path); err != nil {
		return nil, errors.Join(err, s.shut())
	}
	last, err := s.prepare(ctx)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("read journal: %w", err), s.shut())
	}
	s.tail = newTail(last)
	go s.write()
	return s, nil
}

const pragmas = "_pragma=foreign_keys(1)&_pragma=temp_store(MEMORY)&_pragma=busy_timeout(5000)"

func (s *Store) open(ctx context.Context, path string) (err error) {
	dsn := "file::memory:?" + pragmas
	suspect := false
	if path != "" {
		suspect = suspicious(path)
		if err := touch(path); err != nil {
			return err
		}
		file := "file:" + (&url.URL{Path: path}).EscapedPath() + "?" + pragmas
		dsn = file + "&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=cache_size(-4000)&_pragma=journal_size_limit(67108864)"
		if s.readers, err = openReaders(file + "&_pragma=query_only(1)&_pragma=cache_size(-1000)"); err != nil {
			return err
		}
	}
	if s.db, err = sql.Open("sqlite", dsn); err != nil {
		return fmt.Errorf("open journal: %w", err)
	}
	s.db.SetMaxOpenConns(1)
	if err := migrate(ctx, s.db, path, suspect); err != nil {
		return err
	}
	if s.conn, err = s.db.Conn(ctx); err != nil {
		return fmt.Errorf("open journal: %w", err)
	}
	return nil
}

// checkedAlways is the size up to which a journal is read through at every
// start. Above, that takes longer than a start may, and only one that was not
// closed is; kurogo doctor --journal reads any.
const checkedAlways = 8 << 20

func suspicious(path string) bool {
	file, err := os.Stat(path)
	if err != nil || file.Size() <= checkedAlways {
		return err == nil
	}
	_, err = os.Stat(path + "-wal")
	return err == nil
}

// touch makes the file with the mode that SQLite would not give it.
func touch(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return messages.Errorf(messages.CodeUnavailable, "open journal: %v", err).
			Try("make " + filepath.Dir(path) + " writable, or name another state directory with KUROGO_STATE_DIR")
	}
	return f.Close()
}

// prepare reads what the writer needs before its first change.
func (s *Store) prepare(ctx context.Context) (last int64, err error) {
	if _, err := s.conn.ExecContext(ctx, `INSERT INTO meta(key, value) VALUES('store', ?) ON CONFLICT DO NOTHING`, s.opt.NewID()); err != nil {
		return 0, err
	}
	if err := s.conn.QueryRowContext(ctx, `SELECT value FROM meta WHERE key = 'store'`).Scan(&s.id); err != nil {
		return 0, err
	}
	err = s.conn.QueryRowContext(ctx, `SELECT ifnull(max(seq), 0) FROM events`).Scan(&last)
	return last, err
}

// ID names this journal for ever. It is part of every life's mark.
func (s *Store) ID() string { return s.id }

// Commits counts the transactions so far, Changes what they held.
func (s *Store) Commits() int64 { return s.commits.Load() }

// Changes counts the changes so far.
func (s *Store) Changes() int64 { return s.written.Load() }

// Close writes what is queued and closes the file.
func (s *Store) Close() error {
	s.closing.Lock()
	if s.closed {
		s.closing.Unlock()
		return nil
	}
	s.closed = true
	close(s.queue)
	s.closing.Unlock()
	<-s.done
	s.tail.close()
	return s.shut()
}

// shut closes the writer's connection last: then SQLite folds the WAL into the
// file, and a copy of that one file is a backup.
func (s *Store) shut() (err error) {
	if s.readers != nil {
		err = s.readers.close()
	}
	if s.conn != nil {
		err = errors.Join(err, s.conn.Close())
	}
	if s.db != nil {
		err = errors.Join(err, s.db.Close())
	}
	return err
}
