package ndjson_test

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"kurogo/drivers/drivertest"
	"kurogo/drivers/ndjson"
	"kurogo/drivers/process"
	"kurogo/messages"
)

// The exams of the drivers tell most of what a session is; here are the rules
// that no driver shows.

// verb makes the test binary an agent that says its arguments, a line each, and
// then reads its input to the end.
const verb = "ndjson-test-agent"

func TestMain(m *testing.M) {
	if len(os.Args) > 3 && os.Args[1] == onceVerb {
		playOnce(drivertest.Behaviour(os.Args[2]), os.Args[3:])
		return
	}
	drivertest.Main(m, verb, func(first string, more []string) {
		for _, line := range append([]string{first}, more...) {
			fmt.Println(line)
		}
		<-time.After(time.Hour)
	})
}

// words is a protocol whose every line is one word.
type words struct{}

func (words) Hello() ([]byte, error)                     { return []byte("hello"), nil }
func (words) Answer(messages.ToolResult) ([]byte, error) { return nil, errors.New("nobody asked") }
func (words) Interrupt(turn string) ([]byte, error)      { return []byte("stop " + turn), nil }
func (words) Judge(e messages.Exit) messages.Exit        { return e }
func (words) Turn(t messages.Turn) ([]byte, error) {
	if t.Text == "" {
		return nil, errors.New("it says nothing")
	}
	return []byte(t.Text), nil
}

func (words) Hear(line process.Line) (ndjson.Heard, error) {
	switch word := string(line.Text); word {
	case "ready":
		return ndjson.Heard{Events: []messages.DriverEvent{{Kind: messages.DriverReady}}}, nil
	case "end":
		return ndjson.Heard{Events: []messages.DriverEvent{{Kind: messages.DriverTurnEnded}}}, nil
	case "ask":
		return ndjson.Heard{Replies: [][]byte{[]byte(strings.Repeat("x", 64<<10))}}, nil
	case "nonsense":
		return ndjson.Heard{}, errors.New("it speaks nonsense")
	default:
		return ndjson.Warning(ndjson.Show("unknown", line)), nil
	}
}

func start(t *testing.T, lines ...string) *ndjson.Session {
	t.Helper()
	return startAs(t, words{}, lines...)
}

func startAs(t *testing.T, p ndjson.Protocol, lines ...string) *ndjson.Session {
	t.Helper()
	s, err := ndjson.Start(t.Context(), process.Command{
		Path: os.Args[0], Args: append([]string{verb}, lines...), Env: append(os.Environ(), "GORACE=atexit_sleep_ms=0"),
	}, p, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { drivertest.Hurry(s) })
	return s
}

func last(s *ndjson.Session) messages.DriverEvent {
	var e messages.DriverEvent
	for e = range s.Events() {
	}
	return e
}

func TestWhoAsksAndNeverListensIsEnded(t *testing.T) {
	s := start(t, strings.Split(strings.Repeat("ask ", 200), " ")...)
	if exit := last(s).Exit; exit.Class != messages.ClassProtocol || !strings.Contains(exit.Reason, "does not listen") {
		t.Errorf("exit %+v", exit)
	}
	<-s.Begun() // it is over
	if exit, over := s.Over(); !over || exit.Class != messages.ClassProtocol {
		t.Errorf("%+v, %t", exit, over)
	}
}

func TestTheEndOfATurnThatIsNotOnIsAWarning(t *testing.T) {
	s := start(t, "ready", "end")
	<-s.Begun()
	if _, over := s.Over(); over {
		t.Error("it is over")
	}
	if e := <-s.Events(); e.Kind != messages.DriverReady {
		t.Errorf("%+v", e)
	}
	if e := <-s.Events(); e.Kind != messages.DriverWarned || e.Text == "" {
		t.Errorf("%+v", e)
	}
}

func TestATurnThatCannotBeSaidIsNotOn(t *testing.T) {
	s := start(t, "ready")
	for _, turn := range []messages.Turn{{}, {ID: "1"}} {
		if err := s.Send(t.Context(), turn); err == nil {
			t.Errorf("%+v was sent", turn)
		}
	}
	if err := s.Answer(t.Context(), messages.ToolResult{ID: "1"}); err == nil {
		t.Error("it was answered")
	}
	if err := s.Send(t.Context(), messages.Turn{ID: "1", Text: "go"}); err != nil {
		t.Error(err)
	}
}

// A line is told before what it means, even when it means the end.
func TestLinesAreToldWhereThatIsWanted(t *testing.T) {
	s := startAs(t, ndjson.Raw(words{}, true), "ready", "\xff?", "nonsense", "unheard")
	var got []string
	for e := range s.Events() {
		got = append(got, string(e.Kind)+" "+e.Text)
	}
	want := []string{"raw ready", "ready ", "raw \uFFFD?", "warned unknown: \uFFFD?", "raw nonsense", "exited "}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
