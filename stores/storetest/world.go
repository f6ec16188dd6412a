package storetest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"kurogo/messages"
)

// A world is one seeded play: a crew that pulls, works, fails and falls.
type world struct {
	t       testing.TB
	seed    uint64
	rng     *rand.Rand
	j       Journal
	bell    *Bell
	now     time.Time
	limits  messages.Limits
	crew    []*member
	quiet   bool
	nextID  int
	roots   []messages.TaskID
	sent    map[messages.MessageID]bool // staged in a turn that the journal took
	loose   map[messages.MessageID]bool // staged on a word of the journal: may be refused silently
	rests   map[messages.MessageID]int  // attempts that cost nothing
	torn    map[messages.MessageID]bool // staged in a turn that it did not take
	answers map[messages.MessageID]bool // sent as the answer: the journal words it anew
	early   map[messages.TaskID]bool    // answered on purpose while sub-tasks were open
	history []string
}

// A member plays a persona. What it holds is volatile: a crash loses it.
type member struct {
	name    messages.Address
	gather  messages.Gather
	fence   messages.Fence
	stopped bool
	work    *messages.Work
	old     []oldTurn
}

// An oldTurn is what a former life still believes to hold.
type oldTurn struct {
	fence messages.Fence
	rows  []messages.Row
}

var crewNames = []messages.Address{"boss", "left", "right", "deep"}

func newWorld(t testing.TB, open Open, seed uint64) *world {
	w := &world{
		t: t, seed: seed, rng: rand.New(rand.NewPCG(seed, 7)), bell: &Bell{}, now: time.UnixMilli(1_000_000),
		sent: map[messages.MessageID]bool{}, torn: map[messages.MessageID]bool{}, rests: map[messages.MessageID]int{}, loose: map[messages.MessageID]bool{}, early: map[messages.TaskID]bool{}, answers: map[messages.MessageID]bool{},
		limits: messages.Limits{MessageBytes: 1 << 10, ThinkingBytes: 1 << 10, Depth: 3, OpenSubtasks: 3, MessagesPerRoot: 25, InboxDepth: 3, Attempts: 3, TaskMicros: 6, DayMicros: 40},
	}
	w.j = open(t, w.limits, w.bell)
	var list []messages.Enlisted
	for i, name := range crewNames {
		m := &member{name: name, gather: messages.All}
		if i == 2 {
			m.gather = messages.Each
		}
		w.crew = append(w.crew, m)
		superior := crewNames[0]
		if i == 0 {
			superior = messages.User
		}
		list = append(list, messages.Enlisted{Name: name, ReportsTo: superior, Gather: m.gather})
	}
	if _, err := w.commit(messages.Enlist{Crew: list, Now: w.now}); err != nil {
		w.failf("enlist: %v", err)
	}
	for _, m := range w.crew {
		w.rise(m)
	}
	return w
}

func (w *world) failf(format string, args ...any) {
	w.t.Helper()
	tail := w.history[max(0, len(w.history)-40):]
	text := ""
	for _, line := range tail {
		text += "\n  " + line
	}
	w.t.Fatalf("seed %d: %s\nlast steps:%s", w.seed, fmt.Sprintf(format, args...), text)
}

func (w *world) note(format string, args ...any) {
	w.history = append(w.history, fmt.Sprintf(format, args...))
}

func (w *world) commit(c messages.Change) (messages.Outcome, error) {
	w.note("%T%+v", c, c)
	out, err := w.j.Commit(context.Background(), c)
	if err != nil && messages.IsCode(err, messages.CodeInternal) {
		w.failf("commit %T: %v", c, err)
	}
	return out, err
}

func (w *world) id() messages.MessageID {
	w.nextID++
	return messages.MessageID(fmt.Sprintf("m%d", w.nextID))
}

func (w *world) pick() *member { return w.crew[w.rng.IntN(len(w.crew))] }

// chance is true once in n.
func (w *world) chance(n int) bool { return w.rng.IntN(n) == 0 }

// rise begins a new life; what the old one held is forgotten but for its ghost.
func (w *world) rise(m *member) {
	if m.work != nil {
		m.old = append(m.old, oldTurn{m.fence, m.work.Rows})
		m.work = nil
	}
	out, err := w.commit(messages.Reclaim{Persona: m.name, Now: w.now})
	if err != nil {
		w.failf("reclaim %s: %v", m.name, err)
	}
	if m.fence.Epoch >= out.Epoch {
		w.failf("%s rose to epoch %d after %d", m.name, out.Epoch, m.fence.Epoch)
	}
	m.fence = messages.Fence{Persona: m.name, Epoch: out.Epoch}
	m.stopped = out.Stopped
	w.bell.wake(m.name) // a persona pulls once at its start
}

// crash ends the whole process: what was not durable is gone.
func (w *world) crash() {
	w.note("crash")
	w.j.Crash()
	for _, m := range w.crew {
		w.rise(m)
	}
	w.tick() // the timekeeper asks once at its start
}

func (w *world) submit() {
	m := messages.CCMessage{ID: w.id(), From: messages.User, To: "boss", Type: messages.TaskRequest, Content: "work"}
	c := messages.Accept{Message: m, Now: w.now}
	if w.chance(6) {
		c.Deadline = w.now.Add(time.Duration(5+w.rng.IntN(120)) * time.Second)
	}
	if w.chance(4) {
		c.Key = "key " + string(m.ID)
	}
	if w.chance(5) {
		m.Metadata.TTL = 1 + w.rng.IntN(30)
		c.Message = m
	}
	out, err := w.commit(c)
	if err != nil {
		if !messages.IsCode(err, messages.CodeBusy) {
			w.failf("submit: %v", err)
		}
		return
	}
	w.roots = append(w.roots, out.Accepted.Task)
	if again, err := w.commit(c); err != nil || again.Accepted.Task != out.Accepted.Task || !again.Accepted.Again {
		w.failf("submitting twice is submitting once: got %+v, %v", again.Accepted, err)
	}
}

// pull takes a turn if somebody rang: nobody looks into the journal unasked.
func (w *world) pull(m *member) {
	if m.work != nil || m.stopped || !w.bell.answered(m.name) {
		return
	}
	out, err := w.commit(messages.Lease{Fence: m.fence, Reserve: w.price(), Now: w.now})
	if err != nil || out.Stale {
		w.failf("%s pulls: stale %v, %v", m.name, out.Stale, err)
	}
	w.got(m, out.Turn)
}

// got checks what every turn must satisfy.
func (w *world) got(m *member, work *messages.Work) {
	m.work = work
	if work == nil {
		return
	}
	for i, msg := range work.Messages {
		if msg.To != m.name {
			w.failf("%s got a message to %s", m.name, msg.To)
		}
		if work.Rows[i].Attempt-w.rests[msg.ID] > w.limits.Attempts {
			w.failf("a row is handed over %d times, the limit is %d", work.Rows[i].Attempt, w.limits.Attempts)
		}
	}
	if !work.Messages[0].Type.Answers() || m.gather != messages.All {
		return
	}
	tree, err := w.j.Task(context.Background(), work.Task.ID)
	if err != nil {
		w.failf("read task: %v", err)
	}
	for _, c := range tree.Below {
		if c.Parent == work.Task.ID && !c.Status.Final() {
			w.failf("answers are handed over together: %s is still %s", c.ID, c.Status)
		}
	}
}

// act ends the turn of m in one of the many ways in which a turn can end.
func (w *world) act(m *member) {
	if m.work == nil {
		return
	}
	work := m.work
	m.work = nil
	if w.chance(6) {
		w.fail(m, work)
		return
	}
	end := messages.EndTurn{Fence: m.fence, Rows: work.Rows, Text: "done by " + string(m.name), Next: w.chance(2), Reserve: w.price(), Bill: messages.Bill{Micros: w.price()}, Now: w.now}
	end.Sends = w.stage(m, work)
	explicit := len(end.Sends) > 0 && slices.ContainsFunc(end.Sends, func(c messages.CCMessage) bool { return c.Type.Answers() })
	out, err := w.commit(end)
	if err != nil || out.Stale {
		w.failf("%s ends its turn: stale %v, %v", m.name, out.Stale, err)
	}
	for _, s := range end.Sends {
		if s.Type.Answers() {
			w.answers[s.ID] = true
		} else if work.Messages[0].From == messages.System {
			w.loose[s.ID] = true
		} else {
			w.sent[s.ID] = true
		}
	}
	if explicit {
		w.early[work.Task.ID] = true
	}
	w.finishPull(m, end.Next, out.Turn)
}

func (w *world) fail(m *member, work *messages.Work) {
	f := messages.FailTurn{Fence: m.fence, Rows: work.Rows, Reason: "it fell", Retry: !w.chance(4), Next: w.chance(2), Now: w.now}
	f.Bill.Micros, f.Reserve = w.price(), w.price()
	f.Park = w.chance(3)
	if w.chance(2) {
		f.RetryAt = w.now.Add(time.Duration(w.rng.IntN(20)) * time.Second)
	}
	if f.Retry && f.Park {
		for _, msg := range work.Messages {
			w.rests[msg.ID]++
		}
	}
	out, err := w.commit(f)
	if err != nil || out.Stale {
		w.failf("%s fails its turn: stale %v, %v", m.name, out.Stale, err)
	}
	w.finishPull(m, f.Next, out.Turn)
}

func (w *world) finishPull(m *member, asked bool, next *messages.Work) {
	if asked {
		w.got(m, next)
		return
	}
	w.bell.wake(m.name) // it pulls again of itself
}

// stage writes what the turn sends: sub-tasks, notes, an answer of its own.
func (w *world) stage(m *member, work *messages.Work) (out []messages.CCMessage) {
	if w.quiet && !w.chance(4) {
		return nil
	}
	send := func(to messages.Address, typ messages.Type) {
		msg := messages.CCMessage{ID: w.id(), From: m.name, To: to, Type: typ, Content: "part"}
		if typ == messages.TaskRequest && w.chance(4) {
			msg.Metadata.TTL = 1 + w.rng.IntN(20)
		}
		if w.chance(5) {
			msg.Metadata.Priority = messages.Urgent
		}
		out = append(out, msg)
	}
	other := func() messages.Address {
		for {
			if to := w.pick().name; to != m.name {
				return to
			}
		}
	}
	if w.chance(4) {
		send(other(), messages.Info)
	}
	if work.Task.ID == "" {
		return out
	}
	if work.Task.Depth < 3 && w.chance(2) {
		for range 1 + w.rng.IntN(2) {
			send(other(), messages.TaskRequest)
		}
	}
	if work.Task.Requester != messages.User && w.chance(8) {
		send(work.Task.Requester, messages.TaskResponse)
	}
	if w.chance(10) {
		send(work.Task.Requester, []messages.Type{messages.TaskComplete, messages.TaskFailed}[w.rng.IntN(2)])
	}
	return out
}

// haunt lets a former life try to end the turn that it believes to hold.
func (w *world) haunt(m *member) {
	if len(m.old) == 0 {
		return
	}
	g := m.old[w.rng.IntN(len(m.old))]
	ghost := messages.CCMessage{ID: w.id(), From: m.name, To: "boss", Type: messages.Info, Content: "boo"}
	if m.name == "boss" {
		ghost.To = "left"
	}
	w.torn[ghost.ID] = true
	out, err := w.commit(messages.EndTurn{Fence: g.fence, Rows: g.rows, Text: "late", Sends: []messages.CCMessage{ghost}, Now: w.now})
	if err != nil || !out.Stale {
		w.failf("a former life of %s still counts: %+v, %v", m.name, out, err)
	}
}

// price is what a turn may cost, or costs: now and then nothing.
func (w *world) price() int64 { return int64(w.rng.IntN(3)) }

// grant is a person who lets everything go on that waits for money.
func (w *world) grant() bool {
	waiting, err := w.j.Approvals(context.Background())
	if err != nil {
		w.failf("read approvals: %v", err)
	}
	for _, a := range waiting {
		if a.Waiting == 0 || a.Spent < a.Limit && a.Kind == messages.ParkedTask {
			w.failf("somebody is asked although there is money: %+v", a)
		}
		out, err := w.commit(messages.Resume{Task: a.Task, Now: w.now})
		if err != nil || out.Resumed.Released == 0 {
			w.failf("resume %s: %+v, %v", a.Task, out.Resumed, err)
		}
	}
	return len(waiting) > 0
}

func (w *world) cancel() {
	if len(w.roots) == 0 {
		return
	}
	tree, err := w.j.Task(context.Background(), w.roots[w.rng.IntN(len(w.roots))])
	if err != nil {
		w.failf("read task: %v", err)
	}
	victim := tree.Task
	if len(tree.Below) > 0 && w.chance(2) {
		victim = tree.Below[w.rng.IntN(len(tree.Below))]
	}
	if _, err := w.commit(messages.Cancel{Task: victim.ID, Now: w.now}); err != nil {
		w.failf("cancel: %v", err)
	}
}

// pause stops or starts a member, as a person would.
func (w *world) pause(m *member) {
	if m.work != nil {
		return
	}
	m.stopped = !m.stopped
	if _, err := w.commit(messages.SetStopped{Persona: m.name, Stopped: m.stopped, Now: w.now}); err != nil {
		w.failf("pause %s: %v", m.name, err)
	}
}

// tick is the timekeeper: it acts when something is due and sleeps otherwise.
func (w *world) tick() {
	out, err := w.commit(messages.Due{Now: w.now})
	if err != nil {
		w.failf("due: %v", err)
	}
	w.bell.Ring(nil, nil, out.Next)
}

func (w *world) pass(d time.Duration) {
	w.now = w.now.Add(d)
	if w.bell.takeDue(w.now) {
		w.tick()
	}
}
