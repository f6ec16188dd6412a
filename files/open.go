package files

import (
	"errors"
	"io"
	"os"
	"path"
	"strings"
	"syscall"
)

// A FIFO would hold whoever opens it, and a terminal would become ours.
const careful = os.O_RDONLY | syscall.O_NONBLOCK | syscall.O_NOCTTY

// solid behind a name wants a directory there: OpenRoot itself would wait for a
// writer where somebody has put a FIFO.
const solid = "/."

// mostHops bounds links to links.
const mostHops = 8

// open opens a regular file for reading. Links on the way may lead anywhere
// inside; the file at their end must be of an allowed kind by its own name.
func (w *Workspace) open(name, rel string) (*os.File, os.FileInfo, error) {
	for range mostHops {
		f, info, err := w.step(name, rel)
		if err != nil || f != nil {
			return f, info, err
		}
		if rel, err = w.follow(name, rel); err != nil {
			return nil, nil, err
		}
	}
	return nil, nil, explain(name, syscall.ELOOP)
}

// step opens what is no link; for a link there is neither file nor error. The way
// to it is walked once.
func (w *Workspace) step(name, rel string) (*os.File, os.FileInfo, error) {
	at, dir := w.root, path.Dir(rel)
	if dir != "." {
		below, err := w.root.OpenRoot(dir + solid)
		if err != nil {
			return nil, nil, explain(name, err)
		}
		defer below.Close()
		if here, err := below.Stat("."); err != nil || device(here) != w.dev {
			return nil, nil, mounted(name)
		}
		at = below
	}
	base := path.Base(rel)
	info, err := at.Lstat(base)
	if err != nil {
		return nil, nil, explain(name, err)
	}
	if info.Mode()&os.ModeSymlink != 0 {
		return nil, nil, nil
	}
	w.unlink(rel, info)
	return w.openAt(at, name, base, info)
}

// follow is where a link leads.
func (w *Workspace) follow(name, rel string) (string, error) {
	to, err := w.root.Readlink(rel)
	if err != nil {
		return "", explain(name, err)
	}
	if path.IsAbs(to) {
		return "", escapes(name)
	}
	// The directories on the way are real or lead inside; os.Root sees to that.
	if to, err = w.clean(path.Join(path.Dir(rel), to)); err != nil {
		return "", escapes(name)
	}
	return to, w.allowed(name, to)
}

// near refuses a directory of another file system: a mount leads out as surely as
// a link. (A file's own device tells nothing: some layered file systems give each
// its own.)
func (w *Workspace) near(name, dir string) error {
	if dir == "." {
		return nil
	}
	info, err := w.root.Stat(dir)
	if err == nil && device(info) != w.dev {
		return mounted(name)
	}
	return explain(name, err)
}

func mounted(name string) error {
	return denied(name, "is on another file system, which is mounted there", "work on files of the workspace itself")
}

// openAt opens what Lstat has seen, and sees that it was that.
func (w *Workspace) openAt(in *os.Root, name, rel string, seen os.FileInfo) (*os.File, os.FileInfo, error) {
	if err := regular(name, seen); err != nil {
		return nil, nil, err
	}
	f, err := in.OpenFile(rel, careful, 0)
	if err != nil {
		return nil, nil, explain(name, err)
	}
	info, err := f.Stat()
	if err == nil && !os.SameFile(info, seen) {
		err = changed(name)
	}
	if err == nil {
		err = regular(name, info)
	}
	if err == nil && links(info) > 1 {
		err = linked(name)
	}
	if err == nil && info.Size() > w.o.MaxBytes {
		err = w.large(name, info.Size())
	}
	if err != nil {
		f.Close()
		return nil, nil, explain(name, err)
	}
	return f, info, nil
}

func linked(name string) error {
	return denied(name, "has other hard links, which may be outside", "work on a copy of it")
}

func regular(name string, info os.FileInfo) error {
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		return bad(name, "is a directory", "name a file in it; list_files shows them")
	case mode&os.ModeSymlink != 0:
		return denied(name, "is a symbolic link", "name the file that it leads to")
	}
	return denied(name, "is no regular file", "work on regular files only")
}

// content reads a file that open has opened. One that grows meanwhile stays
// bounded.
func (w *Workspace) content(name string, f *os.File, info os.FileInfo) ([]byte, error) {
	buf := make([]byte, info.Size()+1)
	n, err := io.ReadFull(f, buf)
	switch {
	case err == nil:
		return nil, changed(name)
	case !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
		return nil, explain(name, err)
	}
	return buf[:n], nil
}

// pin opens the directory of a file that is to be written, step by step, and
// lets no link be a step: whoever swaps one in is found out. The caller closes
// what it returns. made are the directories that it had to make.
func (w *Workspace) pin(name, dir string, mkdir bool) (at *os.Root, made []string, err error) {
	at, err = w.root.OpenRoot(".")
	if err != nil {
		return nil, nil, explain(name, err)
	}
	if dir == "." {
		return at, nil, nil
	}
	way := ""
	for part := range strings.SplitSeq(dir, "/") {
		way = path.Join(way, part)
		next, fresh, err := w.enter(name, at, part, mkdir)
		at.Close()
		if err != nil {
			return nil, made, err
		}
		if at = next; fresh {
			made = append(made, way)
		}
	}
	return at, made, nil
}

func (w *Workspace) enter(name string, at *os.Root, part string, mkdir bool) (next *os.Root, fresh bool, err error) {
	seen, err := at.Lstat(part)
	if errors.Is(err, os.ErrNotExist) && mkdir {
		if err := at.Mkdir(part, 0o755); err != nil && !errors.Is(err, os.ErrExist) {
			return nil, false, explain(name, err)
		}
		fresh = true
		seen, err = at.Lstat(part)
	}
	switch {
	case err != nil:
		return nil, fresh, explain(name, err)
	case seen.Mode()&os.ModeSymlink != 0:
		return nil, fresh, denied(name, "goes through the symbolic link "+shown(part), "name the directory that it leads to")
	case !seen.IsDir():
		return nil, fresh, explain(name, syscall.ENOTDIR)
	case device(seen) != w.dev:
		return nil, fresh, mounted(name)
	}
	if next, err = at.OpenRoot(part + solid); err != nil {
		return nil, fresh, explain(name, err)
	}
	info, err := next.Stat(".")
	if err == nil && !os.SameFile(info, seen) {
		err = changed(name)
	}
	if err != nil {
		next.Close()
		return nil, fresh, explain(name, err)
	}
	return next, fresh, nil
}

// unlink sweeps the directory of a file that has a second link.
func (w *Workspace) unlink(rel string, info os.FileInfo) {
	if !info.Mode().IsRegular() || links(info) != 2 {
		return
	}
	if at, _, err := w.pin(rel, path.Dir(rel), false); err == nil {
		sweep(at, info)
		at.Close()
	}
}

// sweep removes the temporary file that a new file was made of: for a moment, and
// after a crash for longer, it is that file's second link.
func sweep(at *os.Root, target os.FileInfo) {
	d, err := at.Open(".")
	if err != nil {
		return
	}
	defer d.Close()
	names, _ := d.Readdirnames(mostNames) // what is not read is not swept
	for _, n := range names {
		if info, err := at.Lstat(n); strings.HasPrefix(n, own) && err == nil && os.SameFile(info, target) {
			_ = at.Remove(n) // if it stays, the file is refused
		}
	}
}
