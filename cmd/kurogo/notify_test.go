package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kurogo/config"
	"kurogo/messages"
)

// A room is where notices are posted: it answers what it is told to, in turn, and
// the last for ever.
type room struct {
	answers []any // a status, or an error
	heard   []notice
	at      []time.Time
}

func (r *room) RoundTrip(req *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	var n notice
	if err := json.Unmarshal(body, &n); err != nil {
		return nil, err
	}
	r.heard, r.at = append(r.heard, n), append(r.at, time.Now())
	answer := r.answers[min(len(r.heard), len(r.answers))-1]
	if err, ok := answer.(error); ok {
		return nil, err
	}
	return &http.Response{
		StatusCode: answer.(int), Status: http.StatusText(answer.(int)), Request: req,
		Header: http.Header{"Location": {"http://127.0.0.1:1/elsewhere"}}, Body: io.NopCloser(strings.NewReader("thanks")),
	}, nil
}

// tell plays events to a crier until all are read, and returns what it logged.
func tell(t *testing.T, r *room, on []config.Notice, events ...messages.Event) string {
	t.Helper()
	var log bytes.Buffer
	watch := func(_ context.Context, topic messages.Topic, since int64) iter.Seq2[messages.Event, error] {
		return func(yield func(messages.Event, error) bool) {
			for _, e := range events {
				if e.Seq > since && topic.Wants(e) && !yield(e, nil) {
					return
				}
			}
			yield(messages.Event{}, errors.New("the journal is closed"))
		}
	}
	c := newCrier(config.Notify{Webhook: "http://hook.example/s3cret", On: on}, "/p", watch, slog.New(slog.NewTextHandler(&log, nil)))
	c.client.Transport = r
	c.stage = func(path string) string { return "http://stage" + path }
	c.run(t.Context(), 10)
	return log.String()
}

func event(seq int64, kind messages.EventKind, id string, data any) messages.Event {
	text, err := json.Marshal(data)
	if err != nil {
		panic(err)
	}
	return messages.Event{Seq: seq, At: time.Now(), Kind: kind, ID: id, Data: text}
}

func all() []config.Notice {
	return []config.Notice{config.NoticeFinish, config.NoticeFailure, config.NoticeApproval}
}

func TestNoticesTellWhatEndedAndWhatWaits(t *testing.T) {
	t.Parallel()
	task := func(status messages.TaskStatus) messages.Task {
		return messages.Task{Owner: "grand_boss", Status: status, Content: "Sew a\n  noren.", Result: "no thread"}
	}
	agent := func(by messages.Address, how messages.AgentStatus) messages.Agent {
		return messages.Agent{Role: "impl-code", CreatedBy: by, Status: messages.AgentReported, Outcome: how, Prompt: "mend", Run: messages.Run{Error: "it fell"}}
	}
	part := task(messages.Completed)
	part.Depth = 1
	own := task(messages.Completed)
	own.Owner = "agent:a-1-abcd"
	of := messages.JobEvaluation.Event(messages.JobConcluded)
	run := messages.JobRun.Event(messages.JobConcluded)
	money := messages.Approval{Kind: "task", Content: "Sew", Spent: 2}
	more := money
	more.Spent = 3
	story := []struct {
		name string
		e    messages.Event
		want string // event kind status url; "" = nothing is told
		text string
	}{
		{"before us", event(10, messages.TaskUpdated, "t", task(messages.Completed)), "", ""},
		{"a task that runs", event(11, messages.TaskUpdated, "t", task(messages.Running)), "", ""},
		{"a task", event(12, messages.TaskUpdated, "t", task(messages.Completed)), "finish task completed http://stage/tasks/t", "task completed: Sew a noren."},
		{"the same once more", event(13, messages.TaskUpdated, "t", task(messages.Completed)), "", ""},
		{"a task that failed", event(14, messages.TaskUpdated, "u", task(messages.TimedOut)), "failure task timed_out http://stage/tasks/u", "task timed_out: Sew a noren. (no thread)"},
		{"a task that somebody ended", event(15, messages.TaskUpdated, "v", task(messages.Cancelled)), "", ""},
		{"a part of a task", event(16, messages.TaskUpdated, "w", part), "", ""},
		{"what an agent is to do", event(17, messages.TaskUpdated, "x", own), "", ""},
		{"an agent", event(18, messages.AgentEnded, "a", agent("user", messages.AgentCompleted)), "finish agent completed http://stage/agents/a", "agent completed: impl-code: mend"},
		{"an agent that fell", event(19, messages.AgentEnded, "b", agent("user", messages.AgentLost)), "failure agent lost http://stage/agents/b", "agent lost: impl-code: mend (it fell)"},
		{"an agent of a job", event(20, messages.AgentEnded, "c", agent("run:j", messages.AgentFailed)), "", ""},
		{"an evaluation", event(21, of, "e", messages.Job{Kind: messages.JobEvaluation, Title: "README", Status: messages.JobCompleted}), "finish evaluation completed http://stage/evals/e", "evaluation completed: README"},
		{"a run that failed", event(22, run, "r", messages.Job{Kind: messages.JobRun, Title: "fix", Status: messages.JobFailed, Error: "no plan"}), "failure run failed http://stage/runs/r", "run failed: fix (no plan)"},
		{"a question", event(23, messages.ApprovalAsked, "q", money), "approval task waiting http://stage/approvals", "task waiting: Sew"},
		{"the question, costlier", event(24, messages.ApprovalAsked, "q", more), "", ""},
		{"its answer", event(25, messages.ApprovalAnswered, "q", messages.Resumed{}), "", ""},
		{"the question anew", event(26, messages.ApprovalAsked, "q", more), "approval task waiting http://stage/approvals", "task waiting: Sew"},
		{"a chat", event(27, messages.JobChat.Event(messages.JobConcluded), "c", messages.Job{}), "", ""},
		{"nonsense", messages.Event{Seq: 28, At: time.Now(), Kind: messages.TaskUpdated, ID: "n", Data: json.RawMessage(`"x"`)}, "", ""},
	}
	var events []messages.Event
	for _, c := range story {
		events = append(events, c.e)
	}
	r := &room{answers: []any{200}}
	log := tell(t, r, all(), events...)
	for _, c := range story {
		got, text := "", ""
		for _, n := range r.heard {
			if n.Seq == c.e.Seq {
				got, text = fmt.Sprintf("%s %s %s %s", n.Event, n.Kind, n.Status, n.URL), n.Text
			}
		}
		if got != c.want || text != c.text {
			t.Errorf("%s: told %q, %q; want %q, %q", c.name, got, text, c.want, c.text)
		}
	}
	if !strings.Contains(log, "notices end") {
		t.Errorf("the end of the journal is not in the log: %s", log)
	}
}

// A house that does not answer is asked again, three times in all, and holds up
// nothing but its own notices.
func TestNoticesAreCarriedAFewTimes(t *testing.T) {
	t.Parallel()
	down := errors.New("connection refused")
	for _, c := range []struct {
		name    string
		answers []any
		posts   int
		took    time.Duration
		log     string // "" = nothing
	}{
		{"taken", []any{200}, 1, 0, ""},
		{"taken the third time", []any{down, 503, 204}, 3, 5 * time.Second, ""},
		{"never", []any{500}, 3, 5 * time.Second, "it answers Internal Server Error"},
		{"nobody there", []any{down}, 3, 5 * time.Second, "connection refused"},
		{"told to slow down", []any{429, 200}, 2, time.Second, ""},
		{"refused", []any{404}, 1, 0, "it was refused"},
		{"sent elsewhere", []any{307}, 1, 0, "it was refused"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				r, begun := &room{answers: c.answers}, time.Now()
				log := tell(t, r, all(), event(11, messages.AgentEnded, "a", messages.Agent{Role: "r", Outcome: messages.AgentCompleted}))
				if len(r.heard) != c.posts || time.Since(begun) != c.took {
					t.Errorf("it was posted %d times in %v", len(r.heard), time.Since(begun))
				}
				for _, n := range r.heard {
					if n.ID != "a" || n.Seq != 11 || n.Project != "/p" {
						t.Errorf("%+v", n)
					}
				}
				if warned := strings.Contains(log, "nobody took a notice"); warned != (c.log != "") || !strings.Contains(log, c.log) {
					t.Errorf("the log says %s", log)
				}
				if strings.Contains(log, "s3cret") {
					t.Errorf("the address is in the log: %s", log)
				}
			})
		})
	}
}

// What is not wanted is not told, and old news neither.
func TestNoticesThatNobodyWants(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := &room{answers: []any{200}}
		old := event(11, messages.AgentEnded, "old", messages.Agent{Outcome: messages.AgentFailed})
		old.At = time.Now().Add(-noticeStale - time.Second)
		log := tell(t, r, []config.Notice{config.NoticeFailure}, old,
			event(12, messages.AgentEnded, "well", messages.Agent{Outcome: messages.AgentCompleted}),
			event(13, messages.AgentEnded, "ill", messages.Agent{Outcome: messages.AgentTimedOut}),
		)
		if len(r.heard) != 1 || r.heard[0].ID != "ill" {
			t.Errorf("told: %+v", r.heard)
		}
		if !strings.Contains(log, "too old") {
			t.Errorf("the log says %s", log)
		}
	})
}
