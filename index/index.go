package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"kurogo/messages"
)

// Git runs git in a directory and returns what it says on stdout, without the
// last line's end. A status other than 0 is an error.
type Git func(ctx context.Context, dir string, args ...string) (string, error)

// Options has working zero values.
type Options struct {
	Git          Git              // nil: every root is a directory without git
	MaxFileBytes int64            // larger files are not indexed; zero: 512 KiB
	Extensions   []string         // of the files that are indexed, as ".go"; empty: all that are text
	Queue        string           // the file that hooks append to; "" = none
	Embedder     Embedder         // nil: words only
	EmbedWait    time.Duration    // what a query waits for its own vector; zero: 800 ms
	NoGrammars   bool             // code is cut by braces and indentation only
	Now          func() time.Time // zero: time.Now
	Log          *slog.Logger     // zero: nowhere

	opened func(path string) // for tests: a file is being read
}

// Index is one code base. Its methods may be called from any goroutine.
type Index struct {
	opt  Options
	path string
	db   *sql.DB
	seen atomic.Pointer[snapshot]
	work sync.Pool // of *scratch

	writing sync.Mutex // held by whoever changes the index
	w       *writer
	pending map[string]bool // files that changed while they were read
	outline outliner

	mu        sync.Mutex // guards what Status tells
	stale     []string
	syncing   bool
	fault     string // why the last Sync failed
	parsed    int64
	denseFrom time.Time // until then the embedder is not asked
	denseWhy  string

	vectors   atomic.Pointer[vectors]
	latent    atomic.Pointer[latent] // nil: nothing was learned yet
	embedding sync.Mutex             // held by whoever makes vectors or learns
}

const (
	defaultFileBytes = 512 << 10
	defaultEmbedWait = 800 * time.Millisecond
)

// Open opens or creates the index in the file at path, whose directory must
// exist. What is damaged or of another version is made anew, empty, for the next
// Sync to fill.
func Open(ctx context.Context, path string, opt Options) (*Index, error) {
	if opt.MaxFileBytes <= 0 {
		opt.MaxFileBytes = defaultFileBytes
	}
	if opt.EmbedWait <= 0 {
		opt.EmbedWait = defaultEmbedWait
	}
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if opt.Log == nil {
		opt.Log = slog.New(slog.DiscardHandler)
	}
	x := &Index{opt: opt, path: path, pending: map[string]bool{}}
	x.outline.cache, x.outline.log = filepath.Join(filepath.Dir(path), "grammars"), opt.Log
	db, err := openDatabase(ctx, path)
	if err != nil {
		return nil, err
	}
	x.db = db
	if err := x.reload(ctx); err != nil {
		db.Close()
		if ctx.Err() != nil {
			return nil, err
		}
		opt.Log.Warn("make the index anew", "path", path, "err", err)
		return x.anew(ctx, err)
	}
	if err := errors.Join(x.loadVectors(ctx), x.loadLatent(ctx)); err != nil {
		db.Close()
		return nil, err
	}
	return x, nil
}

// anew starts from nothing after a load that could not be.
func (x *Index) anew(ctx context.Context, cause error) (*Index, error) {
	if err := removeDatabase(x.path); err != nil {
		return nil, errors.Join(cause, err)
	}
	var err error
	if x.db, err = openDatabase(ctx, x.path); err != nil {
		return nil, err
	}
	if err := errors.Join(x.reload(ctx), x.loadVectors(ctx), x.loadLatent(ctx)); err != nil {
		x.db.Close()
		return nil, err
	}
	return x, nil
}

// Close waits for the writer and closes the database.
func (x *Index) Close() error {
	x.writing.Lock()
	defer x.writing.Unlock()
	if err := errors.Join(x.outline.close(), x.db.Close()); err != nil {
		return fmt.Errorf("close index: %w", err)
	}
	return nil
}

// reload reads the database anew and publishes it.
func (x *Index) reload(ctx context.Context) error {
	w, err := load(ctx, x.db)
	if err != nil {
		return fmt.Errorf("load index: %w", err)
	}
	x.w = w
	x.publish()
	return nil
}

// publish lets readers see what the writer has.
func (x *Index) publish() {
	if x.w.fresh.n > 0 {
		x.w.segments = settle(append(x.w.segments, x.w.fresh.segment()))
		x.w.fresh = &bundle{}
	}
	x.seen.Store(x.w.keep())
}

// Status tells how the index is.
func (x *Index) Status() messages.IndexStatus {
	s := x.seen.Load()
	x.mu.Lock()
	defer x.mu.Unlock()
	out := messages.IndexStatus{
		Root: s.root, Head: commit(s.head), Fault: x.fault, Files: s.held, Chunks: s.alive, Terms: s.lexicon.size(), Parsed: x.parsed,
		Skipped: s.skipped(), SyncedAt: s.synced, Syncing: x.syncing, StaleFiles: slices.Clone(x.stale),
	}
	if out.StaleFiles == nil {
		out.StaleFiles = []string{}
	}
	if x.opt.Queue != "" {
		out.Queued = queued(x.opt.Queue)
	}
	if x.opt.Embedder != nil {
		out.Embedder = x.opt.Embedder.Model()
		out.Embedded = x.vectors.Load().held(s)
	}
	return out
}

// commit is a head, unless there is no commit yet.
func commit(head string) string {
	if head == emptyTrees[len(head)] {
		return ""
	}
	return head
}

func (x *Index) note(change func()) {
	x.mu.Lock()
	defer x.mu.Unlock()
	change()
}
