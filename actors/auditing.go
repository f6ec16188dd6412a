package actors

import (
	"context"
	"sync"
	"sync/atomic"

	"kurogo/messages"
)

// auditing writes the audit trail from one goroutine, in the order in which it was
// told, many rows at a time: while one commit is under way the next gathers.
type auditing struct {
	journal Journal
	queue   chan audited
	fault   atomic.Pointer[messages.Error] // the last commit failed: nothing may be done unseen
	over    sync.WaitGroup
}

// An audited waits for done if somebody waits for him; without rows he only waits.
type audited struct {
	rows []messages.AuditRow
	done chan error
}

const (
	auditDepth = 1024
	auditBatch = 256 // rows of one commit
)

func newAuditing(j Journal) *auditing {
	a := &auditing{journal: j, queue: make(chan audited, auditDepth)}
	a.over.Go(a.run)
	return a
}

func (a *auditing) close() {
	close(a.queue)
	a.over.Wait()
}

// broken says that the trail cannot be written.
func (a *auditing) broken() error {
	e := a.fault.Load()
	if e == nil {
		return nil
	}
	if err := a.write(context.Background(), nil, true); err != nil { // perhaps it can again
		return messages.Errorf(messages.CodeUnavailable, "the audit trail cannot be written: %s", e.Message).Try("see kurogo doctor; nothing was touched")
	}
	return nil
}

// write hands rows over; with wait it returns when they are durable. What was done
// must be written down, so ctx counts for who only reads.
func (a *auditing) write(ctx context.Context, rows []messages.AuditRow, wait bool) error {
	job := audited{rows: rows}
	if !wait {
		select {
		case a.queue <- job:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	job.done = make(chan error, 1)
	a.queue <- job
	return <-job.done
}

// flush waits until everything before it is in the journal.
func (a *auditing) flush(ctx context.Context) error { return a.write(ctx, nil, true) }

func (a *auditing) run() {
	var kept []messages.AuditRow // that could not be written yet
	for first := range a.queue {
		batch, rows := []audited{first}, append(kept, first.rows...)
		for len(rows) < auditBatch {
			select {
			case next, ok := <-a.queue:
				if ok {
					batch, rows = append(batch, next), append(rows, next.rows...)
					continue
				}
			default:
			}
			break
		}
		err := a.commit(batch, rows)
		if kept = nil; err != nil {
			kept = rows[:min(len(rows), auditDepth)]
		}
		for _, b := range batch {
			if b.done != nil {
				b.done <- err
			}
		}
	}
}

// commit is lazy where nobody waits.
func (a *auditing) commit(batch []audited, rows []messages.AuditRow) error {
	lazy := true
	for _, b := range batch {
		lazy = lazy && b.done == nil
	}
	if len(rows) == 0 && lazy {
		return nil
	}
	_, err := a.journal.Commit(context.Background(), messages.Audit{Rows: rows, Lazy: lazy})
	a.fault.Store(messages.AsError(err))
	return err
}
