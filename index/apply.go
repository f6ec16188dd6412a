package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"sync"
	"unicode/utf8"
)

// Stats count what one Sync, Ingest or Prune has done.
type Stats struct {
	Looked    int            // paths that were looked at
	Added     int            // files that were not there
	Modified  int            // files with another content
	Deleted   int            // files that went
	Renamed   int            // files that have another name and the same content
	Unchanged int            // files that are as they were
	Parsed    int            // contents that were never seen before, and were cut and counted
	Veiled    int            // secrets that were struck out of them
	Skipped   map[string]int // files that are not indexed, by why
	Stale     []string       // files that changed while they were read
}

const (
	batchFiles  = 500 // in one transaction
	sightsAhead = 64
)

// An applying brings the index in step with what tasks find. Files that were
// renamed are told by content: gone here, there under another name.
type applying struct {
	x        *Index
	root     *os.Root
	idLength int
	stats    *Stats
	finish   func(context.Context, *batch) error // the last of the last transaction; nil: nothing

	b     *batch
	n     int                 // changes in b
	moved map[string][]string // by content: files that went
	gone  []string            // files to remove, unless they turn up under another name
	fresh []sight             // files that are new, with a content that is known
}

// run looks at all tasks and changes the index accordingly.
func (a *applying) run(ctx context.Context, tasks []task) error {
	a.moved = map[string][]string{}
	err := a.all(ctx, tasks)
	if err != nil {
		err = fmt.Errorf("apply changes: %w", err)
		if a.b != nil {
			err = errors.Join(err, a.b.tx.Rollback())
		}
		// Memory is ahead of the disk.
		err = errors.Join(err, a.x.reload(context.WithoutCancel(ctx)))
	}
	if rested := a.x.outline.rest(); rested != nil {
		a.x.opt.Log.Warn("give parsers' memory back", "err", rested)
	}
	a.x.note(func() {
		a.x.parsed += int64(a.stats.Parsed)
		a.x.stale = slices.Sorted(maps.Keys(a.x.pending))
	})
	return err
}

func (a *applying) all(ctx context.Context, tasks []task) (err error) {
	seeing, cancel := context.WithCancel(ctx)
	sights := a.see(seeing, tasks)
	for s := range sights {
		if err = a.take(ctx, &s); err != nil {
			break
		}
	}
	cancel()
	for range sights { // the workers end before the root is closed
	}
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return err
	}
	if err := a.pair(ctx); err != nil {
		return err
	}
	if a.finish != nil {
		if err := a.open(ctx); err != nil {
			return err
		}
		if err := a.finish(ctx, a.b); err != nil {
			return err
		}
	}
	return a.flush(ctx)
}

// see lets as many workers look as there are processors.
func (a *applying) see(ctx context.Context, tasks []task) <-chan sight {
	sights := make(chan sight, sightsAhead)
	next := make(chan task)
	go func() {
		defer close(next)
		for _, t := range tasks {
			select {
			case next <- t:
			case <-ctx.Done():
				return
			}
		}
	}()
	var workers sync.WaitGroup
	for range max(1, min(runtime.GOMAXPROCS(0), len(tasks))) {
		workers.Go(func() {
			r := a.reader()
			for t := range next {
				select {
				case sights <- r.look(t):
				case <-ctx.Done():
				}
			}
		})
	}
	go func() {
		workers.Wait()
		close(sights)
	}()
	return sights
}

func (a *applying) reader() *reader {
	x := a.x
	r := &reader{root: a.root, w: x.w, bag: newBag(x.w.lexicon), most: x.opt.MaxFileBytes, only: x.opt.Extensions, name: namer(a.idLength), now: x.opt.Now, opened: x.opt.opened}
	if !x.opt.NoGrammars {
		r.cutter.outline = x.outline.outline
	}
	return r
}

func (a *applying) take(ctx context.Context, s *sight) error {
	a.stats.Looked++
	switch {
	case s.stale:
		a.x.pending[s.path] = true
		a.stats.Stale = append(a.stats.Stale, s.path)
		return nil
	case !utf8.ValidString(s.path):
		s.why, s.hash, s.parsed = whyName, "", nil
	}
	delete(a.x.pending, s.path)
	switch {
	case s.gone:
		if s.was != nil {
			a.gone = append(a.gone, s.path)
		}
		return nil
	case s.same:
		a.stats.Unchanged++
		if s.was.state == s.state || s.was.state == racy {
			return nil
		}
		f := *s.was
		f.state = s.state
		return a.put(ctx, f)
	case s.was == nil && s.why == "" && s.parsed == nil:
		a.fresh = append(a.fresh, *s) // perhaps one that is gone elsewhere
		return nil
	}
	return a.change(ctx, s)
}

// change writes what a sight says of a path that stays or is new.
func (a *applying) change(ctx context.Context, s *sight) error {
	f := file{path: s.path, why: s.why, size: s.size, mtime: s.mtime, state: s.state}
	if s.why == "" {
		if err := a.open(ctx); err != nil {
			return err
		}
		if f.blob = a.x.w.blobs[s.hash]; f.blob == nil {
			if s.parsed == nil {
				return errLost
			}
			b, err := a.b.learn(ctx, s.hash, s.parsed)
			if err != nil {
				return err
			}
			f.blob = b
			a.stats.Parsed++
			a.stats.Veiled += s.parsed.veiled
		}
	}
	switch {
	case s.was == nil || s.was.blob == nil && f.blob != nil:
		if f.blob != nil {
			a.stats.Added++
		}
	case s.was.blob != f.blob && f.blob == nil:
		a.stats.Deleted++
	case s.was.blob != f.blob:
		a.stats.Modified++
	default:
		a.stats.Unchanged++
	}
	if s.why != "" {
		if a.stats.Skipped == nil {
			a.stats.Skipped = map[string]int{}
		}
		a.stats.Skipped[s.why]++
	}
	if s.was != nil && s.was.blob == f.blob && s.was.why == f.why && s.was.size == f.size && s.was.mtime == f.mtime && s.was.state == f.state {
		return nil
	}
	return a.put(ctx, f)
}

func (a *applying) open(ctx context.Context) (err error) {
	if a.b == nil {
		a.b, err = a.x.begin(ctx)
	}
	return err
}

func (a *applying) put(ctx context.Context, f file) error {
	if err := a.open(ctx); err != nil {
		return err
	}
	if err := a.b.put(ctx, f); err != nil {
		return err
	}
	return a.step(ctx)
}

// step ends a batch that is full, so that what is in it can be found.
func (a *applying) step(ctx context.Context) error {
	if a.n++; a.n < batchFiles {
		return nil
	}
	if a.finish != nil { // until then the index is neither here nor there
		if err := a.b.set(ctx, metaTorn, "1"); err != nil {
			return err
		}
	}
	return a.flush(ctx)
}

func (a *applying) flush(ctx context.Context) error {
	if a.b == nil {
		return nil
	}
	if err := a.b.commit(ctx); err != nil {
		return err
	}
	a.b, a.n = nil, 0
	a.x.publish()
	return nil
}

// pair matches what went with what came, and does the rest.
func (a *applying) pair(ctx context.Context) error {
	for _, name := range a.gone {
		if f := a.x.w.file(name); f != nil && f.blob != nil {
			a.moved[f.blob.hash] = append(a.moved[f.blob.hash], name)
		}
	}
	renamed := map[string]bool{}
	for i := range a.fresh {
		s := &a.fresh[i]
		from := a.moved[s.hash]
		if len(from) == 0 {
			if err := a.change(ctx, s); err != nil {
				return err
			}
			continue
		}
		a.moved[s.hash] = from[1:]
		renamed[from[0]] = true
		a.stats.Renamed++
		if err := a.open(ctx); err != nil {
			return err
		}
		to := file{path: s.path, blob: a.x.w.file(from[0]).blob, size: s.size, mtime: s.mtime, state: s.state}
		if err := a.b.rename(ctx, from[0], to); err != nil {
			return err
		}
		if err := a.step(ctx); err != nil {
			return err
		}
	}
	for _, name := range a.gone {
		if renamed[name] {
			continue
		}
		if err := a.forget(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

func (a *applying) forget(ctx context.Context, name string) error {
	if f := a.x.w.file(name); f != nil && f.blob != nil {
		a.stats.Deleted++
	}
	if err := a.open(ctx); err != nil {
		return err
	}
	if err := a.b.remove(ctx, name); err != nil {
		return err
	}
	return a.step(ctx)
}
