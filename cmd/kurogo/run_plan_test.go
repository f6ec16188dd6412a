package main_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kurogo/drivers/modeltest"
	"kurogo/messages"
)

// The document's F2: the same input has the same plan, steps are done in the order
// of what they need, and what needs a failed step is not begun.
func TestF2(t *testing.T) {
	t.Parallel()
	for _, api := range apis {
		t.Run(api, func(t *testing.T) {
			t.Parallel()
			s := openShop(t, api, "")
			last := messages.PlanStep{ID: "last", Work: "write three.md", Files: []string{"three.md"}, Needs: []string{"second"}}
			second := messages.PlanStep{ID: "second", Work: "write two.md", Files: []string{"two.md"}, Needs: []string{"first"}}
			first := messages.PlanStep{ID: "first", Work: "write one.md", Files: []string{"one.md"}}
			s.plans("three files", last, second, first)
			s.says("Your step: first", "one", written("one.md", "1\n"))
			s.says("Your step: second", "two", written("two.md", "2\n"))
			s.says("Your step: last", "three", written("three.md", "3\n"))
			plans := map[string]bool{}
			for range 3 {
				o := s.does("", "run", "--task", "three files", "--dry-run", "--json")
				if o.status != 0 {
					t.Fatalf("%d %s", o.status, o.err)
				}
				plans[o.out] = true
			}
			if len(plans) != 1 {
				t.Errorf("the same task has %d plans", len(plans))
			}
			if n := planned(s); n != 1 {
				t.Errorf("the planner was asked %d times, want once", n)
			}
			if files, _ := filepath.Glob(filepath.Join(s.project, "*.md")); len(files) > 0 {
				t.Errorf("a dry run wrote %q", files)
			}
			if o := s.does("", "run", "--task", "three files", "--dry-run", "--replan", "--json"); o.status != 0 || !plans[o.out] || planned(s) != 2 {
				t.Errorf("anew: %+v, planned %d times", o, planned(s))
			}
			done := s.order("three files")
			if done.status != 0 || done.steps() != "first:done:1 second:done:1 last:done:1" || !slices.Equal(done.Files, []string{"one.md", "three.md", "two.md"}) {
				t.Errorf("%+v", done)
			}
			var stats messages.Stats
			if err := json.Unmarshal([]byte(s.run("stats", "--json")), &stats); err != nil || stats.Runs != 5 || stats.Success != 1 || stats.Replanned != 1 || stats.Reproduced != 1 {
				t.Errorf("%+v, %v", stats, err)
			}

			// In the middle it fails: what was done stays, what needs it is left out.
			for _, name := range []string{"one.md", "two.md", "three.md"} {
				if err := os.Remove(filepath.Join(s.project, name)); err != nil {
					t.Fatal(err)
				}
			}
			second.Verify = [][]string{{"kurogo-holds", "two.md", "no such text"}}
			alone := messages.PlanStep{ID: "alone", Work: "write four.md", Files: []string{"four.md"}}
			s.says("Your step: alone", "four", written("four.md", "4\n"))
			s.write("plan.json", planOf(first, second, last, alone))
			part := s.order("three files", "--plan", "plan.json")
			if part.status != 1 || part.Status != "partial" || part.steps() != "first:done:1 second:failed:4 last:skipped:0 alone:done:1" {
				t.Errorf("%+v", part)
			}
			if !slices.Equal(part.Files, []string{"four.md", "one.md", "two.md"}) {
				t.Errorf("files %q", part.Files)
			}
			s.sound()
		})
	}
}

// planned counts how often the planner was asked.
func planned(s *shop) (n int) {
	for _, r := range s.model.Requests() {
		if r.Says("Make a plan for this task.") {
			n++
		}
	}
	return n
}

// A plan that is none is refused before anything is begun.
func TestPlansThatAreNone(t *testing.T) {
	t.Parallel()
	s := openShop(t, "ollama", "")
	circle := planOf(messages.PlanStep{ID: "a", Work: "x", Needs: []string{"b"}}, messages.PlanStep{ID: "b", Work: "x", Needs: []string{"a"}})
	for name, c := range map[string]struct{ plan, says string }{
		"no JSON":         {"I would rather not", "plan"},
		"another key":     {`{"summary":"x","steps":[],"cost":1}`, "cost"},
		"no steps":        {`{"summary":"x","relied_on":[],"steps":[]}`, "plan.steps"},
		"a circle":        {circle, "a, b need one another"},
		"unknown need":    {planOf(messages.PlanStep{ID: "a", Work: "x", Needs: []string{"z"}}), "there is no step"},
		"leads outside":   {planOf(messages.PlanStep{ID: "a", Work: "x", Files: []string{"../x"}}), "not below the root"},
		"absolute":        {planOf(messages.PlanStep{ID: "a", Work: "x", Files: []string{"/etc/x"}}), "not below the root"},
		"an empty verify": {planOf(messages.PlanStep{ID: "a", Work: "x", Verify: [][]string{{}}}), "no program"},
	} {
		if o := s.does(c.plan, "run", "--task", "x", "--plan", "-"); o.status != messages.CodeInvalid.Exit() || !strings.Contains(o.err, c.says) {
			t.Errorf("%s: %d %s", name, o.status, o.err)
		}
	}
	for _, args := range [][]string{
		{"run"},
		{"run", "x"},
		{"run", "--task", ""},
		{"run", "--task", "x", "--approve", "perhaps"},
		{"run", "--task", "x", "--root", "/"},
		{"run", "--task", "x", "--root", "nowhere/below"},
		{"run", "--task", "x", "--plan", "nowhere.json"},
		{"run", "--task", "-", "--plan", "-"},
		{"run", "--task", "x", "--plan", "-", "--replan"},
	} {
		if o := s.does(planOf(messages.PlanStep{ID: "a", Work: "x"}), args...); o.status != messages.CodeInvalid.Exit() || o.out != "" {
			t.Errorf("%q: %d %s", args, o.status, o.err)
		}
	}
	if n := len(must[messages.Jobs](s.theatre, messages.ListJobs{Kind: messages.JobRun}).Jobs); n != 0 {
		t.Errorf("%d runs were begun", n)
	}
}

// Flags beat the environment, which beats the file; also where the owner was begun
// with another environment. The document's variables are enough to have a model.
func TestWhereAndWithWhatARunWorks(t *testing.T) {
	t.Parallel()
	s := &shop{theatre: newTheatre(t), model: modeltest.New(t), api: "ollama"}
	t.Cleanup(func() { s.run("stop") })
	for _, dir := range []string{"file", "environ", "flag"} {
		if err := os.Mkdir(filepath.Join(s.project, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	s.write("kurogo.toml", "language = \"en\"\ndriver = \"rehearsal\"\nhealth_check = \"off\"\n[server]\nlisten = \"127.0.0.1:0\"\nmcp_websocket_listen = \"\"\n[workspace]\nroot = \"file\"\n")
	s.plans("say where", messages.PlanStep{ID: "s1", Work: "write it", Files: []string{"here.md"}})
	s.says("Your step: s1", "Here.", written("here.md", "here\n"))
	for _, c := range []struct {
		environ []string
		args    []string
		dir     string
	}{{nil, nil, "file"}, {[]string{"EC_APP_ROOT=environ"}, nil, "environ"}, {[]string{"EC_APP_ROOT=environ"}, []string{"--root", "flag"}, "flag"}} {
		v := s.kurogo(append([]string{"run", "--task", "say where"}, c.args...)...)
		v.Env = append(append(v.Env, "EC_OLLAMA_ENDPOINT="+s.model.URL, "EC_MODEL_NAME=scripted"), c.environ...)
		if out, err := v.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", c.dir, err, out)
		}
		s.holds(filepath.Join(c.dir, "here.md"), "here\n")
		if err := os.Remove(filepath.Join(s.project, c.dir, "here.md")); err != nil {
			t.Fatal(err)
		}
	}
	for _, r := range s.model.Requests() {
		if r.Model != "scripted" {
			t.Errorf("asked for %q", r.Model)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(s.project, "*", "here.md")); len(left) > 0 {
		t.Errorf("written too: %q", left)
	}
}
