package api_test

import (
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kurogo/messages"
)

const begunJSON = `"job_id":"e1","kind":"eval","title":"a.md","status":"running","state":"tool_running"`

var begun = messages.Job{
	ID: "e1", Kind: messages.JobEvaluation, Title: "a.md", Status: messages.JobRunning, State: "tool_running",
	Input: json.RawMessage(`{"document":"long"}`), CreatedBy: "user", CreatedAt: noon,
}

func TestAnEvaluationIsOrdered(t *testing.T) {
	target := 8.5
	for line, want := range map[string]messages.Evaluate{
		`POST /api/evaluations {"content":"x"}`: {Content: "x", By: owner},
		`POST /api/evaluations {"document_path":"a.md","improve":true,"write":true,"max_iterations":2,"target_score":8.5,"rubric":{"clarity":1}}`: {
			Path: "a.md", Improve: true, Write: true, Maximum: 2, Target: &target, Rubric: &messages.Rubric{Clarity: 1}, By: owner,
		},
		`POST /api/evaluations {"content":"x","improve":false,"session":"s"}`: {Content: "x", Session: "s", By: owner},
	} {
		h := gives(begun, nil)
		w := do(serve(h, owner), request(line))
		if diff := cmp.Diff([]messages.Message{want}, h.questions()); diff != "" {
			t.Errorf("%s asked (-want +got):\n%s", line, diff)
		}
		want := `{"ok":true,"data":{` + begunJSON + `,"cost_micros":0,"created_by":"user","created_at":"2026-02-13T12:00:00Z"},"error":null}`
		if w.Code != http.StatusAccepted || w.Body.String() != want || w.Header().Get("Location") != "/api/evaluations/e1" {
			t.Errorf("%s: %d at %s: %s", line, w.Code, w.Header().Get("Location"), w.Body)
		}
	}
}

func TestAnEvaluationIsNotOrdered(t *testing.T) {
	for line, field := range map[string]string{
		`POST /api/evaluations {"content":"x","improve":"yes"}`:         "improve",
		`POST /api/evaluations {"content":"x","improve":null}`:          "improve",
		`POST /api/evaluations {"content":"x","write":true}`:            "write",
		`POST /api/evaluations {"content":"x","rubric":{"colour":1}}`:   "rubric.colour",
		`POST /api/evaluations?wait=true {"content":"x"}`:               "wait",
		`POST /api/evaluations [1]`:                                     "arguments",
		`POST /api/evaluations {"content":"x","evaluator":"heuristic"}`: "evaluator",
	} {
		h := gives(begun, nil)
		w := do(serve(h, owner), request(line))
		if e := refused(t, w); w.Code != http.StatusBadRequest || e.Code != messages.CodeInvalid || e.Field != field || e.Remedy == "" || len(h.questions()) > 0 {
			t.Errorf("%s: %d %+v, asked %v", line, w.Code, e, h.questions())
		}
	}
	w := do(serve(gives(nil, messages.Errorf(messages.CodeUnavailable, "no CLI")), owner), request(`POST /api/evaluations {"content":"x"}`))
	if e := refused(t, w); w.Code != http.StatusServiceUnavailable || e.Remedy == "" {
		t.Errorf("%d %+v", w.Code, e)
	}
}

// An evaluation is told with its rounds, versions and tries, page by page, and
// without the documents of the versions.
func TestAnEvaluationIsTold(t *testing.T) {
	pages := map[int]messages.JobDetail{
		0: {Job: begun, More: true, Entries: []messages.JobEntry{
			{Seq: 1, Kind: messages.EntryTry, Body: json.RawMessage(`{"what":"round","round":1,"code":"rate_limited","error":"slow","counted":true}`)},
			{Seq: 2, Kind: messages.EntryRound, Body: json.RawMessage(`{"number":1,"verdict":{"score":6,"suggestions":[]},"model_used":"codex"}`)},
		}},
		2: {Job: begun, Entries: []messages.JobEntry{
			{Seq: 3, Kind: messages.EntryVersion, Body: json.RawMessage(`{"version":1,"document":"long","summary":"shorter","diff":"+x"}`)},
			{Seq: 4, Kind: "unheard-of", Body: json.RawMessage(`{}`)},
		}},
	}
	h := &house{answer: func(m messages.Message) (messages.Message, error) {
		q, ok := m.(messages.GetJob)
		if !ok || q.Job != "e1" {
			return nil, errors.New("unexpected question")
		}
		return pages[q.After], nil
	}}
	w := do(serve(h, owner), request("GET /api/evaluations/e1"))
	var got struct {
		Data struct {
			messages.Job
			Rounds   []messages.EvaluationRound
			Versions []messages.EvaluationVersion
			Tries    []messages.EvaluationTry
		}
	}
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != http.StatusOK {
		t.Fatalf("%d %s: %v", w.Code, w.Body, err)
	}
	d := got.Data
	if d.ID != "e1" || string(d.Input) != `{"document":"long"}` || len(d.Rounds) != 1 || d.Rounds[0].Verdict.Score != 6 ||
		len(d.Tries) != 1 || d.Tries[0].Code != messages.CodeRateLimited || len(d.Versions) != 1 || d.Versions[0].Diff != "+x" || d.Versions[0].Document != "" {
		t.Errorf("%s", w.Body)
	}
	if w := do(serve(h, owner), request("GET /api/evaluations/e1?after=1")); refused(t, w).Field != "after" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

func TestAnEvaluationIsCalledOff(t *testing.T) {
	ended := begun
	ended.Status = messages.JobCancelled
	h := &house{answer: func(m messages.Message) (messages.Message, error) {
		if _, ok := m.(messages.CancelJob); ok {
			return ended, nil
		}
		return messages.JobDetail{Job: begun}, nil
	}}
	w := do(serve(h, owner), request("DELETE /api/evaluations/e1?reason=enough"))
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"status":"cancelled"`) || strings.Contains(w.Body.String(), "long") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	want := []messages.Message{messages.GetJob{Job: "e1", After: math.MaxInt32}, messages.CancelJob{Job: "e1", Reason: "enough"}}
	if diff := cmp.Diff(want, h.questions()); diff != "" {
		t.Errorf("it asked (-want +got):\n%s", diff)
	}
}

// What is another kind of job is no evaluation, and what is not there is nothing.
func TestWhatIsNoEvaluation(t *testing.T) {
	run := begun
	run.Kind = messages.JobRun
	for _, line := range []string{"GET /api/evaluations/e1", "DELETE /api/evaluations/e1"} {
		for _, h := range []*house{gives(messages.JobDetail{Job: run}, nil), gives(nil, messages.Errorf(messages.CodeNotFound, "there is no job"))} {
			w := do(serve(h, owner), request(line))
			if e := refused(t, w); w.Code != http.StatusNotFound || e.Field != "id" || e.Remedy == "" || len(h.questions()) != 1 {
				t.Errorf("%s: %d %+v after %v", line, w.Code, e, h.questions())
			}
		}
		if w := do(serve(gives(messages.JobDetail{Job: begun}, nil), actor), request(line)); w.Code != http.StatusForbidden {
			t.Errorf("%s by an agent: %d %s", line, w.Code, w.Body)
		}
	}
}

func TestTheEntriesOfAJob(t *testing.T) {
	h := gives(messages.JobDetail{Job: begun, More: true, Entries: []messages.JobEntry{{Job: "e1", Seq: 8, At: noon, Kind: "step", Body: json.RawMessage(`{"n":1}`)}}}, nil)
	w := do(serve(h, owner), request("GET /api/jobs/e1/entries?after=7&limit=1"))
	want := `{"ok":true,"data":{"entries":[{"job_id":"e1","seq":8,"at":"2026-02-13T12:00:00Z","kind":"step","body":{"n":1}}],"more":true},"error":null}`
	if w.Code != http.StatusOK || w.Body.String() != want {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if diff := cmp.Diff([]messages.Message{messages.GetJob{Job: "e1", After: 7, Limit: 1}}, h.questions()); diff != "" {
		t.Errorf("it asked (-want +got):\n%s", diff)
	}
	if w := do(serve(h, owner), request("GET /api/jobs/e1/entries?after=-1")); refused(t, w).Field != "after" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := do(serve(h, actor), request("GET /api/jobs/e1/entries")); w.Code != http.StatusForbidden {
		t.Errorf("an agent: %d %s", w.Code, w.Body)
	}
}
