package index

import (
	"context"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
)

// walk lists the files below a directory of the root that nothing ignores. Links
// are listed and never followed: what they lead to has a place of its own, or is
// not ours.
func walk(ctx context.Context, root *os.Root, from string, ignored *ignorer, use func(name string)) error {
	return fs.WalkDir(root.FS(), from, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && name == ".":
			return err
		case err != nil:
			return nil //nolint:nilerr // it went, or is not ours to read
		case name == ".":
			ignoreBy(root, ".", ignored)
		case entry.IsDir() && (noise[path.Base(name)] || ignored.entry(name, true)):
			return fs.SkipDir
		case entry.IsDir():
			ignoreBy(root, name, ignored)
		case !ignored.entry(name, false):
			use(name)
		}
		return nil
	})
}

// ignoreBy reads what a directory wants ignored.
func ignoreBy(root *os.Root, dir string, ignored *ignorer) {
	for _, name := range []string{".gitignore", ownIgnore} {
		text, err := root.ReadFile(path.Join(dir, name))
		if err != nil {
			continue // there is none, or it is none
		}
		if dir == "." {
			ignored.add("", text)
		} else {
			ignored.add(dir, text)
		}
	}
}

// ignoresAbove reads what the directories that a path is in want ignored.
func ignoresAbove(root *os.Root, name string) *ignorer {
	ignored := &ignorer{}
	var dirs []string
	for dir := name; dir != "."; {
		dir = path.Dir(dir)
		dirs = append(dirs, dir)
	}
	for _, dir := range slices.Backward(dirs) {
		ignoreBy(root, dir, ignored)
	}
	return ignored
}

// ownIgnores reads every .kurogoignore that is known or planned to be looked at,
// for where git has read its own: those of directories after those above them.
func (p *plan) ownIgnores() *ignorer {
	files := maps.Clone(p.x.w.ignores)
	files[ownIgnore] = true
	for name := range p.tasks {
		if path.Base(name) == ownIgnore {
			files[name] = true
		}
	}
	ignored := &ignorer{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if text, err := p.dir.ReadFile(name); err == nil {
			dir, _ := path.Split(name)
			ignored.add(path.Clean("/" + dir)[1:], text)
		}
	}
	return ignored
}

// openRoot opens a root, whose files are reached by nothing that leads out of it.
func openRoot(dir string) (*os.Root, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, unreachable(dir, err)
	}
	return root, nil
}
