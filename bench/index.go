package main

import (
	"context"
	"errors"
	"fmt"
	"go/build"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"kurogo/drivers/process"
	"kurogo/index"
	"kurogo/messages"
)

const (
	indexRate    = 1500 // Go files a second
	indexReopen  = 300 * time.Millisecond
	indexChange  = 100 * time.Millisecond
	indexRename  = 500 * time.Millisecond
	searchLimit  = 10 * time.Millisecond
	searchWorst  = 60 * time.Millisecond
	memoryLimit  = 250 << 20
	indexRounds  = 3
	indexEdits   = 300
	renamedFiles = 4000
	copiedMost   = 256 << 10 // bytes of a file; there are tables of more
)

// index is what retrieval promises beside the right lines: soon, and at the cost
// of what has changed.
func (b *bench) index(ctx context.Context) error {
	return errors.Join(b.indexSpeed(ctx), b.indexMiddle(ctx), b.indexRenames(ctx), b.indexGrowth(ctx))
}

// benchGit is git as the house runs it, with nobody's configuration.
func benchGit(ctx context.Context, dir string, args ...string) (string, error) {
	env := process.Environ(os.Environ(), map[string]string{
		"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C",
		"GIT_AUTHOR_NAME": "bench", "GIT_AUTHOR_EMAIL": "bench@localhost", "GIT_COMMITTER_NAME": "bench", "GIT_COMMITTER_EMAIL": "bench@localhost",
	})
	out, said, code, err := process.Exec{}.Run(ctx, dir, env, append([]string{"git", "-c", "gc.auto=0"}, args...)...)
	if err == nil && code != 0 {
		err = errors.New(said)
	}
	if err != nil {
		return "", fmt.Errorf("git %s: %w", args[0], err)
	}
	return strings.TrimSuffix(string(out), "\n"), nil
}

// indexSpeed indexes the Go files of the distribution from nothing.
func (b *bench) indexSpeed(ctx context.Context) error {
	base, err := b.subdir("speed")
	if err != nil {
		return err
	}
	root := filepath.Join(base, "src")
	names, err := copyGo(root, 1<<20)
	if err != nil {
		return err
	}
	files := len(names)
	var rates []float64
	var chunks int
	for range indexRounds {
		dir, err := b.subdir("speed-index")
		if err != nil {
			return err
		}
		x, err := index.Open(ctx, filepath.Join(dir, "index.db"), index.Options{})
		if err != nil {
			return err
		}
		began := time.Now()
		if _, err = x.Sync(ctx, root); err == nil {
			rates = append(rates, perSecond(files, time.Since(began)))
			chunks = x.Status().Chunks
		}
		if err := errors.Join(err, x.Close()); err != nil {
			return err
		}
	}
	b.table.judge("Go files to searchable", fmt.Sprintf("%.0f/s, best of %d %.0f/s (%d files, %d chunks)", median(rates), indexRounds, slices.Max(rates), files, chunks),
		fmt.Sprintf("≥ %d/s", indexRate), median(rates) >= indexRate)
	return nil
}

// indexMiddle looks at an index of about 30,000 chunks: how long to reopen, to
// search and to find what was just changed, and what it weighs.
func (b *bench) indexMiddle(ctx context.Context) error {
	dir, err := b.subdir("middle")
	if err != nil {
		return err
	}
	root, db := filepath.Join(dir, "src"), filepath.Join(dir, "index.db")
	files, err := copyGo(root, 1700)
	if err != nil {
		return err
	}
	before, err := weightNow()
	if err != nil {
		return err
	}
	x, err := index.Open(ctx, db, index.Options{})
	if err != nil {
		return err
	}
	if _, err := x.Sync(ctx, root); err != nil {
		return err
	}
	after, err := weightNow()
	if err != nil {
		return err
	}
	weight := after - before
	var opened []time.Duration
	for range 7 {
		if err := x.Close(); err != nil {
			return err
		}
		began := time.Now()
		if x, err = index.Open(ctx, db, index.Options{}); err != nil {
			return err
		}
		opened = append(opened, time.Since(began))
	}
	defer func() { _ = x.Close() }()
	chunks := x.Status().Chunks
	b.table.judge("memory of an index, indexing included", fmt.Sprintf("%s (%d files, %d chunks)", megabytes(weight), len(files), chunks), "≤ "+megabytes(memoryLimit), weight <= memoryLimit)
	b.table.judge("reopen", fmt.Sprintf("%s, best %s", millis(median(opened)), millis(slices.Min(opened))), "≤ "+millis(indexReopen), median(opened) <= indexReopen)
	questions, err := struckOut(root, filepath.Join(dir, "struck"))
	if err != nil {
		return err
	}
	var took []time.Duration
	for _, q := range questions {
		began := time.Now()
		if _, err := x.Search(ctx, messages.Search{Query: q.text}); err != nil {
			return err
		}
		took = append(took, time.Since(began))
	}
	q := quantilesOf(took)
	b.table.judge(fmt.Sprintf("search among %d chunks", chunks), fmt.Sprintf("p50 %s, p99 %s (%d queries)", millis(q.at(.5)), millis(q.at(.99)), len(took)),
		fmt.Sprintf("p50 ≤ %s, p99 ≤ %s", millis(searchLimit), millis(searchWorst)), q.at(.5) <= searchLimit && q.at(.99) <= searchWorst)
	q, err = edits(ctx, x, root, files, indexEdits)
	b.table.judge("a change until it is found", fmt.Sprintf("p50 %s, p99 %s", millis(q.at(.5)), millis(q.at(.99))), "p99 ≤ "+millis(indexChange), q.at(.99) <= indexChange)
	return err
}

// edits changes a file, ingests it and searches for what is new, again and again.
func edits(ctx context.Context, x *index.Index, root string, files []string, n int) (quantiles, error) {
	random := rand.New(rand.NewPCG(3, 4))
	var took []time.Duration
	for i := range n {
		name := files[random.IntN(len(files))]
		word := fmt.Sprintf("zyzzyva%c%c%c", 'a'+i%26, 'a'+i/26%26, 'a'+i/676%26)
		f, err := os.OpenFile(filepath.Join(root, name), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			return nil, err
		}
		_, err = fmt.Fprintf(f, "\nfunc _() { %s() }\n", word)
		if err = errors.Join(err, f.Close()); err != nil {
			return nil, err
		}
		began := time.Now()
		if _, err := x.Ingest(ctx, messages.Ingest{Paths: []string{name}}); err != nil {
			return nil, err
		}
		found, err := x.Search(ctx, messages.Search{Query: word})
		if err != nil {
			return nil, err
		}
		took = append(took, time.Since(began))
		if len(found.Chunks) == 0 || found.Chunks[0].Path != name {
			return nil, fmt.Errorf("%s, just written to %s, is found in %v", word, name, found.Chunks)
		}
	}
	return quantilesOf(took), nil
}

// copyGo copies so many Go files of the distribution, taken all over it.
func copyGo(to string, n int) (names []string, err error) {
	from := filepath.Join(build.Default.GOROOT, "src")
	err = filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || filepath.Ext(path) != ".go" || strings.Contains(path, "testdata") {
			return err
		}
		info, err := entry.Info()
		if err == nil && info.Size() < copiedMost {
			name, _ := filepath.Rel(from, path) // it is below
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	rand.New(rand.NewPCG(5, 6)).Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	names = names[:min(n, len(names))]
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(from, name))
		if err == nil {
			err = os.MkdirAll(filepath.Join(to, filepath.Dir(name)), 0o750)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(to, name), text, 0o600)
		}
		if err != nil {
			return nil, err
		}
	}
	return names, nil
}

// weightNow is the memory of this process without what it does not need.
func weightNow() (int64, error) {
	debug.FreeOSMemory()
	all, _, err := resident(os.Getpid())
	return all, err
}
