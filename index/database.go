package index

import (
	"context"
	"database/sql"
	_ "embed" // the schema
	"errors"
	"fmt"
	"net/url"
	"os"
	"strconv"

	_ "modernc.org/sqlite" // the database/sql driver

	"kurogo/messages"
)

// schemaVersion counts changes of the schema, of the chunkers and of the words:
// any of them makes the index anew.
const schemaVersion = 2

//go:embed schema.sql
var schema string

// openDatabase opens the file, or makes it again if it is damaged or of another
// version: all of it can be had from the files.
func openDatabase(ctx context.Context, path string) (*sql.DB, error) {
	db, err := connect(ctx, path)
	if err == nil {
		return db, nil
	}
	if ctx.Err() != nil {
		return nil, fmt.Errorf("open index: %w", ctx.Err())
	}
	if err := removeDatabase(path); err != nil {
		return nil, err
	}
	if db, err = connect(ctx, path); err != nil {
		return nil, messages.Errorf(messages.CodeUnavailable, "open index: %v", err).Try("make the directory of " + path + " writable")
	}
	return db, nil
}

func removeDatabase(path string) error {
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(path + suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			return messages.Errorf(messages.CodeUnavailable, "make index anew: %v", err).Try("remove " + path)
		}
	}
	return nil
}

var errOtherVersion = errors.New("the index is of another version")

func connect(ctx context.Context, path string) (*sql.DB, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600) // SQLite would give it another mode
	if err != nil {
		return nil, err
	}
	f.Close()
	const pragmas = "?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)&_pragma=cache_size(-8000)&_pragma=journal_size_limit(16777216)&_pragma=temp_store(MEMORY)"
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+pragmas)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(3) // the writer and two who read texts
	if err := makeSchema(ctx, db); err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
}

func makeSchema(ctx context.Context, db *sql.DB) error {
	var version int
	if err := db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return err
	}
	switch version {
	case schemaVersion:
		return nil
	case 0:
		_, err := db.ExecContext(ctx, "BEGIN;\n"+schema+"\nPRAGMA user_version = "+strconv.Itoa(schemaVersion)+";\nCOMMIT")
		return err
	}
	return errOtherVersion
}
