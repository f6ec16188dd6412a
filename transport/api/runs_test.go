package api_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kurogo/messages"
)

var running = messages.Job{
	ID: "r1", Kind: messages.JobRun, Title: "t", Status: messages.JobRunning, State: "accepted", Input: json.RawMessage(`{"task":"t"}`), CreatedBy: "user", CreatedAt: noon,
}

const runningJSON = `"job_id":"r1","kind":"run","title":"t","status":"running","state":"accepted"`

var runStories = []story{
	{
		line: "GET /api/runs?status=completed&session=s&before=r9&limit=3", asks: messages.ListJobs{Kind: messages.JobRun, Status: messages.JobCompleted, Session: "s", Before: "r9", Limit: 3},
		house: messages.Jobs{Jobs: []messages.Job{}, Total: 7}, data: `{"jobs":[],"total":7}`,
	},
	{
		line: `POST /api/runs/r1/undo {"force":true}`, route: "POST /api/runs/{id}/undo", asks: messages.UndoRun{Job: "r1", Force: true},
		house: messages.FilesChanged{Files: []messages.FileOutcome{{Path: "a", Action: messages.RemovedFile}}}, data: `{"files":[{"path":"a","action":"deleted","size":0}]}`,
	},
	{
		line: "GET /api/stats?since=2026-02-13T12:00:00Z", asks: messages.GetStats{Since: noon}, house: messages.Stats{Runs: 2, Success: 0.5},
		data: `{"runs":2,"done":0,"partial":0,"success_rate":0.5,"p95_ms":0,"refusals":0,"replanned":0,"plan_reproduction":0,"repairs":0,"repair_attempts":0,"evidence_agreement":0}`,
	},
	{line: `POST /api/approvals/q {"allow":false}`, route: "POST /api/approvals/{id}", asks: messages.AnswerApproval{ID: "q"}, house: messages.Done{}, data: `{}`},
}

func TestARunIsOrdered(t *testing.T) {
	plan := messages.Plan{Summary: "s", Steps: []messages.PlanStep{{ID: "a", Work: "w"}}}
	for line, want := range map[string]messages.StartRun{
		`POST /api/runs {"task":"t"}`: {Task: "t", By: owner},
		`POST /api/runs {"task":"t","root":"app","dry_run":true,"replan":true,"approve":"auto"}`:     {Task: "t", Root: "/home/me/app", DryRun: true, Replan: true, Approve: messages.ConsentAuto, By: owner},
		`POST /api/runs {"task":"t","plan":{"summary":"s","steps":[{"id":"a","instructions":"w"}]}}`: {Task: "t", Plan: &plan, By: owner},
	} {
		h := gives(running, nil)
		w := do(serve(h, owner), request(line))
		if diff := cmp.Diff([]messages.Message{want}, h.questions()); diff != "" {
			t.Errorf("%s asked (-want +got):\n%s", line, diff)
		}
		if want := `{"ok":true,"data":{` + runningJSON + `,"cost_micros":0,"created_by":"user","created_at":"2026-02-13T12:00:00Z"},"error":null}`; w.Code != http.StatusAccepted || w.Body.String() != want || w.Header().Get("Location") != "/api/runs/r1" {
			t.Errorf("%s: %d at %s: %s", line, w.Code, w.Header().Get("Location"), w.Body)
		}
	}
	for line, field := range map[string]string{
		`POST /api/runs {}`:                                    "task",
		`POST /api/runs {"task":"t","plan":null}`:              "plan",
		`POST /api/runs {"task":"t","plan":{"cost":1}}`:        "plan",
		`POST /api/runs {"task":"t","approve":"yes"}`:          "approve",
		`POST /api/runs {"task":"t","by":{}}`:                  "by",
		`POST /api/runs?wait=true {"task":"t"}`:                "wait",
		`POST /api/approvals/q {}`:                             "allow",
		`GET /api/stats?since=yesterday`:                       "since",
		`GET /api/runs/r1/trace?after=1`:                       "after",
		`POST /api/runs/r1/undo {"force":true,"task":"other"}`: "task",
	} {
		h := gives(running, nil)
		w := do(serve(h, owner), request(line))
		if e := refused(t, w); w.Code != http.StatusBadRequest || e.Field != field || e.Remedy == "" || len(h.questions()) > 0 {
			t.Errorf("%s: %d %+v, asked %v", line, w.Code, e, h.questions())
		}
	}
}

// pages has two pages of the trace of one run; another job is no run.
func pages() *house {
	ended := running
	ended.Status, ended.Output = messages.JobCompleted, json.RawMessage(`{"status":"done"}`)
	return &house{answer: func(m messages.Message) (messages.Message, error) {
		switch m := m.(type) {
		case messages.GetJob:
			switch {
			case m.Job == "e1":
				return messages.JobDetail{Job: begun}, nil
			case m.Job != "r1":
				return nil, messages.Errorf(messages.CodeNotFound, "there is no job %q", m.Job)
			case m.After == 0:
				return messages.JobDetail{Job: ended, More: true, Entries: []messages.JobEntry{{Job: "r1", Seq: 1, At: noon, Kind: "task", Body: json.RawMessage(`{"task":"t"}`)}}}, nil
			case m.After == 1:
				return messages.JobDetail{Job: ended, Entries: []messages.JobEntry{{Job: "r1", Seq: 2, At: noon.Add(time.Second), Kind: "final", Body: json.RawMessage(`{"status":"done","exit":0}`)}}}, nil
			}
			return messages.JobDetail{Job: ended}, nil
		case messages.CancelJob:
			gone := ended
			gone.Status = messages.JobCancelled
			return gone, nil
		}
		return nil, errors.New("unexpected question")
	}}
}

// The trace is one object a line, each with its trace; a page ends nowhere.
func TestTheTraceOfARun(t *testing.T) {
	w := do(serve(pages(), owner), request("GET /api/runs/r1/trace"))
	want := `{"at":"2026-02-13T12:00:00Z","kind":"task","seq":1,"task":"t","trace_id":"r1"}` + "\n" +
		`{"at":"2026-02-13T12:00:01Z","exit":0,"kind":"final","seq":2,"status":"done","trace_id":"r1"}` + "\n"
	if w.Code != http.StatusOK || w.Body.String() != want || w.Header().Get("Content-Type") != "application/x-ndjson" {
		t.Errorf("%d %s: %s", w.Code, w.Header().Get("Content-Type"), w.Body)
	}
}

func TestARunIsToldAndCalledOff(t *testing.T) {
	if w := do(serve(pages(), owner), request("GET /api/runs/r1")); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"output":{"status":"done"}`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	h := pages()
	w := do(serve(h, owner), request("DELETE /api/runs/r1?reason=enough"))
	last := h.questions()[len(h.questions())-1]
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"status":"cancelled"`) || strings.Contains(w.Body.String(), "output") || last != messages.Message(messages.CancelJob{Job: "r1", Reason: "enough"}) {
		t.Errorf("%d %s, asked %v", w.Code, w.Body, last)
	}
	for _, line := range []string{"GET /api/runs/e1", "DELETE /api/runs/e1", "GET /api/runs/e1/trace", "GET /api/runs/nobody"} {
		h := pages()
		w := do(serve(h, owner), request(line))
		if e := refused(t, w); w.Code != http.StatusNotFound || e.Field != "id" || e.Remedy == "" || len(h.questions()) != 1 {
			t.Errorf("%s: %d %+v", line, w.Code, e)
		}
		if w := do(serve(pages(), actor), request(line)); w.Code != http.StatusForbidden {
			t.Errorf("%s by an agent: %d", line, w.Code)
		}
	}
}
