package sqlite

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"kurogo/messages"
)

// A step is one change while it runs: its statements, and what it will tell the
// world once they are durable.
type step struct {
	w      *writer
	limits messages.Limits
	newID  func() string
	hex    func(n int) string

	events     []messages.Event
	logRows    []any // the values of logTable, row after row
	wakes      []messages.Address
	interrupts []messages.Interrupt
	due        time.Time
}

func (s *step) run(c messages.Change) (messages.Outcome, error) {
	switch c := c.(type) {
	case messages.Accept:
		return s.accept(c)
	case messages.Enlist:
		return s.enlist(c)
	case messages.Reclaim:
		return s.reclaim(c)
	case messages.Lease:
		return s.lease(c)
	case messages.EndTurn:
		return s.endTurn(c)
	case messages.FailTurn:
		return s.failTurn(c)
	case messages.Cancel:
		return s.cancel(c)
	case messages.Due:
		return s.dueNow(c)
	case messages.Resume:
		return s.resume(c)
	case messages.OpenGroup:
		return s.openGroup(c)
	case messages.CloseGroup:
		return s.closeGroup(c)
	case messages.OrderAgents:
		return s.orderAgents(c)
	case messages.KeepRun:
		return s.runShown(c)
	case messages.KeepReport:
		return s.keepReport(c)
	case messages.KeepHealth:
		return s.keepHealth(c)
	case messages.OpenJob:
		return s.openJob(c)
	case messages.KeepJob:
		return s.keepJob(c)
	case messages.CloseJob:
		return s.closeJob(c)
	case messages.AskApproval:
		return s.askApproval(c)
	case messages.GiveApproval:
		return s.giveApproval(c)
	case messages.KeepPlan:
		return s.keepPlan(c)
	case messages.OpenChat:
		return s.openChat(c)
	case messages.SayChat:
		return s.sayChat(c)
	case messages.PlanChat:
		return s.planChat(c)
	case messages.AnswerChat:
		return s.answerChat(c)
	case messages.RecordChat:
		return s.recordChat(c)
	case messages.SummariseChat:
		return s.summariseChat(c)
	case messages.NameChat:
		return s.nameChat(c)
	case messages.DropChat:
		return s.dropChat(c)
	case messages.SetStopped:
		return s.setStopped(c)
	case messages.Observe:
		return s.observe(c)
	case messages.Audit:
		return s.audit(c)
	}
	return messages.Outcome{}, fmt.Errorf("commit %T: no such change", c)
}

func (s *step) exec(query string, args ...any) error { return s.w.exec(query, args...) }

// changed runs a statement and counts the rows that it changed.
func (s *step) changed(query string, args ...any) (int64, error) {
	r, err := s.w.result(query, args...)
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

// one scans the first row; ok is false when there is none.
func (s *step) one(query string, args []any, into ...any) (ok bool, err error) {
	st, err := s.w.stmt(query)
	if err != nil {
		return false, err
	}
	err = st.QueryRow(args...).Scan(into...) //nolint:noctx // no cancellation after enqueue
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// each calls scan for every row. The rows are read before scan may run another
// statement that changes them, so keep the results small.
func (s *step) each(query string, args []any, scan func(*sql.Rows) error) error {
	st, err := s.w.stmt(query)
	if err != nil {
		return err
	}
	rows, err := st.Query(args...) //nolint:noctx // no cancellation after enqueue
	if err != nil {
		return err
	}
	return scanEach(rows, scan)
}

// strings collects one column.
func (s *step) strings(query string, args ...any) (out []string, err error) {
	err = s.each(query, args, func(r *sql.Rows) error {
		var v string
		err := r.Scan(&v)
		out = append(out, v)
		return err
	})
	return out, err
}

// emit writes an event in the same transaction as what it tells.
func (s *step) emit(at int64, kind messages.EventKind, id string, task, root messages.TaskID, data any) error {
	b, err := json.Marshal(data)
	if err != nil {
		return fmt.Errorf("encode %s: %w", kind, err)
	}
	s.events = append(s.events, messages.Event{At: fromMS(at), Kind: kind, ID: id, Task: task, Root: root, Data: b})
	return nil
}

func (s *step) log(at int64, m messages.CCMessage, ms float64, level messages.Level, fault string) {
	s.logRows = append(s.logRows, at, m.From, m.To, m.Type, m.Size(), ms, fault == "", fault, level)
}

func (s *step) wake(a messages.Address) { s.wakes = append(s.wakes, a) }

// dueAt remembers the earliest time at which something that this step wrote
// will be due.
func (s *step) dueAt(at int64) {
	if at > 0 && (s.due.IsZero() || fromMS(at).Before(s.due)) {
		s.due = fromMS(at)
	}
}

func ms(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

func fromMS(v int64) time.Time {
	if v == 0 {
		return time.Time{}
	}
	return time.UnixMilli(v).UTC()
}

func null(s string) any {
	if s == "" {
		return nil
	}
	return s
}
