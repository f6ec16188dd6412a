package local

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"syscall"

	"kurogo/messages"
)

// Lock takes the lock file at path without waiting and writes our pid into it.
// The lock falls with the process, however it ends; the file stays, because
// removing it would let two hold it at once. Errors: conflict, naming the pid
// that holds it.
func Lock(path string) (release func(), err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	switch err := flock(f); {
	case errors.Is(err, syscall.EWOULDBLOCK):
		defer f.Close()
		return nil, messages.Errorf(messages.CodeConflict, "%s holds %s", holder(f), path).
			Try("use that one, or stop it: kurogo stop")
	case err != nil:
		return nil, errors.Join(fmt.Errorf("lock %s: %w", path, err), f.Close())
	}
	if err := sign(f); err != nil {
		return nil, errors.Join(fmt.Errorf("lock %s: %w", path, err), f.Close())
	}
	return func() {
		_ = f.Truncate(0) // a pid that is left behind misleads, but locks nobody out
		_ = f.Close()
	}, nil
}

func flock(f *os.File) error {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}

func sign(f *os.File) error {
	if err := f.Truncate(0); err != nil {
		return err
	}
	_, err := f.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
	return err
}

// holder names who wrote the file. Between lock and signature it is empty.
func holder(f *os.File) string {
	b, _ := io.ReadAll(io.LimitReader(f, 32)) // unreadable is as good as empty
	if pid, err := strconv.Atoi(string(bytes.TrimSpace(b))); err == nil {
		return fmt.Sprintf("another kurogo (pid %d)", pid)
	}
	return "another kurogo"
}
