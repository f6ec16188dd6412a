package actors_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"kurogo/actors"
	"kurogo/messages"
)

// A yard is a troupe that carries out tasks. What the task says is what its planner
// does; what a step says is what its agents do, tries parted by "|".
type yard struct {
	*troupe
	desk *actors.RunDesk
	jobs *actors.JobDesk
	box  *box
}

// A box is a toolbox above files in memory. It knows names that are refused, and
// writes its trace into the job as the real one does.
type box struct {
	mu      sync.Mutex
	journal actors.Journal
	files   map[string]string
	asked   map[string]int
	proofs  map[string]int // how often a command fails before it succeeds
	allowed bool           // files may be deleted
}

func (b *box) Offer(names []string) (tools []messages.Tool) {
	for _, n := range names {
		tools = append(tools, messages.Tool{Name: n})
	}
	return tools
}

func (b *box) Call(ctx context.Context, a messages.Agent, call messages.ToolCall) messages.ToolResult {
	var in struct{ Path, Content string }
	_ = json.Unmarshal(call.Input, &in)
	if call.Name == "delete_file" {
		return b.remove(ctx, a, call, in.Path)
	}
	done := messages.RunCall{Agent: a.ID, Call: call.ID, Name: call.Name, Changes: true}
	b.mu.Lock()
	_, there := b.files[in.Path]
	switch {
	case strings.HasSuffix(in.Path, ".exe"):
		done.Code, done.Refused = messages.CodeInvalid, true
	case there:
		done.Code = messages.CodeConflict
	default:
		b.files[in.Path] = in.Content
	}
	b.mu.Unlock()
	_, id, _ := a.CreatedBy.Job()
	if _, err := b.journal.Commit(context.Background(), messages.KeepJob{Job: id, Entries: []messages.JobEntry{actors.Entry(messages.TraceToolCall, done), actors.Entry(messages.TraceToolResult, done)}, Now: time.Now()}); err != nil {
		panic(err)
	}
	return messages.ToolResult{Text: "result " + string(done.Code), IsError: done.Code != ""}
}

// remove asks a person, and waits as long as the agent may.
func (b *box) remove(ctx context.Context, a messages.Agent, call messages.ToolCall, path string) messages.ToolResult {
	_, id, _ := a.CreatedBy.Job()
	done := messages.RunCall{Agent: a.ID, Call: call.ID, Name: call.Name, Input: string(call.Input), Changes: true}
	commit := func(c messages.Change) {
		if _, err := b.journal.Commit(context.Background(), c); err != nil {
			panic(err)
		}
	}
	commit(messages.KeepJob{Job: id, Entries: []messages.JobEntry{actors.Entry(messages.TraceToolCall, done)}, Now: time.Now()})
	b.mu.Lock()
	allowed := b.allowed
	b.mu.Unlock()
	if !allowed {
		commit(messages.AskApproval{ID: actors.DeleteQuestion(id, path), Job: id, Kind: messages.ParkedDelete, Content: path, Now: time.Now()})
		<-ctx.Done()
		done.Code = messages.CodeCancelled
	}
	commit(messages.KeepJob{Job: id, Entries: []messages.JobEntry{actors.Entry(messages.TraceToolResult, done)}, Now: time.Now()})
	return messages.ToolResult{Text: string(done.Code), IsError: done.Code != ""}
}

func playYard(t *testing.T, veil func(actors.Journal) actors.Journal, story func(y *yard)) {
	t.Helper()
	b := &box{files: map[string]string{}, asked: map[string]int{}, proofs: map[string]int{}}
	playTroupe(t, castList{veil: veil, toolbox: b}, func(tr *troupe) {
		b.journal = tr.store
		y := &yard{troupe: tr, box: b, jobs: &actors.JobDesk{Journal: tr.store, Ledger: tr.store, Clock: actors.SystemClock{}}}
		y.desk = &actors.RunDesk{
			Journal: tr.store, Ledger: tr.store, Clock: actors.SystemClock{}, Limits: limits,
			Terms: actors.RunTerms{Root: ".", Planner: "review", Executor: "code", Approve: messages.ConsentAsk},
			Place: func(string) (string, error) { return "/work", nil },
			Stats: tr.store.RunStats,
		}
		y.desk.Limits.MessageBytes = 1 << 20
		if err := tr.tree.StartJobs(tr.company, tr.store, map[messages.JobKind]actors.Leader{messages.JobRun: y.workshop().Lead}); err != nil {
			tr.t.Fatal(err)
		}
		story(y)
	})
}

func (y *yard) workshop() actors.Workshop {
	return actors.Workshop{
		Ledger: y.store, Plan: y.store.Plan,
		Rules: actors.RunRules{Programs: []string{"go"}, Repairs: 2, BreakAfter: 2, PlanTimeout: time.Minute, StepTimeout: time.Minute},
		Survey: func(context.Context, string) (string, []string, error) {
			return "tree", slices.Sorted(maps.Keys(y.box.files)), nil
		},
		Evidence: func(context.Context, string, string) []messages.Chunk { return nil },
		Apply: func(_ context.Context, _ string, _ messages.JobID, patch string) error {
			if strings.Contains(patch, "cli") && y.box.proofs["apply"] > 0 {
				return messages.Errorf(messages.CodeDenied, "kept.toml may not be changed")
			}
			y.box.files["patched"] = patch
			return nil
		},
		Missing: func(_ context.Context, _ string, files []string) (missing []string, err error) {
			for _, f := range files {
				if _, ok := y.box.files[f]; !ok {
					missing = append(missing, f)
				}
			}
			return missing, nil
		},
		Verify: func(_ context.Context, _ string, command []string) messages.RunVerify {
			y.box.mu.Lock()
			defer y.box.mu.Unlock()
			v := messages.RunVerify{Command: command}
			if y.box.proofs[command[1]] > 0 {
				y.box.proofs[command[1]]--
				v.Exit, v.Output = 1, "undefined: fmt"
			}
			return v
		},
		Diff: func(context.Context, string, messages.JobID) (string, []string, error) {
			return "+…", slices.Sorted(maps.Keys(y.box.files)), nil
		},
	}
}

// plan says the plan that these steps make.
func plan(steps ...messages.PlanStep) string {
	b, _ := json.Marshal(messages.Plan{Summary: "a plan", Steps: steps})
	return string(b)
}

func work(id, does string, files []string, verify [][]string, needs ...string) messages.PlanStep {
	return messages.PlanStep{ID: id, Work: does, Files: files, Verify: verify, Needs: needs}
}

func (y *yard) run(m messages.StartRun) messages.Job {
	y.t.Helper()
	answer, ok, err := y.desk.Ask(context.Background(), m)
	if err != nil || !ok {
		y.t.Fatalf("start run: %v", err)
	}
	job, _ := answer.(messages.Job)
	return job
}

// given runs a plan that is given, and waits long enough.
func (y *yard) given(steps ...messages.PlanStep) (messages.JobDetail, messages.RunOutput) {
	y.t.Helper()
	j := y.run(messages.StartRun{Task: "a task", Plan: &messages.Plan{Steps: steps}})
	<-time.After(time.Hour)
	return y.ended(j.ID)
}

func (y *yard) ended(id messages.JobID) (messages.JobDetail, messages.RunOutput) {
	y.t.Helper()
	d, err := actors.Recall(y.store, id)
	if err != nil {
		y.t.Fatal(err)
	}
	if d.Output == nil {
		y.t.Fatalf("it is %s in %q: %s", d.Status, d.State, d.Error)
	}
	return d, read[messages.RunOutput](y.t, d.Output)
}

// states tells where the steps stand.
func (y *yard) states(out messages.RunOutput) string {
	var all []string
	for _, s := range out.Steps {
		all = append(all, fmt.Sprintf("%s:%s:%d", s.ID, s.State, s.Attempt))
	}
	return strings.Join(all, " ")
}

func write(path string) string { return fmt.Sprintf(`use write_file {"path":%q,"content":"x"}`, path) }

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
	var mu sync.Mutex
	fallen := map[string]bool{}
	veil := func(j actors.Journal) actors.Journal {
		return stumbling{j, func(at string) bool {
			mu.Lock()
			defer mu.Unlock()
			falls := !fallen[at]
			fallen[at] = true
			return falls
		}}
	}
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
		if len(fallen) < 12 {
			y.t.Errorf("it fell at %d places only", len(fallen))
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
