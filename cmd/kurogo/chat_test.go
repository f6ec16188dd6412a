package main_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"kurogo/drivers/modeltest"
	"kurogo/messages"
)

// A heardEvent is what a client of server-sent events hears.
type heardEvent struct{ name, data string }

// hears reads the events of one answer.
func (p *parlour) hears(ctx context.Context, line string, headers ...string) (out []heardEvent) {
	p.Helper()
	r := p.request(line, append(headers, "Accept", "text/event-stream", "Content-Type", "application/json", "Authorization", "Bearer "+p.token)...).WithContext(ctx)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		p.Fatal(err)
	}
	defer answer.Body.Close()
	defer http.DefaultClient.CloseIdleConnections()
	var e heardEvent
	for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
		if name, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
			e.name = name
		} else if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			e.data = data
			out = append(out, e)
		}
	}
	return out
}

// An answer is heard while the model still speaks, and what was heard is what is
// stored.
func TestAnAnswerStreamsFromTheModel(t *testing.T) {
	t.Parallel()
	long := "It is a long story, 長い話, and it is told in many small pieces, one after the other, until it ends. "
	p := newParlour(t, "en",
		says("tell me", modeltest.Step{Text: long + long, Drip: patience / 200}),
	)
	p.model.Add(modeltest.Queue(asked("fall once"), modeltest.Step{Status: 500}, modeltest.Step{Text: "the second time"}))
	p.opens()
	for question, want := range map[string]string{"tell me": strings.TrimSpace(long + long), "fall once": "the second time"} {
		heard := p.hears(t.Context(), "POST /api/chat "+body(question, ""), "Idempotency-Key", question)
		text, deltas := "", 0
		for _, e := range heard {
			var d struct{ Text string }
			switch e.name {
			case "delta":
				if err := json.Unmarshal([]byte(e.data), &d); err != nil {
					t.Fatal(err)
				}
				text += d.Text
				deltas++
			case "reset":
				text = ""
			}
		}
		if len(heard) < 3 || heard[0].name != "accepted" || heard[len(heard)-1].name != "done" {
			t.Fatalf("%s: %+v", question, heard)
		}
		var done turnPayload
		if err := json.Unmarshal([]byte(heard[len(heard)-1].data), &done); err != nil || done.Message.Content != want || text != want || done.Message.Fallback {
			t.Errorf("%s: heard %q, answered %+v, %v", question, text, done, err)
		}
		if question == "tell me" && deltas < 3 {
			t.Errorf("%s: it came in %d pieces", question, deltas)
		}
		again := replies[turnPayload](p, "POST /api/chat "+body(question, ""), "Idempotency-Key", question)
		if again.Message.ID != done.Message.ID || again.Session != done.Session {
			t.Errorf("%s: said again it was answered %+v, before %+v", question, again, done)
		}
	}
}

// kill -9 between what a person said and the answer: it is answered after the
// restart, once.
func TestKillBetweenQuestionAndAnswer(t *testing.T) {
	t.Parallel()
	p := newParlour(t, "en")
	p.model.Add(modeltest.Queue(asked("are you there?"), modeltest.Step{Hang: true}, modeltest.Step{Text: "after the fall"}))
	o := p.opens()
	gone := make(chan struct{})
	r := p.request("POST /api/chat "+body("are you there?", ""), "Idempotency-Key", "k")
	go func() {
		defer close(gone)
		if raw, _, err := send(r, p.token); err == nil {
			t.Errorf("the owner was killed, and answered %s", raw)
		}
	}()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if _, ok := p.model.Await(ctx.Done(), asked("are you there?")); !ok {
		t.Fatal("nobody asks the model")
	}
	o.kill()
	<-gone
	p.opens()
	answer := replies[turnPayload](p, "POST /api/chat "+body("are you there?", ""), "Idempotency-Key", "k")
	if answer.Message.Content != "after the fall" || answer.Message.Fallback {
		t.Errorf("%+v", answer.Message)
	}
	all := replies[messages.ChatDetail](p, "GET /api/sessions/"+string(answer.Session)).Messages
	if len(all) != 2 || len(replies[[]messages.ChatSession](p, "GET /api/sessions")) != 1 {
		t.Errorf("%+v", all)
	}
	p.run("doctor", "--journal")
}

// A hundred people talk at once, and each hears the answer to what he asked.
func TestAHundredTalkAtOnce(t *testing.T) {
	t.Parallel()
	echo := func(r modeltest.Request) (modeltest.Step, bool) {
		_, question, ok := strings.Cut(r.Turn(), "[The question]\n")
		return modeltest.Step{Text: "you asked: " + question}, ok && !judges(r)
	}
	p := newParlour(t, "en", echo)
	p.opens()
	var wg sync.WaitGroup
	for i := range 100 {
		wg.Go(func() {
			raw, _, err := send(p.request("POST /api/chat "+body(fmt.Sprintf("question %d?", i), "")), p.token)
			var e struct{ Data turnPayload }
			if err != nil || json.Unmarshal(raw, &e) != nil || e.Data.Message.Content != fmt.Sprintf("you asked: question %d?", i) {
				t.Errorf("%d: %s, %v", i, raw, err)
			}
		})
	}
	wg.Wait()
	if n := len(replies[[]messages.ChatSession](p, "GET /api/sessions")); n != 100 {
		t.Errorf("%d sessions", n)
	}
}

// types runs kurogo chat with lines typed into it.
func (p *parlour) types(lines string, args ...string) (out, told string, code int) {
	p.Helper()
	c := p.kurogo(append([]string{"chat"}, args...)...)
	var o, e strings.Builder
	c.Stdin, c.Stdout, c.Stderr = strings.NewReader(lines), &o, &e
	if err := c.Run(); err != nil {
		if _, exit := err.(*exec.ExitError); !exit { //nolint:errorlint // Run wraps nothing
			p.Fatal(err)
		}
	}
	return o.String(), e.String(), c.ProcessState.ExitCode()
}

func TestKurogoChat(t *testing.T) {
	t.Parallel()
	p := newParlour(t, "en", says("what is it?", modeltest.Step{Text: "a \x1b[31mstage"}), says("and why?", modeltest.Step{Text: "because"}), says("no idea", modeltest.Step{}))
	p.opens()
	out, told, code := p.types("what is it?\n\nand why?\n/sessions\n")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if code != 0 || len(lines) != 3 || lines[0] != "a [31mstage" || lines[1] != "because" || !strings.HasSuffix(lines[2], "what is it?") || !strings.HasPrefix(lines[2], "* ") {
		t.Errorf("%d %q %q", code, out, told)
	}
	id := strings.Fields(lines[2])[1]
	if r, _ := p.model.Await(t.Context().Done(), asked("and why?")); !strings.Contains(r.Turn(), "Person: what is it?") {
		t.Errorf("the second question is asked without the first:\n%s", r.Turn())
	}
	out, _, code = p.types("no idea", "--session", id, "--json")
	var line turnPayload
	if err := json.Unmarshal([]byte(out), &line); err != nil || code != 0 || string(line.Session) != id || !line.Message.Fallback {
		t.Errorf("%d %q, %v", code, out, err)
	}
	out, _, code = p.types("/new\nwhat is it?\n/sessions\n/quit\nnever said\n", "--session", id)
	if code != 0 || strings.Count(out, "\n") != 3 || strings.Contains(out, "never") || !strings.Contains(out, "  "+id) {
		t.Errorf("%d %q", code, out)
	}
	out, told, code = p.types("/task write it down\n", "--session", id, "--json")
	var accepted messages.Accepted
	if err := json.Unmarshal([]byte(out), &accepted); err != nil || code != 0 {
		t.Fatalf("%d %q %q, %v", code, out, told, err)
	}
	task := must[messages.TaskTree](p.theatre, messages.GetTask{Task: accepted.Task}).Task
	if !strings.HasPrefix(task.Content, "write it down\n\nThe talk so far:\nuser: what is it?\nassistant: a ") || task.Owner != "grand_boss" {
		t.Errorf("the task: %+v", task)
	}
	for lines, want := range map[string]struct {
		says string
		code int
		args []string
	}{
		"/what\n":                           {"there is no /what", 64, nil},
		"/task\n":                           {"nothing was said yet", 64, nil},
		"hello\n":                           {"there is no session", 1, []string{"--session", "nobody"}},
		strings.Repeat("x", 1<<20+2) + "\n": {"message_bytes", 64, nil},
		"\xff\n":                            {"UTF-8", 64, nil},
	} {
		if out, told, code := p.types(lines, want.args...); code != want.code || !strings.Contains(told, want.says) || out != "" {
			t.Errorf("%.20q: %d %q %q", lines, code, out, told)
		}
	}
}

// Without a model the passages of the project answer, and say that nobody wrote
// the answer.
func TestPassagesAnswerWithoutAModel(t *testing.T) {
	t.Parallel()
	p := &parlour{theatre: newTheatre(t)}
	for name, text := range map[string]string{
		"kurogo.toml": "language = \"en\"\ndriver = \"rehearsal\"\n[server]\nlisten = \"127.0.0.1:0\"\nmcp_websocket_listen = \"\"\n",
		"lock.go":     "package lock\n\n// Take takes the flock of the state directory.\nfunc Take() error { return nil }\n",
		"cake.go":     "package cake\n\n// Bake bakes a cake.\nfunc Bake() {}\n",
	} {
		if err := os.WriteFile(filepath.Join(p.project, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p.opens()
	out, told, code := p.types("Who takes the flock?\n/sources\n")
	if code != 0 || !strings.HasPrefix(out, "[rehearsal · no model]") || !strings.Contains(out, "\nlock.go#L3-L4\n> // Take takes the flock of the state directory.\n") {
		t.Errorf("%d %q %q", code, out, told)
	}
	if _, sources, _ := strings.Cut(out, "> func Take"); !strings.Contains(sources, "\nlock.go#L3-L4  ") {
		t.Errorf("/sources says %q", sources)
	}
	answer := replies[turnPayload](p, "POST /api/chat "+body("How is a cake baked?", ""))
	if m := answer.Message; m.Fallback || m.Model != "rehearsal (no model)" || len(m.Sources) == 0 || m.Sources[0].Path != "cake.go" {
		t.Errorf("%+v", m)
	}
}
