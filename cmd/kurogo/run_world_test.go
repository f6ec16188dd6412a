package main_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"kurogo/drivers/modeltest"
	"kurogo/messages"
)

// What proves a step is shut in, where bubblewrap is present: it reads no state and
// no hooks are written, it reaches nobody, and sees nobody. doctor says so.
func TestProofsAreShutIn(t *testing.T) {
	t.Parallel()
	s := openShop(t, "ollama", "[run]\nmax_repairs = 0\nbreak_after = 100\n")
	if !strings.Contains(s.run("doctor"), "bubblewrap: what a run verifies with has no network") {
		t.Skip("there is no bubblewrap that works here")
	}
	if err := os.MkdirAll(filepath.Join(s.project, ".git", "hooks"), 0o700); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	outside := filepath.Join(filepath.Dir(s.project), "evil")
	if err := os.WriteFile(outside+".txt", []byte("a secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	escapes := []string{
		"echo x > " + outside + "; exit 1", // in a /tmp of its own
		"cat " + outside + ".txt", "echo x > /etc/kurogo-evil", "cat " + filepath.Join(s.state, "kurogo.toml") + " " + filepath.Join(s.state, "token"),
		"echo x > .git/hooks/pre-commit", "echo x > kurogo.toml", "exec 3<>/dev/tcp/127.0.0.1/" + fmt.Sprint(l.Addr().(*net.TCPAddr).Port), "kill -9 " + fmt.Sprint(s.owner.cmd.Process.Pid),
		"mount -t tmpfs none /mnt",
	}
	s.says("Your step: ", "done")
	var steps []messages.PlanStep
	for i, script := range escapes {
		steps = append(steps, messages.PlanStep{ID: fmt.Sprintf("s%d", i), Work: "x", Verify: [][]string{{"bash", "-c", script}}})
	}
	steps = append(steps, messages.PlanStep{ID: "inside", Work: "x", Verify: [][]string{{"bash", "-c", "echo x > made.txt && echo x > /tmp/made && echo x > $TMPDIR/made"}}})
	s.write("plan.json", planOf(steps...))
	r := s.order("get out", "--plan", "plan.json", "--approve", "auto")
	for _, step := range r.Steps {
		want := messages.StepFailed
		if step.ID == "inside" {
			want = messages.StepDone
		}
		if step.State != want {
			t.Errorf("%s is %s: %s", step.ID, step.State, step.Error)
		}
	}
	for _, e := range entries(s.theatre, r.Job, messages.TraceVerify) {
		if !strings.Contains(string(e.Body), `"sandbox":"bubblewrap"`) || strings.Contains(string(e.Body), "a secret") {
			t.Errorf("%s", e.Body)
		}
	}
	if _, err := os.Lstat(outside); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s: %v", outside, err)
	}
	s.sound()
}

// A sandbox that is required and not there: nothing is run.
func TestASandboxThatIsRequired(t *testing.T) {
	t.Parallel()
	s := openShop(t, "ollama", "[run]\nsandbox = \"required\"\nmax_repairs = 0\n")
	s.run("stop")
	<-s.owner.ended
	sleep, err := exec.LookPath("sleep")
	if err != nil {
		t.Skip("there is no sleep")
	}
	bin := t.TempDir()
	if err := os.Symlink(sleep, filepath.Join(bin, "sleep")); err != nil {
		t.Fatal(err)
	}
	s.says("Your step: ", "done")
	s.write("plan.json", planOf(messages.PlanStep{ID: "a", Work: "x", Verify: [][]string{{"sleep", "0"}}}))
	c := s.kurogo("run", "--json", "--task", "x", "--plan", "plan.json", "--approve", "auto")
	c.Env = append(c.Env, "PATH="+bin)
	out, _ := c.Output()
	var r ran
	if err := json.Unmarshal(out, &r); err != nil || c.ProcessState.ExitCode() != 1 || r.steps() != "a:failed:1" {
		t.Fatalf("%d %s, %v", c.ProcessState.ExitCode(), out, err)
	}
	if e := entries(s.theatre, r.Job, messages.TraceVerify); len(e) != 1 || !strings.Contains(string(e[0].Body), "run.sandbox is required") {
		t.Errorf("%v", e)
	}
	doctor := s.kurogo("doctor")
	doctor.Env = append(doctor.Env, "PATH="+bin)
	if told, _ := doctor.Output(); doctor.ProcessState.ExitCode() == 0 || !strings.Contains(string(told), "!!  sandbox") {
		t.Errorf("%d %s", doctor.ProcessState.ExitCode(), told)
	}
}

// A library is the document's two servers in one: a gateway with three routes, and
// a search.
type farLibrary struct {
	mu     sync.Mutex
	files  map[string]string
	traces map[string]bool
	asked  []string
}

func (f *farLibrary) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var q struct{ Path, Content, Mode, Query string }
	_ = json.NewDecoder(r.Body).Decode(&q)
	q.Path = strings.TrimPrefix(q.Path, "./")
	f.asked = append(f.asked, strings.TrimSpace(r.URL.Path+" "+q.Path+q.Query))
	if trace := r.Header.Get("X-Trace-Id"); trace != "" {
		f.traces[trace] = true
	}
	content, there := f.files[q.Path]
	say := func(status int, v any) {
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(v)
	}
	switch {
	case r.URL.Path == "/search":
		say(200, messages.Found{Chunks: []messages.Chunk{{Path: "app/main.py", Span: "L1-L2", Text: "the passage that matters"}}})
	case r.URL.Path == "/list_files":
		var list messages.FileList
		for name, text := range f.files {
			size := int64(len(text))
			list.Files = append(list.Files, messages.FileEntry{Name: name, Size: &size})
		}
		slices.SortFunc(list.Files, func(a, b messages.FileEntry) int { return strings.Compare(a.Name, b.Name) })
		say(200, list)
	case r.URL.Path == "/read_file" && !there:
		say(404, map[string]string{"detail": "not found"})
	case r.URL.Path == "/read_file":
		say(200, messages.FileContent{Content: content})
	case strings.HasSuffix(q.Path, ".sh"):
		say(400, map[string]string{"detail": "ext not allowed"})
	case q.Mode == "create" && there:
		say(409, map[string]string{"detail": "exists"})
	default:
		f.files[q.Path] = q.Content
		say(200, messages.FileWritten{Status: "ok", Path: q.Path})
	}
}

// seen is what the servers hold and were asked.
func (f *farLibrary) seen() (files map[string]string, traces map[string]bool, asked []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return maps.Clone(f.files), maps.Clone(f.traces), slices.Clone(f.asked)
}

// With EC_MCP_URL and EC_RAG_URL a run uses the gateway and the search of somebody
// else, who knows the document and nothing of us.
func TestAGatewayOfSomebodyElse(t *testing.T) {
	t.Parallel()
	far := &farLibrary{files: map[string]string{"old.md": "before\n"}, traces: map[string]bool{}}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: far, ReadHeaderTimeout: time.Minute}
	go func() { _ = server.Serve(l) }()
	defer server.Close()
	s := openShop(t, "ollama", "")
	s.run("stop")
	<-s.owner.ended
	url := "http://" + l.Addr().String()
	order := func(task string) (r ran) {
		c := s.kurogo("run", "--json", "--task", task)
		c.Env = append(c.Env, "EC_MCP_URL="+url, "EC_RAG_URL="+url+"/")
		out, err := c.Output()
		if jsonErr := json.Unmarshal(out, &r); jsonErr != nil {
			t.Fatalf("%s: %v, %v", out, err, jsonErr)
		}
		r.status = c.ProcessState.ExitCode()
		return r
	}
	s.plans("change it", messages.PlanStep{ID: "a", Work: "change it", Files: []string{"new.md", "old.md"}, Verify: [][]string{{"kurogo-holds", "old.md", "after"}}})
	s.says("Your step: a", "done", used("read_file", "none.md"), written("new.md", "new\n"), written("new.md", "newer\n"), overwritten("old.md", "after\n"))
	r := order("change it")
	if r.status != 0 || !slices.Equal(r.Files, []string{"new.md", "old.md"}) || !strings.Contains(r.Diff, "-before\n+after\n") {
		t.Fatalf("%+v", r)
	}
	if got := s.tools(r.Job); !slices.Equal(got, []string{"read_file not_found", "write_file", "write_file conflict", "write_file"}) {
		t.Errorf("tools %q", got)
	}
	files, traces, asked := far.seen()
	if files["new.md"] != "new\n" || files["old.md"] != "after\n" || !traces[string(r.Job)] || present(s.theatre, "old.md") {
		t.Errorf("there: %v, %v", files, traces)
	}
	if !slices.Contains(asked, "/search change it") || !slices.ContainsFunc(s.model.Requests(), modeltest.Who("the passage that matters")) {
		t.Errorf("asked %q", asked)
	}
	s.plans("refuse it", messages.PlanStep{ID: "r", Work: "refuse it"})
	s.says("Your step: r", "I could not.", written("evil.sh", "x"))
	if r := order("refuse it"); r.status != 2 {
		t.Errorf("%+v", r)
	}
	o := s.does("", "undo", string(r.Job))
	files, _, _ = far.seen()
	if o.status != 69 || !strings.Contains(o.err, "cannot delete: new.md") || files["old.md"] != "before\n" {
		t.Errorf("%d %s, there: %q", o.status, o.err, files)
	}
}

// Who writes by himself, as the big CLIs do, works in a worktree: what he has
// changed passes the same policy before it is in the root.
func TestWhoWritesByHimself(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	s := openShop(t, "ollama", `[run]
executor = "cli"
[drivers.cli]
kind = "command"
command = "sh"
args = ["-c", "cat > prompt; if grep -q 'be evil' prompt; then echo x > kurogo.toml; fi; rm prompt; echo new >> old.md; mkdir -p sub; echo made > sub/made.md; echo done"]
[roles.cli]
driver = "cli"
`)
	git := func(args ...string) {
		c := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@localhost"}, args...)...)
		c.Dir = s.project
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
	s.write("old.md", "old\n")
	git("init", "-q")
	git("add", ".")
	git("commit", "-q", "-m", "first")
	s.write("plan.json", planOf(messages.PlanStep{ID: "a", Work: "change it", Files: []string{"sub/made.md"}, Verify: [][]string{{"kurogo-holds", "old.md", "new"}}}))
	r := s.order("change it", "--plan", "plan.json")
	if r.status != 0 || !slices.Equal(r.Files, []string{"old.md", "sub/made.md"}) {
		t.Fatalf("%+v", r)
	}
	s.holds("old.md", "old\nnew\n")
	s.holds("sub/made.md", "made\n")
	s.run("undo", string(r.Job))
	s.holds("old.md", "old\n")
	settings, err := os.ReadFile(filepath.Join(s.project, "kurogo.toml"))
	if err != nil {
		t.Fatal(err)
	}
	s.write("evil.json", planOf(messages.PlanStep{ID: "a", Work: "be evil"}))
	if r := s.order("evil", "--plan", "evil.json"); r.status != 2 || len(r.Files) != 0 || !strings.Contains(r.Reason, "kurogo.toml") {
		t.Errorf("%+v", r)
	}
	s.holds("kurogo.toml", string(settings))
	s.holds("old.md", "old\n")
	s.sound()
}
