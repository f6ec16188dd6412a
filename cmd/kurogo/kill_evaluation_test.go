package main_test

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"testing"

	"kurogo/drivers/process"
	"kurogo/messages"
)

// The owner is killed while the third round of an improvement is judged. The next
// one goes on there: the evaluation ends once, every round is paid for once, and
// the file is the better one.
func TestKillInTheThirdRound(t *testing.T) {
	t.Parallel()
	takes := slices.Clone(drafts)
	takes[4].wait = "3s" // of draft three, so that there is a middle
	th, o := openStudio(t, "", takes...)
	store := th.store()
	th.write("one.md", "draft one\n")
	c := th.kurogo("evaluate", "one.md", "--improve")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	var id messages.JobID
	eventually(t, "the third round is judged", func() bool {
		jobs := must[messages.Jobs](th, messages.ListJobs{Kind: messages.JobEvaluation}).Jobs
		if len(jobs) == 0 || jobs[0].State != "evaluator_running" {
			return false
		}
		id = jobs[0].ID
		return len(entries(th, id, messages.EntryVersion)) == 2
	})
	before := agentsOf(th, id)
	eventually(t, "its evaluator works", func() bool {
		works := func(a messages.Agent) bool { return a.Status == messages.AgentRunning }
		return slices.ContainsFunc(agentsOf(th, id), works) && len(process.Find(store)) > 0
	})
	o.kill()
	_ = c.Wait() // whom it served is told that it has gone
	o = th.serve()
	eventually(t, "the evaluation ends", func() bool { return jobOf(th, id).Status != messages.JobRunning })
	d := jobOf(th, id)
	var out messages.Improved
	if err := json.Unmarshal(d.Output, &out); err != nil || d.Status != messages.JobCompleted {
		t.Fatalf("it is %s (%s): %v", d.Status, d.Error, err)
	}
	if out.Stop != messages.StopTarget || out.Version != 2 || len(out.Rounds) != 3 || !out.Written {
		t.Errorf("it came to %+v", out)
	}
	th.holds("one.md", "draft three\n")
	rounds := entries(th, id, messages.EntryRound)
	if len(rounds) != 3 || len(entries(th, id, messages.EntryVersion)) != 2 {
		t.Errorf("%d rounds and %d versions are written", len(rounds), len(entries(th, id, messages.EntryVersion)))
	}
	after := agentsOf(th, id)
	if len(before) != 5 || len(after) != 6 { // the third evaluator was lost with the owner
		t.Errorf("%d agents worked before the fall, and %d in all", len(before), len(after))
	}
	lost := 0
	for _, a := range after {
		switch a.Outcome {
		case messages.AgentCompleted:
		case messages.AgentLost:
			lost++
		default:
			t.Errorf("%s ended %s", a.ID, a.Outcome)
		}
	}
	if lost != 1 {
		t.Errorf("%d agents were lost, want the one that judged", lost)
	}
	if ends := ended(th, id); ends != 1 {
		t.Errorf("it ended %d times", ends)
	}
	th.run("doctor", "--journal")
	if left, _ := filepath.Glob(filepath.Join(th.project, ".*.kurogo")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	for _, f := range process.Find(store) {
		t.Errorf("left behind: %+v", f)
	}
	th.run("stop")
	<-o.ended
}

func jobOf(th *theatre, id messages.JobID) messages.JobDetail {
	th.Helper()
	return must[messages.JobDetail](th, messages.GetJob{Job: id})
}

func entries(th *theatre, id messages.JobID, kind string) (out []messages.JobEntry) {
	th.Helper()
	for _, e := range jobOf(th, id).Entries {
		if e.Kind == kind {
			out = append(out, e)
		}
	}
	return out
}

func agentsOf(th *theatre, id messages.JobID) []messages.Agent {
	th.Helper()
	return must[messages.Agents](th, messages.ListAgents{Group: messages.GroupID(id), Limit: 100}).Agents
}

// ended counts the ends that the journal tells of a job.
func ended(th *theatre, id messages.JobID) (n int) {
	th.Helper()
	last := must[messages.Status](th, messages.GetStatus{}).LastEvent
	c, err := th.dial(th.Context())
	if err != nil {
		th.Fatal(err)
	}
	defer c.Close()
	for e, err := range c.Watch(th.Context(), messages.Topic{}, 0) {
		if err != nil {
			th.Fatal(err)
		}
		if e.ID == string(id) && e.Kind == messages.JobEvaluation.Event(messages.JobConcluded) {
			n++
		}
		if e.Seq >= last {
			break
		}
	}
	return n
}
