package logs

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"sync"

	"github.com/klauspost/compress/zstd"

	"kurogo/messages"
)

// Options bounds the logs. Zero values mean the defaults.
type Options struct {
	Segment int64 // bytes at which a segment is closed; 4 MiB
	Most    int64 // bytes of one agent, over all its streams; 256 MiB
}

// Logs is a directory of logs. Its methods may be called from anywhere; those
// for one agent wait for each other.
type Logs struct {
	options Options
	root    *os.Root // nothing outside of it is ever touched
	encoder *zstd.Encoder
	decoder *zstd.Decoder
	last    unpacked

	mu      sync.Mutex
	shelves map[messages.AgentID]*shelf // in use, or with a file that is open
}

// Open opens the logs below dir and makes it where it is missing.
func Open(dir string, o Options) (*Logs, error) {
	if o.Segment <= 0 {
		o.Segment = 4 << 20
	}
	if o.Most <= 0 {
		o.Most = 256 << 20
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("open logs: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open logs: %w", err)
	}
	// A single segment, in the words of zstd, begins with its length.
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<20), zstd.WithSingleSegment(true))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open logs: %w", err), root.Close())
	}
	// A segment of another program's making is no reason to fill the memory.
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(uint64(max(2*o.Segment, 64<<20))))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open logs: %w", err), root.Close())
	}
	return &Logs{options: o, root: root, encoder: encoder, decoder: decoder, shelves: map[messages.AgentID]*shelf{}}, nil
}

// Append adds what an agent said. Beyond the bound of its log it is counted and
// dropped, which is no error.
func (l *Logs) Append(agent messages.AgentID, stream string, data []byte) error {
	if !streamForm.MatchString(stream) {
		return badStream(stream)
	}
	if len(data) == 0 {
		return nil
	}
	return l.with("append log", agent, func(s *shelf) error { return s.append(stream, data) })
}

// Close ends an agent's log: nothing more will be said. An Append after it begins
// anew behind what is there.
func (l *Logs) Close(agent messages.AgentID) error {
	return l.with("close log", agent, (*shelf).close)
}

// Remove deletes an agent's log.
func (l *Logs) Remove(agent messages.AgentID) error {
	return l.with("remove log", agent, (*shelf).remove)
}

// Pieces of a stream, in bytes, when no limit is given and at most.
const (
	usual = 64 << 10
	most  = 1 << 20
)

// Read gives what an agent said from offset on: at most limit bytes, and fewer at
// the end of a segment. It has ended at the end of a log that is closed. An agent
// that has said nothing has an empty log, which never ends: who knows the agent
// knows better. Refusals: invalid.
func (l *Logs) Read(agent messages.AgentID, stream string, offset int64, limit int) (chunk messages.StreamChunk, err error) {
	if stream == "" {
		stream = "stdout"
	}
	switch {
	case !streamForm.MatchString(stream):
		return chunk, badStream(stream)
	case limit < 0:
		return chunk, messages.Invalid("limit", "%d bytes cannot be read", limit).Try("leave it out for 64 KiB")
	case limit == 0:
		limit = usual
	}
	err = l.with("read log", agent, func(s *shelf) error {
		chunk, err = s.read(stream, offset, int64(min(limit, most)))
		return err
	})
	return chunk, err
}

// Shut closes every file, as it is, and then the logs.
func (l *Logs) Shut() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	var errs []error
	for _, s := range l.shelves {
		s.mu.Lock()
		errs = append(errs, s.leave())
		s.mu.Unlock()
	}
	l.decoder.Close()
	return errors.Join(append(errs, l.encoder.Close(), l.root.Close())...)
}

// Names that are safe as names of files.
var (
	agentForm  = regexp.MustCompile(`\A[a-z0-9][a-z0-9_-]{0,127}\z`)
	streamForm = regexp.MustCompile(`\A[a-z][a-z0-9]{0,15}\z`)
)

func badStream(name string) error {
	return messages.Invalid("stream", "%q is no stream", name).Try(`write "stdout" or "stderr"`)
}

// with lets do work on the agent's shelf, alone.
func (l *Logs) with(verb string, agent messages.AgentID, do func(*shelf) error) error {
	if !agentForm.MatchString(string(agent)) {
		return messages.Invalid("agentId", "%q is no agent's id", string(agent)).Try("take one from list_agents")
	}
	l.mu.Lock()
	s := l.shelves[agent]
	if s == nil {
		s = &shelf{logs: l, dir: string(agent)}
		l.shelves[agent] = s
	}
	s.users++
	l.mu.Unlock()

	s.mu.Lock()
	err := do(s)
	s.mu.Unlock()

	l.mu.Lock()
	defer l.mu.Unlock()
	if s.users--; s.users == 0 && !s.open {
		delete(l.shelves, agent) // what is on the disk tells it all
	}
	if err != nil {
		return fmt.Errorf("%s: %w", verb, err)
	}
	return nil
}
