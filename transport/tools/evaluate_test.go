package tools_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"kurogo/messages"
	"kurogo/transport/tools"
)

// A lectern is a house with one evaluation, which ends when the story says so.
type lectern struct {
	*house
	mu  sync.Mutex
	job messages.JobDetail
}

const heard = `{"score":8.2,"rubric_scores":{"completeness":8,"accuracy":9,"clarity":8,"usability":7.5},"pass":true,"suggestions":["L12 · clarity · say why"],` +
	`"metadata":{"iteration":2,"evaluation_time":1500,"model_used":"codex gpt"}}`

func opens(improve bool) *lectern {
	l := &lectern{}
	l.job.Job = messages.Job{ID: "e1", Kind: messages.JobEvaluation, Status: messages.JobRunning, State: "tool_running"}
	l.job.Input, _ = json.Marshal(messages.EvaluationInput{Improve: improve})
	l.house = newHouse(func(m messages.Message) (messages.Message, error) {
		l.mu.Lock()
		defer l.mu.Unlock()
		switch m := m.(type) {
		case messages.GetStatus:
			return messages.Status{LastEvent: 1}, nil
		case messages.Evaluate:
			return l.job.Job, nil
		case messages.GetJob:
			if m.Job != "e1" {
				return nil, messages.Errorf(messages.CodeNotFound, "there is no job %q", m.Job)
			}
			return l.job, nil
		case messages.LeaveJob:
			return messages.Done{}, nil
		}
		return nil, errors.New("unexpected question")
	})
	l.tells("evaluation:created", "e0", messages.Job{ID: "e0"})
	return l
}

// comes tells of a state of the evaluation.
func (l *lectern) comes(state string) {
	l.mu.Lock()
	l.job.State = state
	job := l.job.Job
	l.mu.Unlock()
	job.Input = nil
	l.tells("evaluation:status_update", "e1", job)
}

func (l *lectern) ends(status messages.JobStatus, output string, code messages.Code, reason string) {
	l.mu.Lock()
	l.job.Status, l.job.State, l.job.Code, l.job.Error = status, "done", code, reason
	if output != "" {
		l.job.Output = json.RawMessage(output)
	}
	job := l.job.Job
	l.mu.Unlock()
	job.Input, job.Output = nil, nil
	l.tells("evaluation:completed", "e1", job)
}

// A reader is a call in the background.
type reader struct {
	raw   string
	err   error
	took  time.Duration
	notes []string
	gone  chan struct{}
}

func (l *lectern) reads(ctx context.Context, tool, args string) *reader {
	r, begun := &reader{gone: make(chan struct{})}, time.Now()
	go func() {
		defer close(r.gone)
		raw, err := tools.New(l.house, tools.Options{}).Call(ctx, owner, messages.ToolCall{Name: tool, Input: json.RawMessage(args)}, func(note string) { r.notes = append(r.notes, note) })
		r.raw, r.err, r.took = string(raw), err, time.Since(begun)
	}()
	return r
}

func (l *lectern) left() bool {
	return slices.Contains(l.questions(), messages.Message(messages.LeaveJob{Job: "e1"}))
}

func answerOf(t *testing.T, name string) json.RawMessage {
	t.Helper()
	for _, tool := range tools.New(nil, tools.Options{}).Tools(messages.Caller{}) {
		if tool.Name == name {
			return tool.Answer
		}
	}
	t.Fatalf("there is no %s", name)
	return nil
}

// The client hears at once that somebody is at work, then every five seconds and
// whenever something changes; and the verdict, to the letter.
func TestEvaluateDocument(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := opens(false)
		r := l.reads(t.Context(), "evaluate_document", `{"content":"# A\n","rubric":{"completeness":0.3,"accuracy":3e-1,"clarity":0.2,"usability":0.2},"target_score":8,"session":"s","project_path":"sub"}`)
		<-time.After(time.Second)
		l.comes("evaluating")
		<-time.After(6 * time.Second)
		l.ends(messages.JobCompleted, heard, "", "")
		<-r.gone
		if r.err != nil || r.raw != heard || r.took != 7*time.Second {
			t.Errorf("after %s: %v, %s", r.took, r.err, r.raw)
		}
		conforms(t, answerOf(t, "evaluate_document"), r.raw)
		notes := []string{"evaluation e1: round 1, tool_running, since 0s", "evaluation e1: round 1, evaluating, since 1s", "evaluation e1: round 1, evaluating, since 5s"}
		if !slices.Equal(r.notes, notes) {
			t.Errorf("it noted %q", r.notes)
		}
		target := 8.0
		want := messages.Evaluate{
			Content: "# A\n", Project: "/home/me/project/sub", Target: &target, Session: "s", By: owner,
			Rubric: &messages.Rubric{Completeness: .3, Accuracy: .3, Clarity: .2, Usability: .2},
		}
		if diff := cmp.Diff(want, l.questions()[1]); diff != "" {
			t.Errorf("it asked (-want +got):\n%s", diff)
		}
		if l.since != 1 || l.left() {
			t.Errorf("it watched since %d, left: %t", l.since, l.left())
		}
	})
}

// A call that cannot wait any longer says that the evaluation goes on, and has its
// answer kept.
func TestAnEvaluationOutlastsTheCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := opens(false)
		r := l.reads(t.Context(), "evaluate_document", `{"content":"x"}`)
		<-r.gone
		wantError(t, r.err, messages.CodeDeadline, "", "evaluation e1", "goes on", "same call again", "get_evaluation")
		if e := messages.AsError(r.err); !e.Code.Retryable() || r.took != 50*time.Second || !l.left() {
			t.Errorf("after %s, retryable: %t, left: %t", r.took, e.Code.Retryable(), l.left())
		}
		again := l.reads(t.Context(), "get_evaluation", `{"evaluationId":"e1","wait":true}`)
		<-time.After(time.Second)
		l.ends(messages.JobCompleted, heard, "", "")
		<-again.gone
		want := `{"evaluationId":"e1","status":"completed","state":"done","evaluated":` + heard + `,"improved":null,"error":null}`
		if again.err != nil || again.raw != want {
			t.Errorf("%v, %s", again.err, again.raw)
		}
		conforms(t, answerOf(t, "get_evaluation"), again.raw)
	})
}

// Who drops a call stops nothing but the waiting.
func TestAnEvaluationOutlivesItsClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := opens(true)
		ctx, drop := context.WithCancel(t.Context())
		r := l.reads(ctx, "improve_document", `{"document_path":"a.md"}`)
		<-time.After(time.Second)
		drop()
		<-r.gone
		if !errors.Is(r.err, context.Canceled) || !l.left() {
			t.Errorf("%v, left: %t", r.err, l.left())
		}
	})
}

// What has ended is not waited for.
func TestAnAnswerThatIsThere(t *testing.T) {
	l := opens(false)
	l.ends(messages.JobCompleted, heard, "", "")
	got, err := call(t, catalogue(l.house), owner, "evaluate_document", `{"content":"x"}`)
	if err != nil || got != heard {
		t.Errorf("%v, %s", err, got)
	}
}

func TestImproveDocument(t *testing.T) {
	l := opens(true)
	var best messages.Evaluated
	if err := json.Unmarshal([]byte(heard), &best); err != nil {
		t.Fatal(err)
	}
	output, _ := json.Marshal(messages.Improved{
		Best: best, Version: 1, Stop: messages.StopTarget, Document: "<b>", Diff: "+x", Path: "a.md", Written: true,
		Rounds: []messages.EvaluationRound{{Round: messages.Round{Verdict: messages.Verdict{Score: 6.5}}}, {Round: messages.Round{Verdict: messages.Verdict{Score: 8.2}}}},
	})
	l.ends(messages.JobCompleted, string(output), "", "")
	args := `{"document_path":"a.md","write":true,"max_iterations":3}`
	got, err := call(t, catalogue(l.house), owner, "improve_document", args)
	want := `{"evaluationId":"e1","best":` + heard + `,"version":1,"stop":"target","scores":[6.5,8.2],"document":"<b>","diff":"+x","written":true,"document_path":"a.md"}`
	if err != nil || got != want {
		t.Errorf("%v, %s", err, got)
	}
	conforms(t, answerOf(t, "improve_document"), got)
	if diff := cmp.Diff(messages.Evaluate{Path: "a.md", Improve: true, Write: true, Maximum: 3, By: owner}, l.questions()[1]); diff != "" {
		t.Errorf("it asked (-want +got):\n%s", diff)
	}
}

// An evaluation that fails is an error, never a score.
func TestAnEvaluationThatFails(t *testing.T) {
	l := opens(true)
	l.ends(messages.JobFailed, `{"document":"better","rounds":[]}`, messages.CodeConflict, "a.md was changed meanwhile")
	_, err := call(t, catalogue(l.house), owner, "improve_document", `{"document_path":"a.md"}`)
	wantError(t, err, messages.CodeConflict, "", "a.md was changed meanwhile", "evaluationId e1")
	got, err := call(t, catalogue(l.house), owner, "get_evaluation", `{"evaluationId":"e1"}`)
	if err != nil || !strings.Contains(got, `"document":"better"`) || !strings.Contains(got, `"error":"a.md was changed meanwhile"`) {
		t.Errorf("%v, %s", err, got)
	}
	l = opens(false)
	l.ends(messages.JobFailed, "", messages.CodeRateLimited, "slow down, after 3 of 3 tries")
	_, err = call(t, catalogue(l.house), owner, "evaluate_document", `{"content":"x"}`)
	wantError(t, err, messages.CodeRateLimited, "", "slow down")
	l = opens(false)
	l.ends(messages.JobCancelled, "", messages.CodeCancelled, "cancelled: enough")
	_, err = call(t, catalogue(l.house), owner, "evaluate_document", `{"content":"x"}`)
	if !messages.IsCode(err, messages.CodeCancelled) {
		t.Error(err)
	}
}

// What is wrong with the arguments is said before anybody is asked.
func TestEvaluationsThatAreNotOrdered(t *testing.T) {
	for _, c := range []struct{ tool, args, field, part string }{
		{"evaluate_document", `{"content":"x","rubric":{"colour":1}}`, "rubric.colour", "completeness, accuracy, clarity, usability"},
		{"evaluate_document", `{"content":"x","rubric":{"clarity":"much"}}`, "rubric.clarity", "a number"},
		{"evaluate_document", `{"content":"x","rubric":{"clarity":1e999}}`, "rubric.clarity", "no number that we can count with"},
		{"evaluate_document", `{"content":"x","target_score":"8"}`, "target_score", "a number"},
		{"evaluate_document", `{"content":"x","write":true}`, "write", "no such argument"},
		{"improve_document", `{"content":"x","max_iterations":0}`, "max_iterations", "from 1 to 100"},
		{"improve_document", `{"content":"x","max_iterations":1.5}`, "max_iterations", ""},
		{"get_evaluation", `{}`, "evaluationId", "missing"},
	} {
		l := opens(false)
		_, err := call(t, catalogue(l.house), owner, c.tool, c.args)
		wantError(t, err, messages.CodeInvalid, c.field, c.part)
		if asked := l.questions(); len(asked) > 0 {
			t.Errorf("%s %s asked %v", c.tool, c.args, asked)
		}
	}
	_, err := call(t, catalogue(opens(false).house), owner, "get_evaluation", `{"evaluationId":"e2"}`)
	wantError(t, err, messages.CodeNotFound, "evaluationId", "no job")
	l := opens(false)
	l.job.Kind = messages.JobChat
	_, err = call(t, catalogue(l.house), owner, "get_evaluation", `{"evaluationId":"e1"}`)
	wantError(t, err, messages.CodeNotFound, "evaluationId", "no evaluation")
}
