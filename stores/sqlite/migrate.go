package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"kurogo/messages"
)

//go:embed migrations/*.sql
var migrations embed.FS

// migrate brings the schema up to date. A file that is damaged, no journal, or
// newer than this program is refused and left as it is. One that is suspect is
// read through first.
func migrate(ctx context.Context, db *sql.DB, path string, suspect bool) error {
	dir, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	p, err := goose.NewProvider(goose.DialectSQLite3, db, dir, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	if suspect {
		if err := check(ctx, db); err != nil {
			return damaged(path, err)
		}
	}
	have, err := p.GetDBVersion(ctx)
	if err != nil {
		return damaged(path, err)
	}
	if want := newest(p); have > want {
		return messages.Errorf(messages.CodeUnavailable, "the journal %s has schema %d, this kurogo knows %d", path, have, want).
			Try("use the newer kurogo, or another state directory (KUROGO_STATE_DIR)")
	}
	if _, err := p.Up(ctx); err != nil {
		return damaged(path, err)
	}
	return nil
}

// Schema is the version of the tables that this program writes.
func Schema() int {
	files, _ := fs.Glob(migrations, "migrations/*.sql") // the pattern is well-formed
	return len(files)
}

func newest(p *goose.Provider) (version int64) {
	for _, source := range p.ListSources() {
		version = max(version, source.Version)
	}
	return version
}

// check finds damage before goose would write into it.
func check(ctx context.Context, db *sql.DB) error {
	var verdict string
	if err := db.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&verdict); err != nil {
		return err
	}
	if verdict != "ok" {
		return errors.New(verdict)
	}
	return nil
}

func damaged(path string, err error) error {
	var e *sqlite.Error
	if errors.As(err, &e) && (e.Code()&0xff == sqlite3.SQLITE_READONLY || e.Code()&0xff == sqlite3.SQLITE_CANTOPEN) {
		return messages.Errorf(messages.CodeUnavailable, "open journal %s: %v", path, err).
			Try("make the state directory writable, or name another with KUROGO_STATE_DIR")
	}
	if errors.As(err, &e) && e.Code()&0xff == sqlite3.SQLITE_FULL {
		return messages.Errorf(messages.CodeUnavailable, "open journal %s: the disk is full", path).Try("free some space and start again")
	}
	return messages.Errorf(messages.CodeUnavailable, "the journal %s is damaged: %v", path, err).
		Try("it was not touched: keep a copy of it, then move it and its -wal away to start with an empty one, or restore a backup")
}
