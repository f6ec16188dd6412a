package files

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kurogo/messages"
)

// An Attic is the Past in a directory: a folder for each task, in it two files for
// each path. It belongs below the state directory, never into the workspace.
type Attic struct{ dir string }

// OpenAttic opens the attic in dir, and makes it.
func OpenAttic(dir string) (*Attic, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, messages.Errorf(messages.CodeUnavailable, "make attic: %v", err).Try("make the state directory writable")
	}
	return &Attic{dir}, nil
}

// What is in a task's folder.
const (
	taskFile = "task"
	keptFile = ".kept"
	leftFile = ".left"
)

// A label is the first line of what is kept.
type label struct {
	Path    string      `json:"path"`
	Existed bool        `json:"existed"`
	Mode    fs.FileMode `json:"mode"`
	Sum     string      `json:"sum"` // of what follows
}

func (a *Attic) folder(task string) string { return filepath.Join(a.dir, hash([]byte(task))[:32]) }

func (a *Attic) file(task, path, suffix string) string {
	return filepath.Join(a.folder(task), hash([]byte(path))[:32]+suffix)
}

// Keep implements Past.
func (a *Attic) Keep(_ context.Context, task, path string, before []byte, existed bool, mode fs.FileMode) error {
	file := a.file(task, path, keptFile)
	if _, err := os.Lstat(file); err == nil {
		return nil
	}
	if _, err := os.Lstat(filepath.Join(a.folder(task), taskFile)); err != nil {
		if err := os.MkdirAll(a.folder(task), 0o700); err != nil {
			return err
		}
		if err := set(filepath.Join(a.folder(task), taskFile), []byte(task)); err != nil {
			return err
		}
		if err := syncDir(a.dir); err != nil {
			return err
		}
	}
	head, err := json.Marshal(label{path, existed, mode.Perm(), hash(before)})
	if err != nil {
		return err
	}
	return set(file, slices.Concat(head, []byte("\n"), before))
}

// Left implements Past. It is not synced: what is lost by it is that Undo asks.
func (a *Attic) Left(_ context.Context, task, path, left string) error {
	return os.WriteFile(a.file(task, path, leftFile), []byte(left+"\n"), 0o600)
}

// Kept implements Past.
func (a *Attic) Kept(_ context.Context, task string) (out []messages.Keepsake, err error) {
	names, err := os.ReadDir(a.folder(task))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for _, n := range names {
		if !strings.HasSuffix(n.Name(), keptFile) {
			continue
		}
		k, err := a.read(filepath.Join(a.folder(task), n.Name()))
		if err != nil {
			return nil, err
		}
		out = append(out, k)
	}
	slices.SortFunc(out, func(a, b messages.Keepsake) int { return strings.Compare(a.Path, b.Path) })
	return out, nil
}

func (a *Attic) read(file string) (k messages.Keepsake, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return k, err
	}
	head, before, _ := bytes.Cut(text, []byte("\n"))
	var l label
	if err := json.Unmarshal(head, &l); err != nil || hash(before) != l.Sum {
		return k, fmt.Errorf("read %s: what was kept is damaged", filepath.Base(file))
	}
	left, err := os.ReadFile(strings.TrimSuffix(file, keptFile) + leftFile)
	k = messages.Keepsake{Path: l.Path, Existed: l.Existed, Before: before, Mode: l.Mode, Left: unknown}
	if hex, whole := bytes.CutSuffix(left, []byte("\n")); err == nil && whole {
		k.Left = string(hex)
	}
	return k, nil
}

// Forget implements Past. The task's name goes first: what is left of a folder
// without one is nobody's.
func (a *Attic) Forget(_ context.Context, task string) error {
	err := os.Remove(filepath.Join(a.folder(task), taskFile))
	if err == nil {
		err = syncDir(a.folder(task)) // a patch that is done must not be brought back after a power cut
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return errors.Join(err, os.RemoveAll(a.folder(task)))
}

// Tasks implements Past.
func (a *Attic) Tasks(context.Context) (out []string, err error) {
	folders, err := os.ReadDir(a.dir)
	if err != nil {
		return nil, err
	}
	for _, f := range folders {
		task, err := os.ReadFile(filepath.Join(a.dir, f.Name(), taskFile))
		if err == nil {
			out = append(out, string(task))
		}
	}
	slices.Sort(out)
	return out, nil
}

// set writes a whole file under its name, or nothing.
func set(file string, text []byte) error {
	temp := file + "." + messages.Hex(8)
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(temp, file)
	}
	if err != nil {
		_ = os.Remove(temp) // it is in nobody's way
		return err
	}
	return syncDir(filepath.Dir(file))
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
