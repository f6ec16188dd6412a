package index

import "time"

// A snapshot is what readers see: the whole index at one moment. Nothing in it
// changes.
type snapshot struct {
	lexicon  *lexicon
	from     *writer // only to find chunks by content, see slot
	root     string
	head     string
	synced   time.Time
	chunks   paged[entry]
	lengths  paged[uint32] // words of a chunk that stands somewhere, 0 for one that does not
	files    paged[file]
	rows     []int64 // the database's numbers of chunks
	segments []*segment
	alive    int   // chunks that stand somewhere
	words    int64 // in all of them
	held     int   // files with content
}

// An entry is a chunk wherever it stands.
type entry struct {
	hash   chunkHash
	symbol string
	places []place
}

// A place is a span of a file.
type place struct{ file, span uint32 }

// A file is a path and what it holds. A slot without a path is free.
type file struct {
	path  string
	blob  *blob    // nil: skipped
	why   string   // it was skipped
	terms []termID // of the path, each once
	sort  sort
	size  int64
	mtime int64 // nanoseconds
	state state
}

// A state says how far a file's content is that of the commit.
type state uint8

const (
	clean state = iota
	dirty       // taken from the working tree, the commit may have another
	racy        // and so fresh that its time of change proves nothing
)

// A blob is a content and where its chunks are.
type blob struct {
	id    int64
	hash  string // as git names it
	spans []located
	files int // that have it: the writer's own count
}

type located struct{ chunk, first, last uint32 }

// keep takes over what the writer has until now.
func (w *writer) keep() *snapshot {
	return &snapshot{
		lexicon: w.lexicon, from: w, root: w.root, head: w.head, synced: w.synced,
		chunks: w.chunks.freeze(), lengths: w.lengths.freeze(), files: w.files.freeze(),
		rows:     w.rows[:len(w.rows):len(w.rows)],
		segments: append([]*segment(nil), w.segments...),
		alive:    w.alive, words: w.words, held: w.held,
	}
}

// skipped counts the files that are not indexed, by why.
func (s *snapshot) skipped() map[string]int {
	out := map[string]int{}
	for slot := range s.files.len() {
		if f := s.files.at(uint32(slot)); f.why != "" {
			out[f.why]++
		}
	}
	return out
}
