package tools_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"kurogo/messages"
)

const ranJSON = `{"runId":"r1","status":"failed","state":"partial","exit":1,"reason":"b: it left no x","steps":[{"id":"a","state":"done","attempt":2,"error":""},` +
	`{"id":"b","state":"failed","attempt":1,"error":"it left no x"}],"files":["a.py"],"diff":"+x","text":"done","plan":null,"timedOut":false}`

// runs is a house with one run, which ends when the story says so.
func runs() *lectern {
	l := &lectern{}
	l.job.Job = messages.Job{ID: "r1", Kind: messages.JobRun, Status: messages.JobRunning, State: "accepted"}
	l.house = newHouse(func(m messages.Message) (messages.Message, error) {
		l.mu.Lock()
		defer l.mu.Unlock()
		switch m := m.(type) {
		case messages.GetStatus:
			return messages.Status{LastEvent: 1}, nil
		case messages.StartRun:
			return l.job.Job, nil
		case messages.GetJob:
			switch m.Job {
			case "r1":
				return l.job, nil
			case "e1":
				return messages.JobDetail{Job: messages.Job{ID: "e1", Kind: messages.JobEvaluation}}, nil
			}
			return nil, messages.Errorf(messages.CodeNotFound, "there is no job %q", m.Job)
		}
		return nil, errors.New("unexpected question")
	})
	l.tells("run:created", "r0", messages.Job{ID: "r0"})
	return l
}

func (l *lectern) goes(what string, status messages.JobStatus, state string, out *messages.RunOutput) {
	l.mu.Lock()
	l.job.Status, l.job.State = status, state
	if out != nil {
		l.job.Output, _ = json.Marshal(out)
		l.job.Error = out.Reason
	}
	job := l.job.Job
	l.mu.Unlock()
	job.Input, job.Output = nil, nil
	l.tells(messages.JobRun.Event(what), "r1", job)
}

var partly = messages.RunOutput{
	Status: "partial", Exit: 1, Reason: "b: it left no x", Files: []string{"a.py"}, Diff: "+x", Text: "done",
	Steps: []messages.StepResult{{ID: "a", State: messages.StepDone, Attempt: 2}, {ID: "b", State: messages.StepFailed, Attempt: 1, Error: "it left no x"}},
}

// Who has a task run hears what is being done, and at the end what came of it.
func TestRunTask(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := runs()
		r := l.reads(t.Context(), "run_task", `{"task":"t","root":"app","replan":true,"approve":"auto"}`)
		<-time.After(time.Second)
		l.goes(messages.JobUpdated, messages.JobRunning, "planning", nil)
		<-time.After(6 * time.Second)
		l.goes(messages.JobConcluded, messages.JobFailed, "partial", &partly)
		<-r.gone
		if r.err != nil || r.raw != ranJSON || r.took != 7*time.Second {
			t.Errorf("after %s: %v, %s", r.took, r.err, r.raw)
		}
		conforms(t, answerOf(t, "run_task"), r.raw)
		if want := []string{"run r1: accepted, since 0s", "run r1: planning, since 1s", "run r1: planning, since 5s"}; !slices.Equal(r.notes, want) {
			t.Errorf("it noted %q", r.notes)
		}
		want := messages.StartRun{Task: "t", Root: "/home/me/project/app", Replan: true, Approve: messages.ConsentAuto, By: owner}
		if diff := cmp.Diff(want, l.questions()[1]); diff != "" {
			t.Errorf("it asked (-want +got):\n%s", diff)
		}
	})
}

// A run outlasts the call, and get_run waits on; what has ended is not waited for.
func TestARunOutlastsTheCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := runs()
		r := l.reads(t.Context(), "run_task", `{"task":"t","dry_run":true}`)
		<-r.gone
		if r.err != nil || r.took != 50*time.Second || !strings.Contains(r.raw, `"status":"running"`) || !strings.Contains(r.raw, `"timedOut":true`) {
			t.Errorf("after %s: %v %s", r.took, r.err, r.raw)
		}
		conforms(t, answerOf(t, "run_task"), r.raw)
		again := l.reads(t.Context(), "get_run", `{"runId":"r1","wait":true}`)
		<-time.After(time.Second)
		l.goes(messages.JobConcluded, messages.JobCompleted, "planned", &messages.RunOutput{Status: "planned", Plan: &messages.Plan{Summary: "s"}, Files: []string{}})
		<-again.gone
		if again.err != nil || again.took != time.Second || !strings.Contains(again.raw, `"plan":"{\"summary\":\"s\"`) {
			t.Errorf("after %s: %v %s", again.took, again.err, again.raw)
		}
		conforms(t, answerOf(t, "get_run"), again.raw)
		late := l.reads(t.Context(), "get_run", `{"runId":"r1"}`)
		<-late.gone
		if late.err != nil || late.took != 0 || late.raw != again.raw {
			t.Errorf("after %s: %v %s", late.took, late.err, late.raw)
		}
	})
}

func TestRunsThatAreNone(t *testing.T) {
	for _, c := range []struct{ tool, args, field, remedy string }{
		{"run_task", `{}`, "task", "give"},
		{"run_task", `{"task":"t","approve":"perhaps"}`, "approve", "ask"},
		{"run_task", `{"task":"t","plan":{}}`, "plan", "leave it out"},
		{"get_run", `{"runId":"e1"}`, "runId", "kurogo runs"},
		{"get_run", `{"runId":"nobody"}`, "runId", "kurogo runs"},
	} {
		_, err := call(t, catalogue(runs().house), owner, c.tool, c.args)
		if e := messages.AsError(err); e == nil || e.Field != c.field || !strings.Contains(e.Remedy, c.remedy) {
			t.Errorf("%s %s: %v", c.tool, c.args, err)
		}
	}
	if _, err := call(t, catalogue(runs().house), actor, "run_task", `{"task":"t"}`); !messages.IsCode(err, messages.CodeDenied) {
		t.Errorf("an agent: %v", err)
	}
}
