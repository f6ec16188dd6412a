package command_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"kurogo/drivers/command"
	"kurogo/drivers/drivertest"
	"kurogo/drivers/process"
	"kurogo/messages"
)

// whole is a whole life: its events to the last, nothing of which is left.
func whole(t *testing.T, d messages.Driver, spec messages.Spec) []messages.DriverEvent {
	t.Helper()
	spec.Life = "command-test-" + messages.NewID() + ":1:actor"
	s, err := d.Start(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Send(t.Context(), messages.Turn{ID: "turn-1", Attempt: 1, Text: "[from user]\nやってください。"}); err != nil {
		t.Fatal(err)
	}
	var all []messages.DriverEvent
	for e := range s.Events() {
		all = append(all, e)
	}
	if n := len(all); n < 3 || all[0].Kind != messages.DriverReady || all[n-2].Kind != messages.DriverTurnEnded || all[n-1].Kind != messages.DriverExited {
		t.Fatalf("it does not begin with ready and end with the turn and the life: %+v", all)
	}
	if left := process.Find(spec.Life); len(left) > 0 {
		t.Errorf("left alive: %v", left)
	}
	return all
}

func ended(all []messages.DriverEvent) messages.TurnEnd { return all[len(all)-2].End }

func kinds(all []messages.DriverEvent) (out []string) {
	for _, e := range all {
		out = append(out, string(e.Kind))
	}
	return out
}

func TestAllOfATextIsTheAnswer(t *testing.T) {
	for as, want := range map[string]string{
		string(drivertest.Speaks): `{"text":"` + drivertest.Thought,
		garbled:                   "caf\uFFFD\n\x1b[1mbold\x1b[0m",
	} {
		all := whole(t, faked(as, command.Options{}), messages.Spec{})
		if end := ended(all); end.Class != messages.ClassNone || !strings.HasPrefix(end.Text, want) {
			t.Errorf("%s: %+v", as, end)
		}
		if got := kinds(all); !slices.Equal(got, []string{"ready", "said", "turn_ended", "exited"}) || all[1].Text != ended(all).Text {
			t.Errorf("%s: %q", as, got)
		}
	}
}

func TestATextIsBounded(t *testing.T) {
	for _, as := range []string{giant, torrent} {
		all := whole(t, faked(as, command.Options{}), messages.Spec{})
		if end := ended(all); end.Class != messages.ClassNone || len(end.Text) > command.LongestPassage || len(end.Text) < command.LongestPassage/2 {
			t.Errorf("%s: %q, %d bytes", as, end.Class, len(end.Text))
		}
		if got := kinds(all); !slices.Equal(got, []string{"ready", "warned", "said", "turn_ended", "exited"}) {
			t.Errorf("%s: %q", as, got)
		}
	}
}

func TestATextWithoutAGoodEndIsNoAnswer(t *testing.T) {
	for as, want := range map[string]struct {
		class messages.Class
		text  string
	}{
		silent:                             {messages.ClassProtocol, "it ended without a result"},
		blank:                              {messages.ClassProtocol, "it ended without a result"},
		half:                               {messages.ClassCrash, "ended with status 3: half a line"},
		string(drivertest.Leaves):          {messages.ClassCrash, "ended with status 3"},
		shouts + "error: 429":              {messages.ClassRate, "error: 429"},
		complains + "401 Unauthorized":     {messages.ClassAuth, "401 Unauthorized"},
		complains + "connect ECONNREFUSED": {messages.ClassServer, "ECONNREFUSED"},
		complains + "It is Tuesday.":       {messages.ClassCrash, "It is Tuesday."},
		complains + `{"error":"mirrored"}`: {messages.ClassCrash, "ended with status 1"},
	} {
		all := whole(t, faked(as, command.Options{}), messages.Spec{})
		if end := ended(all); end.Class != want.class || !strings.Contains(end.Text, want.text) {
			t.Errorf("%s: %+v, want %+v", as, end, want)
		}
		if exit := all[len(all)-1].Exit; exit.Class != want.class {
			t.Errorf("%s: %+v", as, exit)
		}
	}
}

func TestAnAnswerCountsThoughItsProgramLivesOn(t *testing.T) {
	all := whole(t, faked(closes, command.Options{}), messages.Spec{Grace: 50 * time.Millisecond})
	if end := ended(all); end.Class != messages.ClassNone || end.Text != drivertest.Last {
		t.Errorf("%+v", end)
	}
	if exit := all[len(all)-1].Exit; exit.Class != messages.ClassNone || !strings.Contains(exit.Reason, "lived on") {
		t.Errorf("%+v", exit)
	}
}

func TestWhatATextIsToldLineByLine(t *testing.T) {
	all := whole(t, faked(garbled, command.Options{}), messages.Spec{Raw: true})
	if got := kinds(all); !slices.Equal(got, []string{"ready", "raw", "raw", "said", "turn_ended", "exited"}) || all[1].Text != "caf\uFFFD" {
		t.Errorf("%q, %+v", got, all[1])
	}
}

func TestWhatAProgramIsStartedWith(t *testing.T) {
	t.Setenv("AWS_SECRET_ACCESS_KEY", "canary")
	dir := t.TempDir()
	spec := messages.Spec{Model: "m-1", Dir: dir, SystemPrompt: "You are an actor.", Env: map[string]string{"KEY": "of the caller"}}
	for _, c := range []struct {
		args, want []string
	}{
		{[]string{"-m", "{model}", "--cwd={dir}", "{other}", "$HOME"}, []string{"-m", "m-1", "--cwd=" + dir, "{other}", "$HOME", "You are an actor.", "", "[from user]", "やってください。"}},
		{[]string{"--system", "{system_prompt}"}, []string{"--system", "You are an actor.", "[from user]", "やってください。"}},
	} {
		said := ended(whole(t, faked(tells, command.Options{Args: c.args, Env: map[string]string{"KEY": "ours", "MORE": "x"}}), spec)).Text
		if !strings.HasSuffix(said, "\n"+strings.Join(c.want, "\n")) {
			t.Errorf("%q: %q", c.args, said)
		}
		if strings.Contains(said, "canary") || !strings.Contains(said, "\nKEY=of the caller\n") || !strings.Contains(said, "\nMORE=x\n") {
			t.Errorf("environment %q", said)
		}
	}
}

func TestWhatCannotWorkIsRefusedByName(t *testing.T) {
	say := map[string]command.Event{"say": {Kind: command.Said, Text: "text"}}
	with := func(e command.Event) command.Options {
		return command.Options{Output: command.NDJSON, Events: map[string]command.Event{"x": e}}
	}
	for field, o := range map[string]command.Options{
		"output: \"xml\"":         {Output: "xml"},
		"output: events are read": {Events: say},
		"events: no type":         {Output: command.NDJSON},
		"events.x.kind: it is":    with(command.Event{}),
		"events.x.kind: \"song\"": with(command.Event{Kind: "song"}),
		"events.x.text":           with(command.Event{Kind: command.Said}),
		"events.x.name":           with(command.Event{Kind: command.Tool}),
		"events.x.id":             with(command.Event{Kind: command.ToolEnded}),
		"events.x.input_tokens":   with(command.Event{Kind: command.Used}),
		"model: ":                 {Args: []string{"-m", "{model}"}},
	} {
		d := faked(silent, o)
		if field != "model: " {
			if _, err := d.Probe(t.Context()); !messages.IsCode(err, messages.CodeInvalid) || !strings.Contains(err.Error(), field) {
				t.Errorf("%s: %v", field, err)
			}
		}
		if s, err := d.Start(t.Context(), messages.Spec{}); s != nil || !messages.IsCode(err, messages.CodeInvalid) || !strings.Contains(err.Error(), field) {
			t.Errorf("%s: %v, %v", field, s, err)
		}
	}
	if _, err := command.New(command.Options{}).Probe(t.Context()); !messages.IsCode(err, messages.CodeInvalid) || !strings.Contains(err.Error(), "command: ") {
		t.Errorf("no command: %v", err)
	}
}

func TestProbeTellsWhatTheTableKnows(t *testing.T) {
	for cost, o := range map[bool]command.Options{true: {Output: command.NDJSON, Events: events}, false: {}} {
		caps, err := faked(silent, o).Probe(t.Context())
		if err != nil || caps.Cost != cost || caps.LongLived || caps.Version == "" {
			t.Errorf("%+v, %v", caps, err)
		}
	}
}
