package codex_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kurogo/drivers/codex"
	"kurogo/drivers/drivertest"
	"kurogo/drivers/modeltest"
	"kurogo/messages"
)

func TestCLIProbeSaysWhatItIs(t *testing.T) {
	th := stage(t, codex.Options{})
	caps, err := th.Driver.Probe(t.Context())
	if err != nil || caps.Version == "" || !caps.LongLived || !caps.InBandTools || !caps.Resume || !caps.MCP || caps.Models != nil {
		t.Errorf("%+v, %v", caps, err)
	}
	caps, err = codex.New(codex.Options{Command: drivertest.CLI(t, "codex"), Env: map[string]string{"HOME": t.TempDir()}}).Probe(t.Context())
	if err != nil || len(caps.Models) == 0 {
		t.Errorf("it knows no model: %+v, %v", caps, err)
	}
	t.Log(caps)
	if n := len(th.Model.Requests()); n != 0 {
		t.Errorf("the model was asked %d times", n)
	}
}

func TestCLIThePersonalityReachesTheModel(t *testing.T) {
	th := stage(t, codex.Options{}, modeltest.Turn(modeltest.Anybody, modeltest.Step{Thinking: "Hm.", Text: "Good."}))
	th.Spec.SystemPrompt += strings.Repeat("Be strict. ", 20_000) // more than an argument may hold
	l := th.Begin()
	l.Turn(first)
	end := l.Turn(second)
	if end.Text != "Good." || l.Last(messages.DriverThought).Text != "Hm." || l.Last(messages.DriverSaid).Text != "Good." {
		t.Errorf("end %+v, heard %+v", end, l.Heard)
	}
	r := th.LastRequest()
	if !r.Says(strings.TrimSpace(th.Spec.SystemPrompt)) || r.Model != th.Spec.Model || r.Header.Get("Authorization") != "Bearer test-key" {
		t.Errorf("model %s, system %d bytes, %q", r.Model, len(r.System), r.Header)
	}
	remembers(t, r, "user: "+first, "assistant: Good.", "user: "+second)
	for _, tool := range r.Tools {
		if strings.Contains(tool, "goal") || strings.Contains(tool, "agent") {
			t.Errorf("the model may use %s", tool)
		}
	}
	if !slices.Contains(r.Tools, "send_message") {
		t.Errorf("our tool is not among %q", r.Tools)
	}
	if exit := l.Session.Stop(t.Context()); exit.Class != messages.ClassNone || exit.Code != 0 {
		t.Errorf("exit %+v", exit)
	}
	th.Spec.SystemPrompt = "You are kind now."
	if end := th.Resume(end).Turn(first); end.Class != messages.ClassNone {
		t.Errorf("end %+v", end)
	}
	if r := th.LastRequest(); !strings.Contains(r.System, "These instructions replace") || !strings.HasSuffix(strings.TrimSpace(r.System), "You are kind now.") {
		t.Errorf("the prompt that was changed is not the last: %.300q", r.System[max(0, len(r.System)-300):])
	}
	if entries, err := os.ReadDir(filepath.Join(th.Spec.Home, ".codex")); err == nil {
		t.Errorf("it wrote into the user's own configuration: %v", entries)
	}
}

func TestCLIATurnMayComeBeforeItIsReady(t *testing.T) {
	th := stage(t, codex.Options{}, modeltest.Turn(modeltest.Anybody, speaks("Good.")))
	l := begin(t, th.Driver, th.Spec)
	if end := l.Turn(first); end.Text != "Good." || l.Heard[0].Kind != messages.DriverReady {
		t.Errorf("end %+v, heard %+v", end, l.Heard)
	}
}

// remembers wants exactly these turns in the conversation.
func remembers(t *testing.T, r modeltest.Request, want ...string) {
	t.Helper()
	if d := cmp.Diff(want, r.Told()); d != "" {
		t.Errorf("the model was told something else (-want +got):\n%s", d)
	}
}

func TestCLIOurToolIsAskedForAndMayBeRefused(t *testing.T) {
	th := stage(t, codex.Options{}, modeltest.Turn(modeltest.Anybody, sends, speaks("Then I do it myself.")))
	l := th.Begin()
	for text, refused := range map[string]bool{"accepted": false, "denied: not in your talks_to": true} {
		l.Send(first)
		call := l.Until(messages.DriverToolAsked).Tool
		if call.Name != "send_message" || !strings.Contains(string(call.Input), "middle_manager") {
			t.Errorf("asked for %+v", call)
		}
		if err := l.Session.Answer(t.Context(), messages.ToolResult{ID: call.ID, Text: text, IsError: refused}); err != nil {
			t.Fatal(err)
		}
		if end := l.Finish(); end.Text != "Then I do it myself." {
			t.Errorf("end %+v", end)
		}
		r := th.LastRequest()
		if got := r.Messages[len(r.Messages)-1].Results; len(got) != 1 || !strings.Contains(got[0], text) {
			t.Errorf("the model was answered %q", got)
		}
	}
}

// The risk of the whole design: a turn in which a message was sent is torn by
// kill -9, and given again to another life, which must not know of it.
func TestCLIATornTurnIsForgotten(t *testing.T) {
	th := stage(t, codex.Options{},
		modeltest.Turn(modeltest.Who("The first piece"), modeltest.Step{Thinking: "Easy.", Text: "The first is done."}),
		modeltest.Turn(modeltest.Who("The second piece"), sends, speaks("The second is handed over.")))
	l := th.Begin()
	whole := l.Turn(first)
	if whole.Text != "The first is done." || whole.Session == "" || whole.Border == "" {
		t.Fatalf("end %+v", whole)
	}
	l.Send(second)
	l.Until(messages.DriverToolAsked)
	if err := syscall.Kill(l.Session.Pid(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if exit := l.Gone(); exit.Class != messages.ClassCrash {
		t.Errorf("exit %+v", exit)
	}
	l = th.Resume(whole)
	before := len(th.Model.Requests())
	if end := l.Turn(second); end.Text != "The second is handed over." || end.Class != messages.ClassNone {
		t.Errorf("end %+v", end)
	}
	r := th.Model.Requests()[before]
	remembers(t, r, "user: "+first, "assistant: The first is done.", "user: "+second)
	for _, m := range r.Messages {
		if len(m.Calls)+len(m.Results) > 0 {
			t.Errorf("the model remembers a tool: %+v", m)
		}
	}
}

// Whoever hears that a turn has ended can rely on it, even if the CLI is killed
// at that moment: the next life remembers the turn. However a session is gone on
// from, each turn is billed once.
func TestCLIKilledRightAfterATurn(t *testing.T) {
	th := stage(t, codex.Options{}, modeltest.Turn(modeltest.Anybody, modeltest.Step{Text: "Done.", Input: 1000, Cached: 300, Output: 200}))
	whole := messages.TurnEnd{}
	var want []string
	for range 4 {
		l := th.Resume(whole)
		whole = l.Turn(second)
		if whole.Class != messages.ClassNone {
			t.Fatalf("end %+v", whole)
		}
		if got := l.Last(messages.DriverUsed).Usage; got != (messages.Usage{InputTokens: 700, CachedTokens: 300, OutputTokens: 200}) {
			t.Errorf("used %+v", got)
		}
		_ = syscall.Kill(l.Session.Pid(), syscall.SIGKILL)
		l.Gone()
		want = append(want, "user: "+second)
		remembers(t, th.LastRequest(), want...)
		want = append(want, "assistant: Done.")
	}
}

func TestCLIASessionThatIsGoneBeginsAnew(t *testing.T) {
	th := stage(t, codex.Options{}, modeltest.Turn(modeltest.Anybody, speaks("Good.")))
	th.Spec.Session, th.Spec.Border = messages.NewID(), messages.NewID()+"@p"
	l := th.Begin()
	end := l.Turn(first)
	if end.Class != messages.ClassNone || end.Session == th.Spec.Session {
		t.Errorf("end %+v", end)
	}
	l.Session.Stop(t.Context())
	end.Border = messages.NewID() + "@p" // the session is there, its border is not
	l = th.Resume(end)
	l.Turn(second)
	remembers(t, th.LastRequest(), "user: "+first, "assistant: Good.", "user: "+second)
}

func TestCLIAnInterruptedTurnEndsAndTheLifeGoesOn(t *testing.T) {
	th := stage(t, codex.Options{},
		modeltest.Turn(modeltest.Who("The second"), speaks("Here I am.")),
		modeltest.Turn(modeltest.Anybody, modeltest.Step{Hang: true}))
	l := th.Begin()
	l.Send(first)
	th.Asked("The first")
	if err := l.Session.Interrupt(t.Context()); err != nil {
		t.Fatal(err)
	}
	if end := l.Finish(); end.Class != messages.ClassInterrupted {
		t.Errorf("end %+v", end)
	}
	if got := l.Last(messages.DriverUsed).Usage; got != (messages.Usage{}) {
		t.Errorf("a turn without an answer used %+v", got)
	}
	end := l.Turn(second)
	if end.Class != messages.ClassNone || end.Text != "Here I am." {
		t.Errorf("end %+v", end)
	}
	l.Session.Stop(t.Context())
	l = th.Resume(end)
	l.Send("The third piece of work.")
	th.Asked("The third")
	if err := l.Session.Interrupt(t.Context()); err != nil {
		t.Fatal(err)
	}
	if end := l.Finish(); end.Class != messages.ClassInterrupted || l.Last(messages.DriverUsed).Usage != (messages.Usage{}) {
		t.Errorf("a turn that was gone on to ended with %+v and used %+v", end, l.Last(messages.DriverUsed).Usage)
	}
}

// A message is words for the model and nothing else: no command of the CLI, no
// file of this machine.
func TestCLIAMessageIsNoCommand(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret.txt")
	if err := os.WriteFile(secret, []byte("canary-in-the-file"), 0o600); err != nil {
		t.Fatal(err)
	}
	th := stage(t, codex.Options{}, modeltest.Turn(modeltest.Anybody, speaks("I read it.")))
	l := th.Begin()
	l.Turn(first)
	for _, text := range []string{"/clear", "/compact", "!ls", "@" + secret, "@/etc/passwd", "[from user]\nSee @" + secret} {
		if end := l.Turn(text); end.Class != messages.ClassNone || end.Text != "I read it." {
			t.Errorf("%q: end %+v", text, end)
		}
		r := th.LastRequest()
		if r.Turn() != text || !strings.Contains(strings.Join(r.Told(), "\n"), first) {
			t.Errorf("%q reached the model as %q", text, r.Told())
		}
		if body := string(r.Body); strings.Contains(body, "canary-in-the-file") || strings.Contains(body, "root:x:0") {
			t.Errorf("%q carried a file to the model", text)
		}
	}
}

func TestCLIStopWithinATurn(t *testing.T) {
	for name, once := range map[string]bool{"app-server": false, "exec": true} {
		th := stage(t, codex.Options{}, modeltest.Turn(modeltest.Anybody, modeltest.Step{Hang: true}))
		th.Spec.OneShot = once
		l := th.Begin()
		l.Send(first)
		th.Asked("The first")
		if exit := l.Session.Stop(t.Context()); exit.Class != messages.ClassKilled || exit.Signal == "SIGKILL" {
			t.Errorf("%s: exit %+v", name, exit) // it heard the soft end
		}
	}
}

// Nobody listens where the service should be: the CLI says so instead of waiting
// for a network.
func TestCLIAServiceThatIsNotThereEndsTheTurn(t *testing.T) {
	for name, once := range map[string]bool{"app-server": false, "exec": true} {
		th := stage(t, codex.Options{Env: map[string]string{"OPENAI_BASE_URL": "http://127.0.0.1:1/v1"}})
		th.Spec.OneShot = once
		if end := th.Begin().Turn(first); end.Class != messages.ClassServer {
			t.Errorf("%s: end %+v", name, end)
		}
	}
}
