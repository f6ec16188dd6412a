package index

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kurogo/messages"
)

const (
	mostQuery      = 16 << 10 // bytes
	defaultTopK    = 10
	candidatesMost = 100 // that are ranked; more do not make it better, measured
	mostTopK       = 100
	mostAlso       = 20
	mostStale      = 100
)

// Search finds the passages that fit a query best. It reads a snapshot and waits
// for no writer. Errors: invalid; unavailable before the first Sync.
func (x *Index) Search(ctx context.Context, q messages.Search) (messages.Found, error) {
	if err := settleQuery(&q); err != nil {
		return messages.Found{}, err
	}
	for range 3 { // a content may be dropped between looking and fetching: look again
		found, err := x.search(ctx, &q)
		if !errors.Is(err, sql.ErrNoRows) {
			return found, err
		}
	}
	return messages.Found{}, messages.Errorf(messages.CodeBusy, "the index changes too fast to be read").Try("search again")
}

func settleQuery(q *messages.Search) error {
	if len(q.Query) > mostQuery {
		return messages.Invalid("query", "it has %d bytes, at most %d are searched for", len(q.Query), mostQuery).Try("ask for less at once")
	}
	q.Query = strings.TrimSpace(q.Query)
	if q.Query == "" {
		return messages.Invalid("query", "it is empty").Try("say what to look for")
	}
	switch {
	case q.TopK == 0:
		q.TopK = defaultTopK
	case q.TopK < 0 || q.TopK > mostTopK:
		return messages.Invalid("top_k", "%d is not between 1 and %d", q.TopK, mostTopK).Try("ask for fewer, and more exactly")
	}
	q.Filters.PathPrefix = strings.TrimPrefix(q.Filters.PathPrefix, "./")
	if q.Granularity == "" {
		q.Granularity = messages.SpanGranularity
	}
	if _, ok := profiles[q.Granularity]; !ok {
		return messages.Invalid("granularity", "%q is neither span nor file", q.Granularity).Try("leave it out for span")
	}
	if q.Intent == "" {
		q.Intent = messages.IntentImplementation
	}
	if !slices.Contains([]messages.Intent{messages.IntentImplementation, messages.IntentChange, messages.IntentTests}, q.Intent) {
		return messages.Invalid("intent", "%q is none of implementation, change, tests", q.Intent).Try("leave it out for implementation")
	}
	return nil
}

func (x *Index) search(ctx context.Context, q *messages.Search) (messages.Found, error) {
	s := x.seen.Load()
	if s.root == "" && s.held == 0 {
		return messages.Found{}, messages.Errorf(messages.CodeUnavailable, "nothing is indexed yet").Try("index the project first: kurogo index")
	}
	hits := x.lexical(s, q)
	hits, dense, err := x.fuse(ctx, s, q, hits)
	if err != nil {
		return messages.Found{}, err
	}
	ranked := s.rank(q, hits)
	found := messages.Found{Chunks: make([]messages.Chunk, 0, min(len(ranked), q.TopK)), Dense: dense}
	for _, c := range ranked[:min(len(ranked), q.TopK)] {
		text, err := x.text(ctx, c.file.blob, c.span)
		if err != nil {
			return messages.Found{}, fmt.Errorf("read text of %s: %w", c.file.path, err)
		}
		e := s.chunks.at(c.chunk)
		found.Chunks = append(found.Chunks, messages.Chunk{
			Path: c.file.path, Span: c.span.String(), Text: text, Score: c.score, Symbol: e.symbol, Also: s.also(e, c),
		})
	}
	found.StaleFiles = x.staleAmong(s, ranked[:min(len(ranked), q.TopK)])
	return found, nil
}

func (x *Index) lexical(s *snapshot, q *messages.Search) []hit {
	work, ok := x.work.Get().(*scratch)
	if !ok {
		work = &scratch{}
	}
	defer x.work.Put(work)
	defer work.clear()
	s.score(s.wants(q.Query), work)
	return s.best(work, max(candidatesMost, 2*q.TopK), s.under(q.Filters.PathPrefix))
}

// String reads "L3-L9".
func (l located) String() string { return fmt.Sprintf("L%d-L%d", l.first, l.last) }

// also lists the other places of a chunk.
func (s *snapshot) also(e *entry, c candidate) (out []string) {
	for _, p := range e.places {
		f := s.files.at(p.file)
		if at := f.blob.spans[p.span]; f != c.file || at != c.span {
			out = append(out, f.path+"#"+at.String())
		}
	}
	slices.Sort(out)
	return out[:min(len(out), mostAlso)]
}

// text fetches the lines of a span.
func (x *Index) text(ctx context.Context, b *blob, at located) (string, error) {
	var body sql.RawBytes
	rows, err := x.db.QueryContext(ctx, "SELECT text FROM body WHERE blob = ?", b.id)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	if !rows.Next() {
		return "", cmp.Or(rows.Err(), sql.ErrNoRows)
	}
	if err := rows.Scan(&body); err != nil {
		return "", err
	}
	l := split(body)
	if int(at.last) > l.len() {
		return "", errDamaged
	}
	return string(l.slice(int(at.first)-1, int(at.last))), nil
}

// staleAmong lists the files that changed while they were read, and those of the
// answer that are not on the disk as they were indexed.
func (x *Index) staleAmong(s *snapshot, answer []candidate) []string {
	stale := map[string]bool{}
	x.note(func() {
		for _, name := range x.stale {
			stale[name] = true
		}
	})
	for _, c := range answer {
		if !x.stands(s.root, c.file) {
			stale[c.file.path] = true
		}
	}
	out := make([]string, 0, len(stale))
	for name := range stale {
		out = append(out, name)
	}
	slices.Sort(out)
	return out[:min(len(out), mostStale)]
}

// stands reports whether a file is as it was indexed. One that was only written
// again, as git does when branches come and go, is.
func (x *Index) stands(root string, f *file) bool {
	name := filepath.Join(root, filepath.FromSlash(f.path))
	info, err := os.Lstat(name)
	switch {
	case err != nil || !info.Mode().IsRegular() || info.Size() != f.size:
		return false
	case info.ModTime().UnixNano() == f.mtime:
		return true
	}
	content, err := os.ReadFile(name)
	return err == nil && keyOf(namer(2*(len(f.blob.hash)-1))(content), f.path) == f.blob.hash
}
