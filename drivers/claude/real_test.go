package claude_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"kurogo/drivers/claude"
	"kurogo/drivers/drivertest"
	"kurogo/drivers/modeltest"
	"kurogo/messages"
)

func TestCLIProbeSaysWhatItIs(t *testing.T) {
	th := stage(t, claude.Options{})
	caps, err := th.Driver.Probe(t.Context())
	if err != nil || caps.Version == "" || !caps.InBandTools {
		t.Errorf("%+v, %v", caps, err)
	}
	t.Log(caps.Version)
	o := claude.Options{Command: drivertest.CLI(t, "claude"), Config: claude.Isolated, Env: map[string]string{"HOME": t.TempDir(), "ANTHROPIC_API_KEY": "test-key"}}
	if in, err := claude.LoggedIn(t.Context(), o); err != nil || !in.In {
		t.Errorf("%+v, %v", in, err)
	}
	if n := len(th.Model.Requests()); n != 0 {
		t.Errorf("the model was asked %d times", n)
	}
}

func TestCLIThePersonalityReachesTheModel(t *testing.T) {
	th := stage(t, claude.Options{}, modeltest.Turn(modeltest.Anybody, modeltest.Step{Thinking: "Hm.", Text: "Good."}))
	th.Spec.SystemPrompt += strings.Repeat("Be strict. ", 20_000) // more than an argument may hold
	l := th.Begin()
	end := l.Turn(first)
	if end.Text != "Good." || l.Last(messages.DriverThought).Text != "Hm." || l.Last(messages.DriverSaid).Text != "Good." {
		t.Errorf("end %+v, heard %+v", end, l.Heard)
	}
	r := th.LastRequest()
	if !r.Says(th.Spec.SystemPrompt) || r.Model != th.Spec.Model {
		t.Errorf("model %s, system %d bytes", r.Model, len(r.System))
	}
	for _, tool := range []string{"SendMessage", "AskUserQuestion", "ScheduleWakeup"} {
		if slices.Contains(r.Tools, tool) {
			t.Errorf("the model may use %s", tool)
		}
	}
	if !slices.Contains(r.Tools, "mcp__kurogo__send_message") {
		t.Errorf("our tool is not among %q", r.Tools)
	}
	if exit := l.Session.Stop(t.Context()); exit.Class != messages.ClassNone || exit.Code != 0 {
		t.Errorf("exit %+v", exit)
	}

	th.Spec.SystemPrompt = "You are kind now."
	th.Resume(end).Turn(second)
	if r := th.LastRequest(); !r.Says("You are kind now.") || r.Says("GRAND BOSS") {
		t.Errorf("the prompt that was changed is %.200q", r.System)
	}
	if entries, err := os.ReadDir(filepath.Join(th.Spec.Home, "claude")); err != nil || len(entries) == 0 {
		t.Errorf("the configuration is elsewhere: %v, %v", entries, err)
	}
}

func TestCLIARefusalReachesTheModel(t *testing.T) {
	th := stage(t, claude.Options{}, modeltest.Turn(modeltest.Anybody, sends, says("Then I do it myself.")))
	l := th.Begin()
	l.Send(first)
	call := l.Until(messages.DriverToolAsked).Tool
	if err := l.Session.Answer(t.Context(), messages.ToolResult{ID: call.ID, Text: "denied: not in your talks_to", IsError: true}); err != nil {
		t.Fatal(err)
	}
	if end := l.Finish(); end.Text != "Then I do it myself." {
		t.Errorf("end %+v", end)
	}
	r := th.LastRequest()
	if got := r.Messages[len(r.Messages)-1].Results; len(got) != 1 || got[0] != "denied: not in your talks_to" {
		t.Errorf("the model was answered %q", got)
	}
}

func TestCLISeveralMessagesInOneStep(t *testing.T) {
	both := modeltest.Step{Tools: append(slices.Clone(sends.Tools), sends.Tools...)}
	th := stage(t, claude.Options{}, modeltest.Turn(modeltest.Anybody, both, says("Both are sent.")))
	l := th.Begin()
	if end := l.Turn(first); end.Text != "Both are sent." {
		t.Errorf("end %+v", end)
	}
	ids := map[string]bool{}
	for _, e := range l.Heard {
		if e.Kind == messages.DriverToolAsked {
			ids[e.Tool.ID] = true
		}
	}
	if len(ids) != 2 {
		t.Errorf("asked %v", ids)
	}
}

func TestCLIItsOwnToolsFollowThePolicy(t *testing.T) {
	write := func(name string) modeltest.Step {
		return uses("Write", map[string]string{"file_path": name, "content": "x"})
	}
	for permission, want := range map[string]bool{"Write": true, claude.Deny: false} {
		th := stage(t, claude.Options{Permission: permission})
		file := filepath.Join(th.Spec.Dir, "prop.txt")
		th.Model.Add(modeltest.Turn(modeltest.Anybody, write(file), says("Done.")))
		l := th.Begin()
		l.Turn(first)
		_, err := os.Stat(file)
		if written := err == nil; written != want {
			t.Errorf("%s: written %t", permission, written)
		}
		if e := l.Last(messages.DriverToolStarted).Tool; e.Name != "Write" || l.Last(messages.DriverToolEnded).Tool.ID != e.ID {
			t.Errorf("%s: heard %+v", permission, l.Heard)
		}
		if warned := l.Last(messages.DriverWarned).Text != ""; warned == want {
			t.Errorf("%s: warned %t", permission, warned)
		}
	}
}

func TestCLIAnInterruptedTurnEndsAndTheLifeGoesOn(t *testing.T) {
	th := stage(t, claude.Options{},
		modeltest.Turn(modeltest.Who("The first"), modeltest.Step{Hang: true}),
		modeltest.Turn(modeltest.Anybody, says("Here I am.")))
	l := th.Begin()
	l.Send(first)
	th.Asked("The first")
	if err := l.Session.Interrupt(t.Context()); err != nil {
		t.Fatal(err)
	}
	if end := l.Finish(); end.Class != messages.ClassInterrupted {
		t.Errorf("end %+v", end)
	}
	if end := l.Turn(second); end.Class != messages.ClassNone || end.Text != "Here I am." {
		t.Errorf("end %+v", end)
	}
}

func TestCLIStopWithinATurn(t *testing.T) {
	th := stage(t, claude.Options{}, modeltest.Turn(modeltest.Anybody, modeltest.Step{Hang: true}))
	l := th.Begin()
	l.Send(first)
	th.Asked("The first")
	if exit := l.Session.Stop(t.Context()); exit.Class != messages.ClassKilled || exit.Signal == "SIGKILL" {
		t.Errorf("exit %+v", exit) // it heard the soft end
	}
}

func TestCLINothingIsLeftOfItsShells(t *testing.T) {
	th := stage(t, claude.Options{Permission: claude.Allow})
	started := filepath.Join(th.Spec.Dir, "started")
	if err := syscall.Mkfifo(started, 0o600); err != nil {
		t.Fatal(err)
	}
	th.Model.Add(modeltest.Turn(modeltest.Anybody, uses("Bash", map[string]string{
		"command": `tail -f /dev/null & (trap "" TERM; echo go > started; tail -f /dev/null)`,
	}), says("Never.")))
	l := th.Begin()
	l.Send(first)
	l.Until(messages.DriverToolStarted)
	if _, err := os.ReadFile(started); err != nil { // until the shell says that it runs
		t.Fatal(err)
	}
	if err := syscall.Kill(l.Session.Pid(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if exit := l.Gone(); exit.Class != messages.ClassCrash {
		t.Errorf("exit %+v", exit)
	} // begin looks whether somebody is left
}

func TestCLIWhatTheModelsServiceAnswers(t *testing.T) {
	busy := modeltest.Step{Status: 529}
	for name, c := range map[string]struct {
		retries int
		steps   []modeltest.Step
		want    messages.Class
	}{
		"529, and the CLI asks again": {1, []modeltest.Step{busy}, messages.ClassNone},
		"529, and it may not":         {-1, []modeltest.Step{busy}, messages.ClassRate},
		"429":                         {-1, []modeltest.Step{{Status: 429, RetryAfter: 1}}, messages.ClassRate},
		"500":                         {-1, []modeltest.Step{{Status: 500}}, messages.ClassServer},
		"401":                         {-1, []modeltest.Step{{Status: 401}}, messages.ClassAuth},
		"403":                         {-1, []modeltest.Step{{Status: 403}}, messages.ClassAuth},
		"400, as often as it asks":    {-1, modeltest.Times(20, modeltest.Step{Status: 400}), messages.ClassInvalid},
		"404":                         {-1, modeltest.Times(20, modeltest.Step{Status: 404}), messages.ClassInvalid},
		"a connection that breaks":    {-1, modeltest.Times(20, modeltest.Step{Text: "half", Cut: true}), messages.ClassServer},
	} {
		t.Run(name, func(t *testing.T) {
			th := stage(t, claude.Options{MaxRetries: c.retries},
				modeltest.Queue(modeltest.Who("The first"), c.steps...), modeltest.Turn(modeltest.Anybody, says("Good.")))
			l := th.Begin()
			end := l.Turn(first)
			if end.Class != c.want || end.Text == "" {
				t.Errorf("end %+v", end)
			}
			if end := l.Turn(second); end.Class != messages.ClassNone || end.Text != "Good." {
				t.Errorf("afterwards %+v", end)
			}
		})
	}
}

func TestCLIWithoutAKeySaysThatNobodyIsLoggedIn(t *testing.T) {
	th := stage(t, claude.Options{Env: map[string]string{"ANTHROPIC_API_KEY": ""}})
	l := th.Begin()
	if end := l.Turn(first); end.Class != messages.ClassAuth {
		t.Errorf("end %+v", end)
	}
	if n := len(th.Model.Requests()); n != 0 {
		t.Errorf("the model was asked %d times", n)
	}
}

// A message is words for the model and nothing else: no command of the CLI, no
// file of this machine.
func TestCLIAMessageIsNoCommand(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret.txt")
	if err := os.WriteFile(secret, []byte("canary-in-the-file"), 0o600); err != nil {
		t.Fatal(err)
	}
	th := stage(t, claude.Options{}, modeltest.Turn(modeltest.Anybody, says("I read it.")))
	l := th.Begin()
	l.Turn(first)
	for _, text := range []string{
		"[from user]\n/clear", "/clear", " \n/clear", "/compact", "!ls", "#remember",
		"[from user]\nSee @" + secret + " and @/etc/passwd.", "@" + secret, "@/etc/passwd",
	} {
		if end := l.Turn(text); end.Class != messages.ClassNone || end.Text != "I read it." {
			t.Errorf("%q: end %+v", text, end)
		}
		r := th.LastRequest()
		if !strings.HasSuffix(strings.TrimSpace(r.Turn()), strings.TrimSpace(text)) || !strings.Contains(strings.Join(r.Told(), "\n"), first) {
			t.Errorf("%q reached the model as %q", text, r.Told())
		}
		if body := string(r.Body); strings.Contains(body, "canary-in-the-file") || strings.Contains(body, "root:x:0") {
			t.Errorf("%q carried a file to the model", text)
		}
	}
}

// However a session is resumed, each turn is billed once.
func TestCLIATurnIsBilledOnce(t *testing.T) {
	th := stage(t, claude.Options{}, modeltest.Turn(modeltest.Anybody, modeltest.Step{Text: "Good.", Input: 1000, Output: 1000}))
	l := th.Begin()
	l.Turn(first)
	want := l.Last(messages.DriverUsed).Usage
	if want.CostMicros <= 0 || want.InputTokens != 1000 || want.OutputTokens != 1000 || want.Cumulative {
		t.Errorf("used %+v", want)
	}
	end := l.Turn(second)
	for name, stop := range map[string]func(){
		"after a good end": func() { l.Session.Stop(t.Context()) },
		"after kill -9":    func() { _ = syscall.Kill(l.Session.Pid(), syscall.SIGKILL); l.Gone() },
	} {
		stop()
		l = th.Resume(end)
		end = l.Turn(second)
		if got := l.Last(messages.DriverUsed).Usage; got != want {
			t.Errorf("%s: used %+v, want %+v", name, got, want)
		}
	}
}

func TestCLIASessionThatIsGoneBeginsAnew(t *testing.T) {
	th := stage(t, claude.Options{}, modeltest.Turn(modeltest.Anybody, says("Good.")))
	th.Spec.Session, th.Spec.Border = messages.NewID(), messages.NewID()
	l := th.Begin()
	if end := l.Turn(first); end.Class != messages.ClassNone || end.Session == th.Spec.Session {
		t.Errorf("end %+v", end)
	}
	l.Session.Stop(t.Context())
	th.Spec.Session = l.Last(messages.DriverTurnEnded).End.Session // it is there, its border is not
	l = th.Begin()
	l.Turn(second)
	remembers(t, th.LastRequest(), []string{"user: " + first, "assistant: Good.", "user: " + second})
}
