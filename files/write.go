package files

import (
	"context"
	"fmt"
	"path"
	"slices"

	"kurogo/messages"
)

// Write creates, replaces or lengthens a file, and makes the directories on its
// way. The content is on the disk when it returns; its name is after Settle.
// Refusals: conflict (create where there is one), invalid (413 and 415 by
// their fields), denied.
func (w *Workspace) Write(ctx context.Context, m messages.WriteFile) (out messages.FileOutcome, err error) {
	rel, err := w.clean(m.Path)
	if err == nil {
		err = w.writable(m.Path, rel)
	}
	if err == nil {
		err = w.text(m.Path, []byte(m.Content))
	}
	if err != nil {
		return out, err
	}
	switch m.Mode {
	case messages.WriteCreate, messages.WriteOverwrite, messages.WriteAppend:
	default:
		return out, messages.Invalid("mode", "%q is no mode", messages.Cut(string(m.Mode), 64)).Try("use create, overwrite or append")
	}
	if err := w.purse.spend(m.Task, 1, int64(len(m.Content))); err != nil {
		return out, err
	}
	defer w.lock(rel)()
	p, err := w.place(m.Path, rel, true)
	if err != nil {
		return out, err
	}
	defer func() {
		p.close()
		if err != nil {
			p.clearWay()
		}
	}()
	content := []byte(m.Content)
	switch {
	case m.Mode == messages.WriteCreate && p.seen != nil:
		return out, &messages.Error{Code: messages.CodeConflict, Field: "path", Message: shown(m.Path) + " exists", Remedy: "read it; then use mode overwrite or append, if that is what you mean"}
	case m.Mode == messages.WriteAppend:
		content = slices.Concat(p.before, []byte(m.Content))
		err = w.text(m.Path, content)
	}
	if err == nil {
		err = w.keep(ctx, m.Task, p, hash(content))
	}
	if err != nil {
		return out, err
	}
	out = p.outcome(content)
	return out, p.put(content)
}

// put is the whole way of one file.
func (p *place) put(content []byte) error {
	temp, err := p.stage(content, p.mode())
	if err == nil {
		err = p.land(temp)
	}
	return err
}

// outcome tells that content stands here now; nil = nothing does.
func (p *place) outcome(content []byte) messages.FileOutcome {
	out := messages.FileOutcome{Path: p.rel, Action: messages.ChangedFile, Size: int64(len(content)), Before: p.hash()}
	if content == nil {
		out.Action = messages.RemovedFile
		return out
	}
	if p.seen == nil {
		out.Action = messages.MadeFile
	}
	out.After = hash(content)
	return out
}

// keep remembers a file before a task changes it, and what the task will make of
// it. A file that cannot be remembered is not changed.
func (w *Workspace) keep(ctx context.Context, task string, p *place, left string) error {
	if w.o.Past == nil || task == "" {
		return nil
	}
	err := w.o.Past.Keep(ctx, task, p.rel, p.before, p.seen != nil, p.mode())
	if err == nil {
		err = w.o.Past.Left(ctx, task, p.rel, left)
	}
	if err != nil {
		return fmt.Errorf("remember %s: %w", p.rel, err)
	}
	return nil
}

// Delete removes a file, where that is allowed. Refusals: denied, not_found.
func (w *Workspace) Delete(ctx context.Context, m messages.DeleteFile) (out messages.FileOutcome, err error) {
	rel, err := w.clean(m.Path)
	if err == nil {
		err = w.writable(m.Path, rel)
	}
	if err == nil && !w.o.Delete {
		err = denied(m.Path, "cannot be deleted: deleting is off", "say which files should go, and let the user delete them")
	}
	if err == nil {
		err = w.purse.spend(m.Task, 1, 0)
	}
	if err != nil {
		return out, err
	}
	defer w.lock(rel)()
	p, err := w.place(m.Path, rel, false)
	if err != nil {
		return out, err
	}
	defer p.close()
	if p.seen == nil {
		return out, absent(m.Path)
	}
	if err := w.keep(ctx, m.Task, p, ""); err != nil {
		return out, err
	}
	return p.outcome(nil), p.clear()
}

// Settle makes the names durable under which paths were written, or deleted. It
// stands alone so that whoever writes a trail can do both at the same time.
func (w *Workspace) Settle(_ context.Context, paths ...string) error {
	done := map[string]bool{}
	for _, name := range paths {
		rel, err := w.clean(name)
		if err != nil {
			return err
		}
		dir := path.Dir(rel)
		if done[dir] {
			continue
		}
		done[dir] = true
		at, _, err := w.pin(name, dir, false)
		if messages.IsCode(err, messages.CodeNotFound) {
			continue // the directory has gone, too
		}
		if err != nil {
			return err
		}
		err = (&place{name: name, at: at}).settle()
		at.Close()
		if err != nil {
			return err
		}
	}
	return nil
}
