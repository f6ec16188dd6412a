package local

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"

	"kurogo/messages"
)

// pathBytes is what a socket's address holds on the narrowest system (darwin:
// 104, and a NUL behind it).
const pathBytes = 103

// Listen opens the socket at path, mode 0600 in a directory of mode 0700, which
// it makes where it is missing. A socket file that is already there is taken
// for the one of an owner that fell: the caller must hold the lock of the state
// directory (Lock), until after the listener is closed.
//
// Errors: invalid when the path is too long, denied when others may enter the
// directory, conflict when something that is no socket lies in the way.
func Listen(path string) (net.Listener, error) {
	if err := fits(path); err != nil {
		return nil, err
	}
	if err := room(filepath.Dir(path)); err != nil {
		return nil, err
	}
	if err := removeStale(path); err != nil {
		return nil, err
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, fmt.Errorf("listen %s: %w", path, err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(fmt.Errorf("listen %s: %w", path, err), l.Close())
	}
	return l, nil
}

func fits(path string) error {
	if len(path) <= pathBytes {
		return nil
	}
	return messages.Invalid("socket", "%s has %d bytes, and a socket's path holds %d", path, len(path), pathBytes).
		Try("set XDG_STATE_HOME to a shorter directory")
}

// room makes the directory. One that others may enter is never narrowed here:
// it may be theirs.
func room(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make %s: %w", dir, err)
	}
	info, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("look at %s: %w", dir, err)
	}
	if mode := info.Mode().Perm(); mode&0o077 != 0 {
		return messages.Errorf(messages.CodeDenied, "others may enter %s (mode %04o)", dir, mode).Try("chmod 700 " + dir)
	}
	return nil
}

func removeStale(path string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("look at %s: %w", path, err)
	case info.Mode().Type() != fs.ModeSocket:
		return messages.Errorf(messages.CodeConflict, "%s is no socket", path).Try("move it away")
	}
	if err := os.Remove(path); err != nil {
		return fmt.Errorf("remove %s: %w", path, err)
	}
	return nil
}
