package ndjson_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"kurogo/drivers/drivertest"
	"kurogo/drivers/ndjson"
	"kurogo/drivers/process"
	"kurogo/messages"
)

// onceVerb makes the test binary an agent that reads its whole prompt, takes one
// turn and ends.
const onceVerb = "ndjson-test-once"

// What that agent does besides what the exam asks for.
const (
	gushes  drivertest.Behaviour = "gushes"  // talks before it reads
	repeats drivertest.Behaviour = "repeats" // says another result after the first
)

// A remark is a line of that agent.
type remark struct {
	Think string
	Say   string
	End   string
	Class messages.Class
}

func playOnce(b drivertest.Behaviour, args []string) {
	told := make(chan os.Signal, 1)
	drivertest.Rise(b)
	switch b { //nolint:exhaustive // the rest reads first
	case drivertest.Tardy:
		signal.Notify(told, syscall.SIGTERM)
	case drivertest.Deaf:
		signal.Ignore(syscall.SIGTERM)
	}
	if b == gushes { // more than the pipes hold, before it listens
		for range drivertest.Many {
			drivertest.Say(remark{Say: strings.Repeat("x", 1000)})
		}
	}
	prompt, _ := io.ReadAll(os.Stdin)
	if !strings.Contains(string(prompt), "やってください") || args[0] != "--turn=turn-1" {
		drivertest.Complain(1, fmt.Sprintf("%q, %q is not what I am told", args, prompt))
	}
	switch b {
	case drivertest.Dawdles, drivertest.Deaf, drivertest.Shuts:
		drivertest.Say(remark{Say: drivertest.First})
		if b == drivertest.Shuts {
			_ = os.Stdout.Close()
		}
		<-time.After(time.Hour)
	case drivertest.Tardy:
		drivertest.Say(remark{Say: drivertest.First})
		<-told
		drivertest.Say(remark{Say: drivertest.Last})
		drivertest.Say(remark{End: drivertest.Last})
		return
	case drivertest.Fails:
		drivertest.Say(remark{End: drivertest.Last, Class: messages.ClassInvalid})
		os.Exit(1)
	case drivertest.Crashes, drivertest.Quits:
		drivertest.Say(remark{Say: drivertest.First})
		fmt.Fprintln(os.Stderr, "I fall.")
		os.Exit(map[bool]int{true: drivertest.Status}[b == drivertest.Crashes])
	case drivertest.Floods:
		for range drivertest.Many {
			drivertest.Say(remark{Say: drivertest.First})
		}
		drivertest.Say(remark{End: drivertest.Last})
		return
	case drivertest.Breeds:
		child := exec.Command(os.Args[0], onceVerb, string(drivertest.Mute), "")
		child.SysProcAttr, child.Stdout = &syscall.SysProcAttr{Setsid: true}, os.Stdout
		if err := child.Start(); err != nil {
			panic(err)
		}
	default:
		drivertest.Blurt(b, `{"end":`, `{"end":7}`)
	}
	drivertest.Say(remark{Think: drivertest.Thought})
	drivertest.Say(remark{Say: drivertest.First})
	drivertest.Say(remark{Say: drivertest.Last})
	drivertest.Say(remark{End: drivertest.Last})
	if b == repeats {
		drivertest.Say(remark{End: drivertest.First, Class: messages.ClassServer})
	}
	drivertest.Part(b)
}

// remarks is the protocol of that agent.
type remarks struct{ messages.Spec }

func (remarks) Turn(t messages.Turn) ([]string, []byte, error) {
	if t.Text == "" {
		return nil, nil, errors.New("it says nothing")
	}
	return []string{"--turn=" + t.ID}, []byte(t.Text), nil
}

func (remarks) Hear(line process.Line) (ndjson.Heard, error) {
	var r remark
	switch err := json.Unmarshal(line.Text, &r); {
	case len(line.Text) == 0:
		return ndjson.Heard{}, nil
	case err != nil && json.Valid(line.Text) && bytes.Contains(line.Text, []byte("end")):
		return ndjson.Heard{}, err
	case err != nil || line.Truncated || r == remark{}:
		return ndjson.Warning(ndjson.Show("unknown", line)), nil //nolint:nilerr // what cannot be read is a warning
	case r.Think != "":
		return ndjson.Heard{Events: []messages.DriverEvent{{Kind: messages.DriverThought, Text: r.Think}}}, nil
	case r.Say != "":
		return ndjson.Heard{Events: []messages.DriverEvent{{Kind: messages.DriverSaid, Text: r.Say}}}, nil
	}
	return ndjson.Heard{Events: []messages.DriverEvent{{Kind: messages.DriverTurnEnded, End: messages.TurnEnd{Text: r.End, Class: r.Class}}}}, nil
}

func (remarks) Close() ndjson.Heard                 { return ndjson.Heard{} }
func (remarks) Judge(e messages.Exit) messages.Exit { return e }

// A soloist is the driver of that agent.
type soloist struct {
	command string
	as      drivertest.Behaviour
}

func (soloist) Name() string { return "soloist" }

func (s soloist) Probe(context.Context) (messages.Caps, error) {
	_, err := process.Look(s.command)
	return messages.Caps{Version: "1"}, err
}

func (s soloist) Start(ctx context.Context, spec messages.Spec) (messages.Session, error) {
	session, err := ndjson.Once(ctx, process.Command{
		Path: s.command, Args: []string{onceVerb, string(s.as)}, Env: append(os.Environ(), "GORACE=atexit_sleep_ms=0"),
		Dir: spec.Dir, Life: spec.Life, Grace: spec.Grace,
	}, remarks{spec}, spec.Raw)
	if err != nil {
		return nil, err
	}
	return session, nil
}

func TestExamOfALifeOfOneTurn(t *testing.T) {
	drivertest.Exam(t, func(_ *testing.T, b drivertest.Behaviour) (messages.Driver, messages.Spec) {
		if b == drivertest.Missing {
			return soloist{"no-such-soloist", b}, messages.Spec{}
		}
		return soloist{os.Args[0], b}, messages.Spec{}
	})
}

// began is a life of one turn, up to when it is ready.
func began(t *testing.T, b drivertest.Behaviour) messages.Session {
	t.Helper()
	s, err := soloist{os.Args[0], b}.Start(t.Context(), messages.Spec{Life: "ndjson-test-" + messages.NewID() + ":1:actor"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { drivertest.Hurry(s) })
	return s
}

func worded(s messages.Session) []string {
	var got []string
	for e := range s.Events() {
		switch e.Kind {
		case messages.DriverTurnEnded:
			got = append(got, fmt.Sprintf("%s %s %q %s", e.Kind, e.Turn, e.End.Class, e.End.Text))
		case messages.DriverExited:
			got = append(got, fmt.Sprintf("%s %d %q", e.Kind, e.Exit.Code, e.Exit.Class))
		default:
			got = append(got, strings.TrimSpace(string(e.Kind)+" "+e.Text))
		}
	}
	return got
}

// The order that owners rely on, to the word.
func TestTheEventsOfALifeOfOneTurn(t *testing.T) {
	speaks := []string{"ready", "thought " + drivertest.Thought, "said " + drivertest.First, "said " + drivertest.Last}
	for as, want := range map[drivertest.Behaviour][]string{
		drivertest.Speaks:  append(speaks[:4:4], `turn_ended turn-1 "" Last words.`, `exited 0 ""`),
		repeats:            append(speaks[:4:4], "warned a second result", `turn_ended turn-1 "" Last words.`, `exited 0 ""`),
		drivertest.Belies:  append(speaks[:4:4], `turn_ended turn-1 "crash" ndjson.test ended with status 3`, `exited 3 "crash"`),
		drivertest.Fails:   {"ready", `turn_ended turn-1 "invalid" Last words.`, `exited 1 "invalid"`},
		drivertest.Crashes: {"ready", "said " + drivertest.First, `turn_ended turn-1 "crash" ndjson.test ended with status 3: I fall.`, `exited 3 "crash"`},
		drivertest.Quits:   {"ready", "said " + drivertest.First, `turn_ended turn-1 "protocol" it ended without a result: I fall.`, `exited 0 "protocol"`},
		drivertest.Lies:    {"ready", `turn_ended turn-1 "protocol" json: cannot unmarshal number into Go struct field remark.End of type string`, `exited -1 "protocol"`},
	} {
		s := began(t, as)
		if s.Pid() != 0 {
			t.Errorf("%s: it has begun", as)
		}
		if err := s.Send(t.Context(), messages.Turn{ID: "turn-1", Text: "やってください"}); err != nil {
			t.Fatal(err)
		}
		if s.Pid() == 0 {
			t.Errorf("%s: it has not begun", as)
		}
		if got := worded(s); !slices.Equal(got, want) {
			t.Errorf("%s: got\n%s\nwant\n%s", as, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// A turn that cannot begin ends the life as any other does: owners may hear only
// events.
func TestATurnThatCannotBeginEndsTheLife(t *testing.T) {
	s := began(t, drivertest.Speaks)
	if err := s.Send(t.Context(), messages.Turn{Text: "no id"}); err == nil {
		t.Error("a turn without an id was sent")
	}
	if err := s.Send(t.Context(), messages.Turn{ID: "turn-1"}); err == nil {
		t.Error("nothing was sent")
	}
	if err := s.Send(t.Context(), messages.Turn{ID: "turn-2", Text: "やってください"}); !messages.IsCode(err, messages.CodeConflict) {
		t.Errorf("another turn: %v", err)
	}
	want := []string{"ready", `turn_ended turn-1 "crash" internal: it says nothing`, `exited -1 "crash"`}
	if got := worded(s); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if exit := s.Stop(t.Context()); exit.Class != messages.ClassCrash {
		t.Errorf("%+v", exit)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s = began(t, drivertest.Speaks)
	if err := s.Send(ctx, messages.Turn{ID: "turn-1", Text: "やってください"}); err == nil {
		t.Error("a turn began that nobody awaits")
	}
	worded(s)
}

// A long prompt and a long answer go past each other, and Send waits for neither.
func TestAnAgentThatTalksBeforeItReadsIsHeard(t *testing.T) {
	s := began(t, gushes)
	if err := s.Send(t.Context(), messages.Turn{ID: "turn-1", Text: strings.Repeat("x", 1<<20) + "やってください"}); err != nil {
		t.Fatal(err)
	}
	got := worded(s)
	if n := len(got); n != drivertest.Many+6 || got[n-1] != `exited 0 ""` {
		t.Errorf("%d events, the last is %.100q", n, got[n-1])
	}
}

func TestNobodySpeaksToALifeOfOneTurn(t *testing.T) {
	s := began(t, drivertest.Dawdles)
	if err := s.Interrupt(t.Context()); err != nil {
		t.Errorf("there is nothing to interrupt: %v", err)
	}
	if err := s.Send(t.Context(), messages.Turn{ID: "turn-1", Text: "やってください"}); err != nil {
		t.Fatal(err)
	}
	if err := s.Interrupt(t.Context()); err == nil {
		t.Error("it was interrupted")
	}
	if err := s.Answer(t.Context(), messages.ToolResult{ID: "1"}); err == nil {
		t.Error("it was answered")
	}
}
