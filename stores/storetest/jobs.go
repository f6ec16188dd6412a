package storetest

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"kurogo/messages"
)

var jobStories = map[string]func(*testing.T, *stage){
	"a job is opened once for a key":                   jobKey,
	"what a job has come to is read page by page":      jobEntries,
	"an agent's end wakes its job":                     jobHears,
	"a job that ends takes its agents along":           jobEnds,
	"a job has ended once":                             jobEndsOnce,
	"a job's group is nobody else's":                   jobGroupIsHidden,
	"what an agent of a job must keep to stays":        jobTerms,
	"what a job may not do by itself waits":            jobAsks,
	"jobs are found by kind and session, newest first": jobsAreFound,
	"busy jobs are found after a fall":                 jobsAreBusy,
}

// job opens a job and empties the bell.
func (s *stage) job(kind messages.JobKind, id messages.JobID) messages.Job {
	s.t.Helper()
	return s.must(messages.OpenJob{Job: messages.Job{
		ID: id, Kind: kind, Title: "judge a.md", Session: "s1", State: "evaluating", Input: json.RawMessage(`{"a":1}`), CreatedBy: messages.User,
	}, Now: s.now}).Job
}

// detail reads a job as it stands.
func (s *stage) detail(q messages.GetJob) messages.JobDetail {
	s.t.Helper()
	d, err := s.j.Job(context.Background(), q)
	if err != nil {
		s.t.Fatal(err)
	}
	return d
}

// works orders one agent for a job.
func (s *stage) works(j messages.Job, key string, terms messages.Terms) messages.Agent {
	s.t.Helper()
	d := draft("judge")
	d.Terms = terms
	return s.must(messages.OrderAgents{Group: j.Group(), Stages: [][]messages.Draft{{d}}, By: j.Address(), Key: key, Now: s.now}).Agents[0]
}

func jobKey(_ *testing.T, s *stage) {
	open := messages.OpenJob{Job: messages.Job{ID: "j1", Kind: messages.JobRun, Title: "t", State: "planning", Input: json.RawMessage(`1`), CreatedBy: messages.User}, Key: "k", Now: s.now}
	first := s.must(open).Job
	s.same("its leader was woken", s.bell.isWoken("run:j1"), true)
	open.Job.ID = "j2"
	s.same("again", s.must(open).Job.ID, first.ID)
	open.Job.Input = json.RawMessage(`2`)
	s.refused(open, messages.CodeConflict, "j1")
}

func jobEntries(t *testing.T, s *stage) {
	j := s.job(messages.JobEvaluation, "j1")
	long := json.RawMessage(`"` + strings.Repeat("x", 3<<20) + `"`)
	s.must(messages.KeepJob{Job: j.ID, States: []string{"parsing", "scoring"}, Entries: []messages.JobEntry{{Kind: "a", Body: json.RawMessage(`{}`)}, {Kind: "b", Body: long}}, Now: s.now})
	s.must(messages.KeepJob{Job: j.ID, Entries: []messages.JobEntry{{Kind: "c"}}, Now: s.now})
	d := s.detail(messages.GetJob{Job: j.ID})
	s.same("state", d.State, "scoring")
	s.same("a page ends where an answer would be too long", []any{len(d.Entries), d.More}, []any{1, true})
	d = s.detail(messages.GetJob{Job: j.ID, After: 1})
	s.same("but holds one at least", []any{d.Entries[0].Kind, len(d.Entries[0].Body), d.More}, []any{"b", len(long), true})
	d = s.detail(messages.GetJob{Job: j.ID, After: 2, Limit: 5})
	s.same("the last", []any{d.Entries[0].Kind, d.Entries[0].Seq, d.More}, []any{"c", 3, false})
	if _, err := s.j.Job(context.Background(), messages.GetJob{Job: "nobody"}); !messages.IsCode(err, messages.CodeNotFound) {
		t.Errorf("an unknown job: %v", err)
	}
}

func jobHears(_ *testing.T, s *stage) {
	j := s.job(messages.JobEvaluation, "j1")
	a := s.works(j, "round 1", messages.Terms{})
	s.same("ordered again, it is the same", s.works(j, "round 1", messages.Terms{}).ID, a.ID)
	w := s.begin(a.ID)
	s.bell.answered(j.Address())
	s.end(w, `{"score":8}`)
	s.same("its job was woken", s.bell.isWoken(j.Address()), true)
	s.same("with what it said", s.agent(a.ID, messages.AgentCompleted).Text, `{"score":8}`)
}

func jobEnds(t *testing.T, s *stage) {
	j := s.job(messages.JobRun, "j1")
	a, b := s.works(j, "1", messages.Terms{}), s.works(j, "2", messages.Terms{})
	s.begin(a.ID)
	out := s.must(messages.CloseJob{Job: j.ID, Status: messages.JobCancelled, States: []string{"cancelled"}, Code: messages.CodeCancelled, Error: "enough", Now: s.now})
	s.same("status", []any{out.Job.Status, out.Job.State, out.Job.Error}, []any{messages.JobCancelled, "cancelled", "enough"})
	s.agent(a.ID, messages.AgentCancelled)
	s.agent(b.ID, messages.AgentCancelled)
	_, err := s.commit(messages.OrderAgents{Group: j.Group(), Stages: [][]messages.Draft{{draft("judge")}}, By: j.Address(), Now: s.now})
	if !messages.IsCode(err, messages.CodeConflict) {
		t.Errorf("an agent for a job that has ended: %v", err)
	}
}

func jobEndsOnce(_ *testing.T, s *stage) {
	j := s.job(messages.JobRun, "j1")
	s.must(messages.CloseJob{Job: j.ID, Status: messages.JobCompleted, Output: json.RawMessage(`{"ok":true}`), Now: s.now})
	out, err := s.commit(messages.CloseJob{Job: j.ID, Status: messages.JobFailed, Now: s.now})
	s.same("the second one", []any{out.Stale, out.Job.Status, err}, []any{true, messages.JobCompleted, nil})
	out, err = s.commit(messages.KeepJob{Job: j.ID, States: []string{"late"}, Now: s.now})
	s.same("what comes late", []any{out.Stale, err}, []any{true, nil})
	s.same("output", string(s.detail(messages.GetJob{Job: j.ID}).Output), `{"ok":true}`)
}

func jobGroupIsHidden(t *testing.T, s *stage) {
	s.job(messages.JobRun, "j1")
	g, err := s.j.Groups(context.Background(), messages.ListGroups{Deleted: true})
	if err != nil || len(g.Groups) != 0 {
		t.Errorf("groups: %v, %v", g, err)
	}
}

func jobTerms(_ *testing.T, s *stage) {
	j := s.job(messages.JobEvaluation, "j1")
	terms := messages.Terms{System: "judge", Schema: json.RawMessage(`{"type":"object"}`), ReadOnly: true, Tools: []string{"read_file"}, Attempts: 1}
	s.same("terms of the turn", s.begin(s.works(j, "1", terms).ID).Agent.Terms, terms)
}

func jobAsks(_ *testing.T, s *stage) {
	j := s.job(messages.JobRun, "j1")
	ask := messages.AskApproval{ID: "p1", Job: j.ID, Kind: messages.ParkedCommand, Content: "make deploy", Now: s.now}
	s.must(ask)
	s.must(ask)
	a := s.approvals(1)[0]
	s.same("the question", []any{a.ID, a.Job, a.Kind, a.Content}, []any{"p1", j.ID, messages.ParkedCommand, "make deploy"})
	s.bell.answered(j.Address())
	s.must(messages.GiveApproval{ID: "p1", Allow: true, Now: s.now})
	s.same("its job was woken", s.bell.isWoken(j.Address()), true)
	s.approvals(0)
	s.same("the answer", s.detail(messages.GetJob{Job: j.ID}).Approvals, map[string]bool{"p1": true})
	s.must(messages.GiveApproval{ID: "p1", Allow: true, Now: s.now})
	if _, err := s.commit(messages.GiveApproval{ID: "p1", Now: s.now}); !messages.IsCode(err, messages.CodeConflict) {
		s.t.Errorf("another word: %v", err)
	}
	s.must(messages.AskApproval{ID: "p3", Job: j.ID, Kind: messages.ParkedDelete, Content: "a.md", Now: s.now})
	s.must(messages.CloseJob{Job: j.ID, Status: messages.JobCancelled, Now: s.now})
	s.approvals(0)
	s.same("what nobody answered is refused with the job", s.detail(messages.GetJob{Job: j.ID}).Approvals, map[string]bool{"p1": true, "p3": false})
	if _, err := s.commit(messages.GiveApproval{ID: "p2", Now: s.now}); !messages.IsCode(err, messages.CodeNotFound) {
		s.t.Errorf("a word on nothing: %v", err)
	}
}

func jobsAreFound(t *testing.T, s *stage) {
	s.job(messages.JobRun, "j1")
	s.job(messages.JobEvaluation, "j2")
	s.job(messages.JobEvaluation, "j3")
	list, err := s.j.Jobs(context.Background(), messages.ListJobs{Kind: messages.JobEvaluation, Session: "s1", Limit: 1})
	if err != nil || list.Total != 2 || list.Jobs[0].ID != "j3" || list.Jobs[0].Input != nil {
		t.Errorf("evaluations: %+v, %v", list, err)
	}
	list, err = s.j.Jobs(context.Background(), messages.ListJobs{Before: "j3"})
	if err != nil || len(list.Jobs) != 2 || list.Jobs[0].ID != "j2" {
		t.Errorf("older ones: %+v, %v", list, err)
	}
}

func jobsAreBusy(t *testing.T, s *stage) {
	s.job(messages.JobRun, "j1")
	s.job(messages.JobRun, "j2")
	s.must(messages.CloseJob{Job: "j1", Status: messages.JobFailed, Now: s.now})
	busy, err := s.j.BusyJobs(context.Background())
	if err != nil || len(busy) != 1 || busy[0].ID != "j2" || string(busy[0].Input) != `{"a":1}` {
		t.Errorf("busy: %+v, %v", busy, err)
	}
}
