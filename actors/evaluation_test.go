package actors_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"kurogo/actors"
	"kurogo/messages"
)

func TestADocumentIsJudged(t *testing.T) {
	playBench(t, castList{}, func(b *bench) {
		j := b.evaluate(messages.Evaluate{Content: "wait 2s; say 6.5 explain it", Session: "s"})
		<-time.After(10 * time.Second)
		d := b.job(j.ID)
		got := read[messages.Evaluated](b.t, d.Output)
		if d.Status != messages.JobCompleted || got.Score != 6.5 || got.Pass || got.Metadata.Iteration != 1 || got.Metadata.Time != 2000 || got.Metadata.Model != "rehearsal" {
			b.t.Errorf("%s: %+v", d.Status, got)
		}
		want := []string{"tool_running", "evaluating", "evaluator_running", "parsing", "scoring", "needs_improvement", "suggesting", "done", "completed"}
		if states := b.states(j.ID); !slices.Equal(states, want) {
			b.t.Errorf("states %v, want %v", states, want)
		}
		spec := b.player.specs[0]
		if !spec.ReadOnly || string(spec.Schema) != `{"type":"object"}` || len(spec.Tools) != 0 || strings.Contains(spec.SystemPrompt, "report_result") {
			b.t.Errorf("the evaluator's life: %+v", spec)
		}
		second := b.evaluate(messages.Evaluate{Content: "say 9 fine", Session: "s"})
		<-time.After(10 * time.Second)
		if got := read[messages.Evaluated](b.t, b.job(second.ID).Output); !got.Pass || got.Metadata.Iteration != 2 {
			b.t.Errorf("the second of its session: %+v", got)
		}
	})
}

func TestAVerdictThatCannotBeReadIsNoScore(t *testing.T) {
	for name, c := range map[string]struct {
		document string
		after    time.Duration
		status   messages.JobStatus
		code     messages.Code
		tries    int
	}{
		"good at the third":   {"say gibberish|say {}|say 7 x", 3 * time.Second, messages.JobCompleted, "", 2},
		"never good":          {"say gibberish", 3 * time.Second, messages.JobFailed, messages.CodeInternal, 3},
		"too fast, then good": {"fail rate slow down|say 7 x", time.Second, messages.JobCompleted, "", 1},
		"always too fast":     {"fail rate slow down", 3 * time.Second, messages.JobFailed, messages.CodeRateLimited, 3},
		"hangs":               {"hang", 3*time.Second + 6*time.Minute, messages.JobFailed, messages.CodeDeadline, 3},
		"falls, then good":    {"crash|say 7 x", time.Second, messages.JobCompleted, "", 1},
		"is not logged in":    {"fail auth log in", 0, messages.JobFailed, messages.CodeUnavailable, 1},
		"says nothing":        {"wait 1ms", 3 * time.Second, messages.JobFailed, messages.CodeInternal, 3},
	} {
		t.Run(name, func(t *testing.T) {
			playBench(t, castList{}, func(b *bench) {
				j := b.evaluate(messages.Evaluate{Content: c.document})
				if c.after > 0 {
					<-time.After(c.after - 100*time.Millisecond)
					if d := b.job(j.ID); d.Status != messages.JobRunning {
						b.t.Errorf("before its last wait was over it is %s", d.Status)
					}
				}
				<-time.After(time.Minute)
				d := b.job(j.ID)
				tries := 0
				for _, e := range d.Entries {
					if e.Kind == messages.EntryTry {
						tries++
					}
				}
				if d.Status != c.status || d.Code != c.code || tries != c.tries {
					b.t.Errorf("%s, %q (%s) after %d tries, want %s, %q after %d", d.Status, d.Code, d.Error, tries, c.status, c.code, c.tries)
				}
				if c.status == messages.JobFailed && d.Output != nil {
					b.t.Errorf("a failure has the score %s", d.Output)
				}
			})
		})
	}
}

func TestADocumentIsImproved(t *testing.T) {
	playBench(t, castList{}, func(b *bench) {
		// Three documents, each within what is said of the one before.
		b.put("a.md", "say 5 say say 6 say say 8.5 good")
		j := b.evaluate(messages.Evaluate{Path: "a.md", Improve: true, Write: true})
		<-time.After(time.Minute)
		d := b.job(j.ID)
		got := read[messages.Improved](b.t, d.Output)
		scores := []float64{}
		for _, r := range got.Rounds {
			scores = append(scores, r.Verdict.Score)
		}
		if d.Status != messages.JobCompleted || got.Stop != messages.StopTarget || got.Version != 2 || !slices.Equal(scores, []float64{5, 6, 8.5}) || !got.Best.Pass {
			b.t.Errorf("%s: %+v", d.Status, got)
		}
		if want := "say 8.5 good"; got.Document != want || b.file("a.md") != want || !got.Written {
			b.t.Errorf("document %q, file %q, written %t", got.Document, b.file("a.md"), got.Written)
		}
		if agents := must[messages.Agents](b.troupe, messages.ListAgents{}).Total; agents != 5 {
			b.t.Errorf("%d agents worked, want 3 judges and 2 writers", agents)
		}
	})
}

func TestBelowItsTargetTheFileStays(t *testing.T) {
	playBench(t, castList{}, func(b *bench) {
		before := "say 5 say say 7 say say 6 say say 6.5 say nothing"
		b.put("a.md", before)
		j := b.evaluate(messages.Evaluate{Path: "a.md", Improve: true, Write: true, Maximum: 4})
		<-time.After(time.Minute)
		got := read[messages.Improved](b.t, b.job(j.ID).Output)
		if got.Stop != messages.StopMaximum || got.Version != 1 || got.Best.Score != 7 || got.Written || b.file("a.md") != before {
			b.t.Errorf("%+v, file %q", got, b.file("a.md"))
		}
	})
}

func TestAFileThatChangedMeanwhileIsNotOverwritten(t *testing.T) {
	playBench(t, castList{}, func(b *bench) {
		b.put("a.md", "wait 5s; say 5 say say 9 good")
		j := b.evaluate(messages.Evaluate{Path: "a.md", Improve: true, Write: true})
		b.put("a.md", "somebody's")
		<-time.After(time.Minute)
		if d := b.job(j.ID); d.Status != messages.JobFailed || d.Code != messages.CodeConflict || read[messages.Improved](b.t, d.Output).Document != "say 9 good" || b.file("a.md") != "somebody's" {
			b.t.Errorf("%s %s, output %s, file %q", d.Status, d.Code, d.Output, b.file("a.md"))
		}
	})
}

// stumbling lets whoever writes for a job fall, before the journal has heard it.
type stumbling struct {
	actors.Journal
	falls func(at string) bool
}

func (s stumbling) Commit(ctx context.Context, c messages.Change) (messages.Outcome, error) {
	at := ""
	switch c := c.(type) {
	case messages.KeepJob:
		at = fmt.Sprint(c.States)
		for _, e := range c.Entries {
			at += e.Kind
		}
	case messages.CloseJob:
		at = "close"
	case messages.OrderAgents:
		at = c.Key
	}
	if at != "" && s.falls(at) {
		panic("a planted fall at " + at)
	}
	return s.Journal.Commit(ctx, c)
}

// A leader that falls at every write of its job comes to the same end, and nobody
// is paid twice.
func TestAnEvaluationOutlivesItsLeader(t *testing.T) {
	fallen := newFalls()
	veil := func(j actors.Journal) actors.Journal { return stumbling{j, fallen.once} }
	playBench(t, castList{veil: veil}, func(b *bench) {
		j := b.evaluate(messages.Evaluate{Content: "say 5 say say 8.5 good", Improve: true})
		<-time.After(30 * time.Minute)
		d := b.job(j.ID)
		if d.Status != messages.JobCompleted {
			b.t.Fatalf("%s in %s: %s", d.Status, d.State, d.Error)
		}
		if got := read[messages.Improved](b.t, d.Output); got.Version != 1 || len(got.Rounds) != 2 {
			b.t.Errorf("%+v", got)
		}
		if agents := must[messages.Agents](b.troupe, messages.ListAgents{}).Total; agents != 3 {
			b.t.Errorf("%d agents worked, want 3", agents)
		}
	})
}

func TestAnEvaluationIsCancelled(t *testing.T) {
	playBench(t, castList{}, func(b *bench) {
		j := b.evaluate(messages.Evaluate{Content: "hang"})
		<-time.After(time.Second)
		answer, _, err := b.jobs.Ask(context.Background(), messages.CancelJob{Job: j.ID, Reason: "enough"})
		if err != nil {
			b.t.Fatal(err)
		}
		if job, _ := answer.(messages.Job); job.Status != messages.JobCancelled || job.Error != "cancelled: enough" {
			b.t.Errorf("%+v", answer)
		}
		<-time.After(10 * time.Second)
		if a := must[messages.Agents](b.troupe, messages.ListAgents{}).Agents[0]; a.Status != messages.AgentCancelled {
			b.t.Errorf("its evaluator is %s", a.Status)
		}
	})
}

func TestTheSameQuestionJoins(t *testing.T) {
	playBench(t, castList{}, func(b *bench) {
		ask := messages.Evaluate{Content: "wait 5s; say 9 x", Session: "s"}
		first, again := b.evaluate(ask), b.evaluate(ask)
		other := b.evaluate(messages.Evaluate{Content: "wait 5s; say 9 x", Rubric: &messages.Rubric{Accuracy: 1}, Session: "s"})
		<-time.After(time.Minute)
		later := b.evaluate(ask)
		<-time.After(time.Minute)
		if first.ID != again.ID || first.ID == other.ID || first.ID == later.ID {
			b.t.Errorf("first %s, again %s, another rubric %s, later %s", first.ID, again.ID, other.ID, later.ID)
		}
		if got := read[messages.Evaluated](b.t, b.job(later.ID).Output); got.Metadata.Iteration != 3 {
			b.t.Errorf("iteration %d, want 3", got.Metadata.Iteration)
		}
	})
}

// Beyond the maximum a document is still judged, and told that it is enough.
func TestBeyondTheMaximumThereIsANote(t *testing.T) {
	playBench(t, castList{}, func(b *bench) {
		for n := 1; n <= 3; n++ {
			j := b.evaluate(messages.Evaluate{Content: fmt.Sprintf("say %d x", n), Session: "s", Maximum: 2})
			<-time.After(time.Minute)
			got := read[messages.Evaluated](b.t, b.job(j.ID).Output)
			if told := strings.Contains(got.Metadata.Note, "beyond the maximum of 2"); got.Score != float64(n) || got.Metadata.Iteration != n || told != (n > 2) {
				b.t.Errorf("iteration %d: %+v", n, got)
			}
		}
	})
}

// Where a client works is of no account, unless it names a project.
func TestAnEvaluationOfSomebodyElsewhere(t *testing.T) {
	playBench(t, castList{}, func(b *bench) {
		far := messages.Caller{Dir: "/elsewhere/home"}
		j := b.evaluate(messages.Evaluate{Content: "say 9 x", By: far})
		if in := read[messages.EvaluationInput](b.t, b.job(j.ID).Input); in.Dir != "/work" {
			b.t.Errorf("it is judged in %s", in.Dir)
		}
		_, _, err := b.desk.Ask(context.Background(), messages.Evaluate{Content: "say 9 x", Project: "/elsewhere/project", By: far})
		if e := messages.AsError(err); e == nil || e.Code != messages.CodeInvalid || e.Field != "project_path" || e.Remedy == "" {
			b.t.Errorf("a project elsewhere: %v", err)
		}
		<-time.After(time.Minute)
	})
}

// Who left before the end has the same answer by the same question, once.
func TestWhoLeftComesBackForTheAnswer(t *testing.T) {
	playBench(t, castList{}, func(b *bench) {
		ask := messages.Evaluate{Content: "wait 5s; say 9 x"}
		first := b.evaluate(ask)
		if _, ok, err := b.desk.Ask(context.Background(), messages.LeaveJob{Job: first.ID}); !ok || err != nil {
			b.t.Fatal(ok, err)
		}
		<-time.After(time.Minute)
		again := b.evaluate(ask)
		if again.ID != first.ID || again.Status != messages.JobCompleted {
			b.t.Errorf("it came back to %s, which is %s; it left %s", again.ID, again.Status, first.ID)
		}
		anew := b.evaluate(ask)
		if anew.ID == first.ID {
			b.t.Error("a third question has the old answer")
		}
		_, _, _ = b.desk.Ask(context.Background(), messages.LeaveJob{Job: anew.ID})
		<-time.After(time.Hour)
		if late := b.evaluate(ask); late.ID == anew.ID {
			b.t.Error("an hour later it still has the old answer")
		}
		<-time.After(time.Minute)
	})
}

// The keys of whoever ordered an evaluation reach its agents.
func TestAnEvaluationHasTheKeysOfItsCaller(t *testing.T) {
	playBench(t, castList{}, func(b *bench) {
		b.evaluate(messages.Evaluate{Content: "say 9 x", By: messages.Caller{Env: map[string]string{"FAKE_KEY": "k", "OTHER_KEY": "o"}}})
		<-time.After(time.Minute)
		b.evaluate(messages.Evaluate{Content: "say 8 x"})
		<-time.After(time.Minute)
		for i, want := range []string{"k", ""} {
			if env := b.player.specs[i].Env; env["FAKE_KEY"] != want || env["OTHER_KEY"] != "" {
				b.t.Errorf("evaluator %d has the keys %q", i+1, env)
			}
		}
	})
}

func TestTwentyEvaluationsAtOnce(t *testing.T) {
	playBench(t, castList{working: 4}, func(b *bench) {
		var jobs []messages.Job
		for i := range 20 {
			jobs = append(jobs, b.evaluate(messages.Evaluate{Content: fmt.Sprintf("wait 3s; say %d.5 x", i%10)}))
		}
		heuristic := b.evaluate(messages.Evaluate{Content: "x", Evaluator: "heuristic"})
		<-time.After(time.Second)
		if got := read[messages.Evaluated](b.t, b.job(heuristic.ID).Output); got.Score != 4.5 || got.Metadata.Model != "heuristic" {
			b.t.Errorf("the heuristic waits for nobody: %+v", got)
		}
		<-time.After(time.Minute)
		for i, j := range jobs {
			if got := read[messages.Evaluated](b.t, b.job(j.ID).Output); got.Score != float64(i%10)+0.5 {
				b.t.Errorf("document %d: %v", i, got.Score)
			}
		}
		if b.rooms.most > 4 {
			b.t.Errorf("%d worked at a time, want 4", b.rooms.most)
		}
	})
}

// What was the last try, and that it was, is written at once: whoever falls there
// asks nobody a fourth time.
func TestAFallAtTheEndAsksNobodyAgain(t *testing.T) {
	var once sync.Once
	veil := func(j actors.Journal) actors.Journal {
		return stumbling{j, func(at string) (falls bool) {
			if at == "close" {
				once.Do(func() { falls = true })
			}
			return falls
		}}
	}
	playBench(t, castList{veil: veil}, func(b *bench) {
		j := b.evaluate(messages.Evaluate{Content: "say gibberish"})
		<-time.After(10 * time.Minute)
		if d := b.job(j.ID); d.Status != messages.JobFailed || d.Code != messages.CodeInternal {
			b.t.Errorf("%s %s", d.Status, d.Code)
		}
		if agents := must[messages.Agents](b.troupe, messages.ListAgents{}).Total; agents != 3 {
			b.t.Errorf("%d agents were asked, want 3", agents)
		}
	})
}
