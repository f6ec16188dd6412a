package actors_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"kurogo/actors"
	"kurogo/messages"
)

// A drawer is a workspace of one file that says yes to most things.
type drawer struct {
	mu         sync.Mutex
	content    string
	provenance messages.Provenance
	settled    []string
	inside     int // who search now
	most       int
	release    chan struct{} // of searches
}

func (d *drawer) remember(e messages.Provenance) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.provenance = e
}

func (d *drawer) List(_ context.Context, m messages.ListFiles) (messages.FileList, error) {
	d.remember(m.Provenance)
	return messages.FileList{}, nil
}

func (d *drawer) Read(_ context.Context, m messages.ReadFile) (messages.FileContent, error) {
	d.remember(m.Provenance)
	return messages.FileContent{Content: d.content}, nil
}

func (d *drawer) Stat(context.Context, messages.StatFile) (messages.FileStat, error) {
	return messages.FileStat{}, messages.Errorf(messages.CodeNotFound, "there is no file").Try("look")
}

func (d *drawer) Search(ctx context.Context, _ messages.SearchText) (messages.TextFound, error) {
	d.mu.Lock()
	d.inside++
	d.most = max(d.most, d.inside)
	d.mu.Unlock()
	select {
	case <-d.release:
	case <-ctx.Done():
	}
	d.mu.Lock()
	d.inside--
	d.mu.Unlock()
	return messages.TextFound{}, ctx.Err()
}

func (d *drawer) Write(_ context.Context, m messages.WriteFile) (messages.FileOutcome, error) {
	d.remember(m.Provenance)
	if strings.HasPrefix(m.Path, "..") {
		return messages.FileOutcome{}, messages.Invalid(messages.FieldMaxBytes, "it is too large\xff").Try("less")
	}
	return messages.FileOutcome{Path: m.Path, Action: messages.MadeFile, Size: 3, After: "hash"}, nil
}

func (d *drawer) Delete(_ context.Context, m messages.DeleteFile) (messages.FileOutcome, error) {
	return messages.FileOutcome{Path: m.Path, Action: messages.RemovedFile, Before: "hash"}, nil
}

func (d *drawer) Settle(_ context.Context, paths ...string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.settled = append(d.settled, paths...)
	return nil
}

func (d *drawer) Patch(context.Context, messages.ApplyPatch) ([]messages.FileOutcome, error) {
	return []messages.FileOutcome{{Path: "a.md", Before: "1", After: "2"}, {Path: "b.md", After: "3"}}, nil
}

func (d *drawer) Undo(context.Context, messages.UndoTask) ([]messages.FileOutcome, error) {
	return []messages.FileOutcome{{Path: "a.md", Before: "2", After: "1"}}, nil
}

// A ledger keeps what it is told, or refuses to.
type ledger struct {
	mu      sync.Mutex
	rows    []messages.AuditRow
	durable int // rows that somebody waited for
	fault   error
}

func (l *ledger) Commit(_ context.Context, c messages.Change) (messages.Outcome, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.fault != nil {
		return messages.Outcome{}, l.fault
	}
	a := c.(messages.Audit)
	l.rows = append(l.rows, a.Rows...)
	if !a.Lazy {
		l.durable = len(l.rows)
	}
	return messages.Outcome{}, nil
}

func (l *ledger) fails(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.fault = err
}

func (l *ledger) AuditTrail(context.Context, messages.ListAudit) (messages.AuditTrail, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return messages.AuditTrail{Rows: slices.Clone(l.rows), Next: int64(l.durable)}, nil
}

func (l *ledger) VerifyAudit(context.Context, messages.VerifyAudit) (messages.AuditVerdict, error) {
	return messages.AuditVerdict{Rows: int64(len(l.rows))}, nil
}

func filesDesk(t *testing.T, w actors.Workspace) (*actors.FilesDesk, *ledger) {
	t.Helper()
	l := &ledger{}
	var n atomic.Int64
	d := actors.NewFilesDesk(actors.FilesDesk{
		Of: func(_ context.Context, by messages.Caller) (actors.Workspace, error) {
			if by.Agent == "homeless" {
				return nil, nil
			}
			return w, nil
		},
		Archive: l, Clock: actors.SystemClock{}, NewID: func() string { return fmt.Sprintf("made-%d", n.Add(1)) },
	}, l)
	return d, l
}

func asks(t *testing.T, d *actors.FilesDesk, m messages.Message) (messages.Message, error) {
	t.Helper()
	answer, ok, err := d.Ask(t.Context(), m)
	if !ok {
		t.Fatalf("%T is nobody's", m)
	}
	return answer, err
}

// Everything that is asked is written down: what, by whom, for which task, and
// what came of it.
func TestEverythingIsWrittenDown(t *testing.T) {
	w := &drawer{content: "abc"}
	d, _ := filesDesk(t, w)
	defer d.Close()
	agent := messages.Provenance{By: messages.Caller{Agent: "a-1"}, Trace: "tr"}
	owner := messages.Provenance{Task: "t"}
	for _, m := range []messages.Message{
		messages.ListFiles{Path: ".", Provenance: owner},
		messages.ReadFile{Path: "r.md", Provenance: agent},
		messages.StatFile{Path: "s.md", Provenance: owner},
		messages.WriteFile{Path: "w.md", Provenance: messages.Provenance{Trace: "tr"}},
		messages.WriteFile{Path: "../\xff", Provenance: agent},
		messages.DeleteFile{Path: "d.md", Provenance: owner},
		messages.ApplyPatch{Provenance: owner},
		messages.UndoTask{Provenance: owner},
		messages.ReadFile{Path: "h.md", Provenance: messages.Provenance{By: messages.Caller{Agent: "homeless"}}},
	} {
		_, err := asks(t, d, m)
		if err != nil && messages.AsError(err).Remedy == "" {
			t.Errorf("%T: %v", m, err)
		}
	}
	answer, err := asks(t, d, messages.ListAudit{})
	if err != nil {
		t.Fatal(err)
	}
	trail := answer.(messages.AuditTrail)
	var got []string
	for _, r := range trail.Rows {
		if r.At.IsZero() {
			t.Errorf("%+v has no time", r)
		}
		got = append(got, fmt.Sprintf("%s %s %s %s %s %d %d %.2s>%.2s %s", r.Trace, r.Task, r.Actor, r.Method, r.Path, r.Size, r.Status, r.Before, r.After, r.Reason))
	}
	want := []string{
		"made-1 t user list_files . 0 200 > ",
		"tr agent:a-1 agent:a-1 read_file r.md 3 200 ba>ba ",
		"made-2 t user stat_file s.md 0 404 > there is no file",
		"tr  user write_file w.md 3 200 >ha ",
		"tr agent:a-1 agent:a-1 write_file ../\uFFFD 0 413 > it is too large\uFFFD",
		"made-3 t user delete_file d.md 0 200 ha> ",
		"made-4 t user apply_patch a.md 0 200 1>2 ",
		"made-4 t user apply_patch b.md 0 200 >3 ",
		"made-5 t user undo_task a.md 0 200 2>1 ",
		"made-6 agent:homeless agent:homeless read_file h.md 0 403 > there is no workspace for agent:homeless",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the trail is\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if want := []string{"w.md", "d.md", "a.md", "b.md", "a.md"}; !slices.Equal(w.settled, want) {
		t.Errorf("made durable: %q, want %q", w.settled, want)
	}
	if int(trail.Next) != len(want) {
		t.Errorf("%d of %d rows are durable for a reader", trail.Next, len(want))
	}
}

// What changed something, or was refused, is durable before it is answered; what
// was read is so later.
func TestChangesWaitForTheTrail(t *testing.T) {
	d, l := filesDesk(t, &drawer{})
	_, err := asks(t, d, messages.ReadFile{Path: "r.md"})
	if err != nil || l.durable != 0 {
		t.Errorf("a read: %v, %d rows durable", err, l.durable)
	}
	_, err = asks(t, d, messages.WriteFile{Path: "w.md"})
	if err != nil || l.durable != 2 {
		t.Errorf("a write: %v, %d rows durable", err, l.durable)
	}
	if _, err = asks(t, d, messages.WriteFile{Path: "../x"}); err == nil || l.durable != 3 {
		t.Errorf("a refusal: %v, %d rows durable", err, l.durable)
	}
	d.Close()
}

// As long as the trail cannot be written nothing is touched; what was done before
// is not forgotten.
func TestNothingIsDoneUnseen(t *testing.T) {
	w := &drawer{content: "abc"}
	d, l := filesDesk(t, w)
	defer d.Close()
	l.fails(messages.Errorf(messages.CodeUnavailable, "the disk is full"))
	if _, err := asks(t, d, messages.WriteFile{Path: "first.md"}); !messages.IsCode(err, messages.CodeUnavailable) {
		t.Errorf("an unseen write: %v", err)
	}
	w.remember(messages.Provenance{Task: "nobody"})
	for _, m := range []messages.Message{messages.ReadFile{Path: "a.md"}, messages.WriteFile{Path: "b.md"}} {
		if _, err := asks(t, d, m); !messages.IsCode(err, messages.CodeUnavailable) || !strings.Contains(err.Error(), "disk is full") {
			t.Errorf("%T: %v", m, err)
		}
	}
	if w.provenance.Task != "nobody" {
		t.Errorf("the workspace was asked for %+v", w.provenance)
	}
	l.fails(nil)
	if _, err := asks(t, d, messages.WriteFile{Path: "c.md"}); err != nil {
		t.Error(err)
	}
	var paths []string
	for _, r := range l.rows {
		paths = append(paths, r.Path)
	}
	if !slices.Equal(paths, []string{"first.md", "c.md"}) {
		t.Errorf("the trail has %q", paths)
	}
}

// Two search at a time; who waits for a seat can go away.
func TestSearchesTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &drawer{release: make(chan struct{})}
		d, _ := filesDesk(t, w)
		ctx, cancel := context.WithCancel(t.Context())
		errs := make(chan error, 5)
		for i := range 5 {
			c := t.Context()
			if i == 0 {
				c = ctx
			}
			go func() { _, _, err := d.Ask(c, messages.SearchText{Pattern: "x"}); errs <- err }()
		}
		synctest.Wait()
		cancel()
		synctest.Wait()
		if err := <-errs; !errors.Is(err, context.Canceled) {
			t.Errorf("who went away hears %v", err)
		}
		close(w.release)
		for range 4 {
			if err := <-errs; err != nil {
				t.Error(err)
			}
		}
		if w.most != 2 {
			t.Errorf("%d searched at a time", w.most)
		}
		d.Close()
	})
}

// Many at once are written down once each, and an agent may not undo.
func TestTheTrailOfManyAtOnce(t *testing.T) {
	d, l := filesDesk(t, &drawer{content: "abc"})
	var all sync.WaitGroup
	for i := range 200 {
		all.Go(func() {
			var m messages.Message = messages.ReadFile{Path: "r.md"}
			if i%4 == 0 {
				m = messages.WriteFile{Path: "w.md"}
			}
			if _, _, err := d.Ask(t.Context(), m); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if _, err := asks(t, d, messages.UndoTask{Provenance: messages.Provenance{Task: "t", By: messages.Caller{Agent: "a"}}}); !messages.IsCode(err, messages.CodeDenied) {
		t.Errorf("an agent undoes: %v", err)
	}
	if _, err := asks(t, d, messages.ReadFile{Path: "r.md", Provenance: messages.Provenance{Trace: strings.Repeat("x", 65)}}); !messages.IsCode(err, messages.CodeInvalid) {
		t.Errorf("a long trace: %v", err)
	}
	if answer, err := asks(t, d, messages.VerifyAudit{}); err != nil || answer.(messages.AuditVerdict).Rows != 202 {
		t.Errorf("verify: %+v, %v", answer, err)
	}
	d.Close()
	if len(l.rows) != 202 {
		t.Errorf("there are %d rows", len(l.rows))
	}
	if _, ok, _ := d.Ask(t.Context(), messages.GetCrew{}); ok {
		t.Error("the desk answers for the crew")
	}
}
