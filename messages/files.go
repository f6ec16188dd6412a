package messages

import "io/fs"

// A Provenance is on whose behalf something is asked of the file gateway. The edge
// fills it in; a client chooses none of it but the trace.
type Provenance struct {
	Task  string `json:"task,omitempty"`     // undo and quotas count by it; an agent's is the agent
	Trace string `json:"trace_id,omitempty"` // a UUID; "" = one is made
	By    Caller `json:"by"`
}

// ListFiles asks what is in a directory of the workspace. MaxItems 0 means 1,000.
type ListFiles struct {
	Path       string   `json:"path"`
	Extensions []string `json:"extensions,omitempty"` // of files; directories are always listed
	MaxItems   int      `json:"max_items,omitempty"`
	Provenance
}

// A FileList answers ListFiles, by name.
type FileList struct {
	Files     []FileEntry `json:"files"`
	Truncated bool        `json:"truncated,omitempty"` // there is more
}

// A FileEntry is a name in a directory. Only a regular file has a size.
type FileEntry struct {
	Name  string `json:"name"`
	IsDir bool   `json:"is_dir"`
	Size  *int64 `json:"size,omitempty"`
}

// ReadFile asks for a whole file.
type ReadFile struct {
	Path string `json:"path"`
	Provenance
}

// FileContent answers ReadFile.
type FileContent struct {
	Content string `json:"content"`
}

// A WriteMode says what WriteFile does where there is a file already.
type WriteMode string

// The write modes. Create refuses what exists; the others make what does not.
const (
	WriteCreate    WriteMode = "create"
	WriteOverwrite WriteMode = "overwrite"
	WriteAppend    WriteMode = "append"
)

// WriteFile asks to write a file. Directories on the way are made.
type WriteFile struct {
	Path    string    `json:"path"`
	Content string    `json:"content"`
	Mode    WriteMode `json:"mode"`
	Provenance
}

// FileWritten answers WriteFile, and DeleteFile.
type FileWritten struct {
	Status string `json:"status"` // ok
	Path   string `json:"path"`
}

// StatFile asks what a path is.
type StatFile struct {
	Path string `json:"path"`
	Provenance
}

// FileStat answers StatFile.
type FileStat struct {
	Path       string   `json:"path"`
	Kind       FileKind `json:"kind"`
	Size       int64    `json:"size"`        // of a file
	ModifiedAt string   `json:"modified_at"` // RFC 3339
	Readable   bool     `json:"readable"`    // read_file takes it, if it is UTF-8
	Writable   bool     `json:"writable"`    // write_file takes it
}

// A FileKind is what a path leads to.
type FileKind string

// The kinds of files. What is neither file nor directory cannot be touched.
const (
	KindFile      FileKind = "file"
	KindDirectory FileKind = "directory"
	KindLink      FileKind = "link"
	KindOther     FileKind = "other"
)

// SearchText asks for the lines below a path that hold a text, or match a
// regular expression (RE2). MaxItems 0 means 100.
type SearchText struct {
	Path       string   `json:"path,omitempty"` // "" = the root
	Pattern    string   `json:"pattern"`
	Regexp     bool     `json:"regexp,omitempty"`
	IgnoreCase bool     `json:"ignore_case,omitempty"`
	Extensions []string `json:"extensions,omitempty"`
	MaxItems   int      `json:"max_items,omitempty"`
	Provenance
}

// TextFound answers SearchText, by path and line.
type TextFound struct {
	Matches   []TextMatch `json:"matches"`
	Files     int         `json:"files"`               // that were read
	Truncated bool        `json:"truncated,omitempty"` // there may be more
}

// A TextMatch is one line; lines count from 1.
type TextMatch struct {
	Path string `json:"path"`
	Line int    `json:"line"`
	Text string `json:"text"` // cut where it is long
}

// ApplyPatch asks to apply a unified diff, of one file or several: all of it or
// nothing.
type ApplyPatch struct {
	Patch string `json:"patch"`
	Provenance
}

// FilesChanged answers ApplyPatch, in the order of the patch, and UndoTask.
type FilesChanged struct {
	Files []FileOutcome `json:"files"`
}

// A FileOutcome is what became of one file. Hashes are SHA-256 in hexadecimal; ""
// stands for no file.
type FileOutcome struct {
	Path   string     `json:"path"`
	Action FileAction `json:"action"`
	Size   int64      `json:"size"` // afterwards
	Before string     `json:"before,omitempty"`
	After  string     `json:"after,omitempty"`
}

// A FileAction is what was done to a file.
type FileAction string

// The file actions.
const (
	MadeFile    FileAction = "created"
	ChangedFile FileAction = "modified"
	RemovedFile FileAction = "deleted"
	KeptFile    FileAction = "unchanged" // it was as it should be
)

// DeleteFile asks to delete a file. Refusals: denied, unless the gateway was told
// to allow it.
type DeleteFile struct {
	Path string `json:"path"`
	Provenance
}

// UndoTask asks to restore the files that a task has changed. Refusals: not_found
// when it has changed none; conflict, naming them, when somebody has changed them
// since, unless Force.
type UndoTask struct {
	Force bool `json:"force,omitempty"`
	Provenance
}

// A Keepsake is a file as it was before a task changed it for the first time.
type Keepsake struct {
	Path    string
	Existed bool
	Before  []byte
	Mode    fs.FileMode
	Left    string // SHA-256 of what the task made of it last; "" = no file
}

// The fields of refusals that have statuses of their own in the document.
const (
	FieldMaxBytes = "max_bytes"
	FieldEncoding = "encoding"
)

// FileHTTP is the status of a refusal of the gateway: the document tells apart
// what is one code to us.
func FileHTTP(e *Error) int {
	switch {
	case e.Code == CodeInvalid && e.Field == FieldMaxBytes:
		return 413
	case e.Code == CodeInvalid && e.Field == FieldEncoding:
		return 415
	}
	return e.Code.HTTP()
}

func (ListFiles) word()    {}
func (FileList) word()     {}
func (ReadFile) word()     {}
func (FileContent) word()  {}
func (WriteFile) word()    {}
func (FileWritten) word()  {}
func (StatFile) word()     {}
func (FileStat) word()     {}
func (SearchText) word()   {}
func (TextFound) word()    {}
func (ApplyPatch) word()   {}
func (FilesChanged) word() {}
func (DeleteFile) word()   {}
func (UndoTask) word()     {}
