package hermes_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kurogo/drivers/hermes"
	"kurogo/drivers/modeltest"
	"kurogo/messages"
)

// A session goes on in another life, from the border that it is given.
func TestASessionGoesOn(t *testing.T) {
	model := modeltest.New(t)
	model.Add(modeltest.Turn(modeltest.Who("fall"), modeltest.Step{Status: 500}), modeltest.Turn(modeltest.Anybody, modeltest.Step{Text: "Good."}))
	home := t.TempDir()
	o := ways[0].options(model)
	first := begin(t, o, messages.Spec{Home: home})
	one := first.Turn("One.")
	two := first.Turn("Two.")
	if torn := first.Turn("Now fall."); torn.Session != two.Session || torn.Border != two.Border || torn.Class != messages.ClassServer {
		t.Errorf("after a fall it goes on at %+v, want %+v", torn, two)
	}
	first.Session.Stop(context.Background())
	told := func(end messages.TurnEnd, want ...string) *life {
		t.Helper()
		l := begin(t, o, messages.Spec{Home: home, Session: end.Session, Border: end.Border})
		l.Turn("Add.")
		all := model.Requests()
		if got := all[len(all)-1].Told(); !slices.Equal(got, append(want, "user: Add.")) {
			t.Errorf("from %+v it knows %q", end, got)
		}
		return l
	}
	told(two, "user: One.", "assistant: Good.", "user: Two.", "assistant: Good.")
	l := told(one, "user: One.", "assistant: Good.")
	if warned := l.All(messages.DriverWarned); len(warned) > 0 {
		t.Errorf("warned %q", warned)
	}
	// What stood behind that border is written over.
	if warned := strings.Join(told(messages.TurnEnd{Session: one.Session, Border: "400"}, "user: One.", "assistant: Good.", "user: Add.", "assistant: Good.").All(messages.DriverWarned), ""); !strings.Contains(warned, "does not reach") {
		t.Errorf("warned %q", warned)
	}
	for _, gone := range []string{"no-such-session", "../../etc/passwd", ""} {
		end := messages.TurnEnd{Session: gone, Border: "2"}
		if warned := strings.Join(told(end).All(messages.DriverWarned), ""); strings.Contains(warned, "is gone") != (gone != "") {
			t.Errorf("%q: warned %q", gone, warned)
		}
	}
	info, err := os.Stat(filepath.Join(home, "hermes", one.Session+".jsonl"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
}

// A file that a crash has torn is read as far as it goes.
func TestATornMemory(t *testing.T) {
	model := modeltest.New(t)
	home := t.TempDir()
	o := ways[2].options(model)
	l := begin(t, o, messages.Spec{Home: home})
	l.Turn("One.")
	end := l.Turn("Two.")
	l.Session.Stop(context.Background())
	file := filepath.Join(home, "hermes", end.Session+".jsonl")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for cut := len(text); cut >= 0; cut -= 7 {
		if err := os.WriteFile(file, text[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		again := begin(t, o, messages.Spec{Home: home, Session: end.Session, Border: end.Border})
		if got := again.Turn("Three."); got.Class != messages.ClassNone {
			t.Fatalf("cut at %d: end %+v", cut, got)
		}
		again.Session.Stop(context.Background())
	}
}

// Without a home there is nothing to go on with, and nothing is promised.
func TestALifeWithoutAHome(t *testing.T) {
	s, err := hermes.New(hermes.Options{Endpoint: modeltest.New(t).URL}).Start(t.Context(), named(messages.Spec{}))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Stop(t.Context())
	if err := s.Send(t.Context(), messages.Turn{ID: "turn-1", Text: "One."}); err != nil {
		t.Fatal(err)
	}
	for e := range s.Events() {
		if e.Kind == messages.DriverTurnEnded {
			if e.End.Session != "" || e.End.Border != "" || e.End.Class != messages.ClassNone {
				t.Errorf("end %+v", e.End)
			}
			return
		}
	}
	t.Error("it has ended")
}
