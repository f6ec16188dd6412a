package actors_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"kurogo/actors"
	"kurogo/messages"
)

func TestAPlanIsExecutedInItsOrderAndVerified(t *testing.T) {
	playYard(t, nil, func(y *yard) {
		d, out := y.given(
			work("b", write("b.go"), []string{"b.go"}, [][]string{{"go", "test"}}, "a"),
			work("a", write("a.go")+"; say a is there", []string{"a.go"}, nil),
		)
		if out.Status != "done" || out.Exit != 0 || d.Status != messages.JobCompleted || y.states(out) != "a:done:1 b:done:1" || !slices.Equal(out.Files, []string{"a.go", "b.go"}) {
			y.t.Errorf("%s %+v", d.Status, out)
		}
		var kinds []string
		for _, e := range d.Entries {
			kinds = append(kinds, e.Kind)
		}
		want := "task plan step tool_call tool_result step step step tool_call tool_result step verify step diff final"
		if got := strings.Join(kinds, " "); got != want {
			y.t.Errorf("trace %s\nwant  %s", got, want)
		}
		spec := y.player.specs[0]
		if len(spec.Tools) != 8 || spec.ReadOnly || !strings.Contains(spec.SystemPrompt, "one step") || spec.MCP.URL != "" {
			y.t.Errorf("the executor's life: %+v", spec)
		}
	})
}

func TestTheSameTaskHasTheSamePlan(t *testing.T) {
	playYard(t, nil, func(y *yard) {
		task := "say " + plan(work("a", "say done", nil, nil))
		for i, c := range []struct {
			ask    messages.StartRun
			source string
		}{{messages.StartRun{Task: task}, ""}, {messages.StartRun{Task: task}, "reused"}, {messages.StartRun{Task: task, Replan: true}, ""}} {
			j := y.run(c.ask)
			<-time.After(time.Minute)
			d, out := y.ended(j.ID)
			var p messages.RunPlan
			for _, e := range d.Entries {
				if e.Kind == messages.TracePlan {
					p = read[messages.RunPlan](y.t, e.Body)
				}
			}
			if out.Status != "done" || p.Source != c.source || p.Hash == "" {
				y.t.Errorf("run %d: %s (%s), source %q, hash %q", i, out.Status, out.Reason, p.Source, p.Hash)
			}
		}
		stats, _, err := y.desk.Ask(context.Background(), messages.GetStats{})
		if s, _ := stats.(messages.Stats); err != nil || s.Runs != 3 || s.Success != 1 || s.Replanned != 1 || s.Reproduced != 1 {
			y.t.Errorf("%+v, %v", stats, err)
		}
	})
}

func TestAPlanThatIsNone(t *testing.T) {
	for name, c := range map[string]struct {
		task   string
		status string
		exit   int
	}{
		"never JSON":             {"say I would rather not", "failed", 3},
		"a circle":               {"say " + plan(work("a", "x", nil, nil, "a")), "failed", 3},
		"outside the root":       {"say " + plan(work("a", "x", []string{"../x"}, nil)), "failed", 3},
		"the driver's JSON":      {"fail format the model's JSON stayed invalid", "failed", 3},
		"not logged in":          {"fail auth log in", "failed", 1},
		"with a fence around it": {"say ```json\n" + plan(work("a", "say x", nil, nil)) + "\n```", "done", 0},
	} {
		t.Run(name, func(t *testing.T) {
			playYard(t, nil, func(y *yard) {
				j := y.run(messages.StartRun{Task: c.task})
				<-time.After(10 * time.Minute)
				if _, out := y.ended(j.ID); out.Status != c.status || out.Exit != c.exit {
					y.t.Errorf("%+v, want %s with %d", out, c.status, c.exit)
				}
			})
		})
	}
}

func TestADryRunChangesNothing(t *testing.T) {
	playYard(t, nil, func(y *yard) {
		j := y.run(messages.StartRun{Task: "say " + plan(work("a", write("a.go"), nil, nil)), DryRun: true})
		<-time.After(time.Minute)
		if _, out := y.ended(j.ID); out.Status != "planned" || out.Exit != 0 || len(out.Plan.Steps) != 1 || len(y.box.files) != 0 {
			y.t.Errorf("%+v, files %v", out, y.box.files)
		}
	})
}

func TestAStepIsRepaired(t *testing.T) {
	playYard(t, nil, func(y *yard) {
		y.box.proofs["test"] = 2
		_, out := y.given(work("a", "say x", nil, [][]string{{"go", "vet"}, {"go", "test"}}))
		if out.Exit != 0 || y.states(out) != "a:done:3" {
			y.t.Errorf("%+v", out)
		}
		if told := y.player.given[1].Messages[0].Content; !strings.Contains(told, "undefined: fmt") || !strings.Contains(told, "$ go test") {
			y.t.Errorf("the repair was told %s", told)
		}
		y.box.proofs["test"] = 3
		_, out = y.given(work("a", "say x", nil, [][]string{{"go", "test"}}), work("b", "say y", nil, nil, "a"), work("c", "say z", nil, nil))
		if out.Exit != 1 || out.Status != "partial" || y.states(out) != "a:failed:3 b:skipped:0 c:done:1" {
			y.t.Errorf("%+v", out)
		}
	})
}

func TestHowARunEndsThatComesToNothing(t *testing.T) {
	for name, c := range map[string]struct {
		steps  []messages.PlanStep
		exit   int
		states string
	}{
		"refused by the policy":           {[]messages.PlanStep{work("a", write("a.exe"), []string{"a.exe"}, nil)}, 2, "a:failed:1"},
		"refused, and nothing else to do": {[]messages.PlanStep{work("a", write("a.exe")+"; say I cannot", nil, nil)}, 2, "a:failed:1"},
		"refused, then another way":       {[]messages.PlanStep{work("a", write("a.exe")+"; "+write("a.sh"), []string{"a.sh"}, nil)}, 0, "a:done:1"},
		"there already":                   {[]messages.PlanStep{work("a", write("a")+"; "+write("a"), []string{"a"}, nil)}, 0, "a:done:1"},
		"left nothing":                    {[]messages.PlanStep{work("a", "say done", []string{"a"}, nil)}, 1, "a:failed:1"},
		"fell twice":                      {[]messages.PlanStep{work("a", "crash", nil, nil)}, 1, "a:failed:1"},
		"the model's JSON":                {[]messages.PlanStep{work("a", "fail format invalid", nil, nil)}, 3, "a:failed:1"},
		"hangs":                           {[]messages.PlanStep{work("a", "hang", nil, nil)}, 1, "a:failed:1"},
		"breaks": {
			[]messages.PlanStep{work("a", "fail auth x", nil, nil), work("b", "fail auth x", nil, nil), work("c", "say x", nil, nil)},
			1,
			"a:failed:1 b:failed:1 c:skipped:0",
		},
	} {
		t.Run(name, func(t *testing.T) {
			playYard(t, nil, func(y *yard) {
				d, out := y.given(c.steps...)
				if out.Exit != c.exit || y.states(out) != c.states || (d.Status == messages.JobCompleted) != (c.exit == 0) {
					y.t.Errorf("%s: exit %d, %s (%s), want %d, %s", d.Status, out.Exit, y.states(out), out.Reason, c.exit, c.states)
				}
			})
		})
	}
}

func TestACommandThatIsNotOnTheListIsAskedFor(t *testing.T) {
	for name, allow := range map[string]bool{"allowed": true, "not allowed": false} {
		t.Run(name, func(t *testing.T) {
			playYard(t, nil, func(y *yard) {
				j := y.run(messages.StartRun{Task: "x", Plan: &messages.Plan{Steps: []messages.PlanStep{work("a", "say x", nil, [][]string{{"make", "all"}})}}})
				<-time.After(time.Hour)
				asked, err := y.store.Approvals(context.Background())
				if err != nil || len(asked) != 1 || asked[0].Content != "make all" || asked[0].Job != j.ID {
					y.t.Fatalf("approvals %+v, %v", asked, err)
				}
				if _, _, err := y.jobs.Ask(context.Background(), messages.AnswerApproval{ID: asked[0].ID, Allow: allow}); err != nil {
					y.t.Fatal(err)
				}
				<-time.After(time.Minute)
				if _, out := y.ended(j.ID); out.Exit != map[bool]int{true: 0, false: 2}[allow] {
					y.t.Errorf("%+v", out)
				}
			})
		})
	}
}

// A person takes longer than an agent has: the step waits for the word, and goes on
// with it. An agent that has heard it and hangs then is not asked for ever.
func TestAPersonTakesLongerThanAnAgent(t *testing.T) {
	for does, want := range map[string]string{"": "a:done:1", "; hang": "a:failed:1"} {
		t.Run("it"+does, func(t *testing.T) {
			playYard(t, nil, func(y *yard) {
				j := y.run(messages.StartRun{Task: "x", Plan: &messages.Plan{Steps: []messages.PlanStep{work("a", `use delete_file {"path":"a"}`+does, nil, nil)}}})
				<-time.After(48 * time.Hour)
				asked, err := y.store.Approvals(context.Background())
				if d, _ := actors.Recall(y.store, j.ID); err != nil || len(asked) != 1 || d.Status != messages.JobRunning || d.State != "waiting for approval" {
					y.t.Fatalf("approvals %+v, %v; it is %s in %q", asked, err, d.Status, d.State)
				}
				if n := must[messages.Agents](y.troupe, messages.ListAgents{}).Total; n != 1 {
					y.t.Errorf("%d agents waited", n)
				}
				y.box.mu.Lock()
				y.box.allowed = true
				y.box.mu.Unlock()
				if _, _, err := y.jobs.Ask(context.Background(), messages.AnswerApproval{ID: asked[0].ID, Allow: true}); err != nil {
					y.t.Fatal(err)
				}
				<-time.After(time.Hour)
				if _, out := y.ended(j.ID); y.states(out) != want {
					y.t.Errorf("%q: %+v", does, out)
				}
			})
		})
	}
}

func TestWhoWritesByItselfIsSeenByThePolicy(t *testing.T) {
	playYard(t, nil, func(y *yard) {
		y.desk.Terms.Executor = "cli"
		if _, out := y.given(work("a", "say x", []string{"patched"}, nil)); out.Exit != 0 || !strings.Contains(y.box.files["patched"], "a line of cli") {
			y.t.Errorf("%+v, files %v", out, y.box.files)
		}
		y.box.proofs["apply"] = 1
		if _, out := y.given(work("a", "say x", nil, nil)); out.Exit != 2 || !strings.Contains(out.Reason, "kept.toml") {
			y.t.Errorf("%+v", out)
		}
	})
}

// A leader that falls once at every kind of write comes to the same end, and
// nobody is paid twice.
func TestARunOutlivesItsLeader(t *testing.T) {
	fallen := newFalls()
	veil := func(j actors.Journal) actors.Journal { return stumbling{j, fallen.once} }
	playYard(t, veil, func(y *yard) {
		y.box.proofs["test"] = 2
		task := "say " + plan(work("a", write("a.go"), []string{"a.go"}, [][]string{{"go", "test"}}), work("b", "say b", nil, nil, "a"))
		j := y.run(messages.StartRun{Task: task})
		<-time.After(5 * time.Hour)
		if _, out := y.ended(j.ID); out.Exit != 0 || y.states(out) != "a:done:2 b:done:1" {
			y.t.Errorf("%+v", out)
		}
		if n := must[messages.Agents](y.troupe, messages.ListAgents{}).Total; n != 4 {
			y.t.Errorf("%d agents worked, want a planner, two for a and one for b", n)
		}
		if fallen.places() < 12 {
			y.t.Errorf("it fell at %d places only", fallen.places())
		}
	})
}

func TestARunIsCancelled(t *testing.T) {
	playYard(t, nil, func(y *yard) {
		j := y.run(messages.StartRun{Task: "x", Plan: &messages.Plan{Steps: []messages.PlanStep{work("a", "hang", nil, nil)}}})
		<-time.After(time.Second)
		if _, _, err := y.jobs.Ask(context.Background(), messages.CancelJob{Job: j.ID}); err != nil {
			y.t.Fatal(err)
		}
		<-time.After(10 * time.Second)
		d, err := actors.Recall(y.store, j.ID)
		if a := must[messages.Agents](y.troupe, messages.ListAgents{}).Agents[0]; err != nil || d.Status != messages.JobCancelled || a.Status != messages.AgentCancelled {
			y.t.Errorf("%s, its agent %s, %v", d.Status, a.Status, err)
		}
	})
}
