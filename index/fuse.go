package index

import (
	"context"
	"time"

	"kurogo/messages"
)

// Votes of two lists are joined by rank, because their scores do not compare:
// who is first in one gets weight / (60 + 1).
const (
	fuseDepth   = 60
	denseWeight = 0.3
)

// sulk is how long a query does without an embedder that did not answer.
const sulk = 30 * time.Second

// learnedModel is the name of what an index has learned by itself.
const learnedModel = "lsa"

// fuse lets the vectors have their vote, if there are any and the query's own
// comes in time. Without an embedder what was learned has it.
func (x *Index) fuse(ctx context.Context, s *snapshot, q *messages.Search, hits []hit) (joined []hit, dense string, err error) {
	if x.opt.Embedder == nil {
		if learned, err := x.closer(ctx, s, q.Query, hits); !learned || err != nil {
			return hits, "", err
		}
		return hits, learnedModel, nil
	}
	v := x.vectors.Load()
	if len(v.hashes) == 0 {
		return hits, "off: nothing is embedded yet", nil
	}
	vector, why := x.ask(ctx, q.Query)
	if why != "" {
		return hits, "off: " + why, nil
	}
	near := v.nearest(s, vector, candidatesMost, s.under(q.Filters.PathPrefix))
	scores := map[uint32]float64{}
	for i, h := range hits {
		scores[h.chunk] += (1 - denseWeight) / float64(fuseDepth+i+1)
	}
	for i, c := range near {
		scores[c] += denseWeight / float64(fuseDepth+i+1)
	}
	for c, score := range scores {
		joined = append(joined, hit{c, score})
	}
	return joined, x.opt.Embedder.Model(), nil // rank puts them in order
}

// ask gets the vector of a query, or says why not. It waits for nobody long, and
// not at all for one that just failed.
func (x *Index) ask(ctx context.Context, query string) (vector []float32, why string) {
	now := x.opt.Now()
	off := ""
	x.note(func() {
		if now.Before(x.denseFrom) {
			off = x.denseWhy
		}
	})
	if off != "" {
		return nil, off
	}
	waiting, cancel := context.WithTimeout(ctx, x.opt.EmbedWait)
	defer cancel()
	got, err := x.opt.Embedder.Embed(waiting, []string{query})
	if err == nil && len(got) == 1 {
		return got[0], ""
	}
	if why = "the embedder gave nothing"; err != nil {
		why = err.Error()
	}
	if ctx.Err() == nil { // it is not the asker who left
		x.note(func() { x.denseFrom, x.denseWhy = now.Add(sulk), why })
	}
	return nil, why
}
