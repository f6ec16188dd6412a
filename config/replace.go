package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"kurogo/messages"
)

// How long an edit waits for another one, and how often it looks.
const (
	lockWait  = 5 * time.Second
	lockPause = 20 * time.Millisecond
)

// realPath is where a file is to be written that may be a link.
func realPath(name string) (string, error) {
	file, err := filepath.Abs(name)
	if err != nil {
		return "", messages.Invalid("path", "%v", err).Try("name it in full")
	}
	real, err := filepath.EvalSymlinks(file)
	if err == nil {
		return real, nil
	}
	if _, missing := os.Lstat(file); errors.Is(missing, fs.ErrNotExist) {
		return file, nil
	}
	return "", messages.Errorf(messages.CodeUnavailable, "follow %s: %v", file, err).Try("point the link at a file that exists")
}

// lockFolder keeps other edits out of the folder of a file. The file itself
// cannot be locked: it is replaced. People who write by hand know no locks; that
// is what the base is for.
func lockFolder(file string, wait time.Duration) (unlock func(), err error) {
	dir, err := os.Open(filepath.Dir(file))
	if err != nil {
		return nil, messages.Errorf(messages.CodeUnavailable, "open folder: %v", err).Try("make the folder readable")
	}
	for deadline := time.Now().Add(wait); ; <-time.After(lockPause) {
		err = syscall.Flock(int(dir.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return func() { _ = dir.Close() }, nil
		}
		if busy := errors.Is(err, syscall.EWOULDBLOCK) || errors.Is(err, syscall.EINTR); !busy || time.Now().After(deadline) {
			_ = dir.Close()
			return nil, messages.Errorf(messages.CodeBusy, "another edit is being written: %v", err).Try("try again")
		}
	}
}

// replaceFile gives a file a new text: the whole one, or none of it. Its mode and
// the links that lead to it stay. before is what the file must still say.
func replaceFile(name, before, after string) error {
	file, err := realPath(name)
	if err != nil {
		return err
	}
	mode := fs.FileMode(0o644)
	info, err := os.Stat(file)
	if err == nil {
		mode = info.Mode().Perm()
		if err := writable(file); err != nil {
			return err
		}
	}
	if now, err := read(file); err == nil && now != before || err != nil && info != nil {
		return changedSince(name)
	}
	if err := putFile(file, after, mode); err != nil {
		return messages.Errorf(messages.CodeUnavailable, "write %s: %v", name, err).Try("make its folder writable, with room for it")
	}
	return nil
}

// writable keeps the word of a file that says that it is not to be written: a
// folder would let us put another in its place.
func writable(file string) error {
	f, err := os.OpenFile(file, os.O_WRONLY, 0)
	if err != nil {
		return messages.Errorf(messages.CodeDenied, "write %s: %v", file, err).Try("make it writable")
	}
	return f.Close()
}

// putFile writes a file beside its place, and then puts it there.
func putFile(file, text string, mode fs.FileMode) error {
	dir := filepath.Dir(file)
	f, err := os.CreateTemp(dir, ".kurogo-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(f.Name()) }() // it is gone after the rename
	_, err = f.WriteString(text)
	if err == nil {
		err = errors.Join(f.Chmod(mode), f.Sync())
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), file); err != nil {
		return err
	}
	return syncFolder(dir)
}

// syncFolder makes a rename outlive a loss of power.
func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("sync folder: %w", err)
	}
	return nil
}
