package index

import (
	"bytes"
	"crypto/sha1" //nolint:gosec // git's own name of a content, no defence
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Why a file is not indexed. The reasons are counted in Status.
const (
	whyBinary    = "binary"
	whyEncoding  = "not_utf8"
	whyLarge     = "too_large"
	whySecret    = "secret"
	whyMade      = "generated"
	whyIrregular = "not_a_file"
	whyUnread    = "unreadable"
	whyName      = "name"
	whyExtension = "extension"
)

// A task is a path to look at.
type task struct {
	path  string
	known string // its content, where git says so; "" = read it
	was   *file  // as it is in the index, nil if it is not
	state state
}

// A sight is what a worker saw of a path.
type sight struct {
	task
	size, mtime int64
	hash        string
	why         string
	gone, same  bool
	stale       bool // it changed under our eyes
	parsed      *parsed
}

// A parsed is a content cut and counted.
type parsed struct {
	text   []byte // without secrets
	veiled int
	chunks []counted
}

type counted struct {
	hash        chunkHash
	symbol      string
	first, last int
	length      int
	terms       []byte // nil: the chunk is known
}

// A reader is one worker.
type reader struct {
	root   *os.Root
	w      *writer
	bag    *bag
	most   int64
	only   []string                    // extensions; empty: all
	name   func(content []byte) string // of a blob
	cutter cutter
	now    func() time.Time
	opened func(path string) // for tests; may be nil
	buf    bytes.Buffer
}

// rereads is how often a file that changes while it is read is begun again.
const rereads = 3

// look finds out what a path holds now.
func (r *reader) look(t task) sight {
	s := sight{task: t}
	if t.known == gone {
		s.gone = true
		return s
	}
	info, err := r.root.Lstat(t.path)
	switch {
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR):
		s.gone = true
		return s
	case err != nil:
		s.why, s.state = whyUnread, racy // it may be readable the next time
		return s
	case info.IsDir():
		s.gone = true // it was a file once
		return s
	}
	s.size, s.mtime = info.Size(), info.ModTime().UnixNano()
	if t.known == "" && t.was != nil && t.was.size == s.size && t.was.mtime == s.mtime && t.was.state != racy {
		s.same = true
		if t.was.blob != nil {
			s.hash = t.was.blob.hash
		}
		s.why = t.was.why
		return s
	}
	if s.why = r.refuse(t.path, info); s.why != "" {
		return s
	}
	if t.known != "" {
		if b := r.w.blobOf(t.known); b != nil {
			s.hash = t.known
			r.doubt(&s)
			return s
		}
	}
	for range rereads {
		if content, whole := r.read(&s); whole {
			r.take(&s, content)
			return s
		} else if s.why != "" || s.gone {
			return s
		}
	}
	s.stale = true
	return s
}

// refuse says why a file is not even opened.
func (r *reader) refuse(name string, info fs.FileInfo) string {
	switch {
	case !info.Mode().IsRegular():
		return whyIrregular
	case secretName(name):
		return whySecret
	case len(r.only) > 0 && !slices.Contains(r.only, strings.ToLower(path.Ext(name))):
		return whyExtension
	case made(name):
		return whyMade
	case info.Size() > r.most:
		return whyLarge
	}
	return ""
}

// read returns the content, and whether the file stood still meanwhile.
func (r *reader) read(s *sight) (content []byte, still bool) {
	f, err := r.root.OpenFile(s.path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // a pipe would wait for somebody to write
	if err != nil {
		if s.gone = errors.Is(err, fs.ErrNotExist); !s.gone {
			s.why, s.state = whyUnread, racy
		}
		return nil, false
	}
	defer f.Close()
	before, err := f.Stat()
	if err != nil || !before.Mode().IsRegular() {
		s.why = whyIrregular
		return nil, false
	}
	if r.opened != nil {
		r.opened(s.path)
	}
	r.buf.Reset()
	r.buf.Grow(int(min(before.Size(), r.most)) + bytes.MinRead)
	if _, err := r.buf.ReadFrom(io.LimitReader(f, r.most+1)); err != nil {
		s.why = whyUnread
		return nil, false
	}
	after, err := f.Stat()
	if err != nil || after.Size() != before.Size() || !after.ModTime().Equal(before.ModTime()) || int64(r.buf.Len()) != after.Size() {
		if int64(r.buf.Len()) > r.most {
			s.why = whyLarge
		}
		return nil, false
	}
	s.size, s.mtime = after.Size(), after.ModTime().UnixNano()
	r.doubt(s)
	return r.buf.Bytes(), true
}

// doubt marks a file that was changed just now.
func (r *reader) doubt(s *sight) {
	if r.now().Sub(time.Unix(0, s.mtime)) < freshness {
		s.state = racy
	}
}

// freshness is within which a second change may leave the time of change as it
// is: clocks of filesystems are coarse.
const freshness = 50 * time.Millisecond

// take names a content and, if it is new, cuts and counts it.
func (r *reader) take(s *sight, content []byte) {
	s.hash = keyOf(r.name(content), s.path)
	if r.w.blobOf(s.hash) != nil {
		return
	}
	switch {
	case bytes.IndexByte(content, 0) >= 0:
		s.why = whyBinary
	case !whole(content):
		s.why = whyEncoding
	case longLines(content):
		s.why = whyMade
	}
	if s.why != "" {
		return
	}
	text, veiled := veil(content)
	if veiled == 0 {
		text = append([]byte{}, content...) // the buffer is the next file's
	}
	s.parsed = r.parse(s.path, text)
	s.parsed.veiled = veiled
}

func (r *reader) parse(name string, text []byte) *parsed {
	pieces := r.cutter.cut(name, text)
	p := &parsed{text: text, chunks: make([]counted, len(pieces))}
	for i := range pieces {
		c := &pieces[i]
		p.chunks[i] = counted{hash: c.hash(), symbol: c.symbol, first: c.first, last: c.last}
		if !r.w.hasChunk(p.chunks[i].hash) {
			p.chunks[i].terms, p.chunks[i].length = r.bag.pack(c.symbol, c.names, c.text)
		}
	}
	return p
}

// longLines reports what a program wrote for programs.
func longLines(content []byte) bool {
	const lineBytes, least = 500, 8 << 10
	return len(content) > least && len(content)/(1+bytes.Count(content, []byte{'\n'})) > lineBytes
}

// keyOf is what a content is kept under: its name, and how files of that name are
// cut. The same bytes as text and as Go are not the same chunks.
func keyOf(hash, name string) string { return hash + string([]byte{byte(styleOf(name))}) }

// namer names contents as the repository does: by SHA-1, or SHA-256 where it was
// made so. The name is kept as bytes.
func namer(idLength int) func([]byte) string {
	fresh := sha1.New
	if idLength == 2*sha256.Size {
		fresh = sha256.New
	}
	return func(content []byte) string {
		return string(nameOf(fresh(), content))
	}
}

func nameOf(h hash.Hash, content []byte) []byte {
	fmt.Fprintf(h, "blob %s\x00", strconv.Itoa(len(content)))
	h.Write(content)
	return h.Sum(nil)
}
