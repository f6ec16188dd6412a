package storetest

import (
	"context"
	"testing"
	"time"

	"kurogo/messages"
)

// Schedules plays n seeded worlds from seed first on.
func Schedules(t *testing.T, open Open, first uint64, n int) {
	t.Helper()
	steps := 0
	for i := range n {
		steps += schedule(t, open, first+uint64(i))
		if t.Failed() {
			return
		}
	}
	t.Logf("%d schedules, %d steps", n, steps)
}

// schedule plays one world: faults first, then quiet, until nothing is left to
// do. Then every promise must hold.
func schedule(t *testing.T, open Open, seed uint64) int {
	t.Helper()
	w := newWorld(t, open, seed)
	faults := 20 + w.rng.IntN(80)
	for range faults {
		w.step()
	}
	w.check()
	w.quiet = true
	steps := w.drain()
	w.check()
	w.judge()
	return faults + steps
}

// step does one random thing.
func (w *world) step() {
	m := w.pick()
	switch k := w.rng.IntN(40); {
	case k < 4 && len(w.roots) < 4:
		w.submit()
	case k < 6:
		w.rise(m)
	case k == 6:
		w.crash()
	case k == 7:
		w.cancel()
	case k == 8:
		w.pause(m)
	case k == 39:
		w.grant()
	case k < 11:
		w.haunt(m)
	case k < 14:
		w.pass(time.Duration(w.rng.IntN(8000)) * time.Millisecond)
	case k < 24:
		w.pull(m)
	default:
		w.act(m)
	}
	for _, i := range w.bell.interrupted() {
		w.interrupt(i)
	}
	if w.chance(12) { // a crash after any commit
		w.crash()
	}
}

// interrupt breaks the turn off: its task has ended without it.
func (w *world) interrupt(i messages.Interrupt) {
	for _, m := range w.crew {
		if m.name == i.To && m.work != nil && m.work.Task.ID == i.Task {
			work := m.work
			m.work = nil
			out, err := w.commit(messages.FailTurn{Fence: m.fence, Rows: work.Rows, Reason: "interrupted", Retry: true, Next: true, Now: w.now})
			if err != nil {
				w.failf("interrupt %s: %v", m.name, err)
			}
			w.finishPull(m, true, out.Turn)
		}
	}
}

// drain lets everybody work until nobody is woken and nothing is due.
func (w *world) drain() (steps int) {
	for _, m := range w.crew {
		if m.stopped {
			w.pause(m)
		}
	}
	for {
		if steps++; steps > 5000 {
			w.failf("the play never ends")
		}
		busy := false
		for _, m := range w.crew {
			if m.work == nil && w.bell.isWoken(m.name) {
				w.pull(m)
				busy = true
			}
			if m.work != nil {
				w.act(m)
				busy = true
			}
		}
		for _, i := range w.bell.interrupted() {
			w.interrupt(i)
		}
		if busy {
			continue
		}
		due := w.bell.nextDue()
		if w.grant() {
			continue
		}
		if due.IsZero() {
			return steps
		}
		w.pass(max(0, due.Sub(w.now)))
	}
}

// check asks the journal for rows that break an invariant.
func (w *world) check() {
	report, err := w.j.Check(context.Background())
	if err != nil {
		w.failf("check: %v", err)
	}
	for _, v := range report.Violations {
		w.failf("invariant broken: %s: %s", v.Invariant, v.Subject)
	}
}

// judge looks at the whole play from outside.
func (w *world) judge() {
	ctx := context.Background()
	all, err := w.j.Messages(ctx, messages.ListMessages{Limit: 10_000})
	if err != nil {
		w.failf("read messages: %v", err)
	}
	heard := map[messages.TaskID]int{}
	for _, m := range all.Messages {
		if m.To == messages.User && m.Type.Answers() {
			heard[m.Metadata.TaskID]++
		}
		if w.torn[m.ID] {
			w.failf("a send of a torn turn was released: %s", m.ID)
		}
		own := m.From != messages.User && m.From != messages.System && !m.Type.Answers()
		if own && !w.sent[m.ID] && !w.loose[m.ID] {
			w.failf("%s sent %s %q that no turn staged: only a task has an answer", m.From, m.Type, m.Content)
		}
		delete(w.sent, m.ID)
	}
	for id := range w.sent {
		if !reported(id, all.Messages) {
			w.failf("the send %s was accepted and is lost", id)
		}
	}
	for _, root := range w.roots {
		tree, err := w.j.Task(ctx, root)
		if err != nil {
			w.failf("read task: %v", err)
		}
		if heard[root] != 1 {
			w.failf("the user heard %d answers of %s", heard[root], root)
		}
		for _, t := range append(tree.Below, tree.Task) {
			w.judgeTask(t)
		}
	}
}

// reported says whether the sender was told that its send came to nothing.
func reported(id messages.MessageID, all []messages.CCMessage) bool {
	for _, m := range all {
		if m.ReplyTo == id {
			return true
		}
	}
	return false
}

func (w *world) judgeTask(t messages.Task) {
	if !t.Status.Final() {
		w.failf("task %s of %s is stuck in %s", t.ID, t.Owner, t.Status)
	}
	if t.Status == messages.Completed && t.Open > 0 && !w.early[t.ID] {
		w.failf("task %s answered without the results of %d sub-tasks", t.ID, t.Open)
	}
}
