package main_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kurogo/drivers/modeltest"
	"kurogo/messages"
)

// A shop is a project whose runs are planned and carried out by a scripted model,
// over real HTTP, as Ollama or OpenAI would be asked.
type shop struct {
	*theatre
	owner *owner
	model *modeltest.Server
	api   string
}

// apis are how a model can be asked: in strict JSON behind Ollama, by native calls
// of tools behind OpenAI's chat completions.
var apis = []string{"ollama", "openai"}

// openShop begins one. settings is added to kurogo.toml.
func openShop(t *testing.T, api, settings string) *shop {
	t.Helper()
	s := &shop{theatre: newTheatre(t), model: modeltest.New(t), api: api}
	endpoint, native := s.model.URL, false
	if api == "openai" {
		endpoint, native = endpoint+"/v1", true
	}
	s.write("kurogo.toml", fmt.Sprintf(`language = "en"
driver = "rehearsal"
health_check = "off"
[server]
listen = "127.0.0.1:0"
mcp_websocket_listen = ""
[drivers.hermes]
api = %q
endpoint = %q
model = "scripted"
native_tools = %t
env = { OPENAI_API_KEY = "test-key" }
[workspace]
extensions = [".py", ".md", ".txt", ".go", ".mod"]
`, api, endpoint, native)+settings)
	s.owner = s.serve()
	t.Cleanup(func() {
		s.run("stop")
		eventually(t, "every process is gone", func() bool { return len(traces(s.home)) == 0 })
	})
	return s
}

// says has the model answer whoever was told the words: with tools, one after the
// other, and last words.
func (s *shop) says(words, last string, tools ...modeltest.Tool) {
	var steps []modeltest.Step
	for _, tool := range tools {
		if s.api == "openai" {
			steps = append(steps, modeltest.Step{Tools: []modeltest.Tool{tool}})
		} else {
			steps = append(steps, modeltest.Hermes("I use a tool.", "", tool))
		}
	}
	if s.api == "openai" {
		steps = append(steps, modeltest.Step{Text: last})
	} else {
		steps = append(steps, modeltest.Hermes("I am done.", last))
	}
	s.model.Add(modeltest.Turn(modeltest.Who(words), steps...))
}

// plans has the model plan a task.
func (s *shop) plans(task string, steps ...messages.PlanStep) {
	s.says("<task>\n"+task+"\n</task>", planOf(steps...))
}

func planOf(steps ...messages.PlanStep) string {
	for i := range steps {
		steps[i].Title = strings.ToUpper(steps[i].ID)
		steps[i].Acceptance = "one can see it"
		for _, list := range []*[]string{&steps[i].Needs, &steps[i].Files} {
			if *list == nil {
				*list = []string{}
			}
		}
		if steps[i].Verify == nil {
			steps[i].Verify = [][]string{}
		}
	}
	text, _ := json.Marshal(messages.Plan{Summary: "a plan", Relied: []string{}, Steps: steps})
	return string(text)
}

// written is a use of write_file.
func written(path, content string) modeltest.Tool {
	return modeltest.Tool{Name: "write_file", Input: map[string]string{"path": path, "content": content, "mode": "create"}}
}

func overwritten(path, content string) modeltest.Tool {
	return modeltest.Tool{Name: "write_file", Input: map[string]string{"path": path, "content": content, "mode": "overwrite"}}
}

func used(tool, path string) modeltest.Tool {
	return modeltest.Tool{Name: tool, Input: map[string]string{"path": path}}
}

// A ran is what kurogo run --json told.
type ran struct {
	Job messages.JobID `json:"job_id"`
	messages.RunOutput
	status int
	err    string
}

func (r ran) steps() string {
	var out []string
	for _, s := range r.Steps {
		out = append(out, fmt.Sprintf("%s:%s:%d", s.ID, s.State, s.Attempt))
	}
	return strings.Join(out, " ")
}

// order runs the verb to its end.
func (s *shop) order(task string, args ...string) (r ran) {
	s.Helper()
	o := s.does("", append([]string{"run", "--json", "--task", task}, args...)...)
	if o.out != "" {
		if err := json.Unmarshal([]byte(o.out), &r); err != nil {
			s.Fatalf("%v in %s (%s)", err, o.out, o.err)
		}
	}
	r.status, r.err = o.status, o.err
	return r
}

// tools are the results of the tools that a run used: their names and codes.
func (s *shop) tools(id messages.JobID) (out []string) {
	for _, e := range entries(s.theatre, id, messages.TraceToolResult) {
		var c messages.RunCall
		if err := json.Unmarshal(e.Body, &c); err != nil {
			s.Fatal(err)
		}
		out = append(out, strings.TrimSuffix(c.Name+" "+string(c.Code), " "))
	}
	return out
}

// sound looks at the journal, the audit trail and the disk: nothing is broken, and
// nothing half-written.
func (s *shop) sound() {
	s.Helper()
	s.run("doctor", "--journal")
	s.run("audit", "--verify")
	err := filepath.WalkDir(s.project, func(path string, _ os.DirEntry, err error) error {
		if strings.Contains(filepath.Base(path), ".kurogo-") {
			s.Errorf("half-written: %s", path)
		}
		return err
	})
	if err != nil {
		s.Error(err)
	}
}

// The document's F1: a file is made; the same task again hears that it exists, and
// ends well with nothing changed; what the policy refuses ends with 2; what is not
// there is told, and the model goes on.
func TestF1(t *testing.T) {
	t.Parallel()
	for _, api := range apis {
		t.Run(api, func(t *testing.T) {
			t.Parallel()
			s := openShop(t, api, "")
			hello := "print('Hello World')\n"
			s.plans("make hello", messages.PlanStep{ID: "s1", Work: "write app/main.py", Files: []string{"app/main.py"}})
			s.says("make hello", "main.py is there.", written("./app/main.py", hello))
			first := s.order("make hello")
			if first.status != 0 || first.Status != "done" || !slices.Equal(first.Files, []string{"app/main.py"}) || !strings.Contains(first.Diff, "--- /dev/null\n+++ b/app/main.py\n") {
				t.Errorf("first: %+v", first)
			}
			s.holds("app/main.py", hello)
			again := s.order("make hello")
			if again.status != 0 || again.Status != "done" || len(again.Files) != 0 || again.Diff != "" {
				t.Errorf("again: %+v", again)
			}
			if got := s.tools(again.Job); !slices.Equal(got, []string{"write_file conflict"}) {
				t.Errorf("again: tools %q", got)
			}

			s.plans("make a program", messages.PlanStep{ID: "s1", Work: "write it", Files: []string{}})
			s.says("make a program", "I could not.", written("app/run.sh", "rm -rf /\n"), written("../out.py", "x"), written(".git/hooks/x.py", "x"))
			refused := s.order("make a program")
			if refused.status != 2 || refused.Status != "failed" || len(refused.Files) != 0 {
				t.Errorf("refused: %+v", refused)
			}
			if got := s.tools(refused.Job); !slices.Equal(got, []string{"write_file invalid", "write_file invalid", "write_file denied"}) {
				t.Errorf("refused: tools %q", got)
			}

			s.plans("read what is not there", messages.PlanStep{ID: "s1", Work: "read it"})
			s.says("read what is not there", "It is not there.", used("read_file", "app/none.py"), used("list_files", "none"))
			absent := s.order("read what is not there")
			if got := s.tools(absent.Job); absent.status != 0 || !slices.Equal(got, []string{"read_file not_found", "list_files not_found"}) {
				t.Errorf("absent: %+v, tools %q", absent, got)
			}
			s.sound()
		})
	}
}
