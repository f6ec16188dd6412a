package logs

import (
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"kurogo/messages"
)

// A shelf is the log of one agent.
type shelf struct {
	logs  *Logs
	dir   string
	users int // under logs.mu

	mu      sync.Mutex
	open    bool               // something was appended and nobody has closed it
	streams map[string]*stream // nil until they are looked for
}

func (s *shelf) path(file string) string { return path.Join(s.dir, file) }

// load finds what is on the disk and takes away what a fall left half done.
func (s *shelf) load() error {
	if s.streams != nil {
		return nil
	}
	entries, err := fs.ReadDir(s.logs.root.FS(), s.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	streams := map[string]*stream{}
	for _, e := range entries { // sorted: a plain segment stands before the same one packed
		if strings.HasSuffix(e.Name(), temporary) {
			if err := s.logs.root.Remove(s.path(e.Name())); err != nil {
				return err
			}
		}
		name, segment, ok := parseName(e.Name())
		if !ok {
			continue
		}
		if streams[name] == nil {
			streams[name] = &stream{shelf: s, name: name}
		}
		if err := streams[name].found(segment); err != nil {
			return err
		}
	}
	for _, st := range streams {
		if err := st.measure(); err != nil {
			return err
		}
	}
	s.streams = streams
	return nil
}

func (s *shelf) append(name string, data []byte) error {
	if err := s.load(); err != nil {
		return err
	}
	if err := s.logs.root.Mkdir(s.dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	s.open = true
	st := s.streams[name]
	if st == nil {
		st = &stream{shelf: s, name: name}
		s.streams[name] = st
	}
	var total int64
	for _, other := range s.streams {
		total += other.size()
	}
	room := min(max(0, s.logs.options.Most-total), int64(len(data)))
	if room > 0 {
		st.dropped = 0 // the agent itself said what looks like a mark
	}
	if err := st.write(data[:room], s.logs.options.Segment); err != nil {
		return err
	}
	if rest := int64(len(data)) - room; rest > 0 {
		return st.drop(rest)
	}
	return nil
}

func (s *shelf) close() error {
	if err := s.load(); err != nil {
		return err
	}
	s.open = false
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(s.streams)) {
		errs = append(errs, s.streams[name].pack())
	}
	return errors.Join(errs...)
}

// leave closes the files as they are, and forgets them.
func (s *shelf) leave() error {
	var errs []error
	for _, st := range s.streams {
		errs = append(errs, st.shut())
	}
	s.streams, s.open = nil, false
	return errors.Join(errs...)
}

func (s *shelf) remove() error {
	err := s.leave()
	s.logs.last.forget()
	return errors.Join(err, s.logs.root.RemoveAll(s.dir))
}

func (s *shelf) read(name string, offset, limit int64) (messages.StreamChunk, error) {
	if err := s.load(); err != nil {
		return messages.StreamChunk{}, err
	}
	st := s.streams[name]
	if st == nil {
		st = &stream{shelf: s, name: name}
	}
	size := st.size()
	if offset < 0 || offset > size {
		return messages.StreamChunk{}, messages.Invalid("offset", "%d is not within the %d bytes of %s", offset, size, name).Try("begin at 0, and go on at next")
	}
	data, next, err := st.read(offset, limit)
	return messages.StreamChunk{Data: data, Next: next, Size: size, Ended: next == size && s.ended()}, err
}

// ended reports whether the log is closed: every segment is packed then.
func (s *shelf) ended() bool {
	for _, st := range s.streams {
		if slices.ContainsFunc(st.segments, func(g segment) bool { return !g.packed }) {
			return false
		}
	}
	return !s.open && len(s.streams) > 0
}
