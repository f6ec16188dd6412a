package index

import (
	"cmp"
	"math"
	"path"
	"regexp"
	"slices"
	"strings"

	"kurogo/messages"
)

// A candidate is a chunk at the best of its places.
type candidate struct {
	hit
	file *file
	span located
}

// A profile says what ranks for passages and for files: measured, no single
// setting is the best for both.
type profile struct {
	coherence float64 // what other passages of the same file add to its best
	stem      float64 // what a file named like the query adds
	decay     float64 // of the second passage of a file, the third …; 1 = none
}

var profiles = map[messages.Granularity]profile{
	messages.SpanGranularity: {coherence: 0, stem: 0.3, decay: 1},
	messages.FileGranularity: {coherence: 0.2, stem: 1, decay: 0.5},
}

const (
	definitionBoost = 3.0 // for a query that is a name
	mentionBoost    = 0.5 // for a name in a query of words
	namesakeBoost   = 1.5 // in a file of that name
	nameless        = 0.8 // for what defines nothing
)

var (
	nameQuery = regexp.MustCompile(`^(?:[A-Za-z_]\w*(?:(?:::|\\|->|\.)[A-Za-z_]\w*)+|_\w*|[A-Za-z][A-Za-z0-9]*[A-Z_]\w*|[A-Z][A-Za-z0-9]*)$`)
	mention   = regexp.MustCompile(`\b(?:[A-Z][a-z][a-zA-Z0-9]*[A-Z][a-zA-Z0-9]*|[a-z][a-zA-Z0-9]*[A-Z][a-zA-Z0-9]+|[a-z]+_[a-z_0-9]+)\b`)
)

// rank orders hits by what is known beyond their words.
func (s *snapshot) rank(q *messages.Search, hits []hit) []candidate {
	p := profiles[q.Granularity]
	scores := make(map[uint32]float64, len(hits))
	top := 0.0
	for _, h := range hits {
		scores[h.chunk] = h.score
		top = max(top, h.score)
	}
	if top == 0 {
		top = 1
	}
	name := nameQuery.MatchString(q.Query)
	s.boostDefinitions(q, scores, top, name)
	all := make([]candidate, 0, len(scores))
	for c, score := range scores {
		f, span := s.bestPlace(c, q)
		if f != nil {
			all = append(all, candidate{hit{c, score}, f, span})
		}
	}
	slices.SortFunc(all, func(a, b candidate) int { return s.order(a.hit, b.hit) })
	if p.coherence > 0 {
		cohere(all, p.coherence*top)
	}
	if !name {
		boostNamesakes(all, q.Query, p.stem*top)
	}
	for i := range all {
		all[i].score *= all[i].file.sort.prior(q.Intent)
		if s.chunks.at(all[i].chunk).symbol == "" && all[i].file.sort&isProse == 0 {
			all[i].score *= nameless
		}
	}
	order := func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.file.path, b.file.path), cmp.Compare(a.span.first, b.span.first))
	}
	slices.SortFunc(all, order)
	if p.decay < 1 {
		before := map[string]int{}
		for i := range all {
			all[i].score *= math.Pow(p.decay, float64(before[all[i].file.path]))
			before[all[i].file.path]++
		}
		slices.SortFunc(all, order)
	}
	return all
}

// boostDefinitions lifts what defines a name that the query is or mentions,
// whether or not its words were found.
func (s *snapshot) boostDefinitions(q *messages.Search, scores map[uint32]float64, top float64, name bool) {
	names := map[string]float64{}
	if name {
		names[q.Query[strings.LastIndexAny(q.Query, `.:>\`)+1:]] = definitionBoost
	} else {
		for _, n := range mention.FindAllString(q.Query, mostTerms) {
			names[n] = mentionBoost
		}
	}
	allowed := s.under(q.Filters.PathPrefix)
	for n, boost := range names {
		id, ok := s.lexicon.find([]byte(defined + n))
		if !ok {
			continue
		}
		for _, list := range s.want(id).lists {
			for _, p := range list {
				if s.length(p.chunk) == 0 || !allowed(p.chunk) {
					continue
				}
				by := boost
				if f, _ := s.bestPlace(p.chunk, q); f != nil && namesake(f.path, n) {
					by *= namesakeBoost
				}
				scores[p.chunk] += by * top
			}
		}
	}
}

func namesake(file, name string) bool {
	stem := strings.ToLower(strings.ReplaceAll(stemOf(file), "_", ""))
	name = strings.ToLower(name)
	return stem == name || strings.TrimSuffix(stem, "s") == name
}

func stemOf(file string) string {
	base := path.Base(file)
	return strings.TrimSuffix(base, path.Ext(base))
}

// bestPlace is where a chunk is shown: where least stands back, and then the
// first by name.
func (s *snapshot) bestPlace(c uint32, q *messages.Search) (best *file, span located) {
	prior := 0.0
	for _, p := range s.chunks.at(c).places {
		f := s.files.at(p.file)
		if !strings.HasPrefix(f.path, q.Filters.PathPrefix) {
			continue
		}
		at := f.blob.spans[p.span]
		mine := f.sort.prior(q.Intent)
		if best == nil || mine > prior || mine == prior && (f.path < best.path || f.path == best.path && at.first < span.first) {
			best, span, prior = f, at, mine
		}
	}
	return best, span
}

// cohere adds to the best passage of each file what the others say for it. The
// candidates are in order.
func cohere(all []candidate, most float64) {
	sum, first := map[string]float64{}, map[string]int{}
	top := 0.0
	for i := range all {
		name := all[i].file.path
		if _, ok := first[name]; !ok {
			first[name] = i
		}
		sum[name] += all[i].score
		top = max(top, sum[name])
	}
	for name, i := range first {
		all[i].score += most * sum[name] / top
	}
}

// boostNamesakes adds to passages of files whose name, or whose directory's, has
// words of the query.
func boostNamesakes(all []candidate, query string, most float64) {
	var asks []string
	asked(query, func(w []byte) {
		if len(w) > 2 && !slices.Contains(asks, string(w)) {
			asks = append(asks, string(w))
		}
	})
	known := map[string]float64{}
	for i := range all {
		name := all[i].file.path
		share, ok := known[name]
		if !ok {
			share = shareOf(asks, name)
			known[name] = share
		}
		if share >= 0.1 {
			all[i].score += most * share
		}
	}
}

func shareOf(asks []string, name string) float64 {
	if len(asks) == 0 {
		return 0
	}
	var has []string
	words([]byte(path.Base(path.Dir(name))+" "+stemOf(name)), func(w []byte) { has = append(has, string(w)) })
	n := 0
	for _, ask := range asks {
		if slices.ContainsFunc(has, func(h string) bool {
			short, long := ask, h
			if len(short) > len(long) {
				short, long = long, short
			}
			return len(short) >= 3 && strings.HasPrefix(long, short)
		}) {
			n++
		}
	}
	return float64(n) / float64(len(asks))
}
