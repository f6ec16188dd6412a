package main_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"kurogo/messages"
)

// studio is a project in which documents are judged and rewritten by a script: an
// evaluator knows a document by its first words, and so does who improves it.
const studio = `language = "en"
driver = "rehearsal"
health_check = "off"
[server]
listen = "127.0.0.1:0"
mcp_websocket_listen = "127.0.0.1:0"
[limits]
max_concurrent = 4
[drivers.rehearsal]
performance = "play.toml"
[evaluation]
driver = "rehearsal"
improver = "writer"
[roles.writer]
driver = "rehearsal"
system_prompt = "play"
`

// A take is what is played when a document is read.
type take struct {
	who, words string // who reads, and what the document has in it
	wait       string // before it speaks
	says       string
}

func verdictOf(score float64, line int, text string) string {
	return fmt.Sprintf(`{"score":%[1]g,"rubric_scores":{"completeness":%[1]g,"accuracy":%[1]g,"clarity":%[1]g,"usability":%[1]g},"suggestions":[{"criterion":"clarity","line":%[2]d,"text":%[3]q}],"blocker":""}`, score, line, text)
}

func draftOf(document string) string {
	text, _ := json.Marshal(map[string]string{"document": document, "summary": "made it better"})
	return string(text)
}

// openStudio is a theatre with an owner that plays these takes.
func openStudio(t *testing.T, settings string, takes ...take) (*theatre, *owner) {
	t.Helper()
	th := newTheatre(t)
	th.write("kurogo.toml", studio+settings)
	var play strings.Builder
	for _, take := range takes {
		fmt.Fprintf(&play, "[[scene]]\nwho = \"role:%s\"\nmatch = %q\n[[scene.line]]\nwait = %q\nsay = '''%s'''\n", take.who, take.words, cmp.Or(take.wait, "0s"), take.says)
	}
	th.write("play.toml", play.String())
	o := th.serve()
	t.Cleanup(func() {
		th.run("stop")
		eventually(t, "every process is gone", func() bool { return len(traces(th.home)) == 0 })
	})
	return th, o
}

// An outcome is how a verb ended.
type outcome struct {
	status   int
	out, err string
}

// does runs a verb, with a text on its standard input.
func (th *theatre) does(input string, args ...string) outcome {
	th.Helper()
	c := th.kurogo(args...)
	var out, told bytes.Buffer
	c.Stdin, c.Stdout, c.Stderr = strings.NewReader(input), &out, &told
	var exit *exec.ExitError
	if err := c.Run(); err != nil && !errors.As(err, &exit) {
		th.Fatal(err)
	}
	return outcome{c.ProcessState.ExitCode(), out.String(), told.String()}
}

func (th *theatre) holds(file, want string) {
	th.Helper()
	if got, err := os.ReadFile(filepath.Join(th.project, file)); err != nil || string(got) != want {
		th.Errorf("%s is %q, %v, want %q", file, got, err, want)
	}
}

var drafts = []take{
	{who: "evaluator", words: "draft one", says: verdictOf(5, 1, "say who")},
	{who: "writer", words: "draft one", says: draftOf("draft two\n")},
	{who: "evaluator", words: "draft two", says: verdictOf(7, 1, "say when")},
	{who: "writer", words: "draft two", says: draftOf("draft three\n")},
	{who: "evaluator", words: "draft three", says: verdictOf(8.5, 1, "say where")},
	{who: "evaluator", words: "hopeless", says: verdictOf(3, 1, "begin anew")},
	{who: "writer", words: "hopeless", says: draftOf("hopeless, still\n")},
	{who: "evaluator", words: "sleepy", wait: "1h", says: verdictOf(9, 1, "wake up")},
	{who: "evaluator", words: "babel", says: "I like it."},
}

// What a person at a terminal sees of it, and with which status it ends.
func TestEvaluateAtATerminal(t *testing.T) {
	t.Parallel()
	th, _ := openStudio(t, "", drafts...)
	for name, text := range map[string]string{"one.md": "draft one\n", "hopeless.md": "hopeless\n", "babel.md": "babel\n", "sleepy.md": "sleepy\n", "dry.md": "draft one\n"} {
		th.write(name, text)
	}
	if err := os.Chmod(filepath.Join(th.project, "one.md"), 0o640); err != nil {
		t.Fatal(err)
	}
	check := func(name string, got outcome, status int, out, told []string) {
		t.Helper()
		if got.status != status {
			t.Errorf("%s ended with %d, want %d: %s%s", name, got.status, status, got.out, got.err)
		}
		for _, want := range out {
			if !strings.Contains(got.out, want) {
				t.Errorf("%s does not print %q:\n%s", name, want, got.out)
			}
		}
		for _, want := range told {
			if !strings.Contains(got.err, want) {
				t.Errorf("%s does not tell %q:\n%s", name, want, got.err)
			}
		}
	}
	check("below", th.does("", "evaluate", "one.md"), 1, []string{"one.md  5.0 / 10  below the target of 8.0  by rehearsal", "█████░░░░░   5.0  × 0.30", "1. L1 · clarity · say who"}, nil)
	check("passing", th.does("", "evaluate", "one.md", "--target", "5"), 0, []string{"passes (target 5.0)"}, nil)
	check("heuristic", th.does("", "evaluate", "one.md", "--evaluator", "heuristic", "--target", "0"), 0, []string{"by heuristic"}, nil)
	check("Japanese", th.does("", "evaluate", "one.md", "--lang", "ja"), 1, []string{"目標の 8.0 に届きません", "明確性", "改善の提案:"}, nil)
	check("rehearsed in vain", th.does("", "evaluate", "babel.md"), 70, nil, []string{"internal: the model's answer is not what it was asked for", "after 3 of 3 tries"})

	check("dry", th.does("", "evaluate", "dry.md", "--improve", "--dry-run"), 0, []string{"+draft three", "the file was not changed"}, []string{"round 3: 8.5"})
	th.holds("dry.md", "draft one\n")
	check("hopeless", th.does("", "evaluate", "hopeless.md", "--improve"), 1,
		[]string{"the best of 3 rounds is the document as it was; it gets no better", "the file was not changed"}, []string{"round 1: 3.0", "next: L1 · clarity · begin anew"})
	th.holds("hopeless.md", "hopeless\n")
	check("two rounds", th.does("", "evaluate", "one.md", "--improve", "--max", "2"), 1, []string{"the best of 2 rounds: version 1; the rounds are over", "+draft two"}, nil)
	th.holds("one.md", "draft one\n")
	check("improved", th.does("", "evaluate", "one.md", "--improve"), 0,
		[]string{"one.md  8.5 / 10  passes", "the best of 3 rounds: version 2; the target is reached", "-draft one", "+draft three", "written to one.md"},
		[]string{"round 1: 5.0 (completeness 5.0, accuracy 5.0, clarity 5.0, usability 5.0)", "next: L1 · clarity · say who", "version 1: made it better"})
	th.holds("one.md", "draft three\n")
	if info, err := os.Stat(filepath.Join(th.project, "one.md")); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("its mode is %v, %v", info.Mode(), err)
	}
	filter := th.does("draft one\n", "evaluate", "-", "--improve")
	check("filter", filter, 0, nil, []string{"document  8.5 / 10  passes"})
	if filter.out != "draft three\n" {
		t.Errorf("as a filter it prints %q", filter.out)
	}
	var heard messages.Evaluated
	if got := th.does("draft one\n", "evaluate", "-", "--json"); json.Unmarshal([]byte(got.out), &heard) != nil || heard.Score != 5 || heard.Pass || len(heard.Suggestions) != 1 || got.status != 1 || got.err != "" {
		t.Errorf("as JSON: %+v", got)
	}

	check("too slow", th.does("", "evaluate", "sleepy.md", "--timeout", "1s"), 124, nil, []string{"deadline: the evaluation was not over within 1s, and was called off"})
	list := th.run("evaluations", "--json")
	var last messages.Job
	if err := json.Unmarshal([]byte(firstOf(list)), &last); err != nil || last.Status != messages.JobCancelled || last.Title != "sleepy.md" {
		t.Errorf("the last evaluation: %s, %v", firstOf(list), err)
	}
	check("list", th.does("", "evaluations", "--status", "failed"), 0, []string{"failed", "babel.md"}, nil)
	done := strings.Fields(strings.Split(th.run("evaluations", "--status", "completed"), "\n")[1])[0]
	check("show", th.does("", "evaluations", done), 0, []string{"completed", "5.0 / 10"}, nil)
	check("nothing to show", th.does("", "evaluations", "nobody"), 1, nil, []string{"not_found"})
}

func firstOf(lines string) string {
	line, _, _ := strings.Cut(lines, "\n")
	return line
}

// Ctrl-C calls the evaluation off, and so does somebody else.
func TestAnEvaluationIsCalledOff(t *testing.T) {
	t.Parallel()
	th, _ := openStudio(t, "", drafts...)
	th.write("sleepy.md", "sleepy\n")
	running := func() (id messages.JobID) {
		eventually(t, "it runs", func() bool {
			jobs := must[messages.Jobs](th, messages.ListJobs{Kind: messages.JobEvaluation, Status: messages.JobRunning}).Jobs
			for _, j := range jobs {
				if j.State == "evaluator_running" {
					id = j.ID
				}
			}
			return id != ""
		})
		return id
	}
	begin := func() (*exec.Cmd, *bytes.Buffer) {
		c := th.kurogo("evaluate", "sleepy.md")
		var told bytes.Buffer
		c.Stderr = &told
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		return c, &told
	}
	c, told := begin()
	id := running()
	if err := c.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait()
	if j := must[messages.JobDetail](th, messages.GetJob{Job: id}); c.ProcessState.ExitCode() != 130 || j.Status != messages.JobCancelled {
		t.Errorf("Ctrl-C: status %d, the evaluation is %s: %s", c.ProcessState.ExitCode(), j.Status, told)
	}
	c, told = begin()
	id = running()
	th.run("evaluations", "cancel", string(id), "--reason", "enough")
	_ = c.Wait()
	if c.ProcessState.ExitCode() != 131 || !strings.Contains(told.String(), "cancelled: cancelled: enough") {
		t.Errorf("called off: status %d: %s", c.ProcessState.ExitCode(), told)
	}
}

// Twenty at once, more than there are slots: each has its own verdict.
func TestTwentyEvaluationsAtOnce(t *testing.T) {
	t.Parallel()
	var takes []take
	for i := range 20 {
		takes = append(takes, take{who: "evaluator", words: fmt.Sprintf("document %d\\.", i), wait: "100ms", says: verdictOf(float64(i)/2, i+1, "more")})
	}
	th, _ := openStudio(t, "", takes...)
	var all sync.WaitGroup
	got := make([]outcome, 20)
	for i := range got {
		all.Go(func() { got[i] = th.does(fmt.Sprintf("document %d.\n", i), "evaluate", "-", "--json") })
	}
	all.Wait()
	for i, o := range got {
		var heard messages.Evaluated
		if err := json.Unmarshal([]byte(o.out), &heard); err != nil || heard.Score != float64(i)/2 || !slices.Equal(heard.Suggestions, []string{fmt.Sprintf("L%d · clarity · more", i+1)}) {
			t.Errorf("document %d: %v, %+v", i, err, o)
		}
	}
	th.run("doctor", "--journal")
}
