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
			Journal: tr.store, Ledger: tr.store, Clock: actors.SystemClock{}, Limits: limits, Keys: tr.company.Keys,
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
		Plan:  y.store.Plan,
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
	return answered[messages.Job](y.t, y.desk, m)
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
