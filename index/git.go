package index

import (
	"context"
	"fmt"
	"strings"
)

// A repository asks git about a root, which may be any directory of a work tree.
type repository struct {
	git   Git
	root  string
	empty string // the tree without files
}

// What git calls the empty tree, by the length of its ids. It knows it without
// having it.
var emptyTrees = map[int]string{
	40: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
	64: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
}

// repositoryOf returns nil where there is no git, or no repository.
func repositoryOf(ctx context.Context, git Git, root string) (*repository, error) {
	if git == nil {
		return nil, nil
	}
	r := &repository{git: git, root: root}
	said, err := r.run(ctx, "rev-parse", "--is-inside-work-tree", "--show-object-format")
	if ctx.Err() != nil {
		return nil, fmt.Errorf("ask git: %w", ctx.Err())
	}
	inside, format, _ := strings.Cut(said, "\n")
	if err != nil || inside != "true" {
		return nil, nil //nolint:nilerr // it is a directory as any other
	}
	length := 40
	if format == "sha256" {
		length = 64
	}
	r.empty = emptyTrees[length]
	return r, nil
}

func (r *repository) run(ctx context.Context, args ...string) (string, error) {
	return r.git(ctx, r.root, append([]string{"--no-optional-locks"}, args...)...)
}

// head is the commit, or the empty tree while there is none.
func (r *repository) head(ctx context.Context) (string, error) {
	id, err := r.run(ctx, "rev-parse", "--quiet", "--verify", "HEAD^{commit}")
	switch {
	case ctx.Err() != nil:
		return "", err
	case err != nil || id == "":
		return r.empty, nil //nolint:nilerr // a repository without commits
	}
	return id, nil
}

// A difference is a path and the content it has now: "" if git would have to
// look, or if it is gone, which whoever looks will see.
type difference struct {
	path, content string
}

const (
	modeLink   = "120000"
	modeModule = "160000"
)

// between lists what differs from one tree to another, or to the work tree if
// that is "". A file that moved is two differences: it went and it came.
func (r *repository) between(ctx context.Context, from, to string) ([]difference, error) {
	args := []string{"diff", "--raw", "-z", "--no-renames", "--no-abbrev", "--relative", "--no-ext-diff", "--ignore-submodules=all", from}
	if to != "" {
		args = append(args, to)
	}
	said, err := r.run(ctx, append(args, "--")...)
	if err != nil {
		return nil, fmt.Errorf("list changes: %w", err)
	}
	return parseRaw(said)
}

// parseRaw reads ":oldmode newmode old new status\0path\0" again and again.
func parseRaw(said string) (out []difference, err error) {
	for said != "" {
		head, rest, ok := strings.Cut(said, "\x00")
		path, rest, also := strings.Cut(rest, "\x00")
		fields := strings.Fields(strings.TrimPrefix(head, ":"))
		if !ok || !also || len(fields) != 5 || head[0] != ':' {
			return nil, fmt.Errorf("read changes: git said %.80q", said)
		}
		said = rest
		d := difference{path: path}
		if mode, id := fields[1], fields[3]; mode != modeLink && mode != modeModule && strings.Trim(id, "0") != "" {
			d.content = unhex(id)
		}
		out = append(out, d)
	}
	return out, nil
}

// mostNames are as many as are given to git by name; of more it lists all.
const mostNames = 200

// contents are those of a tree's files, as far as they are among the names.
func (r *repository) contents(ctx context.Context, tree string, names []string) (map[string]string, error) {
	args := []string{"ls-tree", "-r", "-z", tree}
	if len(names) <= mostNames {
		args = append(append(args, "--"), names...)
	}
	said, err := r.run(ctx, args...)
	if err != nil {
		return nil, fmt.Errorf("list contents: %w", err)
	}
	out := map[string]string{}
	for entry := range strings.SplitSeq(said, "\x00") {
		head, name, ok := strings.Cut(entry, "\t")
		if fields := strings.Fields(head); ok && len(fields) == 3 && fields[0] != modeModule {
			out[name] = unhex(fields[2])
			if fields[0] == modeLink {
				out[name] = ""
			}
		}
	}
	return out, nil
}

// ignored lists those files that git ignores, at or below the paths, or of all if
// these are too many to be given by name.
func (r *repository) ignored(ctx context.Context, paths []string) (map[string]bool, error) {
	args := []string{"--literal-pathspecs", "ls-files", "-z", "--others", "--ignored", "--exclude-standard"}
	if len(paths) <= mostNames {
		args = append(append(args, "--"), paths...)
	}
	said, err := r.run(ctx, args...)
	if err != nil {
		return nil, fmt.Errorf("list ignored files: %w", err)
	}
	out := map[string]bool{}
	for name := range strings.SplitSeq(said, "\x00") {
		out[name] = name != ""
	}
	return out, nil
}

// untracked lists files that git does not know and does not ignore.
func (r *repository) untracked(ctx context.Context) ([]string, error) {
	said, err := r.run(ctx, "ls-files", "-z", "--others", "--exclude-standard")
	if err != nil {
		return nil, fmt.Errorf("list untracked files: %w", err)
	}
	var out []string
	for name := range strings.SplitSeq(said, "\x00") {
		if name != "" && !strings.HasSuffix(name, "/") { // a repository within
			out = append(out, name)
		}
	}
	return out, nil
}
