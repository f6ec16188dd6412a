package files

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"kurogo/messages"
)

// patchTask is the task under which the past keeps the files of a patch until all
// of it is done.
const patchTask = "patch:"

// A step of a patch is one path: what is to stand there. nil = nothing.
type patchStep struct {
	*place
	content []byte
	temp    string
	landed  bool
}

// Patch applies a unified diff, all of it or nothing: it is worked out in memory,
// every new content is written beside its file, and only then do they take their
// names, one by one. If one cannot, those before it are brought back; the error
// says which could not be. A crash in between leaves each file old or new, and
// Recover brings all back.
func (w *Workspace) Patch(ctx context.Context, m messages.ApplyPatch) (out []messages.FileOutcome, err error) {
	patches, err := parsePatch(m.Patch)
	if err != nil {
		return nil, err
	}
	paths, err := w.patched(patches)
	if err != nil {
		return nil, err
	}
	if err := w.purse.spend(m.Task, len(paths), int64(len(m.Patch))); err != nil {
		return nil, err
	}
	defer w.lock(paths...)()
	var steps []*patchStep
	defer func() {
		for _, s := range slices.Backward(steps) {
			s.close()
			if err != nil {
				s.clearWay()
			}
		}
	}()
	for _, p := range patches {
		more, err := w.work(p)
		steps = append(steps, more...)
		if err != nil {
			return nil, err
		}
		if err := alive(ctx); err != nil {
			return nil, err
		}
	}
	return w.perform(ctx, m.Task, steps)
}

// patched are the paths of a patch, each checked against the policy and made
// clean.
func (w *Workspace) patched(patches []filePatch) (paths []string, err error) {
	seen := map[string]bool{}
	for i := range patches {
		p := &patches[i]
		if p.from != p.to && p.from != "" && !w.o.Delete {
			return nil, denied(p.from, "cannot be deleted, nor renamed: deleting is off", "leave it where it is, and say what should become of it")
		}
		names := []*string{&p.from, &p.to}
		if p.from == p.to {
			names = names[:1]
		}
		for _, name := range names {
			if *name == "" {
				continue
			}
			rel, err := w.clean(*name)
			if err == nil {
				err = w.writable(*name, rel)
			}
			if err == nil && seen[rel] {
				err = messages.Invalid("patch", "%s is in it twice", shown(*name)).Try("put all its hunks below one heading")
			}
			if err != nil {
				return nil, err
			}
			*name, seen[rel] = rel, true
			paths = append(paths, rel)
		}
		if len(names) == 1 {
			p.to = p.from
		}
	}
	return paths, nil
}

// work makes in memory what one file is to become.
func (w *Workspace) work(p filePatch) (steps []*patchStep, err error) {
	var old *patchStep
	var before []byte
	if p.from != "" {
		at, err := w.place(p.from, p.from, false)
		if err != nil {
			return nil, err
		}
		old = &patchStep{place: at}
		steps = append(steps, old)
		if at.seen == nil {
			return steps, absent(p.from)
		}
		if err := w.text(p.from, at.before); err != nil {
			return steps, err
		}
		before = at.before
	}
	after, err := p.apply(before)
	switch {
	case err != nil:
		return steps, err
	case p.to == "" && len(after) > 0:
		return steps, messages.Invalid("patch", "it deletes %s, but not all of its lines", shown(p.from)).Try("read the file and make the patch anew")
	case p.to == "":
		return steps, nil
	}
	if err := w.text(p.to, after); err != nil {
		return steps, err
	}
	if p.to == p.from {
		old.content = after
		return steps, nil
	}
	at, err := w.place(p.to, p.to, true)
	if err != nil {
		return steps, err
	}
	steps = append(steps, &patchStep{place: at, content: after})
	if at.seen != nil {
		return steps, &messages.Error{Code: messages.CodeConflict, Field: "patch", Message: "it makes " + shown(p.to) + ", which exists", Remedy: "read it, and make a patch that changes it"}
	}
	return steps, nil
}

// perform stages all and lands them one by one.
func (w *Workspace) perform(ctx context.Context, task string, steps []*patchStep) (out []messages.FileOutcome, err error) {
	intent := patchTask + messages.NewID()
	defer func() {
		for _, s := range steps {
			if s.temp != "" && !s.landed {
				_ = s.at.Remove(s.temp) // it is hidden, and harmless
			}
		}
	}()
	for _, s := range steps {
		if s.content != nil {
			if s.temp, err = s.stage(s.content, s.mode()); err != nil {
				return nil, w.forget(ctx, intent, err)
			}
		}
		for _, t := range []string{task, intent} {
			if len(steps) > 1 || t == task {
				if err := w.keep(ctx, t, s.place, s.outcome(s.content).After); err != nil {
					return nil, w.forget(ctx, intent, err)
				}
			}
		}
	}
	for i, s := range steps {
		if err := s.step(); err != nil {
			if undone := takeBack(steps[:i]); undone != nil {
				return nil, errors.Join(err, undone) // the past still has them
			}
			return nil, w.forget(ctx, intent, err)
		}
		out = append(out, s.outcome(s.content))
	}
	for _, s := range steps {
		if err := s.settle(); err != nil {
			return out, err
		}
	}
	return out, w.forget(ctx, intent, nil)
}

// forget drops what was kept for the case of a crash.
func (w *Workspace) forget(ctx context.Context, intent string, err error) error {
	if w.o.Past == nil {
		return err
	}
	if gone := w.o.Past.Forget(ctx, intent); gone != nil && err == nil {
		return fmt.Errorf("end patch: %w", gone)
	}
	return err
}

func (s *patchStep) step() error {
	if s.content == nil {
		return s.clear()
	}
	err := s.land(s.temp)
	s.landed = err == nil
	return err
}

// takeBack brings back what has landed, the last first. What it cannot bring back
// it names.
func takeBack(steps []*patchStep) error {
	var stuck []string
	for i := len(steps) - 1; i >= 0; i-- {
		s := steps[i]
		now := &place{w: s.w, name: s.name, rel: s.rel, at: s.at, base: s.base}
		err := now.look()
		if err == nil && now.hash() != s.outcome(s.content).After {
			err = changed(s.name)
		}
		switch {
		case err != nil:
		case s.seen == nil:
			err = now.clear()
		default:
			var temp string
			if temp, err = now.stage(s.before, s.mode()); err == nil {
				err = now.land(temp)
			}
		}
		if err != nil {
			stuck = append(stuck, s.rel)
		}
	}
	if len(stuck) == 0 {
		return nil
	}
	return messages.Errorf(messages.CodeInternal, "the patch was cut off, and these files are new while the others are old: %s", strings.Join(stuck, ", ")).
		Try("look at them; kurogo undo brings them back")
}

// Recover brings back the files of patches that a crash has cut off. Call it
// before anybody else works here. What was changed since stays as it is, and is
// told in the error.
func (w *Workspace) Recover(ctx context.Context) (out []messages.FileOutcome, err error) {
	if w.o.Past == nil {
		return nil, nil
	}
	tasks, err := w.o.Past.Tasks(ctx)
	if err != nil {
		return nil, fmt.Errorf("recover patches: %w", err)
	}
	var errs []error
	for _, task := range tasks {
		if !strings.HasPrefix(task, patchTask) {
			continue
		}
		undone, err := w.Undo(ctx, messages.UndoTask{Provenance: messages.Provenance{Task: task}})
		if messages.IsCode(err, messages.CodeNotFound) { // it was cut off before it kept anything
			err = w.o.Past.Forget(ctx, task)
		}
		out = append(out, undone...)
		if err != nil {
			errs = append(errs, fmt.Errorf("recover %s: %w", task, err))
		}
	}
	return out, errors.Join(errs...)
}
