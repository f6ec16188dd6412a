package sqlite_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"kurogo/messages"
	"kurogo/stores/sqlite"
)

// A chronicle is a journal with groups whose agents have ended.
type chronicle struct {
	*testing.T
	*sqlite.Store
	now time.Time
}

func newChronicle(t *testing.T, limits messages.Limits) *chronicle {
	t.Helper()
	s, err := sqlite.Open(t.Context(), "", sqlite.Options{Limits: limits})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return &chronicle{t, s, time.UnixMilli(1_000_000).UTC()}
}

func (c *chronicle) must(change messages.Change) messages.Outcome {
	c.Helper()
	out, err := c.Commit(context.Background(), change)
	if err != nil {
		c.Fatalf("%T: %v", change, err)
	}
	return out
}

func (c *chronicle) group(what string) messages.GroupID {
	c.Helper()
	return c.must(messages.OpenGroup{Description: what, By: messages.User, Now: c.now}).Group.ID
}

func (c *chronicle) order(g messages.GroupID, stages ...[]string) []messages.Agent {
	c.Helper()
	order := messages.OrderAgents{Group: g, By: messages.User, Now: c.now}
	for _, roles := range stages {
		var drafts []messages.Draft
		for _, role := range roles {
			drafts = append(drafts, messages.Draft{Role: role, Driver: "fake", Model: "m", Prompt: "do the " + role, Dir: "/tmp", Timeout: time.Hour, Isolation: messages.IsolationNone})
		}
		order.Stages = append(order.Stages, drafts)
	}
	return c.must(order).Agents
}

// run lets an agent work for so long, use tools, and end; a fault fails it.
func (c *chronicle) run(a messages.Agent, took time.Duration, tools int, fault string) {
	c.Helper()
	who := a.ID.Address()
	fence := messages.Fence{Persona: who, Epoch: c.must(messages.Reclaim{Persona: who, Now: c.now}).Epoch}
	work := c.must(messages.Lease{Fence: fence, Now: c.now}).Turn
	if work == nil {
		c.Fatalf("%s has no turn", a.ID)
	}
	c.now = c.now.Add(took)
	c.must(messages.KeepRun{Agent: a.ID, Run: messages.Run{ToolCalls: tools, Last: "said by " + string(a.ID), Argv: []string{"fake", "--secretly"}}, Now: c.now})
	if fault != "" {
		c.must(messages.FailTurn{Fence: fence, Rows: work.Rows, Code: messages.CodeInternal, Reason: fault, Now: c.now})
		return
	}
	c.must(messages.EndTurn{Fence: fence, Rows: work.Rows, Text: "done", Bill: messages.Bill{Driver: "fake", Model: "m", Micros: int64(tools), InputTokens: 7}, Now: c.now})
}

func (c *chronicle) history(q messages.ListHistory) messages.History {
	c.Helper()
	h, err := c.History(c.Context(), q)
	if err != nil {
		c.Fatalf("%+v: %v", q, err)
	}
	return h
}

func roles(h messages.History) (out []string) {
	for _, a := range h.Agents {
		out = append(out, a.Role)
	}
	return out
}

func (c *chronicle) told(kind messages.EventKind) (out []messages.Event) {
	c.Helper()
	c.group("whose answer comes when all before it is written")
	last := c.Last()
	for e, err := range c.Watch(c.Context(), messages.Topic{}, 0) {
		if err != nil {
			c.Fatal(err)
		}
		if e.Kind == kind {
			out = append(out, e)
		}
		if e.Seq == last {
			return out
		}
	}
	return out
}

var roomy = messages.Limits{MessageBytes: 1 << 20, Attempts: 5, QueuedAgents: 100, Depth: 8, OpenSubtasks: 8, MessagesPerRoot: 100, InboxDepth: 100}

// What has ended is found by group, role, outcome and words, in any order, also
// when its group has been deleted; what has not ended is not there.
func TestHistory(t *testing.T) {
	t.Parallel()
	c := newChronicle(t, roomy)
	first, second := c.group("mend the curtain"), c.group("read the house")
	for i, a := range c.order(first, []string{"code", "test"}) {
		c.run(a, time.Duration(3-i)*time.Second, i, "")
	}
	fallen := c.order(second, []string{"code"})[0]
	c.run(fallen, time.Minute, 9, "the rope is torn")
	c.must(messages.KeepReport{Agent: fallen.ID, Report: messages.Report{Status: messages.ResultFailure, Summary: "knot 3"}, Now: c.now})
	c.order(second, []string{"open"})
	c.must(messages.CloseGroup{Group: first, Now: c.now})
	for _, x := range []struct {
		q    messages.ListHistory
		want []string
	}{
		{messages.ListHistory{}, []string{"code", "test", "code"}},
		{messages.ListHistory{Group: first}, []string{"test", "code"}},
		{messages.ListHistory{Role: "code", Sort: "when"}, []string{"code", "code"}},
		{messages.ListHistory{Status: messages.AgentFailed}, []string{"code"}},
		{messages.ListHistory{Status: messages.AgentReported}, []string{"code"}},
		{messages.ListHistory{Status: messages.AgentLost}, nil},
		{messages.ListHistory{Find: "CURTAIN test"}, []string{"test"}},
		{messages.ListHistory{Find: "knot"}, []string{"code"}},
		{messages.ListHistory{Find: "%"}, nil},
		{messages.ListHistory{Sort: "duration", Limit: 2}, []string{"test", "code"}},
		{messages.ListHistory{Sort: "-tools", Limit: 1, Offset: 1}, []string{"test"}},
		{messages.ListHistory{Sort: "group"}, []string{"test", "code", "code"}},
	} {
		if got := c.history(x.q); !slices.Equal(roles(got), x.want) {
			t.Errorf("%+v found %q, want %q", x.q, roles(got), x.want)
		}
	}
	h := c.history(messages.ListHistory{Limit: 1})
	a := h.Agents[0]
	if h.Total != 3 || len(h.Groups) != 1 || h.Groups[0].ID != second || a.Run.Last != "knot 3" || a.Run.Argv != nil || a.Outcome != messages.AgentFailed {
		t.Errorf("%+v", h)
	}
	if !slices.Equal(h.Roles, []string{"code", "open", "test"}) {
		t.Errorf("roles %q", h.Roles)
	}
	for _, q := range []messages.ListHistory{{Sort: "money"}, {Status: "running"}, {Status: "odd"}, {Offset: -1}} {
		if _, err := c.History(t.Context(), q); !messages.IsCode(err, messages.CodeInvalid) {
			t.Errorf("%+v: %v", q, err)
		}
	}
}

// Who turns the pages while more ends sees everything that had ended before once.
func TestHistoryPagesStandStill(t *testing.T) {
	t.Parallel()
	c := newChronicle(t, roomy)
	g := c.group("many")
	for range 7 {
		c.run(c.order(g, []string{"code"})[0], time.Second, 1, "")
	}
	seen := map[messages.AgentID]bool{}
	q := messages.ListHistory{Limit: 3}
	for {
		h := c.history(q)
		for _, a := range h.Agents {
			if seen[a.ID] {
				t.Errorf("%s is there twice", a.ID)
			}
			seen[a.ID] = true
		}
		c.run(c.order(g, []string{"late"})[0], time.Second, 1, "")
		q.Until, q.Offset = h.Until, q.Offset+len(h.Agents)
		if q.Offset == h.Total {
			break
		}
		if len(h.Agents) == 0 || h.Total != 7 {
			t.Fatalf("page at %d: %d of %d", q.Offset, len(h.Agents), h.Total)
		}
	}
	if len(seen) != 7 {
		t.Errorf("%d agents", len(seen))
	}
}

// What tasks took is told of a tree, task by task, and of all roots in sum.
func TestLedger(t *testing.T) {
	t.Parallel()
	c := newChronicle(t, roomy)
	g := c.group("money")
	cheap, dear := c.order(g, []string{"code"})[0], c.order(g, []string{"code"})[0]
	c.run(cheap, time.Second, 5, "")
	c.run(dear, time.Second, 70, "")
	all, err := c.Ledger(t.Context(), "")
	if err != nil || len(all.Rows) != 2 || all.Rows[0] != (messages.LedgerRow{Task: dear.Task, Turns: 1, Attempts: 1, Micros: 70, InputTokens: 7}) {
		t.Errorf("%+v, %v", all, err)
	}
	one, err := c.Ledger(t.Context(), cheap.Task)
	if err != nil || len(one.Rows) != 1 || one.Rows[0].Micros != 5 {
		t.Errorf("%+v, %v", one, err)
	}
	if _, err := c.Ledger(t.Context(), "nothing"); !messages.IsCode(err, messages.CodeNotFound) {
		t.Errorf("a task that is not there: %v", err)
	}
}

// The tasks of agents and those of the crew can be told apart, and the letters of
// a group are those of its agents.
func TestWhoseTasks(t *testing.T) {
	t.Parallel()
	c := newChronicle(t, roomy)
	enlist(t, c.Store, "boss")
	c.must(request("m1", "boss"))
	g := c.group("agents")
	a := c.order(g, []string{"code"})[0]
	c.run(a, time.Second, 1, "")
	c.order(c.group("others"), []string{"code"})
	for of, want := range map[messages.TaskOwners]int{"": 3, messages.CrewTasks: 1, messages.AgentTasks: 2} {
		if got, err := c.Tasks(t.Context(), messages.ListTasks{Of: of}); err != nil || len(got) != want {
			t.Errorf("%q: %d tasks, %v; want %d", of, len(got), err, want)
		}
	}
	if _, err := c.Tasks(t.Context(), messages.ListTasks{Of: "nobody"}); !messages.IsCode(err, messages.CodeInvalid) {
		t.Errorf("tasks of nobody: %v", err)
	}
	letters, err := c.Messages(t.Context(), messages.ListMessages{Group: g})
	if err != nil || len(letters.Messages) != 2 || letters.Messages[0].To != a.ID.Address() || letters.Messages[1].From != a.ID.Address() {
		t.Errorf("%+v, %v", letters, err)
	}
}

// When a stage begins, what its agents wait for is told anew.
func TestAStageThatBeginsIsTold(t *testing.T) {
	t.Parallel()
	c := newChronicle(t, roomy)
	agents := c.order(c.group("in two stages"), []string{"code"}, []string{"test", "review"})
	c.run(agents[0], time.Second, 1, "")
	waits := map[messages.AgentID]string{}
	for _, e := range c.told(messages.AgentUpdated) {
		var a messages.Agent
		if err := json.Unmarshal(e.Data, &a); err != nil {
			t.Fatal(err)
		}
		waits[a.ID] = a.Waiting
	}
	for _, a := range agents[1:] {
		if waits[a.ID] != "for a slot" {
			t.Errorf("%s waits %q", a.ID, waits[a.ID])
		}
	}
}

// That a person's word is wanted is told once, and so is the answer.
func TestApprovalsAreTold(t *testing.T) {
	t.Parallel()
	for name, x := range map[string]struct {
		task, day int64
		kind      messages.Parking
	}{"a task's money": {10, 0, messages.ParkedTask}, "a day's": {0, 10, messages.ParkedDay}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			limits := roomy
			limits.TaskMicros, limits.DayMicros = x.task, x.day
			c := newChronicle(t, limits)
			enlist(t, c.Store, "boss", "left")
			fence := func(who messages.Address) messages.Fence {
				return messages.Fence{Persona: who, Epoch: c.must(messages.Reclaim{Persona: who, Now: c.now}).Epoch}
			}
			boss, left := fence("boss"), fence("left")
			root := c.must(request("m1", "boss")).Accepted.Task
			work := c.must(messages.Lease{Fence: boss, Reserve: 5, Now: c.now}).Turn
			var sends []messages.CCMessage
			for i := range 2 {
				sends = append(sends, messages.CCMessage{ID: messages.MessageID(fmt.Sprint("s", i)), From: "boss", To: "left", Type: messages.TaskRequest, Content: "a part"})
			}
			c.must(messages.EndTurn{Fence: boss, Rows: work.Rows, Text: "go", Sends: sends, Bill: messages.Bill{Driver: "fake", Model: "m", Micros: 20}, Now: c.now})
			for range 3 {
				if c.must(messages.Lease{Fence: left, Reserve: 5, Now: c.now}).Turn != nil {
					t.Fatal("there was a turn without money")
				}
			}
			asked := c.told(messages.ApprovalAsked)
			if len(asked) != 1 {
				t.Fatalf("asked %d times", len(asked))
			}
			var a messages.Approval
			if err := json.Unmarshal(asked[0].Data, &a); err != nil || a.Kind != x.kind || a.Spent != 20 || a.Limit != 10 {
				t.Errorf("%+v, %v", a, err)
			}
			resume := messages.Resume{Micros: 50, Now: c.now}
			if x.kind == messages.ParkedTask {
				resume.Task = root
			}
			c.must(resume)
			answered := c.told(messages.ApprovalAnswered)
			var r messages.Resumed
			if len(answered) != 1 || json.Unmarshal(answered[0].Data, &r) != nil || r.Granted != 50 || r.Released != 2 || answered[0].ID != asked[0].ID {
				t.Errorf("%+v %+v", answered, r)
			}
		})
	}
}
