package files

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"kurogo/messages"
)

// A Past remembers files as they were before a task changed them. Its methods may
// be called from any goroutine.
type Past interface {
	// Keep remembers a file, durably. Only the first word about a path within a
	// task counts.
	Keep(ctx context.Context, task, path string, before []byte, existed bool, mode fs.FileMode) error

	// Left remembers what the task is about to make of it: the hash of the
	// content, "" for no file. The last word counts; it may be lost by a crash.
	Left(ctx context.Context, task, path, hash string) error

	// Kept is everything of a task, by path.
	Kept(ctx context.Context, task string) ([]messages.Keepsake, error)

	// Forget drops everything of a task.
	Forget(ctx context.Context, task string) error

	// Tasks are those that something is kept of.
	Tasks(ctx context.Context) ([]string, error)
}

// unknown is what a task has left where the past has forgotten it: no hash.
const unknown = "?"

// Undo restores the files that a task has changed, all of them or none. Refusals:
// not_found, conflict (unless Force), naming the files.
func (w *Workspace) Undo(ctx context.Context, m messages.UndoTask) ([]messages.FileOutcome, error) {
	if w.o.Past == nil {
		return nil, messages.Errorf(messages.CodeUnavailable, "nothing is remembered of former files").Try("restore them from version control")
	}
	kept, err := w.o.Past.Kept(ctx, m.Task)
	if err != nil {
		return nil, fmt.Errorf("undo %s: %w", m.Task, err)
	}
	if len(kept) == 0 || m.Task == "" {
		e := messages.Errorf(messages.CodeNotFound, "no change of files is known of the task %q", messages.Cut(m.Task, 200)).Try("see kurogo audit for the tasks that changed files")
		e.Field = "task"
		return nil, e
	}
	var paths []string
	for _, k := range kept {
		paths = append(paths, k.Path)
	}
	defer w.lock(paths...)()
	steps, err := w.wayBack(kept, m.Force)
	defer func() {
		for _, s := range steps {
			s.close()
		}
	}()
	if err != nil {
		return nil, err
	}
	var out []messages.FileOutcome
	for _, s := range steps {
		done, err := s.back()
		if err != nil {
			return out, fmt.Errorf("undo %s: %d of %d files are restored: %w", s.Path, len(out), len(steps), err)
		}
		out = append(out, done)
	}
	return out, w.o.Past.Forget(ctx, m.Task)
}

// A restoring is one file on its way back. Its place is nil where the directory
// of a file that was not there is not there either.
type restoring struct {
	messages.Keepsake
	*place
}

func (r restoring) close() {
	if r.place != nil {
		r.place.close()
	}
}

// wayBack looks at every file before any is touched.
func (w *Workspace) wayBack(kept []messages.Keepsake, force bool) (steps []restoring, err error) {
	var since []string
	for _, k := range kept {
		rel, err := w.clean(k.Path)
		if err != nil {
			return steps, err
		}
		p, err := w.place(k.Path, rel, k.Existed)
		if !k.Existed && messages.IsCode(err, messages.CodeNotFound) {
			p, err = nil, nil
		}
		if err != nil {
			return steps, err
		}
		step := restoring{k, p}
		steps = append(steps, step)
		if !force && !step.home() && step.now() != k.Left {
			since = append(since, k.Path)
		}
	}
	if len(since) == 0 {
		return steps, nil
	}
	slices.Sort(since)
	e := messages.Errorf(messages.CodeConflict, "changed since by somebody else: %s", strings.Join(since[:min(len(since), 20)], ", ")).
		Try("look at them; force restores them all the same")
	e.Field = "task"
	return steps, e
}

// now is the hash of what stands there.
func (r restoring) now() string {
	if r.place == nil {
		return ""
	}
	return r.hash()
}

// home reports whether the file is as it was already.
func (r restoring) home() bool {
	if !r.Existed {
		return r.now() == ""
	}
	return r.seen != nil && r.now() == hash(r.Before)
}

func (r restoring) back() (messages.FileOutcome, error) {
	switch {
	case r.home():
		return messages.FileOutcome{Path: r.Path, Action: messages.KeptFile, Size: int64(len(r.Before)), Before: r.now(), After: r.now()}, nil
	case r.Existed:
		out := r.outcome(r.Before)
		temp, err := r.stage(r.Before, r.Mode)
		if err == nil {
			err = errors.Join(r.land(temp), r.settle())
		}
		return out, err
	}
	return r.outcome(nil), errors.Join(r.clear(), r.settle())
}
