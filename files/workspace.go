package files

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash/maphash"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"

	"kurogo/messages"
)

// Options of Open have working zero values.
type Options struct {
	Extensions []string // with their dots; nil = DefaultExtensions
	MaxBytes   int64    // of one file; 0 = 512 KiB
	Kept       []string // read-only beside Kept
	Delete     bool     // whether files may be deleted, and renamed
	Quota      Quota    // of one task
	Past       Past     // remembers what was before; nil = undo is not possible
}

// A Workspace is a directory that agents work in. Its methods may be called from
// any goroutine; the root is the directory it was opened with, whatever takes its
// name later.
type Workspace struct {
	dir   string
	o     Options
	kept  []string // as plain gives them
	root  *os.Root
	dev   uint64
	purse *purse
	seed  maphash.Seed
	locks [64]sync.Mutex // of paths: who changes a file is alone with it
}

// Open opens the directory dir, whatever links lead to it. Errors: invalid when it
// is no directory.
func Open(dir string, o Options) (*Workspace, error) {
	dir, err := filepath.Abs(dir)
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return nil, messages.Invalid("workspace.root", "%v", err).Try("name a directory that exists")
	}
	if o.Extensions == nil {
		o.Extensions = DefaultExtensions
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = 512 << 10
	}
	w := &Workspace{dir: filepath.ToSlash(dir), o: o, purse: newPurse(o.Quota), seed: maphash.MakeSeed()}
	for _, name := range slices.Concat(Kept, o.Kept) {
		w.kept = append(w.kept, plain(name))
	}
	if w.root, err = os.OpenRoot(dir); err != nil {
		return nil, messages.Invalid("workspace.root", "%v", err).Try("name a directory that exists")
	}
	info, err := w.root.Stat(".")
	if err != nil {
		w.root.Close()
		return nil, fmt.Errorf("open workspace: %w", err)
	}
	w.dev = device(info)
	return w, nil
}

// Dir is where the workspace is, without links.
func (w *Workspace) Dir() string { return w.dir }

// Close ends it.
func (w *Workspace) Close() error { return w.root.Close() }

// lock takes the locks of paths, always in the same order.
func (w *Workspace) lock(paths ...string) (unlock func()) {
	var held []int
	for _, p := range paths {
		held = append(held, int(maphash.String(w.seed, p)%uint64(len(w.locks))))
	}
	slices.Sort(held)
	held = slices.Compact(held)
	for _, i := range held {
		w.locks[i].Lock()
	}
	return func() {
		for _, i := range held {
			w.locks[i].Unlock()
		}
	}
}

func device(info os.FileInfo) uint64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(s.Dev) //nolint:unconvert // it is narrower on other systems
	}
	return 0
}

func links(info os.FileInfo) uint64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(s.Nlink) //nolint:unconvert // it is narrower on other systems
	}
	return 1
}

// hash is a file's content in the audit trail and in the past.
func hash(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// alive is asked between steps that take long.
func alive(ctx context.Context) error { return context.Cause(ctx) }
