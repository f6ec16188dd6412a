package index

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
)

// A latent is what words of this code base have to do with each other, learned
// from the company that they keep: each is a direction, and what is said with
// other words of the same matter points the same way.
type latent struct {
	size   int       // numbers of a direction
	rows   []uint32  // by term: its row and 1, 0 = it is not known
	says   []float32 // by row: how much a word counts, times the scale of its direction
	data   []int8    // by row
	newest int64     // the chunk that was the newest when this was learned
}

// latentWeight is what pointing exactly where the query does is worth, as a share
// of the best score by words. Measured on the questions of bench.
const latentWeight = 0.2

// point adds a word to a direction.
func (l *latent) point(to []float32, t termID, times float32) {
	if int(t) >= len(l.rows) || l.rows[t] == 0 {
		return
	}
	row := int(l.rows[t] - 1)
	times *= l.says[row]
	data := l.data[row*l.size:][:len(to)]
	for i := range to {
		to[i] += times * float32(data[i])
	}
}

// often is what it counts that a word stands somewhere several times.
func often(body uint16, symbol uint8) float32 {
	return float32(1 + math.Log(float64(max(body, 1))+2*float64(symbol)))
}

func cosine(a, b []float32) float64 {
	var ab, aa, bb float64
	for i := range a {
		x, y := float64(a[i]), float64(b[i])
		ab, aa, bb = ab+x*y, aa+x*x, bb+y*y
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return ab / math.Sqrt(aa*bb)
}

// closer adds to the score of each hit how far it points where the query does. It
// reports false where nothing was learned.
func (x *Index) closer(ctx context.Context, s *snapshot, query string, hits []hit) (bool, error) {
	l := x.latent.Load()
	if l == nil || len(hits) == 0 {
		return false, nil
	}
	to := make([]float32, l.size)
	asked(query, func(word []byte) {
		if id, ok := s.lexicon.find(word); ok {
			l.point(to, id, 1)
		}
	})
	at := make(map[int64]int, len(hits))
	ids := make([]any, len(hits))
	top := 0.0
	for i, h := range hits {
		row := s.rows[h.chunk]
		at[row], ids[i] = i, row
		top = max(top, h.score)
	}
	from := make([]float32, l.size)
	err := each(ctx, x.db, "SELECT id, terms FROM chunk WHERE id IN (?"+strings.Repeat(", ?", len(ids)-1)+")", func(rows *sql.Rows) error {
		var id int64
		var packed sql.RawBytes
		if err := rows.Scan(&id, &packed); err != nil {
			return err
		}
		clear(from)
		unpack(packed, func(t termID, body uint16, symbol uint8) { l.point(from, t, often(body, symbol)) })
		hits[at[id]].score += latentWeight * top * cosine(to, from)
		return nil
	}, ids...)
	return true, err
}

// add takes in a term that comes after all that are there.
func (l *latent) add(t termID, says float32, data []int8) {
	l.says, l.data = append(l.says, says), append(l.data, data...)
	l.rows = append(l.rows, make([]uint32, int(t)+1-len(l.rows))...)
	l.rows[t] = uint32(len(l.says))
}

// saveLatent keeps what was learned, and lets readers have it.
func (x *Index) saveLatent(ctx context.Context, l *latent) error {
	packed := make([]byte, 0, len(l.says)*(8+l.size))
	for t, row := range l.rows {
		if row == 0 {
			continue
		}
		packed = binary.LittleEndian.AppendUint32(packed, uint32(t))
		packed = binary.LittleEndian.AppendUint32(packed, math.Float32bits(l.says[row-1]))
		for _, b := range l.data[int(row-1)*l.size:][:l.size] {
			packed = append(packed, byte(b))
		}
	}
	x.writing.Lock()
	defer x.writing.Unlock()
	if _, err := x.db.ExecContext(ctx, "INSERT OR REPLACE INTO latent (id, size, newest, rows) VALUES (1, ?, ?, ?)", l.size, l.newest, packed); err != nil {
		return fmt.Errorf("store what was learned: %w", err)
	}
	x.latent.Store(l)
	return nil
}

// loadLatent loads what was learned; what is damaged is to be learned again.
func (x *Index) loadLatent(ctx context.Context) error {
	x.latent.Store(nil)
	l := &latent{}
	var packed []byte
	err := x.db.QueryRowContext(ctx, "SELECT size, newest, rows FROM latent").Scan(&l.size, &l.newest, &packed)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("load what was learned: %w", err)
	}
	step := 8 + max(l.size, 0)
	if len(packed)%step != 0 {
		return nil
	}
	data := make([]int8, step-8)
	for at := packed; len(at) > 0; at = at[step:] {
		for i, b := range at[8:step] {
			data[i] = int8(b)
		}
		t := binary.LittleEndian.Uint32(at)
		if int(t) < len(l.rows) || int(t) >= x.w.lexicon.size() {
			return nil
		}
		l.add(t, math.Float32frombits(binary.LittleEndian.Uint32(at[4:])), data)
	}
	x.latent.Store(l)
	return nil
}
