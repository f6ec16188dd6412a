package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
)

// Contents that no file has are kept for whoever comes back to a branch: as many
// as there are files, and some more.
const someMore = 1000

// tidy drops the oldest contents when too many have no file, and joins segments
// when there is much beside the first.
func (x *Index) tidy(ctx context.Context) error {
	if len(x.w.blobs) > 2*x.w.held+someMore {
		if err := x.drop(ctx); err != nil {
			return errors.Join(fmt.Errorf("drop old contents: %w", err), x.reload(context.WithoutCancel(ctx)))
		}
	}
	if x.w.dead > 2*x.w.alive+10*someMore {
		return x.reload(ctx) // numbers everything anew
	}
	first, others := 0, 0
	for i, s := range x.w.segments {
		if i == 0 {
			first = len(s.posts)
		} else {
			others += len(s.posts)
		}
	}
	if others > first/2+batchFiles {
		for s := x.w.segments; len(s) > 1; s = x.w.segments {
			n := len(s)
			x.w.segments = append(s[:n-2:n-2], merge(s[n-2], s[n-1]))
		}
		x.publish()
	}
	return nil
}

// drop removes the older half of the contents that no file has.
func (x *Index) drop(ctx context.Context) error {
	var old []*blob
	for _, b := range x.w.blobs {
		if b.files == 0 {
			old = append(old, b)
		}
	}
	slices.SortFunc(old, func(a, b *blob) int { return cmp.Compare(a.id, b.id) })
	tx, err := x.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	remove := func(query string, id int64) error {
		_, err := tx.ExecContext(ctx, query, id)
		return err
	}
	for _, b := range old[:(len(old)+1)/2] {
		err = errors.Join(remove("DELETE FROM blob WHERE id = ?", b.id), remove("DELETE FROM body WHERE blob = ?", b.id))
		for _, slot := range x.w.dropBlob(b) {
			err = errors.Join(err, remove("DELETE FROM chunk WHERE id = ?", x.w.rows[slot]))
		}
		if err != nil {
			return errors.Join(err, tx.Rollback())
		}
	}
	return tx.Commit()
}
