package cursor_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"kurogo/drivers/cursor"
	"kurogo/drivers/drivertest"
	"kurogo/drivers/process"
	"kurogo/messages"
)

// whole is a whole life: its events to the last, nothing of which is left.
func whole(t *testing.T, d messages.Driver, spec messages.Spec, text string) []messages.DriverEvent {
	t.Helper()
	spec.Life, spec.Dir = "cursor-test-"+messages.NewID()+":1:actor", t.TempDir()
	if spec.Home == "" {
		spec.Home = t.TempDir()
	}
	s, err := d.Start(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	sent := s.Send(t.Context(), messages.Turn{ID: "turn-1", Attempt: 1, Text: text})
	var all []messages.DriverEvent
	for e := range s.Events() {
		all = append(all, e)
	}
	if n := len(all); n < 2 || all[n-1].Kind != messages.DriverExited || all[n-2].Kind != messages.DriverTurnEnded {
		t.Fatalf("it does not end with the turn and the life: %+v", all)
	}
	if failed := ended(all).Class != messages.ClassNone; sent != nil && !failed {
		t.Errorf("the turn was not sent, and is well: %v", sent)
	}
	if left := process.Find(spec.Life); len(left) > 0 {
		t.Errorf("left alive: %v", left)
	}
	return all
}

func ended(all []messages.DriverEvent) messages.TurnEnd { return all[len(all)-2].End }

func of(all []messages.DriverEvent, kind messages.DriverKind) []messages.DriverEvent {
	return slices.DeleteFunc(slices.Clone(all), func(e messages.DriverEvent) bool { return e.Kind != kind })
}

// What went wrong is told in words only: on stderr, as a plain line, or as the
// result. Each way they mean the same.
func TestTheClassOfAFailure(t *testing.T) {
	for text, want := range map[string]messages.Class{
		"Error: Authentication required. Please run 'agent login' first": messages.ClassAuth,
		"T: 401 Unauthorized":                                  messages.ClassAuth,
		"Invalid API key provided":                             messages.ClassAuth,
		"T: 429 Too Many Requests":                             messages.ClassRate,
		"You've hit your usage limit":                          messages.ClassRate,
		"T: [resource_exhausted] Error":                        messages.ClassRate,
		"T: 500 Internal Server Error":                         messages.ClassServer,
		"T: 503":                                               messages.ClassServer,
		"read ECONNRESET":                                      messages.ClassServer,
		"Cannot use this model: gpt-9. Available models: auto": messages.ClassInvalid,
		"error: unknown option '--trust'":                      messages.ClassInvalid,
	} {
		for _, way := range []string{complains, grumbles, errs} {
			all := whole(t, faked(way+text, cursor.Options{}), messages.Spec{}, "[from user]\nDo it.")
			if end := ended(all); end.Class != want || !strings.Contains(end.Text, text) {
				t.Errorf("%s%s: the turn ended with %+v, want %q", way, text, end, want)
			}
		}
	}
}

func TestAFailureThatNobodyKnowsSaysItself(t *testing.T) {
	for way, want := range map[string]messages.Class{complains: messages.ClassCrash, grumbles: messages.ClassProtocol, errs: messages.ClassServer} {
		end := ended(whole(t, faked(way+"It is Tuesday.", cursor.Options{}), messages.Spec{}, "Do it."))
		if end.Class != want || !strings.Contains(end.Text, "It is Tuesday.") {
			t.Errorf("%s: %+v, want %q", way, end, want)
		}
	}
}

func TestEventsOnItsStderrAreNoComplaint(t *testing.T) {
	end := ended(whole(t, faked(mirrors, cursor.Options{}), messages.Spec{}, "Do it."))
	if end.Class != messages.ClassCrash || strings.ContainsAny(end.Text, "{}") {
		t.Errorf("%+v", end)
	}
}

func TestFilesThatWereWrittenAreTold(t *testing.T) {
	all := whole(t, faked(writes, cursor.Options{}), messages.Spec{}, "Do it.")
	var got []messages.FileChange
	for _, e := range of(all, messages.DriverChanged) {
		got = append(got, e.File)
	}
	want := []messages.FileChange{
		{Path: "/abs/a.txt", Kind: messages.FileEdited}, {Path: "b.txt", Kind: messages.FileEdited}, {Path: "c.txt", Kind: messages.FileDeleted},
	}
	if !slices.Equal(got, want) {
		t.Errorf("changed %v, want %v", got, want)
	}
	if w := of(all, messages.DriverWarned); len(w) != 1 || w[0].Text != "it was not allowed to use shell: not in the allow-list" {
		t.Errorf("warned %+v", w)
	}
	if n := len(of(all, messages.DriverToolEnded)); n != 5 {
		t.Errorf("%d tools ended", n)
	}
}

func TestATurnTellsWhatItUsed(t *testing.T) {
	all := whole(t, faked(string(drivertest.Speaks), cursor.Options{}), messages.Spec{}, "Do it.")
	want := messages.Usage{InputTokens: 100, OutputTokens: 20, CachedTokens: 7}
	if u := of(all, messages.DriverUsed); len(u) != 1 || u[0].Usage != want {
		t.Errorf("used %+v", u)
	}
	if end := ended(all); end.Text != drivertest.Last || end.Session != "s-1" {
		t.Errorf("end %+v", end)
	}
	if s := of(all, messages.DriverToolStarted); len(s) != 1 || s[0].Tool.ID != "tool_1 fc_2" || string(s[0].Tool.Input) != `{"path":"file.txt"}` {
		t.Errorf("used %+v", s)
	}
}

// The prompt is an argument, and those are bounded. What is too long is refused
// by name, before anything begins and in the order of every other end.
func TestAPromptThatIsTooLongIsRefusedByName(t *testing.T) {
	fits := strings.Repeat("x", cursor.LongestPrompt)
	if end := ended(whole(t, faked(tells, cursor.Options{}), messages.Spec{}, fits)); end.Class != messages.ClassNone || !strings.HasSuffix(end.Text, fits) {
		t.Errorf("what fits does not: %q %d bytes", end.Class, len(end.Text))
	}
	all := whole(t, faked(tells, cursor.Options{}), messages.Spec{}, fits+"x")
	if end := ended(all); end.Class != messages.ClassInvalid || !strings.Contains(end.Text, "invalid: prompt: 131072 bytes") {
		t.Errorf("end %+v", end)
	}
	if exit := all[len(all)-1].Exit; exit.Class != messages.ClassInvalid {
		t.Errorf("exit %+v", exit)
	}
	if len(all) != 3 || all[0].Kind != messages.DriverReady {
		t.Errorf("%+v", all)
	}
}

func TestWhatCannotBeginIsRefusedByStart(t *testing.T) {
	for name, c := range map[string]struct {
		o    cursor.Options
		spec messages.Spec
		code messages.Code
		want string
	}{
		"no key":             {cursor.Options{Env: map[string]string{"CURSOR_API_KEY": ""}}, messages.Spec{Home: t.TempDir()}, messages.CodeUnavailable, "there is no CURSOR_API_KEY"},
		"no home":            {cursor.Options{}, messages.Spec{}, messages.CodeInvalid, "home: "},
		"unknown config":     {cursor.Options{Config: "mine"}, messages.Spec{}, messages.CodeInvalid, "config: "},
		"unknown permission": {cursor.Options{Permission: "Bash"}, messages.Spec{}, messages.CodeInvalid, "permission: "},
	} {
		s, err := faked(tells, c.o).Start(t.Context(), c.spec)
		if s != nil || !messages.IsCode(err, c.code) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, %v", name, s, err)
		}
	}
	t.Setenv("CURSOR_API_KEY", "ours") // which is not theirs
	if _, err := faked(tells, cursor.Options{Env: map[string]string{"CURSOR_API_KEY": ""}}).Start(t.Context(), messages.Spec{Home: t.TempDir()}); !messages.IsCode(err, messages.CodeUnavailable) {
		t.Errorf("our own key was taken: %v", err)
	}
}

func TestProbe(t *testing.T) {
	for name, c := range map[string]struct {
		as     string
		o      cursor.Options
		models int
		mcp    bool
	}{
		"with a key": {string(drivertest.Speaks), cursor.Options{}, 3, true},
		"no key":     {string(drivertest.Speaks), cursor.Options{Env: map[string]string{"CURSOR_API_KEY": ""}}, 0, true},
		"listless":   {listless, cursor.Options{}, 0, true},
		"shared":     {string(drivertest.Speaks), cursor.Options{Config: cursor.Shared, Env: map[string]string{"CURSOR_API_KEY": "x"}}, 3, false},
	} {
		got, err := faked(c.as, c.o).Probe(t.Context())
		if err != nil || got.Version != "2026.01.28-fake" || len(got.Models) != c.models || got.MCP != c.mcp || got.LongLived || got.InBandTools {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	if _, err := faked(wordless, cursor.Options{}).Probe(t.Context()); !messages.IsCode(err, messages.CodeUnavailable) {
		t.Errorf("it says no version: %v", err)
	}
	if _, err := faked(tells, cursor.Options{Config: "mine"}).Probe(t.Context()); !messages.IsCode(err, messages.CodeInvalid) {
		t.Errorf("unknown config: %v", err)
	}
}

// A life whose owner has given up is stopped before its turn, within it and
// after it, by anybody, and always says the same.
func TestStopAfterTheTimeOut(t *testing.T) {
	s, err := faked(string(drivertest.Deaf), cursor.Options{}).Start(t.Context(), messages.Spec{Home: t.TempDir(), Dir: t.TempDir(), Grace: 20 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Send(t.Context(), messages.Turn{ID: "turn-1", Text: "Do it."}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	first := s.Stop(ctx)
	if again := s.Stop(t.Context()); again != first || first.Class != messages.ClassKilled {
		t.Errorf("%+v, then %+v", first, again)
	}
}
