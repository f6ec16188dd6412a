package main_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kurogo/drivers/modeltest"
	"kurogo/drivers/process"
	"kurogo/messages"
)

// Every status with which the verb can end, but for those that other stories have:
// 0, 1, 2 and 64 (F1, F2, plans that are none).
func TestHowARunEnds(t *testing.T) {
	t.Parallel()
	s := openShop(t, "ollama", "[limits]\ndefault_timeout = \"4s\"\n")
	s.plans("talk", messages.PlanStep{ID: "a", Work: "talk"})
	s.model.Add(modeltest.Turn(modeltest.Who("Your step: a · A\ntalk"), modeltest.Step{Text: "I would rather talk."}))
	if r := s.order("talk"); r.status != 3 || r.Exit != 3 {
		t.Errorf("no JSON from the executor: %+v", r)
	}
	s.model.Add(modeltest.Turn(modeltest.Who("<task>\nno plan\n</task>"), modeltest.Step{Text: "I have no plan."}))
	if r := s.order("no plan"); r.status != 3 || r.Plan != nil {
		t.Errorf("no JSON from the planner: %+v", r)
	}
	s.says("<task>\na circle\n</task>", planOf(messages.PlanStep{ID: "a", Work: "x", Needs: []string{"a"}}))
	if r := s.order("a circle"); r.status != 3 || !strings.Contains(r.Reason, "need one another") {
		t.Errorf("a circle: %+v", r)
	}
	s.model.Add(modeltest.Turn(modeltest.Who("<task>\nthink for ever\n</task>"), modeltest.Step{Hang: true}))
	if r := s.order("think for ever"); r.status != messages.CodeDeadline.Exit() {
		t.Errorf("no plan in time: %+v", r)
	}

	// Somebody else calls it off.
	hangs := s.begins("hang for ever")
	must[messages.Job](s.theatre, messages.CancelJob{Job: hangs.id})
	if err := hangs.cmd.Wait(); hangs.cmd.ProcessState.ExitCode() != messages.CodeCancelled.Exit() {
		t.Errorf("called off: %v %s", err, hangs.told.String())
	}

	// Ctrl-C calls it off, and waits until it has ended.
	hangs = s.begins("hang for ever")
	_ = hangs.cmd.Process.Signal(os.Interrupt)
	if err := hangs.cmd.Wait(); hangs.cmd.ProcessState.ExitCode() != 130 {
		t.Errorf("interrupted: %v %s", err, hangs.told.String())
	}
	if d := jobOf(s.theatre, hangs.id); d.Status != messages.JobCancelled {
		t.Errorf("interrupted, it is %s", d.Status)
	}
	eventually(t, "its agents have ended", func() bool {
		return !slices.ContainsFunc(agentsOf(s.theatre, hangs.id), func(a messages.Agent) bool { return !a.Status.Final() })
	})
	s.sound()
}

// Nobody at the model's address: there is no agent.
func TestARunWithoutAModel(t *testing.T) {
	t.Parallel()
	s := openShop(t, "ollama", "")
	s.run("stop")
	<-s.owner.ended
	o := s.does("", "run", "--task", "x", "--json", "--set", "drivers.hermes.endpoint=http://127.0.0.1:1")
	if o.status != messages.CodeUnavailable.Exit() || !strings.Contains(o.out, `"code":"unavailable"`) {
		t.Errorf("%d %s %s", o.status, o.out, o.err)
	}
}

// A begun run goes on in the background: its planner never answers.
type begun struct {
	cmd  *exec.Cmd
	id   messages.JobID
	told bytes.Buffer
}

// begins starts a run whose only step hangs, and returns when it is on.
func (s *shop) begins(task string) *begun {
	s.Helper()
	s.write("hang.json", planOf(messages.PlanStep{ID: "a", Work: "hang"}))
	s.model.Add(modeltest.Turn(modeltest.Who("Your step: a · A\nhang"), modeltest.Step{Hang: true}))
	b := &begun{cmd: s.kurogo("run", "--task", task, "--plan", "hang.json")}
	b.cmd.Stderr = &b.told
	if err := b.cmd.Start(); err != nil {
		s.Fatal(err)
	}
	eventually(s.T, "the step is on", func() bool {
		jobs := must[messages.Jobs](s.theatre, messages.ListJobs{Kind: messages.JobRun, Status: messages.JobRunning}).Jobs
		if len(jobs) == 0 || jobs[0].State != "executing a" {
			return false
		}
		b.id = jobs[0].ID
		return true
	})
	return b
}

// What a run may not do by itself is asked for. The question outlives the owner, and
// so does the word.
func TestApprovalsOutliveTheOwner(t *testing.T) {
	t.Parallel()
	s := openShop(t, "ollama", "")
	for _, file := range []string{"old.md", "gone.md", "kept.md"} {
		s.write(file, file+"\n")
	}
	plan := planOf(
		messages.PlanStep{ID: "go", Work: "delete gone.md"},
		messages.PlanStep{ID: "stay", Work: "delete kept.md", Needs: []string{"go"}},
	)
	s.write("plan.json", plan)
	s.says("Your step: go", "It is gone.", used("delete_file", "gone.md"))
	s.says("Your step: stay", "It stays.", used("delete_file", "kept.md"))
	id := messages.JobID(strings.TrimSpace(s.run("run", "--task", "tidy up", "--plan", "plan.json", "--detach")))
	asked := func() messages.Approval {
		var a messages.Approval
		eventually(t, "a person is asked", func() bool {
			list := must[messages.Approvals](s.theatre, messages.ListApprovals{}).Approvals
			if len(list) == 1 {
				a = list[0]
			}
			return len(list) == 1
		})
		return a
	}
	first := asked()
	if first.Kind != messages.ParkedDelete || first.Content != "gone.md" || first.Job != id {
		t.Errorf("%+v", first)
	}
	s.owner.kill()
	s.owner = s.serve()
	if again := asked(); again.ID != first.ID {
		t.Errorf("the question was %s, and is %s", first.ID, again.ID)
	}
	s.run("approve", first.ID)
	eventually(t, "it is deleted", func() bool { return !present(s.theatre, "gone.md") })
	var second messages.Approval
	eventually(t, "it asks for the other", func() bool { second = asked(); return second.Content == "kept.md" })
	s.run("approve", second.ID, "--deny")
	eventually(t, "the run ends", func() bool { return jobOf(s.theatre, id).Status != messages.JobRunning })
	var out messages.RunOutput
	if err := json.Unmarshal(jobOf(s.theatre, id).Output, &out); err != nil || out.Exit != 2 || out.Status != "partial" || !slices.Equal(out.Files, []string{"gone.md"}) {
		t.Errorf("%+v, %v", out, err)
	}
	if o := s.does("", "approve", second.ID); o.status != 1 {
		t.Errorf("another word: %d %s", o.status, o.err)
	}
	if !present(s.theatre, "kept.md") {
		t.Error("kept.md is gone")
	}

	// Nobody is asked who does not want to be.
	s.says("Your step: auto", "It is gone.", used("delete_file", "old.md"))
	s.write("auto.json", planOf(messages.PlanStep{ID: "auto", Work: "delete old.md", Verify: [][]string{{"true"}}}))
	if r := s.order("delete it", "--plan", "auto.json", "--approve", "auto"); r.status != 0 || present(s.theatre, "old.md") {
		t.Errorf("%+v", r)
	}
	s.sound()
}

func present(th *theatre, name string) bool {
	_, err := os.Lstat(filepath.Join(th.project, name))
	return err == nil
}

// Undo restores byte for byte, and asks before it takes somebody else's work.
func TestUndo(t *testing.T) {
	t.Parallel()
	s := openShop(t, "ollama", "")
	before := "one\r\ntwo\t\n\nno end"
	s.write("old.md", before)
	s.says("Your step: a", "done", overwritten("old.md", "all new\n"), written("new/one.md", "x\n"), overwritten("new/one.md", "y\n"))
	s.write("plan.json", planOf(messages.PlanStep{ID: "a", Work: "change it", Files: []string{"old.md", "new/one.md"}}))
	r := s.order("change", "--plan", "plan.json")
	if r.status != 0 || !slices.Equal(r.Files, []string{"new/one.md", "old.md"}) {
		t.Fatalf("%+v", r)
	}
	s.write("new/one.md", "a person's\n")
	if o := s.does("", "undo", string(r.Job)); o.status != 1 || !strings.Contains(o.err, "conflict") || !strings.Contains(o.err, "new/one.md") {
		t.Errorf("%d %s", o.status, o.err)
	}
	s.holds("old.md", "all new\n")
	s.run("undo", string(r.Job), "--force")
	s.holds("old.md", before)
	if present(s.theatre, "new/one.md") {
		t.Error("new/one.md is there")
	}
	if o := s.does("", "undo", string(r.Job)); o.status != 1 || !strings.Contains(o.err, "not_found") {
		t.Errorf("again: %d %s", o.status, o.err)
	}
	if o := s.does("", "undo", "nobody"); o.status != 1 {
		t.Errorf("nobody: %d %s", o.status, o.err)
	}
	s.sound()
}

// The owner is killed in the middle of a step. The next one goes on with it: what
// was written is whole, no agent is left, and the run ends once.
func TestKillDuringAStep(t *testing.T) {
	t.Parallel()
	s := openShop(t, "openai", "")
	store := s.store()
	large := strings.Repeat("all of it\n", 1000)
	s.model.Add(
		modeltest.Queue(func(r modeltest.Request) bool { return r.Says("Your step: b") && r.Step() == 1 }, modeltest.Step{Hang: true}),
	)
	s.says("Your step: a", "done", written("one.md", large))
	s.says("Your step: b", "done", overwritten("two.md", large), overwritten("three.md", large))
	s.write("plan.json", planOf(
		messages.PlanStep{ID: "a", Work: "write one.md", Files: []string{"one.md"}},
		messages.PlanStep{ID: "b", Work: "write the others", Files: []string{"two.md", "three.md"}, Needs: []string{"a"}, Verify: [][]string{{"sleep", "0.2"}}},
	))
	id := messages.JobID(strings.TrimSpace(s.run("run", "--task", "write", "--plan", "plan.json", "--approve", "auto", "--detach")))
	eventually(t, "the second step hangs", func() bool { return len(s.tools(id)) == 2 })
	s.owner.kill()
	s.owner = s.serve()
	eventually(t, "the run ends", func() bool { return jobOf(s.theatre, id).Status != messages.JobRunning })
	d := jobOf(s.theatre, id)
	var out messages.RunOutput
	if err := json.Unmarshal(d.Output, &out); err != nil || out.Exit != 0 || !slices.Equal(out.Files, []string{"one.md", "three.md", "two.md"}) {
		t.Errorf("%s: exit %d (%s), files %q, steps %+v, %v", d.Status, out.Exit, out.Reason, out.Files, out.Steps, err)
	}
	for _, name := range out.Files {
		s.holds(name, large)
	}
	for _, f := range process.Find(store) {
		t.Errorf("left behind: %+v", f)
	}
	s.sound()
}

// A command that is not over in time is ended with all that it has started.
func TestAProofThatHangs(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("sleep"); err != nil {
		t.Skip("there is no sleep")
	}
	s := openShop(t, "ollama", "[run]\nverify_timeout = \"1s\"\nverify_programs = [\"sleep\", \"env\", \"sh\"]\nmax_repairs = 0\nverify_output_bytes = 1000\n")
	s.says("Your step: ", "done")
	s.write("plan.json", planOf(
		messages.PlanStep{ID: "a", Work: "x", Verify: [][]string{{"sleep", "600"}}},
		messages.PlanStep{ID: "b", Work: "x", Verify: [][]string{{"sh", "-c", "yes no | head -n 100000; echo last; exit 3"}}},
		messages.PlanStep{ID: "c", Work: "x", Verify: [][]string{{"env"}}},
		messages.PlanStep{ID: "d", Work: "x", Verify: [][]string{{"./evil"}}},
	))
	r := s.order("prove it", "--plan", "plan.json", "--approve", "auto")
	if r.status != 1 || r.steps() != "a:failed:1 b:failed:1 c:done:1 d:failed:1" {
		t.Errorf("%+v", r)
	}
	var proofs []messages.RunVerify
	for _, e := range entries(s.theatre, r.Job, messages.TraceVerify) {
		var v messages.RunVerify
		if err := json.Unmarshal(e.Body, &v); err != nil {
			t.Fatal(err)
		}
		proofs = append(proofs, v)
	}
	if !strings.Contains(proofs[0].Error, "not over within 1s") {
		t.Errorf("the first: %+v", proofs[0])
	}
	if v := proofs[1]; v.Exit != 3 || len(v.Output) > 1100 || !strings.HasSuffix(strings.TrimSpace(v.Output), "last") {
		t.Errorf("the second: %d, %d bytes: %.200s", v.Exit, len(v.Output), v.Output)
	}
	if strings.Contains(proofs[2].Output, "test-key") || strings.Contains(proofs[2].Output, "KUROGO_STATE_DIR") {
		t.Errorf("it was told too much: %s", proofs[2].Output)
	}
	if !strings.Contains(proofs[3].Error, "neither a program's name nor its whole path") {
		t.Errorf("the last: %+v", proofs[3])
	}
	eventually(t, "nothing sleeps", func() bool { return len(process.Find(s.store())) == 0 })
}
