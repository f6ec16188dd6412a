package index

import (
	"context"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"kurogo/messages"
)

// mostPaths bounds what one Ingest or Prune may name.
const mostPaths = 100_000

// Ingest looks at files and directories again, whatever is said of them: the
// disk decides. Errors: invalid; unavailable before the first Sync.
func (x *Index) Ingest(ctx context.Context, m messages.Ingest) (messages.Ingested, error) {
	names := m.Paths
	if d := m.Diff; d != nil {
		names = slices.Concat(names, d.Added, d.Modified, d.Deleted)
		for _, r := range d.Renamed {
			names = append(names, r.From, r.To)
		}
	}
	names, err := tidyPaths(names)
	if err != nil {
		return messages.Ingested{}, err
	}
	x.writing.Lock()
	defer x.writing.Unlock()
	root := x.w.root
	if root == "" {
		return messages.Ingested{}, messages.Errorf(messages.CodeUnavailable, "nothing is indexed yet").Try("index the project first: kurogo index")
	}
	dir, err := openRoot(root)
	if err != nil {
		return messages.Ingested{}, err
	}
	defer dir.Close()
	repo, err := repositoryOf(ctx, x.opt.Git, root)
	if err != nil {
		return messages.Ingested{}, err
	}
	p := &plan{x: x, root: root, dir: dir, idLength: 40, tasks: map[string]task{}}
	state := clean // a walk looks at everything anyway
	var hidden map[string]bool
	if repo != nil {
		state, p.idLength = dirty, len(repo.empty)
		if hidden, err = repo.ignored(ctx, names); err != nil {
			return messages.Ingested{}, err
		}
	}
	if err := p.named(ctx, names, state); err != nil {
		return messages.Ingested{}, err
	}
	p.ignored = p.ownIgnores()
	p.forbid()
	for name := range p.tasks {
		if hidden[name] {
			p.want(name, gone, state)
		}
	}
	return x.carryOut(ctx, dir, p)
}

// carryOut applies a plan that is no Sync: the commit it is in step with stays.
func (x *Index) carryOut(ctx context.Context, dir *os.Root, p *plan) (messages.Ingested, error) {
	var stats Stats
	a := &applying{x: x, root: dir, idLength: p.idLength, stats: &stats}
	if err := a.run(ctx, p.ordered()); err != nil {
		return messages.Ingested{}, err
	}
	return stats.Ingested(), x.tidy(ctx)
}

// named wants the files that paths name: themselves, what is below them on the
// disk, and what was.
func (p *plan) named(ctx context.Context, names []string, s state) error {
	for _, name := range names {
		info, err := p.dir.Lstat(name)
		isDir := err == nil && info.IsDir()
		ignored := &ignorer{}
		if s == clean { // there is no git to ask
			ignored = ignoresAbove(p.dir, name)
		}
		switch {
		case ignored.below(name) || isDir && ignored.entry(name, true):
			p.refuse(name)
			continue
		case isDir:
			if err := walk(ctx, p.dir, name, ignored, func(file string) { p.want(file, "", s) }); err != nil {
				return err
			}
		case name != ".":
			p.want(name, "", s)
		}
		for _, old := range p.x.w.below(name) {
			p.want(old, "", s)
		}
	}
	return nil
}

// refuse wants a path and what was below it gone.
func (p *plan) refuse(name string) {
	if p.x.w.file(name) != nil {
		p.want(name, gone, clean)
	}
	for _, old := range p.x.w.below(name) {
		p.want(old, gone, clean)
	}
}

// below lists the indexed files in a directory.
func (w *writer) below(dir string) (out []string) {
	if w.file(dir) != nil {
		return nil
	}
	for name := range w.byPath {
		if dir == "." || strings.HasPrefix(name, dir+"/") {
			out = append(out, name)
		}
	}
	return out
}

// Prune takes files and directories out until a Sync finds them new or changed;
// .kurogoignore keeps them out. Errors: invalid.
func (x *Index) Prune(ctx context.Context, m messages.Prune) (messages.Ingested, error) {
	names, err := tidyPaths(m.Paths)
	if err != nil {
		return messages.Ingested{}, err
	}
	x.writing.Lock()
	defer x.writing.Unlock()
	p := &plan{x: x, idLength: 40, tasks: map[string]task{}}
	for _, name := range names {
		p.refuse(name)
	}
	return x.carryOut(ctx, nil, p)
}

// tidyPaths makes paths of the root as the index writes them.
func tidyPaths(names []string) ([]string, error) {
	if len(names) == 0 {
		return nil, messages.Invalid("paths", "there are none").Try("name files or directories, relative to the project")
	}
	if len(names) > mostPaths {
		return nil, messages.Invalid("paths", "there are %d, at most %d are looked at together", len(names), mostPaths).Try("name the directory they are in")
	}
	set := map[string]bool{}
	for _, name := range names {
		if !filepath.IsLocal(name) {
			return nil, messages.Invalid("paths", "%q is not below the root", name).Try("name it relative to the project")
		}
		set[path.Clean(filepath.ToSlash(name))] = true
	}
	return slices.Sorted(maps.Keys(set)), nil
}

// After are the stats of two syncs, of which the other was the first.
func (s Stats) After(first Stats) Stats {
	s.Looked += first.Looked
	s.Added += first.Added
	s.Modified += first.Modified
	s.Deleted += first.Deleted
	s.Renamed += first.Renamed
	s.Unchanged += first.Unchanged
	s.Parsed += first.Parsed
	s.Veiled += first.Veiled
	if s.Skipped = maps.Clone(s.Skipped); s.Skipped == nil {
		s.Skipped = map[string]int{}
	}
	for why, n := range first.Skipped {
		s.Skipped[why] += n
	}
	return s
}

// Ingested are the stats as they are told.
func (s Stats) Ingested() messages.Ingested {
	out := messages.Ingested{
		Added: s.Added, Modified: s.Modified, Deleted: s.Deleted, Renamed: s.Renamed, Unchanged: s.Unchanged, Parsed: s.Parsed, StaleFiles: s.Stale,
	}
	for _, n := range s.Skipped {
		out.Skipped += n
	}
	if out.StaleFiles == nil {
		out.StaleFiles = []string{}
	}
	return out
}
