package messages

import "time"

// A Granularity is what a search ranks for: passages, or the files they are in.
type Granularity string

// What can be ranked for.
const (
	SpanGranularity Granularity = "span" // the lines themselves; the default
	FileGranularity Granularity = "file" // one good place per file
)

// An Intent is what the asker is about to do, which decides what is in the way.
type Intent string

// What an asker may be about to do.
const (
	IntentImplementation Intent = "implementation" // read how it is done: tests stand back; the default
	IntentChange         Intent = "change"         // change it: tests are among what must change
	IntentTests          Intent = "tests"          // see how it is tested: tests come first
)

// SearchFilters narrow a search.
type SearchFilters struct {
	PathPrefix string `json:"path_prefix,omitempty"`
}

// Search asks the code base. TopK 0 means 10, the most is 100. Answer: Found.
// Refusals: invalid; unavailable while nothing was ever indexed.
type Search struct {
	Query       string        `json:"query"`
	TopK        int           `json:"top_k,omitempty"`
	Filters     SearchFilters `json:"filters,omitzero"`
	Granularity Granularity   `json:"granularity,omitempty"`
	Intent      Intent        `json:"intent,omitempty"`
}

// A Chunk is a passage and where it stands: lines, the first one being 1.
type Chunk struct {
	Path   string   `json:"path"`
	Span   string   `json:"span"` // "L10-L42"
	Text   string   `json:"text"`
	Score  float64  `json:"score"`
	Symbol string   `json:"symbol,omitempty"` // what is defined there, or the heading
	Also   []string `json:"also,omitempty"`   // where else the same text stands: "path#L10-L42"
}

// Found answers Search, the best first. StaleFiles are those that have changed
// since they were indexed, as far as is known: what is said of them may be old.
type Found struct {
	Chunks     []Chunk  `json:"chunks"`
	StaleFiles []string `json:"stale_files"`
	Dense      string   `json:"dense,omitempty"` // the model that had a vote, "lsa" for what the index learned by itself, or "off: why"
}

// A Renamed file has another name now.
type Renamed struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// A PathDiff names what has changed.
type PathDiff struct {
	Added    []string  `json:"added,omitempty"`
	Modified []string  `json:"modified,omitempty"`
	Deleted  []string  `json:"deleted,omitempty"`
	Renamed  []Renamed `json:"renamed,omitempty"`
}

// Ingest asks for files and directories to be looked at again; whether they are
// there, and with which content, the index sees for itself. Answer: Ingested.
// Refusals: invalid; unavailable while no root is known.
type Ingest struct {
	Paths []string  `json:"paths,omitempty"`
	Diff  *PathDiff `json:"diff,omitempty"`
}

// Prune takes files and directories out of the index until they change. Answer:
// Ingested. Refusals: invalid.
type Prune struct {
	Paths []string `json:"paths"`
}

// SyncIndex asks for the whole root to be compared with the index. Answer:
// Ingested.
type SyncIndex struct{}

// Ingested counts what an Ingest, a Prune or a SyncIndex has done.
type Ingested struct {
	Added      int      `json:"added"`
	Modified   int      `json:"modified"`
	Deleted    int      `json:"deleted"`
	Renamed    int      `json:"renamed"`
	Unchanged  int      `json:"unchanged"`
	Parsed     int      `json:"parsed"` // how many had content that was never seen before
	Skipped    int      `json:"skipped"`
	StaleFiles []string `json:"stale_files"`
}

// GetIndexStatus asks how the index is. Answer: IndexStatus.
type GetIndexStatus struct{}

// An IndexStatus says what the index holds and how old that is.
type IndexStatus struct {
	Root       string         `json:"root"`
	Head       string         `json:"head,omitempty"` // the commit it is in step with; "" outside git
	Files      int            `json:"files"`
	Chunks     int            `json:"chunks"`
	Terms      int            `json:"terms"`
	Parsed     int64          `json:"parsed"` // contents parsed since the index was opened
	Skipped    map[string]int `json:"skipped,omitempty"`
	SyncedAt   time.Time      `json:"synced_at,omitzero"`
	Syncing    bool           `json:"syncing"`
	Fault      string         `json:"fault,omitempty"` // why it could not be brought in step the last time: answers are of before
	Queued     int            `json:"queued"`          // lines of hooks nobody has read yet
	StaleFiles []string       `json:"stale_files"`
	Embedder   string         `json:"embedder,omitempty"`
	Embedded   int            `json:"embedded"` // chunks that have a vector
}

func (Search) word()         {}
func (Found) word()          {}
func (Ingest) word()         {}
func (Prune) word()          {}
func (SyncIndex) word()      {}
func (Ingested) word()       {}
func (GetIndexStatus) word() {}
func (IndexStatus) word()    {}
