package index

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"slices"
)

// vectors are those of one model, by chunk, a byte a number. They only grow; a
// reader has as many as there were when it came.
type vectors struct {
	size   int
	hashes []chunkHash
	scales []float32
	data   []int8
	known  map[chunkHash]bool // the writer's own
}

// inBytes writes a vector in bytes, of which 1 stands for a step.
func inBytes(v []float32) (step float64, out []int8) {
	most := 0.0
	for _, f := range v {
		most = max(most, math.Abs(float64(f)))
	}
	out = make([]int8, len(v))
	if most == 0 {
		return 0, out
	}
	step = most / math.MaxInt8
	for i, f := range v {
		out[i] = int8(math.Round(float64(f) / step))
	}
	return step, out
}

// quantize makes a vector of length 1 and writes it in bytes.
func quantize(v []float32) (scale float32, out []int8) {
	sum := 0.0
	for _, f := range v {
		sum += float64(f) * float64(f)
	}
	step, out := inBytes(v)
	if sum == 0 {
		return 0, out
	}
	return float32(step / math.Sqrt(sum)), out
}

// add returns the vectors with one more.
func (v *vectors) add(h chunkHash, scale float32, data []int8) *vectors {
	if v.size == 0 {
		v.size = len(data)
	}
	if v.known[h] || len(data) != v.size {
		return v
	}
	v.known[h] = true
	out := *v
	out.hashes, out.scales, out.data = append(v.hashes, h), append(v.scales, scale), append(v.data, data...)
	return &out
}

// nearest returns the chunks closest to a vector that stand somewhere and are
// allowed, the closest first.
func (v *vectors) nearest(s *snapshot, to []float32, most int, allowed func(uint32) bool) []uint32 {
	if v.size != len(to) {
		return nil
	}
	_, q := quantize(to)
	type near struct {
		at    int
		score float32
	}
	all := make([]near, len(v.hashes))
	for i := range all {
		all[i] = near{i, float32(dot(v.data[i*v.size:(i+1)*v.size], q)) * v.scales[i]}
	}
	slices.SortFunc(all, func(a, b near) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.at, b.at)) })
	var out []uint32
	for _, n := range all {
		if len(out) == most {
			break
		}
		if c, ok := s.slot(v.hashes[n.at]); ok && allowed(c) {
			out = append(out, c)
		}
	}
	return out
}

func dot(a, b []int8) (sum int32) {
	b = b[:len(a)]
	for i, x := range a {
		sum += int32(x) * int32(b[i])
	}
	return sum
}

// slot finds a chunk that stands somewhere in this snapshot.
func (s *snapshot) slot(h chunkHash) (uint32, bool) {
	s.from.mu.RLock()
	c, ok := s.from.slots[h]
	s.from.mu.RUnlock()
	return c, ok && s.length(c) > 0
}

// held counts the chunks of a snapshot that have a vector.
func (v *vectors) held(s *snapshot) (n int) {
	for _, h := range v.hashes {
		if _, ok := s.slot(h); ok {
			n++
		}
	}
	return n
}

func (x *Index) loadVectors(ctx context.Context) error {
	v := &vectors{known: map[chunkHash]bool{}}
	if x.opt.Embedder != nil {
		rows, err := x.db.QueryContext(ctx, "SELECT hash, scale, v FROM vector WHERE model = ?", x.opt.Embedder.Model())
		if err != nil {
			return fmt.Errorf("load vectors: %w", err)
		}
		defer rows.Close()
		for rows.Next() {
			var hash, packed sql.RawBytes
			var scale float32
			if err := rows.Scan(&hash, &scale, &packed); err != nil {
				return fmt.Errorf("load vectors: %w", err)
			}
			var h chunkHash
			copy(h[:], hash)
			data := make([]int8, len(packed))
			for i, b := range packed {
				data[i] = int8(b)
			}
			v = v.add(h, scale, data)
		}
		if err := rows.Err(); err != nil {
			return fmt.Errorf("load vectors: %w", err)
		}
	}
	x.vectors.Store(v)
	return nil
}

const (
	embedBatch = 64
	embedBytes = 4000 // of a text; models read no more
)

// Embed makes vectors for chunks that have none, at most as many as is said, and
// returns how many it made and how many are left. Nobody waits for it: a chunk
// without a vector is found by its words.
func (x *Index) Embed(ctx context.Context, most int) (made, left int, err error) {
	if x.opt.Embedder == nil {
		return 0, 0, nil
	}
	x.embedding.Lock()
	defer x.embedding.Unlock()
	s, v := x.seen.Load(), x.vectors.Load()
	var todo []uint32
	for c := range uint32(s.chunks.len()) {
		if s.length(c) > 0 && !v.known[s.chunks.at(c).hash] {
			todo = append(todo, c)
		}
	}
	for part := range slices.Chunk(todo[:min(len(todo), most)], embedBatch) {
		n, err := x.embed(ctx, s, part)
		made += n
		if err != nil {
			return made, len(todo) - made, err
		}
	}
	return made, len(todo) - made, nil
}

func (x *Index) embed(ctx context.Context, s *snapshot, chunks []uint32) (made int, err error) {
	var texts []string
	var of []chunkHash
	for _, c := range chunks {
		e := s.chunks.at(c)
		f := s.files.at(e.places[0].file)
		text, err := x.text(ctx, f.blob, f.blob.spans[e.places[0].span])
		if errors.Is(err, sql.ErrNoRows) {
			continue // dropped since
		}
		if err != nil {
			return 0, err
		}
		text = e.symbol + "\n" + text
		texts, of = append(texts, text[:min(len(text), embedBytes)]), append(of, e.hash)
	}
	if len(texts) == 0 {
		return 0, nil
	}
	got, err := x.opt.Embedder.Embed(ctx, texts)
	if err != nil {
		return 0, err
	}
	x.writing.Lock()
	defer x.writing.Unlock()
	tx, err := x.db.BeginTx(ctx, nil)
	if err != nil {
		return 0, fmt.Errorf("store vectors: %w", err)
	}
	v := x.vectors.Load()
	for i, h := range of {
		scale, data := quantize(got[i])
		packed := make([]byte, len(data))
		for j, b := range data {
			packed[j] = byte(b)
		}
		if _, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO vector (hash, model, scale, v) VALUES (?, ?, ?, ?)", h[:], x.opt.Embedder.Model(), scale, packed); err != nil {
			return 0, errors.Join(fmt.Errorf("store vectors: %w", err), tx.Rollback())
		}
		v = v.add(h, scale, data)
	}
	if err := tx.Commit(); err != nil {
		return 0, fmt.Errorf("store vectors: %w", err)
	}
	x.vectors.Store(v)
	return len(of), nil
}
