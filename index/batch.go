package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
)

// A batch is one transaction, and the change in memory that goes with it. If it
// fails, memory is ahead of the disk and must be loaded again.
type batch struct {
	w  *writer
	tx *sql.Tx

	chunk, blob, body, file, gone *sql.Stmt
}

func (x *Index) begin(ctx context.Context) (*batch, error) {
	tx, err := x.db.BeginTx(ctx, nil)
	if err != nil {
		return nil, fmt.Errorf("begin batch: %w", err)
	}
	b := &batch{w: x.w, tx: tx}
	for _, s := range []struct {
		to    **sql.Stmt
		query string
	}{
		{&b.chunk, "INSERT INTO chunk (hash, symbol, length, terms) VALUES (?, ?, ?, ?)"},
		{&b.blob, "INSERT INTO blob (hash, chunks) VALUES (?, ?)"},
		{&b.body, "INSERT INTO body (blob, text) VALUES (?, ?)"},
		{&b.file, "INSERT OR REPLACE INTO file (path, blob, why, size, mtime, state) VALUES (?, ?, ?, ?, ?, ?)"},
		{&b.gone, "DELETE FROM file WHERE path = ?"},
	} {
		if *s.to, err = tx.PrepareContext(ctx, s.query); err != nil { //nolint:sqlclosecheck // the transaction closes them
			return nil, errors.Join(fmt.Errorf("begin batch: %w", err), tx.Rollback())
		}
	}
	return b, nil
}

// learn stores a content that was never seen.
func (b *batch) learn(ctx context.Context, hash string, p *parsed) (*blob, error) {
	out := &blob{hash: hash, spans: make([]located, 0, len(p.chunks))}
	for i := range p.chunks {
		c := &p.chunks[i]
		slot, known := b.w.slots[c.hash]
		if !known {
			if c.terms == nil { // a worker saw it, and it went since
				return nil, errLost
			}
			row, err := b.chunk.ExecContext(ctx, c.hash[:], c.symbol, c.length, c.terms)
			if err != nil {
				return nil, err
			}
			id, _ := row.LastInsertId() // SQLite always has one
			slot = b.w.addChunk(c.hash, c.symbol, c.length, id)
			b.w.fresh.add(slot, c.terms)
		}
		out.spans = append(out.spans, located{slot, uint32(c.first), uint32(c.last)})
	}
	row, err := b.blob.ExecContext(ctx, []byte(hash), b.w.packSpans(out.spans))
	if err != nil {
		return nil, err
	}
	out.id, _ = row.LastInsertId()
	if _, err := b.body.ExecContext(ctx, out.id, p.text); err != nil {
		return nil, err
	}
	b.w.addBlob(out)
	return out, nil
}

var errLost = errors.New("a chunk went while it was needed")

func (b *batch) store(ctx context.Context, f *file) error {
	id := int64(0)
	if f.blob != nil {
		id = f.blob.id
	}
	_, err := b.file.ExecContext(ctx, f.path, id, f.why, f.size, f.mtime, f.state)
	return err
}

func (b *batch) put(ctx context.Context, f file) error {
	b.w.put(f)
	return b.store(ctx, &f)
}

func (b *batch) remove(ctx context.Context, name string) error {
	b.w.remove(name)
	_, err := b.gone.ExecContext(ctx, name)
	return err
}

func (b *batch) rename(ctx context.Context, from string, to file) error {
	b.w.rename(from, to)
	if _, err := b.gone.ExecContext(ctx, from); err != nil {
		return err
	}
	return b.store(ctx, &to)
}

func (b *batch) set(ctx context.Context, k, v string) error {
	_, err := b.tx.ExecContext(ctx, "INSERT OR REPLACE INTO meta (k, v) VALUES (?, ?)", k, v)
	return err
}

// commit stores the words that are new, and ends the transaction.
func (b *batch) commit(ctx context.Context) error {
	if fresh := b.w.lexicon.since(b.w.stored); len(fresh) > 0 {
		if _, err := b.tx.ExecContext(ctx, "INSERT INTO term (first, words) VALUES (?, ?)", b.w.stored, []byte(strings.Join(fresh, "\n"))); err != nil {
			return fmt.Errorf("store terms: %w", err)
		}
		b.w.stored += len(fresh)
	}
	if err := b.tx.Commit(); err != nil {
		return fmt.Errorf("commit batch: %w", err)
	}
	return nil
}
