package claude_test

import (
	"strings"
	"testing"
	"time"

	"kurogo/drivers/claude"
	"kurogo/drivers/drivertest"
	"kurogo/messages"
)

// What the exam does not ask of every driver, a claude must survive too.

func TestTheClassOfAFailedTurn(t *testing.T) {
	for as, want := range map[string]messages.TurnEnd{
		status401: {Class: messages.ClassAuth, Text: "API Error: 401"},
		status429: {Class: messages.ClassRate, Text: "API Error: 429", RetryAfter: 7250500 * time.Microsecond},
		status529: {Class: messages.ClassRate, Text: "API Error: 529", RetryAfter: 7250500 * time.Microsecond},
		status500: {Class: messages.ClassServer, Text: "API Error: 500"},
		loggedOut: {Class: messages.ClassAuth, Text: "Not logged in · Please run /login"},
		rich:      {Class: messages.ClassInvalid, Text: "Reached maximum budget ($0.5)"},
	} {
		t.Run(as, func(t *testing.T) {
			l := begin(t, faked(as, claude.Options{}), messages.Spec{})
			for range 2 { // the life goes on
				got := l.Turn("[from user]\nDo it.")
				if got.Class != want.Class || got.Text != want.Text || got.RetryAfter != want.RetryAfter {
					t.Errorf("the turn ended with %+v, want %+v", got, want)
				}
			}
		})
	}
}

func TestWhatATurnCostIsCountedFromTheLast(t *testing.T) {
	l := begin(t, faked(string(drivertest.Speaks), claude.Options{}), messages.Spec{})
	want := messages.Usage{InputTokens: 103, OutputTokens: 20, CachedTokens: 7, CostMicros: 250_000}
	for range 3 {
		l.Turn("[from user]\nDo it.")
		if got := l.Last(messages.DriverUsed).Usage; got != want {
			t.Errorf("used %+v, want %+v", got, want)
		}
	}
}

func TestOneWhoStaysAfterItsInputEndsIsEnded(t *testing.T) {
	l := begin(t, faked(stays, claude.Options{}), messages.Spec{Grace: 50 * time.Millisecond})
	l.Turn("[from user]\nDo it.")
	if exit := l.Session.Stop(t.Context()); exit.Class != messages.ClassKilled || exit.Signal != "SIGKILL" {
		t.Errorf("exit %+v", exit)
	}
}

func TestOneWhoClosesItsOutputIsEnded(t *testing.T) {
	l := begin(t, faked(string(drivertest.Shuts), claude.Options{}), messages.Spec{})
	l.Send("[from user]\nDo it.")
	if exit := l.Gone(); exit.Class != messages.ClassProtocol {
		t.Errorf("exit %+v", exit)
	}
}

func TestAChildInASessionOfItsOwnGoesToo(t *testing.T) {
	l := begin(t, faked(string(drivertest.Breeds), claude.Options{}), messages.Spec{})
	l.Turn("[from user]\nDo it.")
	l.Session.Stop(t.Context()) // begin looks whether somebody is left
}

func TestAnAnswerThatComesTooLateHarmsNobody(t *testing.T) {
	drivertest.AnswerLate(t, faked(string(drivertest.Asks), claude.Options{}))
}

func TestTheEndOfAStrangersTurnEndsNothing(t *testing.T) {
	l := begin(t, faked(stray, claude.Options{}), messages.Spec{})
	if end := l.Turn("[from user]\nDo it."); end.Text != drivertest.Last || l.Last(messages.DriverWarned).Text == "" {
		t.Errorf("end %+v, heard %+v", end, l.Heard)
	}
}

func TestPermissionIsGivenByThePolicy(t *testing.T) {
	for permission, want := range map[string]string{
		"": "deny", claude.Deny: "deny", claude.Allow: "allow", "Bash": "allow", "Write, Bash": "allow", "Write": "deny",
	} {
		l := begin(t, faked(bash, claude.Options{Permission: permission}), messages.Spec{})
		end := l.Turn("[from user]\nDo it.")
		if !strings.Contains(end.Text, `"behavior":"`+want+`"`) {
			t.Errorf("%q: %s, want %s", permission, end.Text, want)
		}
		if w := l.Last(messages.DriverWarned).Text; w != "it was not allowed to use Bash" {
			t.Errorf("warned %q", w)
		}
	}
}

func TestALifeThatCannotBeginSaysWhy(t *testing.T) {
	for as, want := range map[string]struct {
		class  messages.Class
		reason string
	}{
		rejects:  {messages.ClassInvalid, "unknown option '--permission-prompt-tool'"},
		refuses:  {messages.ClassProtocol, "initialize: no such thing"},
		toolless: {messages.ClassProtocol, "does not take tools"},
	} {
		l := begin(t, faked(as, claude.Options{}), messages.Spec{Tools: []messages.Tool{drivertest.SendMessage}})
		if as == toolless {
			l.Send("[from user]\nDo it.")
		}
		if exit := l.Gone(); exit.Class != want.class || !strings.Contains(exit.Reason, want.reason) {
			t.Errorf("%s: exit %+v", as, exit)
		}
	}
}

func TestASessionThatIsGoneBeginsAnewWithAWarning(t *testing.T) {
	drivertest.BeginAnew(t, faked(forgets, claude.Options{}), faked(shortens, claude.Options{}), "b")
}

func TestWhatIsMissingIsNamedBeforeAnythingStarts(t *testing.T) {
	for as, want := range map[string]string{old: "has no --fork-session", alien: "is not Claude Code"} {
		d := faked(as, claude.Options{})
		_, probed := d.Probe(t.Context())
		_, started := d.Start(t.Context(), messages.Spec{})
		for _, err := range []error{probed, started} {
			if !messages.IsCode(err, messages.CodeUnavailable) || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v", as, err)
			}
		}
	}
}

func TestAConfigurationThatCannotWorkIsRefused(t *testing.T) {
	for _, c := range []struct {
		o    claude.Options
		home string
	}{{claude.Options{Config: "mine"}, "/tmp"}, {claude.Options{Config: claude.Isolated}, ""}} {
		if _, err := faked(string(drivertest.Speaks), c.o).Start(t.Context(), messages.Spec{Home: c.home}); !messages.IsCode(err, messages.CodeInvalid) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

func TestSharedStartsWaitForOneAnother(t *testing.T) {
	drivertest.StartInTurn(t, faked(string(drivertest.Mute), claude.Options{}))
}

func TestLoggedInIsAskedOfTheCLI(t *testing.T) {
	for config, want := range map[string]claude.Login{
		claude.Shared:   {In: true, Method: "api_key", Config: claude.Shared},
		claude.Isolated: {In: true, Method: "api_key", Config: claude.Isolated},
	} {
		o := claude.Options{Command: "env", Config: config}
		if _, err := claude.LoggedIn(t.Context(), o); err == nil {
			t.Error("another program told")
		}
		got, err := claude.LoggedIn(t.Context(), fakeOptions(string(drivertest.Speaks), config))
		if err != nil || got != want {
			t.Errorf("%+v, %v", got, err)
		}
	}
}
