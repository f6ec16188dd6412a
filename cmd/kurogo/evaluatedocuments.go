package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"kurogo/evaluate"
	"kurogo/messages"
)

// documents are the files of a project that can be judged. Nothing that a path
// says leads out of the project.
type documents struct {
	project string
	limit   int      // bytes
	kept    []string // names that nobody writes
}

// check refuses what cannot be judged.
func (d documents) check(content []byte) error {
	if len(content) > d.limit {
		return d.tooLarge(len(content))
	}
	return evaluate.CheckDocument(content, 0)
}

func (d documents) tooLarge(size int) *messages.Error {
	return messages.TooLarge("", evaluate.LimitName, size, d.limit).Try("shorten it, or raise evaluation." + evaluate.LimitName)
}

// read returns a document. Errors: denied, not_found, invalid.
func (d documents) read(dir, path string) ([]byte, error) {
	root, name, err := d.open(dir, path)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	f, info, err := opened(root, name, path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info.Size() > int64(d.limit) {
		return nil, d.tooLarge(int(info.Size()))
	}
	content, err := io.ReadAll(io.LimitReader(f, int64(d.limit)+1))
	if err != nil {
		return nil, fmt.Errorf("read document: %w", err)
	}
	return content, nil
}

// open opens the directory that a document must be below, and names the document
// there: in the project the whole of it, elsewhere where the caller works.
func (d documents) open(dir, path string) (root *os.Root, name string, err error) {
	top := dir
	if _, ok := below(d.project, dir); ok {
		top = d.project
	}
	whole := path
	if !filepath.IsAbs(path) {
		whole = filepath.Join(dir, path)
	}
	name, ok := below(top, whole)
	if !ok { // it may have been named by way of a link
		if real, err := filepath.EvalSymlinks(filepath.Dir(whole)); err == nil {
			name, ok = below(top, filepath.Join(real, filepath.Base(whole)))
		}
	}
	if !ok {
		return nil, "", outsideOf(path, top)
	}
	if root, err = os.OpenRoot(top); err != nil {
		return nil, "", fmt.Errorf("open project: %w", err)
	}
	return root, name, nil
}

// below names path as it is seen from top, if it is there.
func below(top, path string) (string, bool) {
	rel, err := filepath.Rel(top, path)
	return rel, err == nil && filepath.IsLocal(rel)
}

func outsideOf(path, top string) *messages.Error {
	return messages.Errorf(messages.CodeDenied, "%s is outside of the project %s", path, top).Try("name a document of the project, or send its text as content")
}

// opened opens a document of a root for reading. What is no plain file is none: a
// pipe would keep us waiting.
func opened(root *os.Root, name, path string) (*os.File, os.FileInfo, error) {
	f, err := root.OpenFile(name, os.O_RDONLY|unix.O_NONBLOCK, 0)
	switch {
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ENOTDIR):
		return nil, nil, messages.Errorf(messages.CodeNotFound, "there is no document %s", path).Try("see the path: it counts from where you work")
	case errors.Is(err, fs.ErrPermission):
		return nil, nil, messages.Errorf(messages.CodeDenied, "%s may not be read", path).Try("make it readable")
	case err != nil: // most likely a link that leads out
		return nil, nil, outsideOf(path, root.Name())
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = messages.Invalid("", "%s is no plain file", path).Try("name a document")
	}
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return f, info, nil
}

// writable refuses what nobody may write, whatever it would be replaced with.
func (d documents) writable(dir, path string) error {
	root, name, err := d.target(dir, path)
	if err != nil {
		return err
	}
	defer root.Close()
	for part := range strings.SplitSeq(filepath.ToSlash(name), "/") {
		if slices.Contains(d.kept, part) {
			return messages.Errorf(messages.CodeDenied, "%s is kept as it is: %s is among workspace.kept", path, part).Try("have it improved without writing it")
		}
	}
	return nil
}

// target is open with links resolved: what is replaced is the file, not the link.
func (d documents) target(dir, path string) (root *os.Root, name string, err error) {
	if root, name, err = d.open(dir, path); err != nil {
		return nil, "", err
	}
	if real, err := filepath.EvalSymlinks(filepath.Join(root.Name(), name)); err == nil {
		if real, ok := below(root.Name(), real); ok {
			return root, real, nil
		}
		return nil, "", errors.Join(outsideOf(path, root.Name()), root.Close())
	}
	return root, name, nil
}

// replace writes a document over what it was, all of it or nothing. Errors:
// conflict when it is not what it was any more; that it is the new one already
// means that we have written it in a former life.
func (d documents) replace(dir, path, before, after string) (err error) {
	if err := d.writable(dir, path); err != nil {
		return err
	}
	root, name, err := d.target(dir, path)
	if err != nil {
		return err
	}
	defer root.Close()
	sum := sha256.Sum256([]byte(after))
	fresh := filepath.Join(filepath.Dir(name), "."+filepath.Base(name)+"."+hex.EncodeToString(sum[:6])+".kurogo") // a former life's is written over
	defer func() {
		if gone := root.Remove(fresh); gone != nil && !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	}()
	mode, done, err := unchanged(root, name, path, before, after)
	if err != nil || done {
		return err
	}
	if err := write(root, fresh, after, mode); err != nil {
		return err
	}
	if _, _, err := unchanged(root, name, path, before, after); err != nil { // writing takes time
		return err
	}
	if err := root.Rename(fresh, name); err != nil {
		return fmt.Errorf("replace document: %w", err)
	}
	return settle(root, filepath.Dir(name))
}

// unchanged reports whether a document is what it is to become; an error says that
// it is neither that nor what it was.
func unchanged(root *os.Root, name, path, before, after string) (mode os.FileMode, done bool, err error) {
	f, info, err := opened(root, name, path)
	if err != nil {
		return 0, false, err
	}
	defer f.Close()
	now, err := io.ReadAll(io.LimitReader(f, int64(max(len(before), len(after)))+1))
	if err != nil {
		return 0, false, fmt.Errorf("read document: %w", err)
	}
	if string(now) == after {
		return 0, true, nil
	}
	if string(now) != before {
		return 0, false, messages.Errorf(messages.CodeConflict, "%s was changed meanwhile", path).Try("evaluate it as it is now")
	}
	return info.Mode().Perm(), false, nil
}

func write(root *os.Root, name, text string, mode os.FileMode) error {
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return fmt.Errorf("write document: %w", err)
	}
	_, err = io.WriteString(f, text)
	for _, then := range []func() error{func() error { return f.Chmod(mode) }, f.Sync, f.Close} {
		err = errors.Join(err, then())
	}
	if err != nil {
		return fmt.Errorf("write document: %w", err)
	}
	return nil
}

// settle makes a rename last.
func settle(root *os.Root, dir string) error {
	d, err := root.Open(dir)
	if err != nil {
		return fmt.Errorf("settle document: %w", err)
	}
	err = d.Sync()
	return errors.Join(err, d.Close())
}
