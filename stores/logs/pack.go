package logs

import (
	"errors"
	"fmt"
	"os"
	"sync"
)

// unpacked is the segment that was decompressed last: who reads one reads it in
// pieces.
type unpacked struct {
	mu   sync.Mutex
	file string
	data []byte
}

func (u *unpacked) forget() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.file, u.data = "", nil
}

// unpack is the text of a packed segment. It must not be changed.
func (l *Logs) unpack(file string) ([]byte, error) {
	l.last.mu.Lock()
	defer l.last.mu.Unlock()
	if l.last.file == file {
		return l.last.data, nil
	}
	b, err := l.root.ReadFile(file)
	if err != nil {
		return nil, err
	}
	data, err := l.decoder.DecodeAll(b, nil)
	if err != nil {
		return nil, fmt.Errorf("unpack %s: %w", file, err)
	}
	l.last.file, l.last.data = file, data
	return data, nil
}

// pack replaces a plain segment by a compressed one; at any moment one of the
// two is there whole.
func (l *Logs) pack(from, to string, size int64) error {
	text, err := l.root.ReadFile(from)
	if err != nil {
		return err
	}
	if int64(len(text)) < size {
		return fmt.Errorf("pack %s: it has lost its end", from)
	}
	f, err := l.root.OpenFile(to+temporary, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(l.encoder.EncodeAll(text[:size], nil))
	if err == nil {
		err = f.Sync()
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, l.root.Remove(to+temporary))
	}
	if err := l.root.Rename(to+temporary, to); err != nil {
		return err
	}
	return l.root.Remove(from)
}
