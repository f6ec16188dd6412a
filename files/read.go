package files

import (
	"context"
	"os"
	"path"
	"time"

	"kurogo/messages"
)

// Read returns a whole file. Refusals: invalid (413 and 415 by their fields),
// not_found, denied.
func (w *Workspace) Read(_ context.Context, m messages.ReadFile) (messages.FileContent, error) {
	content, err := w.read(m.Path)
	return messages.FileContent{Content: string(content)}, err
}

func (w *Workspace) read(name string) ([]byte, error) {
	rel, err := w.clean(name)
	if err == nil {
		err = w.allowed(name, rel)
	}
	if err != nil {
		return nil, err
	}
	f, info, err := w.open(name, rel)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	content, err := w.content(name, f, info)
	if err == nil {
		err = w.text(name, content)
	}
	if err != nil {
		return nil, err
	}
	return content, nil
}

// Stat says what a path is, without following it.
func (w *Workspace) Stat(_ context.Context, m messages.StatFile) (out messages.FileStat, err error) {
	rel, err := w.clean(m.Path)
	if err == nil {
		err = w.near(m.Path, path.Dir(rel))
	}
	if err != nil {
		return out, err
	}
	info, err := w.root.Lstat(rel)
	if err != nil {
		return out, explain(m.Path, err)
	}
	out = messages.FileStat{Path: rel, Kind: kindOf(info.Mode()), ModifiedAt: info.ModTime().UTC().Format(time.RFC3339)}
	if out.Kind == messages.KindFile {
		sound := links(info) == 1 && info.Size() <= w.o.MaxBytes
		out.Size = info.Size()
		out.Readable = sound && w.allowed(m.Path, rel) == nil
		out.Writable = sound && w.writable(m.Path, rel) == nil
	}
	return out, nil
}

func kindOf(mode os.FileMode) messages.FileKind {
	switch {
	case mode.IsRegular():
		return messages.KindFile
	case mode.IsDir():
		return messages.KindDirectory
	case mode&os.ModeSymlink != 0:
		return messages.KindLink
	}
	return messages.KindOther
}
