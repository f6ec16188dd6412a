package index

import (
	"path"
	"slices"
	"strings"
	"sync"
	"time"
)

// A writer is the index as it becomes. One goroutine changes it; workers that
// read files may ask what is known.
type writer struct {
	lexicon  *lexicon
	root     string
	head     string
	ignored  string // digest of the root's own .kurogoignore
	torn     bool   // a sync has begun and not ended
	synced   time.Time
	chunks   paged[entry]
	lengths  paged[uint32]
	files    paged[file]
	segments []*segment
	alive    int
	words    int64
	held     int

	byPath    map[string]uint32
	unsettled map[string]bool // files whose state is not clean
	ignores   map[string]bool // files that say what is not wanted
	free      []uint32        // file slots
	rows      []int64         // the database's numbers of chunks, by slot
	sizes     []uint32        // words, by slot
	users     []int32         // blobs that have the chunk, by slot
	dead      int             // chunks that stand nowhere

	mu    sync.RWMutex // guards what workers read
	blobs map[string]*blob
	slots map[chunkHash]uint32

	stored int // terms that are in the database
	fresh  *bundle
}

func newWriter(l *lexicon) *writer {
	return &writer{
		lexicon: l, chunks: newPaged[entry](), lengths: newPaged[uint32](), files: newPaged[file](),
		byPath: map[string]uint32{}, unsettled: map[string]bool{}, ignores: map[string]bool{}, blobs: map[string]*blob{}, slots: map[chunkHash]uint32{}, fresh: &bundle{},
	}
}

func (w *writer) blobOf(hash string) *blob {
	w.mu.RLock()
	defer w.mu.RUnlock()
	return w.blobs[hash]
}

func (w *writer) hasChunk(h chunkHash) bool {
	w.mu.RLock()
	defer w.mu.RUnlock()
	_, ok := w.slots[h]
	return ok
}

// addChunk takes in a chunk that was never seen, and returns its slot.
func (w *writer) addChunk(h chunkHash, symbol string, length int, row int64) uint32 {
	slot := w.chunks.add(entry{hash: h, symbol: symbol})
	w.lengths.add(0)
	w.rows = append(w.rows, row)
	w.sizes = append(w.sizes, uint32(max(length, 1)))
	w.users = append(w.users, 0)
	w.dead++
	w.mu.Lock()
	w.slots[h] = slot
	w.mu.Unlock()
	return slot
}

func (w *writer) addBlob(b *blob) {
	for _, s := range b.spans {
		w.users[s.chunk]++
	}
	w.mu.Lock()
	w.blobs[b.hash] = b
	w.mu.Unlock()
}

// dropBlob forgets a blob that no file has, and returns the slots of chunks that
// went with it.
func (w *writer) dropBlob(b *blob) (gone []uint32) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.blobs, b.hash)
	for _, s := range b.spans {
		if w.users[s.chunk]--; w.users[s.chunk] == 0 {
			gone = append(gone, s.chunk)
			delete(w.slots, w.chunks.at(s.chunk).hash)
		}
	}
	return gone
}

// put sets what a path holds.
func (w *writer) put(f file) {
	slot, ok := w.byPath[f.path]
	if !ok {
		slot = w.slot()
		w.byPath[f.path] = slot
		f.terms, f.sort = w.pathTerms(f.path), sortOf(f.path)
	} else {
		f.terms, f.sort = w.files.at(slot).terms, w.files.at(slot).sort
	}
	was := w.files.at(slot).blob
	if was != f.blob {
		w.leave(slot, was)
		w.enter(slot, f.blob)
	}
	*w.files.edit(slot) = f
	w.settle(&f)
}

func (w *writer) settle(f *file) {
	if path.Base(f.path) == ownIgnore {
		w.ignores[f.path] = true
	}
	if f.state == clean {
		delete(w.unsettled, f.path)
	} else {
		w.unsettled[f.path] = true
	}
}

func (w *writer) slot() uint32 {
	if n := len(w.free); n > 0 {
		slot := w.free[n-1]
		w.free = w.free[:n-1]
		return slot
	}
	return w.files.add(file{})
}

func (w *writer) remove(name string) {
	slot, ok := w.byPath[name]
	if !ok {
		return
	}
	w.leave(slot, w.files.at(slot).blob)
	*w.files.edit(slot) = file{}
	delete(w.byPath, name)
	delete(w.unsettled, name)
	delete(w.ignores, name)
	w.free = append(w.free, slot)
}

// rename moves a file with everything it holds: its chunks notice nothing.
func (w *writer) rename(from string, to file) {
	w.remove(to.path)
	slot := w.byPath[from]
	delete(w.byPath, from)
	delete(w.unsettled, from)
	delete(w.ignores, from)
	w.byPath[to.path] = slot
	to.terms, to.sort = w.pathTerms(to.path), sortOf(to.path)
	*w.files.edit(slot) = to
	w.settle(&to)
}

func (w *writer) enter(slot uint32, b *blob) {
	if b == nil {
		return
	}
	b.files++
	w.held++
	for i, s := range b.spans {
		e := w.chunks.edit(s.chunk)
		if len(e.places) == 0 {
			w.dead--
			w.alive++
			w.words += int64(w.sizes[s.chunk])
			*w.lengths.edit(s.chunk) = w.sizes[s.chunk]
		}
		e.places = append(e.places, place{slot, uint32(i)}) // readers know the length they saw
	}
}

func (w *writer) leave(slot uint32, b *blob) {
	if b == nil {
		return
	}
	b.files--
	w.held--
	for i, s := range b.spans {
		e := w.chunks.edit(s.chunk)
		at := slices.Index(e.places, place{slot, uint32(i)})
		e.places = slices.Concat(e.places[:at], e.places[at+1:])
		if len(e.places) == 0 {
			w.dead++
			w.alive--
			w.words -= int64(w.sizes[s.chunk])
			*w.lengths.edit(s.chunk) = 0
		}
	}
}

// pathTerms are the terms of a path, each once.
func (w *writer) pathTerms(name string) []termID {
	var out []termID
	words([]byte(strings.TrimSuffix(name, path.Ext(name))), func(word []byte) {
		if t := w.lexicon.number(word); !slices.Contains(out, t) {
			out = append(out, t)
		}
	})
	return slices.Clip(out)
}

// file returns what a path holds, nil if it is not in the index.
func (w *writer) file(name string) *file {
	slot, ok := w.byPath[name]
	if !ok {
		return nil
	}
	return w.files.at(slot)
}
