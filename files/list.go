package files

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"kurogo/messages"
)

const (
	usualItems = 1000
	mostItems  = 10_000
	mostNames  = 100_000 // that are read of one directory, to be sorted
)

// List returns what is in a directory, by name. Refusals: not_found, invalid when
// it is no directory.
func (w *Workspace) List(ctx context.Context, m messages.ListFiles) (messages.FileList, error) {
	out := messages.FileList{Files: []messages.FileEntry{}}
	rel, err := w.clean(m.Path)
	if err != nil {
		return out, err
	}
	entries, more, err := w.entries(ctx, m.Path, rel)
	if err != nil {
		return out, err
	}
	most := m.MaxItems
	if most <= 0 {
		most = usualItems
	}
	most, out.Truncated = min(most, mostItems), more
	wanted := dotted(m.Extensions)
	for _, e := range entries {
		if !e.IsDir() && len(wanted) > 0 && !slices.Contains(wanted, path.Ext(e.Name())) {
			continue
		}
		if len(out.Files) == most {
			out.Truncated = true
			break
		}
		entry := messages.FileEntry{Name: e.Name(), IsDir: e.IsDir()}
		if e.Type().IsRegular() {
			if info, err := e.Info(); err == nil { // it may have gone
				size := info.Size()
				entry.Size = &size
			}
		}
		out.Files = append(out.Files, entry)
	}
	return out, nil
}

// dotted gives extensions their dots: models leave them out.
func dotted(extensions []string) (out []string) {
	for _, ext := range extensions {
		if ext != "" && !strings.HasPrefix(ext, ".") {
			ext = "." + ext
		}
		out = append(out, ext)
	}
	return out
}

// entries are those of a directory, sorted, without what is ours.
func (w *Workspace) entries(ctx context.Context, name, rel string) (out []fs.DirEntry, more bool, err error) {
	info, err := w.root.Stat(rel)
	switch {
	case err != nil:
		return nil, false, explain(name, err)
	case !info.IsDir():
		return nil, false, bad(name, "is no directory", "read_file reads files")
	case device(info) != w.dev:
		return nil, false, mounted(name)
	}
	d, err := w.root.OpenFile(rel, careful, 0)
	if err != nil {
		return nil, false, explain(name, err)
	}
	defer d.Close()
	if opened, err := d.Stat(); err != nil || !os.SameFile(opened, info) {
		return nil, false, changed(name)
	}
	for {
		some, err := d.ReadDir(1024)
		for _, e := range some {
			if !strings.HasPrefix(plain(e.Name()), own) {
				out = append(out, e)
			}
		}
		if err == nil {
			err = alive(ctx)
		}
		switch {
		case errors.Is(err, io.EOF):
			slices.SortFunc(out, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
			return out, false, nil
		case err != nil:
			return nil, false, explain(name, err)
		case len(out) >= mostNames:
			slices.SortFunc(out, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
			return out, true, nil
		}
	}
}
