package files

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"syscall"

	"kurogo/messages"
)

// A place is where a file is to be changed: its directory, held open, and what
// stood under its name when it was looked at.
type place struct {
	w      *Workspace
	name   string // as the client says it
	rel    string
	at     *os.Root
	base   string
	made   []string    // directories that were not there
	seen   os.FileInfo // nil: nothing stood there
	before []byte
}

// place opens the place of a path and reads what stands there. Whoever has no
// use for it any more closes it.
func (w *Workspace) place(name, rel string, mkdir bool) (p *place, err error) {
	p = &place{w: w, name: name, rel: rel, base: path.Base(rel)}
	if p.at, p.made, err = w.pin(name, path.Dir(rel), mkdir); err == nil {
		err = p.look()
	}
	if err != nil {
		p.close()
		p.clearWay()
		return nil, err
	}
	return p, nil
}

func (p *place) close() {
	if p.at != nil {
		p.at.Close()
	}
}

// clearWay removes the directories that were made for a file that has not come,
// where nothing else is in them.
func (p *place) clearWay() {
	for _, dir := range slices.Backward(p.made) {
		_ = p.w.root.Remove(dir) // one that is in use stays
	}
}

func (p *place) look() error {
	info, err := p.at.Lstat(p.base)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return explain(p.name, err)
	}
	if links(info) > 1 && info.Mode().IsRegular() {
		sweep(p.at, info)
	}
	f, info, err := p.w.openAt(p.at, p.name, p.base, info)
	if err != nil {
		return err
	}
	defer f.Close()
	p.seen = info
	p.before, err = p.w.content(p.name, f, info)
	return err
}

// hash is that of what stood there, "" for nothing.
func (p *place) hash() string {
	if p.seen == nil {
		return ""
	}
	return hash(p.before)
}

func (p *place) mode() fs.FileMode {
	if p.seen == nil {
		return 0o644
	}
	return p.seen.Mode().Perm()
}

// stage writes content beside the place and syncs it. The name is of our own, and
// fresh: O_EXCL follows no link.
func (p *place) stage(content []byte, mode fs.FileMode) (temp string, err error) {
	temp = own + messages.Hex(16)
	f, err := p.at.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", explain(p.name, err)
	}
	if _, err = f.Write(content); err == nil {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		_ = p.at.Remove(temp) // it is hidden, and harmless
		return "", explain(p.name, err)
	}
	return temp, nil
}

// land gives what was staged its name, if nothing has changed there since place
// looked. Where nothing stood, the name is taken only if it is still free.
func (p *place) land(temp string) error {
	if p.seen == nil {
		err := p.at.Link(temp, p.base)
		if !errors.Is(err, syscall.EPERM) && !errors.Is(err, errors.ErrUnsupported) {
			_ = p.at.Remove(temp) // whoever reads the file has perhaps removed it: see sweep
			if errors.Is(err, fs.ErrExist) {
				return changed(p.name)
			}
			return explain(p.name, err)
		} // a file system without hard links
	}
	err := p.same()
	if err == nil {
		err = explain(p.name, p.at.Rename(temp, p.base))
	}
	if err != nil {
		_ = p.at.Remove(temp) // it is hidden, and harmless
	}
	return err
}

// same sees that what stands there is what place has read.
func (p *place) same() error {
	now, err := p.at.Lstat(p.base)
	switch {
	case errors.Is(err, fs.ErrNotExist) && p.seen == nil:
		return nil
	case err != nil || p.seen == nil:
		return changed(p.name)
	case !os.SameFile(now, p.seen) || now.Size() != p.seen.Size() || !now.ModTime().Equal(p.seen.ModTime()):
		return changed(p.name)
	}
	return nil
}

// settle makes the name durable.
func (p *place) settle() error {
	d, err := p.at.Open(".")
	if err != nil {
		return explain(p.name, err)
	}
	defer d.Close()
	return explain(p.name, d.Sync())
}

// clear removes what stands there.
func (p *place) clear() error {
	if err := p.same(); err != nil {
		return err
	}
	return explain(p.name, p.at.Remove(p.base))
}
