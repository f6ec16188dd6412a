package codex_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kurogo/drivers/codex"
	"kurogo/drivers/drivertest"
	"kurogo/messages"
)

func TestALifeThatCannotBeginSaysWhy(t *testing.T) {
	for as, want := range map[string]struct {
		class  messages.Class
		reason string
	}{
		rejects: {messages.ClassInvalid, "unexpected argument '-c'"},
		refuses: {messages.ClassProtocol, "initialize: no such thing"},
		closed:  {messages.ClassProtocol, "begin thread: the model provider is unknown"},
	} {
		l := begin(t, faked(as, codex.Options{}), messages.Spec{})
		if exit := l.Gone(); exit.Class != want.class || !strings.Contains(exit.Reason, want.reason) {
			t.Errorf("%s: exit %+v", as, exit)
		}
	}
	for as, want := range map[string]string{rejects: "unexpected argument '--cd'", forgets: "no rollout found"} {
		if end := begin(t, faked(as, codex.Options{}), modes["exec"]).Turn(words); end.Class != messages.ClassInvalid || !strings.Contains(end.Text, want) {
			t.Errorf("%s: end %+v", as, end)
		}
	}
}

func TestASessionThatIsGoneBeginsAnewWithAWarning(t *testing.T) {
	drivertest.BeginAnew(t, faked(forgets, codex.Options{}), faked(shortens, codex.Options{}), "b@p")
}

// A turn that failed, or was torn, is no border: the next life begins before it.
func TestAFailedTurnIsNoBorder(t *testing.T) {
	l := begin(t, faked(drivertest.Fails, codex.Options{}), messages.Spec{})
	if end := l.Turn(words); end.Session != "" || end.Border != "" {
		t.Errorf("a first turn that failed can be gone on from: %+v", end)
	}
	l = begin(t, faked(drivertest.Fails, codex.Options{}), messages.Spec{Session: "s", Border: "b@p"})
	if end := l.Turn(words); end.Session != "s" || end.Border != "b@p" {
		t.Errorf("the border moved: %+v", end)
	}
}

func TestWhatIsMissingIsNamedBeforeAnythingStarts(t *testing.T) {
	for as, want := range map[string]string{old: "has no --sandbox", alien: "is not the Codex CLI"} {
		d := faked(as, codex.Options{})
		_, probed := d.Probe(t.Context())
		_, started := d.Start(t.Context(), messages.Spec{Home: t.TempDir()})
		for _, err := range []error{probed, started} {
			if !messages.IsCode(err, messages.CodeUnavailable) || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v", as, err)
			}
		}
	}
	d := faked(serverless, codex.Options{})
	caps, err := d.Probe(t.Context())
	if err != nil || caps.LongLived || caps.InBandTools || caps.Resume || caps.Models != nil {
		t.Errorf("without an app-server it can do %+v, %v", caps, err)
	}
	l := begin(t, d, messages.Spec{}) // a life of one turn, then
	l.Turn(words)
	if exit := l.Gone(); exit.Class != messages.ClassNone {
		t.Errorf("exit %+v", exit)
	}
}

func TestAConfigurationThatCannotWorkIsRefused(t *testing.T) {
	for _, c := range []struct {
		o    codex.Options
		spec messages.Spec
	}{
		{codex.Options{Config: "mine"}, messages.Spec{}},
		{codex.Options{Permission: "Bash,Write"}, messages.Spec{}},
		{codex.Options{Config: codex.Isolated}, messages.Spec{}},
		{codex.Options{}, messages.Spec{OneShot: true, Session: "s", Border: "turn@p"}},
		{codex.Options{Config: codex.Shared}, messages.Spec{OneShot: true, SystemPrompt: strings.Repeat("x", 200_000)}},
	} {
		if _, err := faked(drivertest.Speaks, c.o).Start(t.Context(), c.spec); !messages.IsCode(err, messages.CodeInvalid) {
			t.Errorf("%+v: %v", c.o, err)
		}
	}
}

func TestWithoutALoginNothingStarts(t *testing.T) {
	d := faked(drivertest.Speaks, codex.Options{Config: codex.Isolated})
	home := t.TempDir()
	if _, err := d.Start(t.Context(), messages.Spec{Home: home}); !messages.IsCode(err, messages.CodeUnavailable) || !strings.Contains(err.Error(), "OPENAI_API_KEY") {
		t.Errorf("it started: %v", err)
	}
	if err := os.WriteFile(filepath.Join(home, "codex", "auth.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	begin(t, d, messages.Spec{Home: home}).Until(messages.DriverReady)
}

func TestSharedStartsWaitForOneAnother(t *testing.T) {
	drivertest.StartInTurn(t, faked(drivertest.Mute, codex.Options{Config: codex.Shared}))
}
