package index

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"slices"

	"kurogo/messages"
)

// Passages are all chunks at all their places, by path and line: what a fresh
// index of the same files would have, too.
func (x *Index) Passages(ctx context.Context) iter.Seq2[messages.Chunk, error] {
	return func(yield func(messages.Chunk, error) bool) {
		s := x.seen.Load()
		for _, f := range s.byName() {
			var body []byte
			err := x.db.QueryRowContext(ctx, "SELECT text FROM body WHERE blob = ?", f.blob.id).Scan(&body)
			if errors.Is(err, sql.ErrNoRows) {
				continue // dropped since
			}
			if err != nil {
				yield(messages.Chunk{}, fmt.Errorf("read text of %s: %w", f.path, err))
				return
			}
			l := split(body)
			for _, at := range f.blob.spans {
				c := messages.Chunk{Path: f.path, Span: at.String(), Text: string(l.slice(int(at.first)-1, int(at.last))), Symbol: s.chunks.at(at.chunk).symbol}
				if !yield(c, nil) {
					return
				}
			}
		}
	}
}

// byName are the files with content, in order.
func (s *snapshot) byName() []*file {
	out := make([]*file, 0, s.held)
	for slot := range uint32(s.files.len()) {
		if f := s.files.at(slot); f.blob != nil {
			out = append(out, f)
		}
	}
	slices.SortFunc(out, func(a, b *file) int { return cmp.Compare(a.path, b.path) })
	return out
}
