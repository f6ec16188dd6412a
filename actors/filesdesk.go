package actors

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"

	"kurogo/messages"
)

// A Workspace is what a desk of files opens to others: one directory out of which
// no path leads. Errors are *messages.Error, or those of ctx.
type Workspace interface {
	List(ctx context.Context, m messages.ListFiles) (messages.FileList, error)
	Read(ctx context.Context, m messages.ReadFile) (messages.FileContent, error)
	Stat(ctx context.Context, m messages.StatFile) (messages.FileStat, error)
	Search(ctx context.Context, m messages.SearchText) (messages.TextFound, error)
	Write(ctx context.Context, m messages.WriteFile) (messages.FileOutcome, error)
	Delete(ctx context.Context, m messages.DeleteFile) (messages.FileOutcome, error)
	Patch(ctx context.Context, m messages.ApplyPatch) ([]messages.FileOutcome, error)
	Undo(ctx context.Context, m messages.UndoTask) ([]messages.FileOutcome, error)
}

// A Settler is a Workspace that makes names durable apart from contents, so that
// the trail can be written at the same time.
type Settler interface {
	Settle(ctx context.Context, paths ...string) error
}

// An AuditArchive reads the audit trail.
type AuditArchive interface {
	AuditTrail(ctx context.Context, q messages.ListAudit) (messages.AuditTrail, error)
	VerifyAudit(ctx context.Context, q messages.VerifyAudit) (messages.AuditVerdict, error)
}

// A FilesDesk answers what is asked of the file gateway, and writes down every
// question: what changed something, or was refused, before it is answered. It is
// no actor: whoever asks works in his own goroutine.
type FilesDesk struct {
	// Of says in which workspace a caller works; nil = he has none.
	Of      func(ctx context.Context, by messages.Caller) (Workspace, error)
	Archive AuditArchive
	Clock   Clock
	NewID   func() string

	trail *auditing
	seats chan struct{} // of those who search
}

// searching bounds how many search at a time: a search reads a whole tree.
const searching = 2

// NewFilesDesk opens a desk that writes its trail into the journal. Close ends it.
func NewFilesDesk(d FilesDesk, journal Journal) *FilesDesk {
	d.trail = newAuditing(journal)
	d.seats = make(chan struct{}, searching)
	return &d
}

// Close writes what is still to be written of the trail. Nobody may ask any more.
func (d *FilesDesk) Close() { d.trail.close() }

// Ask answers one request; ok is false when it is nobody's here. Errors are
// *messages.Error.
func (d *FilesDesk) Ask(ctx context.Context, m messages.Message) (answer messages.Message, ok bool, err error) {
	switch m := m.(type) {
	case messages.ListFiles:
		answer, err = serve(ctx, d, "list_files", m.Path, &m.Provenance, func(w Workspace) (messages.Message, []messages.FileOutcome, error) {
			list, err := w.List(ctx, m)
			return list, nil, err
		})
	case messages.ReadFile:
		answer, err = serve(ctx, d, "read_file", m.Path, &m.Provenance, func(w Workspace) (messages.Message, []messages.FileOutcome, error) {
			c, err := w.Read(ctx, m)
			return c, seen(m.Path, c.Content, err), err
		})
	case messages.StatFile:
		answer, err = serve(ctx, d, "stat_file", m.Path, &m.Provenance, func(w Workspace) (messages.Message, []messages.FileOutcome, error) {
			s, err := w.Stat(ctx, m)
			return s, nil, err
		})
	case messages.SearchText:
		answer, err = serve(ctx, d, "search_text", m.Path, &m.Provenance, func(w Workspace) (messages.Message, []messages.FileOutcome, error) {
			return d.search(ctx, w, m)
		})
	case messages.WriteFile:
		answer, err = serve(ctx, d, "write_file", m.Path, &m.Provenance, func(w Workspace) (messages.Message, []messages.FileOutcome, error) {
			o, err := w.Write(ctx, m)
			return messages.FileWritten{Status: "ok", Path: o.Path}, outcome(o), err
		})
	case messages.DeleteFile:
		answer, err = serve(ctx, d, "delete_file", m.Path, &m.Provenance, func(w Workspace) (messages.Message, []messages.FileOutcome, error) {
			o, err := w.Delete(ctx, m)
			return messages.FileWritten{Status: "ok", Path: o.Path}, outcome(o), err
		})
	case messages.ApplyPatch:
		answer, err = serve(ctx, d, "apply_patch", "", &m.Provenance, func(w Workspace) (messages.Message, []messages.FileOutcome, error) {
			o, err := w.Patch(ctx, m)
			return messages.FilesChanged{Files: o}, o, err
		})
	case messages.UndoTask:
		answer, err = serve(ctx, d, "undo_task", "", &m.Provenance, func(w Workspace) (messages.Message, []messages.FileOutcome, error) {
			if err := ownerOnly(m.By, "undo a task"); err != nil {
				return nil, nil, err
			}
			o, err := w.Undo(ctx, m)
			return messages.FilesChanged{Files: o}, o, err
		})
	case messages.ListAudit:
		answer, err = d.audited(ctx, m)
	case messages.VerifyAudit:
		if err = d.trail.flush(ctx); err == nil {
			answer, err = d.Archive.VerifyAudit(ctx, m)
		}
	default:
		return nil, false, nil
	}
	return answer, true, err
}

func (d *FilesDesk) audited(ctx context.Context, m messages.ListAudit) (messages.Message, error) {
	if err := d.trail.flush(ctx); err != nil {
		return nil, err
	}
	return d.Archive.AuditTrail(ctx, m)
}

func outcome(o messages.FileOutcome) []messages.FileOutcome {
	if o.Path == "" {
		return nil
	}
	return []messages.FileOutcome{o}
}

// seen is a file that was only read, as the trail tells of it.
func seen(path, content string, err error) []messages.FileOutcome {
	if err != nil {
		return nil
	}
	sum := sha256.Sum256([]byte(content))
	hash := hex.EncodeToString(sum[:])
	return []messages.FileOutcome{{Path: path, Action: messages.KeptFile, Size: int64(len(content)), Before: hash, After: hash}}
}

// search waits for a seat.
func (d *FilesDesk) search(ctx context.Context, w Workspace, m messages.SearchText) (messages.Message, []messages.FileOutcome, error) {
	select {
	case d.seats <- struct{}{}:
		defer func() { <-d.seats }()
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	}
	found, err := w.Search(ctx, m)
	return found, nil, err
}

// complete fills in what an provenance leaves open. All that an agent does is one task.
func (d *FilesDesk) complete(e *messages.Provenance) error {
	if len(e.Trace) > 64 || len(e.Task) > 200 || strings.ContainsFunc(e.Trace+e.Task, func(r rune) bool { return r < ' ' }) {
		e.Trace, e.Task = d.NewID(), ""
		return messages.Invalid("trace_id", "it is no id").Try("give a UUID, or leave it out")
	}
	if e.By.Agent != "" { // whatever else it says
		e.Task = string(e.By.Agent.Address())
	}
	if e.Trace == "" {
		e.Trace = d.NewID()
	}
	return nil
}

// serve does one thing in the caller's workspace and writes it down. What was
// only read is written down later; but when the trail cannot be written, nothing
// is done any more.
func serve(ctx context.Context, d *FilesDesk, method, path string, e *messages.Provenance, do func(Workspace) (messages.Message, []messages.FileOutcome, error)) (messages.Message, error) {
	if err := d.trail.broken(); err != nil { //nolint:contextcheck // the trail is written whoever asks
		return nil, err
	}
	var answer messages.Message
	var outcomes []messages.FileOutcome
	var w Workspace
	err := d.complete(e)
	if err == nil {
		w, err = d.Of(ctx, e.By)
	}
	switch {
	case err != nil:
	case w == nil:
		err = messages.Errorf(messages.CodeDenied, "there is no workspace for %s", e.By.Address()).Try("ask the owner of the project")
	default:
		answer, outcomes, err = do(w)
	}
	rows := d.rows(method, path, e, outcomes, err)
	settled := settle(ctx, w, outcomes)
	lost := d.trail.write(ctx, rows, err != nil || changes(outcomes))
	if settled != nil {
		lost = errors.Join(lost, <-settled)
	}
	switch {
	case err != nil:
		return nil, err
	case lost != nil:
		return nil, lost
	}
	return answer, nil
}

func changes(outcomes []messages.FileOutcome) bool {
	return slices.ContainsFunc(outcomes, func(o messages.FileOutcome) bool { return o.Before != o.After })
}

// settle begins to make durable what was changed, beside the trail: the disk takes
// both at once. nil = there is nothing to wait for.
func settle(ctx context.Context, w Workspace, outcomes []messages.FileOutcome) <-chan error {
	var paths []string
	for _, o := range outcomes {
		if o.Before != o.After {
			paths = append(paths, o.Path)
		}
	}
	s, ok := w.(Settler)
	if !ok || len(paths) == 0 {
		return nil
	}
	done := make(chan error, 1)
	go func() { done <- s.Settle(context.WithoutCancel(ctx), paths...) }()
	return done
}

// rows tells of every file that was touched; of a refusal, and of what touches
// none, once.
func (d *FilesDesk) rows(method, path string, e *messages.Provenance, outcomes []messages.FileOutcome, err error) (rows []messages.AuditRow) {
	row := messages.AuditRow{At: d.Clock.Now(), Trace: e.Trace, Task: e.Task, Actor: e.By.Address(), Method: method, Path: messages.Cut(strings.ToValidUTF8(path, "\uFFFD"), 1024), Status: 200}
	if err != nil {
		refusal := messages.AsError(err)
		row.Status, row.Reason = messages.FileHTTP(refusal), messages.Cut(strings.ToValidUTF8(refusal.Message, "\uFFFD"), 500)
		if len(outcomes) == 0 {
			return []messages.AuditRow{row}
		}
	}
	for _, o := range outcomes {
		one := row
		one.Path, one.Size, one.Before, one.After = o.Path, o.Size, o.Before, o.After
		rows = append(rows, one)
	}
	if len(rows) == 0 {
		rows = append(rows, row)
	}
	return rows
}
