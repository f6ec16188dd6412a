package storetest

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"kurogo/messages"
)

var companyLimits = func() messages.Limits {
	l := stageLimits
	l.QueuedAgents = 6
	l.TaskMicros = 100
	l.DayMicros = 120
	return l
}()

var companyStories = map[string]func(*testing.T, *stage){
	"an agent runs once and its result stays":            agentRuns,
	"a group made twice with a key is made once":         groupKey,
	"agents ordered twice with a key are ordered once":   orderKey,
	"a stage begins when the one before has ended":       stagesFollow,
	"a stage whose agents are cancelled is passed over":  stagesSkip,
	"a group is deleted when its agents have ended":      groupIsDeleted,
	"an agent that runs too long is timed out":           agentTimesOut,
	"an agent whose owner fell is lost, not repeated":    agentIsLost,
	"an agent may be cancelled in its queue and running": agentIsCancelled,
	"a rate limit puts an agent back into its queue":     agentRests,
	"what an agent reports is merged with what it did":   reportIsMerged,
	"a fall wins over a reported success":                fallWins,
	"more agents than the limit are refused, all":        agentsAreLimited,
	"agents are found by group, state and name":          agentsAreFound,
	"agents outlive a new crew":                          agentsOutliveCrew,
	"what a health check found is kept":                  healthIsKept,
	"what agents cost is known by role and group":        costByRole,
}

func (s *stage) group() messages.GroupID {
	s.t.Helper()
	return s.must(messages.OpenGroup{Description: "a feature", By: messages.User, Now: s.now}).Group.ID
}

func draft(role string) messages.Draft {
	return messages.Draft{Role: role, Driver: "rehearsal", Model: "m", Prompt: "do the " + role, Dir: "/tmp", Timeout: time.Minute, Isolation: messages.IsolationNone}
}

// order accepts one agent a role and stage, and lets those rise that wait for no
// other.
func (s *stage) order(g messages.GroupID, stages ...[]string) []messages.Agent {
	s.t.Helper()
	c := messages.OrderAgents{Group: g, By: messages.User, Now: s.now}
	for _, roles := range stages {
		var drafts []messages.Draft
		for _, role := range roles {
			drafts = append(drafts, draft(role))
		}
		c.Stages = append(c.Stages, drafts)
	}
	return s.must(c).Agents
}

// begin gives an agent its turn.
func (s *stage) begin(id messages.AgentID) *messages.Work {
	s.t.Helper()
	s.rise(id.Address())
	w := s.turn(id.Address(), messages.TaskRequest)
	s.same("the turn's agent", w.Agent.ID, id)
	s.agent(id, messages.AgentRunning)
	return w
}

func (s *stage) agent(id messages.AgentID, want messages.AgentStatus) messages.AgentDetail {
	s.t.Helper()
	a, err := s.j.Agent(context.Background(), id)
	if err != nil {
		s.t.Fatal(err)
	}
	if a.Status != want {
		s.t.Fatalf("%s is %s (%s), want %s", id, a.Status, a.Run.Error, want)
	}
	return a
}

func (s *stage) refused(c messages.Change, code messages.Code, says string) {
	s.t.Helper()
	_, err := s.commit(c)
	var e *messages.Error
	if !errors.As(err, &e) || e.Code != code || !strings.Contains(e.Error(), says) || e.Remedy == "" {
		s.t.Fatalf("%T: got %v, want %s with %q and a remedy", c, err, code, says)
	}
}

func agentRuns(t *testing.T, s *stage) {
	g := s.group()
	if !strings.HasPrefix(string(g), "grp-1000000-") {
		t.Errorf("the group is called %s", g)
	}
	a := s.order(g, []string{"impl-code"})[0]
	if !strings.HasPrefix(string(a.ID), "impl-code-1000000-") {
		t.Errorf("the agent is called %s", a.ID)
	}
	s.same("its group was woken", s.bell.isWoken(g.Address()), true)
	s.same("it waits", s.agent(a.ID, messages.AgentQueued).Waiting, "for a slot")
	w := s.begin(a.ID)
	s.now = s.now.Add(3 * time.Second)
	s.must(messages.KeepRun{Agent: a.ID, Run: messages.Run{ToolCalls: 2, Last: "I am done", Edited: []string{"a.go"}}, Now: s.now})
	s.end(w, "the code is there")
	got := s.agent(a.ID, messages.AgentCompleted)
	s.same("elapsed", got.Elapsed(s.now), 3*time.Second)
	s.same("result", got.Result.Status, messages.ResultSuccess)
	s.same("summary", got.Result.Summary, "I am done")
	s.same("files", got.Result.Edited, []string{"a.go"})
	s.same("tools", got.Result.ToolCalls, 2)
	s.same("the user heard", s.heard(messages.TaskComplete), []string{"the code is there"})
	s.same("task", s.status(a.Task, messages.Completed).Task.Owner, a.ID.Address())
}

func groupKey(_ *testing.T, s *stage) {
	c := messages.OpenGroup{Description: "a feature", By: messages.User, Key: "k", Now: s.now}
	first := s.must(c).Group
	s.same("the second", s.must(c).Group.ID, first.ID)
	c.Description = "another"
	s.refused(c, messages.CodeConflict, "idempotency_key")
}

func orderKey(_ *testing.T, s *stage) {
	c := messages.OrderAgents{Group: s.group(), By: messages.User, Key: "k", Now: s.now, Stages: [][]messages.Draft{{draft("a"), draft("b")}}}
	first := s.must(c).Agents
	again := s.must(c).Agents
	s.same("the second", []messages.AgentID{again[0].ID, again[1].ID}, []messages.AgentID{first[0].ID, first[1].ID})
	c.Stages[0][1].Prompt = "something else"
	s.refused(c, messages.CodeConflict, "idempotency_key")
}

func stagesFollow(_ *testing.T, s *stage) {
	g := s.group()
	all := s.order(g, []string{"a", "b"}, []string{"c"})
	last := all[2].ID
	s.same("the last waits", s.agent(last, messages.AgentQueued).Waiting, "for the stage before")
	waiting, _ := s.j.Waiting(context.Background(), g)
	s.same("who may begin", len(waiting), 2)
	s.end(s.begin(all[0].ID), "a is done")
	s.rise(last.Address())
	s.same("too early", s.pull(last.Address()), (*messages.Work)(nil))
	s.bell.answered(g.Address())
	w := s.begin(all[1].ID)
	s.must(messages.FailTurn{Fence: s.lives[all[1].ID.Address()], Rows: w.Rows, Code: messages.CodeInternal, Reason: "it fell", Now: s.now})
	s.agent(all[1].ID, messages.AgentFailed)
	s.same("the group was woken", s.bell.isWoken(g.Address()), true)
	w = s.begin(last)
	s.same("who was before", len(w.Earlier), 2)
	s.same("what became of it", []any{w.Earlier[0].Status, w.Earlier[1].Status, w.Earlier[1].Error}, []any{messages.ResultSuccess, messages.ResultFailure, "it fell"})
	s.end(w, "c is done")
}

func stagesSkip(_ *testing.T, s *stage) {
	all := s.order(s.group(), []string{"a"}, []string{"b"}, []string{"c"})
	s.must(messages.Cancel{Task: all[1].Task, Now: s.now})
	s.end(s.begin(all[0].ID), "a is done")
	s.end(s.begin(all[2].ID), "c is done")
	s.agent(all[1].ID, messages.AgentCancelled)
}

func groupIsDeleted(t *testing.T, s *stage) {
	g := s.group()
	a := s.order(g, []string{"a"})[0]
	s.refused(messages.CloseGroup{Group: g, Now: s.now}, messages.CodeConflict, string(a.ID))
	s.end(s.begin(a.ID), "done")
	s.same("deleted", s.must(messages.CloseGroup{Group: g, Now: s.now}).Group.Status, messages.GroupDeleted)
	s.refused(messages.CloseGroup{Group: g, Now: s.now}, messages.CodeConflict, "deleted")
	s.refused(messages.OrderAgents{Group: g, Stages: [][]messages.Draft{{draft("a")}}, Now: s.now}, messages.CodeConflict, "deleted")
	s.refused(messages.KeepReport{Agent: a.ID, Report: messages.Report{Status: messages.ResultSuccess}, Now: s.now}, messages.CodeConflict, "deleted")
	s.refused(messages.CloseGroup{Group: "grp-0-0000", Now: s.now}, messages.CodeNotFound, "grp-0-0000")
	active, err := s.j.Groups(context.Background(), messages.ListGroups{})
	if err != nil || len(active.Groups) != 0 {
		t.Errorf("active groups: %v, %v", active, err)
	}
	history, err := s.j.Groups(context.Background(), messages.ListGroups{Deleted: true})
	if err != nil || len(history.Groups) != 1 || history.Groups[0].Agents[messages.AgentCompleted] != 1 {
		t.Errorf("history: %v, %v", history, err)
	}
}

func agentTimesOut(_ *testing.T, s *stage) {
	a := s.order(s.group(), []string{"a"})[0]
	s.pass(10 * time.Minute) // the queue costs no time
	w := s.begin(a.ID)
	s.pass(59 * time.Second)
	s.agent(a.ID, messages.AgentRunning)
	s.bell.interrupted()
	s.pass(time.Second)
	got := s.agent(a.ID, messages.AgentTimedOut)
	s.same("result", got.Result.Status, messages.ResultTimeout)
	s.same("why", got.Result.Error, "it ran longer than its timeout of 1m0s")
	s.same("interrupted", s.bell.interrupted(), []messages.Interrupt{{To: a.ID.Address(), Task: a.Task}})
	s.end(w, "late: it changes nothing")
	s.must(messages.KeepRun{Agent: a.ID, Run: messages.Run{ToolCalls: 7, ExitCode: -1}, Now: s.now})
	got = s.agent(a.ID, messages.AgentTimedOut)
	s.same("what was collected", []any{got.Result.ToolCalls, got.Result.Error}, []any{7, "it ran longer than its timeout of 1m0s"})
}

func agentIsLost(_ *testing.T, s *stage) {
	s.reserve = 80
	all := s.order(s.group(), []string{"a", "b"})
	late := s.order(s.group(), []string{"c"})[0]
	s.begin(late.ID)
	s.begin(all[0].ID)
	s.must(messages.KeepRun{Agent: all[0].ID, Run: messages.Run{Error: "it ended with status 3"}, Now: s.now}) // and its turn is not yet failed
	s.must(messages.Cancel{Task: late.Task, Now: s.now})                                                       // and nobody lives to put its turn away
	s.j.Crash()
	s.enlist(messages.All, "left", "right")
	s.rise(all[0].ID.Address())
	got := s.agent(all[0].ID, messages.AgentLost)
	s.same("result", got.Result.Status, messages.ResultFailure)
	s.same("why", strings.HasPrefix(got.Result.Error, "kurogo fell"), true)
	w := s.begin(all[1].ID)
	s.same("reserved", w.Reserved, int64(80)) // nothing is for the two
	s.end(w, "the queue goes on")
}

func agentIsCancelled(_ *testing.T, s *stage) {
	all := s.order(s.group(), []string{"a", "b"})
	s.begin(all[1].ID)
	s.bell.interrupted()
	fall := messages.KeepRun{Agent: all[1].ID, Run: messages.Run{ExitCode: 3, Error: "it ended with status 3"}, Now: s.now}
	s.must(fall) // its process fell just before
	for _, a := range all {
		s.must(messages.Cancel{Task: a.Task, Reason: "not needed", Now: s.now})
		s.same("why", s.agent(a.ID, messages.AgentCancelled).Result.Error, "cancelled: not needed")
	}
	s.must(fall) // or just after
	s.same("why", s.agent(all[1].ID, messages.AgentCancelled).Result.Error, "cancelled: not needed")
	s.same("both are told", len(s.bell.interrupted()), 2)
}

func agentRests(_ *testing.T, s *stage) {
	a := s.order(s.group(), []string{"a"})[0]
	w := s.begin(a.ID)
	s.must(messages.FailTurn{Fence: s.lives[a.ID.Address()], Rows: w.Rows, Code: messages.CodeRateLimited, Reason: "slow down", Retry: true, Park: true, RetryAt: s.now.Add(2 * time.Minute), Now: s.now})
	if got := s.agent(a.ID, messages.AgentQueued); !strings.Contains(got.Waiting, "rate limit") {
		s.t.Fatalf("it waits %s", got.Waiting)
	}
	s.bell.answered(a.ID.Address())
	s.pass(2 * time.Minute) // longer than its time-out
	s.same("it was woken", s.bell.isWoken(a.ID.Address()), true)
	w = s.turn(a.ID.Address(), messages.TaskRequest)
	s.pass(59 * time.Second)
	s.end(w, "done")
	s.agent(a.ID, messages.AgentCompleted)
}

func reportIsMerged(_ *testing.T, s *stage) {
	a := s.order(s.group(), []string{"a"})[0]
	w := s.begin(a.ID)
	report := messages.Report{Status: messages.ResultFailure, Summary: "no tests", Edited: []string{"b.go", "a.go"}, Created: []string{"c.go"}, Error: "they fail"}
	s.must(messages.KeepReport{Agent: a.ID, Report: messages.Report{Status: messages.ResultSuccess, Summary: "first"}, Now: s.now})
	s.must(messages.KeepReport{Agent: a.ID, Report: report, Now: s.now})
	s.agent(a.ID, messages.AgentRunning)
	s.must(messages.KeepRun{Agent: a.ID, Run: messages.Run{Last: "bye", Edited: []string{"a.go"}}, Now: s.now})
	s.end(w, "done")
	got := s.agent(a.ID, messages.AgentReported)
	s.same("outcome", got.Outcome, messages.AgentCompleted)
	r := got.Result
	s.same("merged", []any{r.Status, r.Summary, r.Edited, r.Created, r.Error}, []any{messages.ResultFailure, "no tests", []string{"a.go", "b.go"}, []string{"c.go"}, "they fail"})
	report.Summary = "later"
	s.must(messages.KeepReport{Agent: a.ID, Report: report, Now: s.now})
	s.same("the second replaces", s.agent(a.ID, messages.AgentReported).Result.Summary, "later")
	s.refused(messages.KeepReport{Agent: "a-0-0000", Now: s.now}, messages.CodeNotFound, "a-0-0000")
}

func fallWins(_ *testing.T, s *stage) {
	a := s.order(s.group(), []string{"a"})[0]
	w := s.begin(a.ID)
	s.must(messages.KeepReport{Agent: a.ID, Report: messages.Report{Status: messages.ResultSuccess, Summary: "all is well", Edited: []string{"a.go"}}, Now: s.now})
	s.must(messages.FailTurn{Fence: s.lives[a.ID.Address()], Rows: w.Rows, Code: messages.CodeInternal, Reason: "exit status 3", Now: s.now})
	r := s.agent(a.ID, messages.AgentReported).Result
	s.same("result", []any{r.Status, r.Summary, r.Edited, r.Error}, []any{messages.ResultFailure, "all is well", []string{"a.go"}, "exit status 3"})
}

func agentsAreLimited(_ *testing.T, s *stage) {
	g := s.group()
	s.order(g, []string{"a", "b", "c", "d"})
	s.refused(messages.OrderAgents{Group: g, Now: s.now, Stages: [][]messages.Draft{{draft("e"), draft("f")}, {draft("g")}}}, messages.CodeBusy, "queued_agents = 6")
	list, err := s.j.Agents(context.Background(), messages.ListAgents{})
	s.same("agents", []any{list.Total, err}, []any{4, nil})
	s.order(g, []string{"e", "f"})
}

func agentsAreFound(t *testing.T, s *stage) {
	g, other := s.group(), s.group()
	all := s.order(g, []string{"a", "b", "c"})
	s.order(other, []string{"d"})
	s.end(s.begin(all[0].ID), "done")
	s.must(messages.Cancel{Task: all[1].Task, Now: s.now})
	for _, c := range []struct {
		q    messages.ListAgents
		want int
	}{
		{messages.ListAgents{}, 4},
		{messages.ListAgents{Group: g}, 3},
		{messages.ListAgents{Group: g, Status: "completed"}, 1},
		{messages.ListAgents{Status: "failed"}, 1},
		{messages.ListAgents{Status: "running"}, 0},
		{messages.ListAgents{Agents: []messages.AgentID{all[2].ID, all[0].ID}}, 2},
	} {
		list, err := s.j.Agents(context.Background(), c.q)
		if err != nil || len(list.Agents) != c.want || list.Total != c.want {
			t.Errorf("%+v: %d of %d, %v; want %d", c.q, len(list.Agents), list.Total, err, c.want)
		}
	}
	list, err := s.j.Agents(context.Background(), messages.ListAgents{Limit: 1})
	s.same("the newest", []any{list.Agents[0].Group, list.Total, err}, []any{other, 4, nil})
	for q, code := range map[*messages.ListAgents]messages.Code{
		{Status: "sleeping"}:                     messages.CodeInvalid,
		{Group: "grp-0-0000"}:                    messages.CodeNotFound,
		{Agents: []messages.AgentID{"a-0-0000"}}: messages.CodeNotFound,
	} {
		if _, err := s.j.Agents(context.Background(), *q); !messages.IsCode(err, code) {
			t.Errorf("%+v: %v, want %s", *q, err, code)
		}
	}
	busy, err := s.j.BusyGroups(context.Background())
	s.same("busy groups", []any{len(busy), err}, []any{2, nil})
}

func agentsOutliveCrew(_ *testing.T, s *stage) {
	a := s.order(s.group(), []string{"a"})[0]
	s.enlist(messages.All)
	s.end(s.begin(a.ID), "done")
}

func healthIsKept(_ *testing.T, s *stage) {
	first := messages.HealthCheck{Status: messages.HealthFailed, Reason: "401", CheckedAt: s.now.UTC()}
	s.must(messages.KeepHealth{Key: "claude 2 opus", Check: first})
	second := messages.HealthCheck{Status: messages.HealthPassed, ResponseTime: 800, CheckedAt: s.now.UTC()}
	s.must(messages.KeepHealth{Key: "claude 2 opus", Check: second})
	got, err := s.j.Health(context.Background(), "claude 2 opus")
	s.same("kept", []any{got, err}, []any{second, nil})
	got, err = s.j.Health(context.Background(), "never checked")
	s.same("never checked", []any{got, err}, []any{messages.HealthCheck{}, nil})
}

func costByRole(_ *testing.T, s *stage) {
	g := s.group()
	for _, a := range s.order(g, []string{"a", "b", "a"}) {
		w := s.begin(a.ID)
		s.must(messages.EndTurn{Fence: s.lives[a.ID.Address()], Rows: w.Rows, Bill: messages.Bill{Driver: "claude", Model: "m", Micros: 10, OutputTokens: 3}, Now: s.now})
	}
	for by, want := range map[string]string{"role": "[{a 2 20 0 6 0} {b 1 10 0 3 0}]", "group": "[{" + string(g) + " 3 30 0 9 0}]", "driver": "[{claude 3 30 0 9 0}]"} {
		cost, err := s.j.Cost(context.Background(), messages.GetCost{By: by})
		s.same("error", err, nil)
		s.same(by, cost.Rows, want)
	}
}
