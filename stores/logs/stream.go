package logs

import (
	"bytes"
	"errors"
	"io"
	"os"

	"github.com/klauspost/compress/zstd"
)

// A stream is one of an agent's voices.
type stream struct {
	shelf    *shelf
	name     string
	segments []segment // in their order
	file     *os.File  // of the last, while it grows
	dropped  int64     // bytes, as the mark at the end says; 0 = there is none
}

func (st *stream) last() *segment {
	if len(st.segments) == 0 {
		return &segment{packed: true} // of no bytes
	}
	return &st.segments[len(st.segments)-1]
}

func (st *stream) size() int64 { return st.last().end() }

func (st *stream) path(g segment) string { return st.shelf.path(g.name(st.name)) }

// found takes a segment that is on the disk. One that is there both plain and
// packed was left so by a fall: packed it is whole.
func (st *stream) found(g segment) error {
	if len(st.segments) > 0 && g.packed && st.last().first == g.first {
		plain := *st.last()
		*st.last() = g
		return st.shelf.logs.root.Remove(st.path(plain))
	}
	st.segments = append(st.segments, g)
	return nil
}

// measure finds out how long the segments are, and whether the stream is full.
func (st *stream) measure() error {
	for i := range st.segments {
		g := &st.segments[i]
		if i+1 < len(st.segments) && g.packed {
			g.size = st.segments[i+1].first - g.first
			continue
		}
		f, err := st.shelf.logs.root.Open(st.path(*g))
		if err != nil {
			return err
		}
		err = st.look(f, g, i+1 == len(st.segments))
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	return nil
}

func (st *stream) look(f *os.File, g *segment, last bool) error {
	if g.packed {
		head := make([]byte, zstd.HeaderMaxSize)
		n, err := f.ReadAt(head, 0)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		g.size, err = unpackedSize(head[:n])
		return err
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	g.size = info.Size()
	if last {
		st.dropped, err = marked(f, g.size)
	}
	return err
}

// write adds data in segments of at most size bytes. A segment that cannot be
// packed now stays plain until the log is closed.
func (st *stream) write(data []byte, size int64) error {
	for len(data) > 0 {
		if g := st.last(); !g.packed && g.size >= size {
			_ = st.pack()
		}
		if err := st.grow(size); err != nil {
			return err
		}
		g := st.last()
		n, err := st.file.WriteAt(data[:min(int64(len(data)), size-g.size)], g.size)
		g.size += int64(n)
		data = data[n:]
		if err != nil {
			return err
		}
	}
	return nil
}

// grow makes sure that there is a last segment with room.
func (st *stream) grow(size int64) error {
	if g := st.last(); !g.packed && g.size < size {
		return st.reopen()
	}
	if err := st.shut(); err != nil {
		return err
	}
	g := segment{first: st.size()}
	f, err := st.shelf.logs.root.OpenFile(st.path(g), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	st.segments, st.file = append(st.segments, g), f
	return nil
}

// reopen makes sure that the file of the last segment is open.
func (st *stream) reopen() (err error) {
	if st.file == nil {
		st.file, err = st.shelf.logs.root.OpenFile(st.path(*st.last()), os.O_RDWR, 0o600)
	}
	return err
}

func (st *stream) shut() error {
	if st.file == nil {
		return nil
	}
	err := st.file.Close()
	st.file = nil
	return err
}

// pack compresses what is plain. What cannot be stays as it is.
func (st *stream) pack() error {
	errs := []error{st.shut()}
	kept := st.segments[:0]
	for _, g := range st.segments {
		to := g
		to.packed = true
		switch {
		case g.packed:
		case g.size == 0:
			errs = append(errs, st.shelf.logs.root.Remove(st.path(g)))
			continue
		default:
			err := st.shelf.logs.pack(st.path(g), st.path(to), g.size)
			g.packed = err == nil
			errs = append(errs, err)
		}
		kept = append(kept, g)
	}
	st.segments, st.dropped = kept, 0
	return errors.Join(errs...)
}

// read gives at most limit bytes from offset on, and where to go on. A hole,
// which only a disk that lost power can have, is passed over.
func (st *stream) read(offset, limit int64) ([]byte, int64, error) {
	for _, g := range st.segments {
		if offset >= g.end() {
			continue
		}
		offset = max(offset, g.first)
		n := min(limit, g.end()-offset)
		data, err := st.piece(g, offset-g.first, n)
		return data, offset + int64(len(data)), err
	}
	return nil, offset, nil
}

func (st *stream) piece(g segment, from, n int64) ([]byte, error) {
	if g.packed {
		text, err := st.shelf.logs.unpack(st.path(g))
		if err != nil {
			return nil, err
		}
		if from+n > int64(len(text)) {
			return nil, errors.New("the segment " + st.path(g) + " has lost its end")
		}
		return bytes.Clone(text[from : from+n]), nil
	}
	f, err := st.shelf.logs.root.Open(st.path(g))
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	data := make([]byte, n)
	if _, err := f.ReadAt(data, from); err != nil {
		return nil, err
	}
	return data, nil
}
