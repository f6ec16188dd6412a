package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
)

const (
	readersMost  = 4   // connections
	preparedMost = 256 // statements: a query has as many forms as its lists have lengths
)

// Readers read beside the writer. To understand a query of ours takes SQLite longer
// than to answer it, so each is prepared once.
type readers struct {
	db *sql.DB

	mu       sync.RWMutex
	prepared map[string]*sql.Stmt
}

func openReaders(dsn string) (*readers, error) {
	db, err := sql.Open("sqlite", dsn)
	if err != nil {
		return nil, fmt.Errorf("open journal: %w", err)
	}
	db.SetMaxOpenConns(readersMost)
	db.SetMaxIdleConns(readersMost) // one that is closed forgets its statements
	return &readers{db: db, prepared: map[string]*sql.Stmt{}}, nil
}

// QueryContext implements [querier].
func (r *readers) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	r.mu.RLock()
	st, full := r.prepared[query], len(r.prepared) >= preparedMost
	r.mu.RUnlock()
	if st == nil && full {
		return r.db.QueryContext(ctx, query, args...)
	}
	if st == nil {
		var err error
		if st, err = r.prepare(ctx, query); err != nil {
			return nil, err
		}
	}
	return st.QueryContext(ctx, args...)
}

// prepare waits for a connection, so that it may not hold the lock.
func (r *readers) prepare(ctx context.Context, query string) (*sql.Stmt, error) {
	st, err := r.db.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if other, ok := r.prepared[query]; ok { // somebody was faster
		return other, st.Close()
	}
	r.prepared[query] = st
	return st, nil
}

// close also closes the statements.
func (r *readers) close() error { return r.db.Close() }
