package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"unicode/utf8"
)

// diffMost is how much of a difference goes into a result. Where there is more,
// all of it stays in a file.
const diffMost = 256 << 10

// fell ends a worktree and returns what was changed in it. Until the journal has
// that for certain, which the next opening sees, the patch stays beside the note.
// A worktree of which git cannot tell everything stays itself, because
// somebody's work is in it; the difference says where.
func (r *rooms) fell(ctx context.Context, t *worktree) (diff string, err error) {
	if t.there() && t.Git != "" && t.Kept == "" {
		lacks := r.record(ctx, t)
		if ctx.Err() != nil { // there was no time: the next opening has more
			return "", fmt.Errorf("tell difference: %w", ctx.Err())
		}
		t.Kept = lacks
	}
	if t.Kept != "" && t.there() {
		r.log.Warn("kept a worktree", "agent", t.Agent, "path", t.path, "reason", t.Kept)
		err = t.write()
	} else {
		err = r.uproot(ctx, t)
	}
	diff, _, told := t.read()
	if err = errors.Join(err, told); err == nil && diff == "" {
		err = t.forget()
	}
	return diff, err
}

// record writes the patch: what was changed since the worktree was made, whether
// it was committed or not. It returns what the patch lacks. The directory belongs
// to the agent: git is told where its own files are, and believes nothing that it
// finds there.
func (r *rooms) record(ctx context.Context, t *worktree) (lacks string) {
	git := func(args ...string) (string, error) {
		return r.git(ctx, t.path, append([]string{"--git-dir=" + t.Git, "--work-tree=" + t.path}, args...)...)
	}
	_, unread := git("add", "--all", "--ignore-errors", ".")
	raw, err := git("diff", "--cached", "--raw", "--no-renames", t.Base)
	if err == nil {
		_, err = git("diff", "--cached", "--binary", "--no-color", "--no-ext-diff", "--no-textconv", "--output="+t.patch(), t.Base)
	}
	switch {
	case err != nil:
		return "its difference could not be told: " + err.Error()
	case unread != nil:
		return "not all of it could be read: " + unread.Error()
	case nested.MatchString(raw):
		return "there is a repository within it, of which the difference only tells the commit"
	}
	return ""
}

// nested finds a repository that is new or has changed.
var nested = regexp.MustCompile(`(?m)^:\d{6} 160000 `)

// read is the patch as it goes into a result. What that lacks is said before it,
// in lines that no tool takes for a part of it; whole says that it is the patch.
func (t *worktree) read() (text string, whole bool, err error) {
	var said string
	if t.Kept != "" && t.there() {
		said = remark("the worktree is kept at %s, because %s; when you have taken what you want: git worktree remove --force %[1]s", t.path, t.Kept)
	}
	f, err := os.Open(t.patch())
	if errors.Is(err, fs.ErrNotExist) {
		return said, true, nil
	}
	if err != nil {
		return said, false, fmt.Errorf("read difference: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return said, false, fmt.Errorf("read difference: %w", err)
	}
	b, err := io.ReadAll(io.LimitReader(f, diffMost))
	if err != nil {
		return said, false, fmt.Errorf("read difference: %w", err)
	}
	text = string(b)
	switch {
	case info.Size() > diffMost:
		const room = 4 << 10 // for what is said around it
		text = text[:strings.LastIndexByte(text[:diffMost-room], '\n')+1] + "[cut]\n"
		said += remark("cut: %d bytes in all; the whole is in %s", info.Size(), t.patch())
	case utf8.ValidString(text):
		return said + text, true, nil
	default:
		said += remark("not all of this is UTF-8; as it was: %s", t.patch())
	}
	return said + strings.ToValidUTF8(text, "?"), false, nil
}

func remark(format string, args ...any) string {
	return "# kurogo: " + clean(fmt.Sprintf(format, args...)) + "\n"
}
