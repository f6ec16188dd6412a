package index

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"time"
)

var errDamaged = errors.New("the index is damaged")

// load reads all of the database into a new writer.
func load(ctx context.Context, db *sql.DB) (*writer, error) {
	l, err := loadTerms(ctx, db)
	if err != nil {
		return nil, fmt.Errorf("load terms: %w", err)
	}
	w := newWriter(l)
	w.stored = l.size()
	slots, err := w.loadChunks(ctx, db)
	if err != nil {
		return nil, fmt.Errorf("load chunks: %w", err)
	}
	byID, err := w.loadBlobs(ctx, db, slots)
	if err != nil {
		return nil, fmt.Errorf("load blobs: %w", err)
	}
	if err := w.loadFiles(ctx, db, byID); err != nil {
		return nil, fmt.Errorf("load files: %w", err)
	}
	w.segments = []*segment{w.fresh.segment()}
	w.fresh = &bundle{}
	return w, nil
}

// wordBytes is what a word has on average, its line end included.
const wordBytes = 10

func loadTerms(ctx context.Context, db *sql.DB) (*lexicon, error) {
	var bytes int
	if err := db.QueryRowContext(ctx, "SELECT coalesce(sum(length(words)), 0) FROM term").Scan(&bytes); err != nil {
		return nil, err
	}
	l := newLexicon(bytes / wordBytes)
	err := each(ctx, db, "SELECT first, words FROM term ORDER BY first", func(rows *sql.Rows) error {
		var first int
		var packed string
		if err := rows.Scan(&first, &packed); err != nil {
			return err
		}
		if first != len(l.all) {
			return errDamaged
		}
		for word := range strings.SplitSeq(packed, "\n") {
			l.ids[word] = termID(len(l.all))
			l.all = append(l.all, word)
		}
		return nil
	})
	return l, err
}

// loadChunks returns the slot of each chunk by its number in the database.
func (w *writer) loadChunks(ctx context.Context, db *sql.DB) (map[int64]uint32, error) {
	slots := map[int64]uint32{}
	var terms []byte // of all, so that they are one piece of memory
	var ends []int
	err := each(ctx, db, "SELECT id, hash, symbol, length, terms FROM chunk ORDER BY id", func(rows *sql.Rows) error {
		var id int64
		var length int
		var symbol string
		var hash, packed sql.RawBytes
		if err := rows.Scan(&id, &hash, &symbol, &length, &packed); err != nil {
			return err
		}
		var h chunkHash
		if copy(h[:], hash) != len(h) {
			return errDamaged
		}
		slots[id] = w.addChunk(h, symbol, length, id)
		terms = append(terms, packed...)
		ends = append(ends, len(terms))
		return nil
	})
	from := 0
	for slot, to := range ends {
		w.fresh.add(uint32(slot), terms[from:to])
		from = to
	}
	return slots, err
}

func (w *writer) loadBlobs(ctx context.Context, db *sql.DB, slots map[int64]uint32) (map[int64]*blob, error) {
	byID := map[int64]*blob{}
	err := each(ctx, db, "SELECT id, hash, chunks FROM blob", func(rows *sql.Rows) error {
		b := &blob{}
		var packed sql.RawBytes
		if err := rows.Scan(&b.id, &b.hash, &packed); err != nil {
			return err
		}
		for i := 0; i < len(packed); {
			var v [3]uint64
			for j := range v {
				number, n := binary.Uvarint(packed[i:])
				if n <= 0 {
					return errDamaged
				}
				v[j] = number
				i += n
			}
			slot, ok := slots[int64(v[0])]
			if !ok {
				return errDamaged
			}
			b.spans = append(b.spans, located{slot, uint32(v[1]), uint32(v[2])})
		}
		w.addBlob(b)
		byID[b.id] = b
		return nil
	})
	return byID, err
}

func (w *writer) loadFiles(ctx context.Context, db *sql.DB, blobs map[int64]*blob) error {
	err := each(ctx, db, "SELECT path, blob, why, size, mtime, state FROM file ORDER BY path", func(rows *sql.Rows) error {
		var f file
		var id int64
		if err := rows.Scan(&f.path, &id, &f.why, &f.size, &f.mtime, &f.state); err != nil {
			return err
		}
		if f.blob = blobs[id]; f.blob == nil && id != 0 {
			return errDamaged
		}
		w.put(f)
		return nil
	})
	if err != nil {
		return err
	}
	return each(ctx, db, "SELECT k, v FROM meta", func(rows *sql.Rows) error {
		var k, v string
		if err := rows.Scan(&k, &v); err != nil {
			return err
		}
		switch k {
		case metaRoot:
			w.root = v
		case metaHead:
			w.head = v
		case metaIgnored:
			w.ignored = v
		case metaTorn:
			w.torn = v != ""
		case metaTime:
			w.synced, _ = time.Parse(time.RFC3339Nano, v) // unknown is long ago
		}
		return nil
	})
}

// each calls with every row of a query.
func each(ctx context.Context, db *sql.DB, query string, use func(*sql.Rows) error, args ...any) error {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := use(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// packSpans is the reverse of what loadBlobs reads.
func (w *writer) packSpans(spans []located) []byte {
	var out bytes.Buffer
	for _, s := range spans {
		var b [3 * binary.MaxVarintLen64]byte
		n := binary.PutUvarint(b[:], uint64(w.rows[s.chunk]))
		n += binary.PutUvarint(b[n:], uint64(s.first))
		n += binary.PutUvarint(b[n:], uint64(s.last))
		out.Write(b[:n])
	}
	return append([]byte{}, out.Bytes()...) // nil would be NULL
}

// What meta holds.
const (
	metaRoot    = "root"
	metaHead    = "head" // the commit that clean files are of
	metaTorn    = "torn" // a sync has begun and not ended
	metaTime    = "synced"
	metaIgnored = "ignored"
)
