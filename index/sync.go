package index

import (
	"context"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"kurogo/messages"
)

// Sync brings the index in step with a root: with git by what differs from the
// commit that was indexed last, without it by a walk. What is found can be
// searched before all is. Errors: invalid when there is no such root.
func (x *Index) Sync(ctx context.Context, root string) (stats Stats, err error) {
	x.writing.Lock()
	defer x.writing.Unlock()
	x.note(func() { x.syncing = true })
	defer func() {
		x.note(func() {
			x.syncing, x.fault = false, ""
			if err != nil && ctx.Err() == nil {
				x.fault = err.Error()
			}
		})
	}()
	if root, err = filepath.Abs(root); err != nil {
		return stats, unreachable(root, err)
	}
	dir, err := openRoot(root)
	if err != nil {
		return stats, err
	}
	defer dir.Close()
	repo, err := repositoryOf(ctx, x.opt.Git, root)
	if err != nil {
		return stats, err
	}
	p := &plan{x: x, root: root, dir: dir, tasks: map[string]task{}, anew: x.w.torn || x.w.root != root}
	if err := p.look(ctx, repo); err != nil {
		return stats, err
	}
	if x.w.ignored != p.digest() && !p.anew { // what was not wanted may be now
		p.anew = true
		if err := p.look(ctx, repo); err != nil {
			return stats, err
		}
	}
	p.forbid()
	a := &applying{x: x, root: dir, idLength: p.idLength, stats: &stats, finish: p.finish}
	if err := a.run(ctx, p.ordered()); err != nil {
		return stats, err
	}
	return stats, x.tidy(ctx)
}

func unreachable(root string, err error) error {
	return messages.Invalid("root", "%s cannot be indexed: %v", root, err).Try("name a directory that can be read")
}

// A plan is what one Sync has to look at.
type plan struct {
	x        *Index
	root     string
	dir      *os.Root
	head     string
	idLength int
	anew     bool // nothing may be taken for granted but contents
	ignored  *ignorer
	tasks    map[string]task
}

// look finds out what there is to look at.
func (p *plan) look(ctx context.Context, repo *repository) (err error) {
	if repo != nil {
		err = p.byGit(ctx, repo)
	} else {
		err = p.byWalk(ctx)
	}
	p.ignored = p.ownIgnores()
	return err
}

// digest names what decides which files are wanted.
func (p *plan) digest() string {
	return p.ignored.digest(strings.Join(p.x.opt.Extensions, " "))
}

// want adds a path, if nothing says no.
func (p *plan) want(name, content string, s state) {
	t := task{path: name, known: content, was: p.x.was(name), state: s}
	if content != "" && content != gone {
		t.known = keyOf(content, name)
	}
	if t.was != nil && p.anew {
		t.was.state = racy // its times are perhaps those of another root
	}
	p.tasks[name] = t
}

// was is a copy of what is indexed: workers read it while we write.
func (x *Index) was(name string) *file {
	f := x.w.file(name)
	if f == nil {
		return nil
	}
	was := *f
	return &was
}

// byGit looks at what the commits differ in, at what differs from the commit now
// and at what did so the last time. All else is as it was.
func (p *plan) byGit(ctx context.Context, repo *repository) error {
	p.idLength = len(repo.empty)
	var err error
	if p.head, err = repo.head(ctx); err != nil {
		return err
	}
	from := p.x.w.head
	all := p.anew || len(from) != p.idLength
	if all {
		from = repo.empty
	}
	committed, err := repo.between(ctx, from, p.head)
	if err != nil && !all && ctx.Err() == nil { // the commit is gone: history was rewritten and tidied
		all = true
		committed, err = repo.between(ctx, repo.empty, p.head)
	}
	if err != nil {
		return err
	}
	changed, err := repo.between(ctx, p.head, "")
	if err != nil {
		return err
	}
	loose, err := repo.untracked(ctx)
	if err != nil {
		return err
	}
	differ := map[string]bool{} // from what is committed
	for _, d := range changed {
		differ[d.path] = true
	}
	for _, name := range loose {
		differ[name] = true
	}
	for _, d := range committed {
		if !differ[d.path] {
			p.want(d.path, d.content, clean)
		}
	}
	if err := p.settled(ctx, repo, differ, all); err != nil {
		return err
	}
	for name := range differ {
		p.want(name, "", dirty)
	}
	return nil
}

// settled looks at what was not as committed the last time, and is neither among
// what differs now nor among what was committed since: it is as committed again,
// or it is nothing that git knows. Anew, everything is doubted.
func (p *plan) settled(ctx context.Context, repo *repository, differ map[string]bool, all bool) error {
	var names []string
	doubt := func(name string) {
		if _, listed := p.tasks[name]; !listed && !differ[name] {
			names = append(names, name)
		}
	}
	if all {
		for name := range p.x.w.byPath {
			doubt(name)
		}
	} else {
		for name := range p.x.w.unsettled {
			doubt(name)
		}
	}
	for name := range p.x.pending {
		doubt(name)
	}
	if len(names) == 0 {
		return nil
	}
	held, err := repo.contents(ctx, p.head, names)
	if err != nil {
		return err
	}
	for _, name := range names {
		content, known := held[name]
		if !known {
			content = gone
		}
		p.want(name, content, clean)
	}
	return nil
}

// byWalk looks at everything that is there, or was.
func (p *plan) byWalk(ctx context.Context) error {
	p.idLength = 40
	err := walk(ctx, p.dir, ".", &ignorer{}, func(name string) { p.want(name, "", clean) })
	if err != nil {
		return fmt.Errorf("walk %s: %w", p.root, err)
	}
	for name := range p.x.w.byPath {
		if _, there := p.tasks[name]; !there {
			p.want(name, gone, clean)
		}
	}
	return nil
}

// gone as the content of a task: whatever is there is not wanted.
const gone = "gone"

// forbid turns what is ignored into what is gone.
func (p *plan) forbid() {
	for name, t := range p.tasks {
		if !p.ignored.below(name) {
			continue
		}
		if t.was == nil {
			delete(p.tasks, name)
			continue
		}
		t.known = gone
		p.tasks[name] = t
	}
}

// ordered are the tasks by path, so that neighbours are read together.
func (p *plan) ordered() []task {
	out := make([]task, 0, len(p.tasks))
	for _, name := range slices.Sorted(maps.Keys(p.tasks)) {
		out = append(out, p.tasks[name])
	}
	return out
}

// finish writes down what the index is in step with, in the transaction that
// makes it so.
func (p *plan) finish(ctx context.Context, b *batch) error {
	w := p.x.w
	w.root, w.head, w.ignored, w.torn, w.synced = p.root, p.head, p.digest(), false, p.x.opt.Now()
	for k, v := range map[string]string{
		metaRoot: w.root, metaHead: w.head, metaIgnored: w.ignored, metaTorn: "", metaTime: w.synced.UTC().Format(time.RFC3339Nano),
	} {
		if err := b.set(ctx, k, v); err != nil {
			return err
		}
	}
	return nil
}

func unhex(id string) string {
	b, err := hex.DecodeString(id)
	if err != nil {
		return ""
	}
	return string(b)
}
