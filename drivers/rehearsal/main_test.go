package rehearsal_test

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"kurogo/drivers/drivertest"
	"kurogo/drivers/rehearsal"
	"kurogo/messages"
)

// verb makes the test binary a player, as "play" makes the program one.
const verb = "rehearsal-test-player"

// quits stands in the script for a status that no script can name: 0.
const quits = 100

func TestMain(m *testing.M) {
	drivertest.Main(m, verb, func(as string, _ []string) { play(drivertest.Behaviour(as)) })
}

func play(b drivertest.Behaviour) {
	drivertest.Rise(b)
	if b == drivertest.Breeds {
		breed()
	}
	err := rehearsal.Play(os.Stdin, os.Stdout, script(b), rehearsal.Effects{Exit: func(status int) {
		if status == quits {
			status = 0
		}
		os.Exit(status)
	}, Hang: func() { hang(b) }})
	if err != nil {
		drivertest.Complain(1, err.Error())
	}
	drivertest.Part(b)
}

// hang says its first words when it is deaf already: between two lines a player
// still hears.
func hang(b drivertest.Behaviour) {
	told := make(chan os.Signal, 1)
	if b == drivertest.Tardy {
		signal.Notify(told, syscall.SIGTERM)
	} else {
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT)
	}
	fmt.Printf(`{"type":"text","turn":"turn-1","text":%q}`+"\n", drivertest.First)
	if b == drivertest.Shuts {
		_ = os.Stdout.Close()
	}
	select {
	case <-told:
		fmt.Printf(`{"type":"text","turn":"turn-1","text":%q}`+"\n"+`{"type":"turn_end","turn":"turn-1","text":%[1]q}`+"\n", drivertest.Last)
		os.Exit(0)
	case <-time.After(time.Hour):
	}
}

// breed starts a child that holds the output, in a session of its own.
func breed() {
	child := exec.Command(os.Args[0], verb, string(drivertest.Mute))
	child.SysProcAttr, child.Stdout = &syscall.SysProcAttr{Setsid: true}, os.Stdout
	if err := child.Start(); err != nil {
		panic(err)
	}
}

// works is one who does and reports what the roles do.
const works drivertest.Behaviour = "works"

// script is the performance of one who behaves so.
func script(b drivertest.Behaviour) messages.Performance {
	first := messages.Line{Say: drivertest.First}
	last := messages.Line{Say: drivertest.Last}
	speaks := []messages.Line{{Think: drivertest.Thought}, first, last}
	babbles := func(noise string) []messages.Line { return append([]messages.Line{{Babble: noise}}, speaks...) }
	asks := messages.Cue{To: "middle_manager", Type: messages.TaskRequest, Content: "{{content}}"}
	vain := asks
	vain.Expect = messages.CodeDenied
	var many []messages.Line
	for range drivertest.Many {
		many = append(many, first)
	}
	lines := map[drivertest.Behaviour][]messages.Line{
		drivertest.Speaks:     speaks,
		drivertest.Asks:       {{Send: &asks}, last},
		drivertest.AsksInVain: {{Send: &vain}, last},
		drivertest.Fails:      {first, {Fail: drivertest.Last}},
		drivertest.Dawdles:    {first, {Wait: time.Hour, Say: drivertest.Last}},
		drivertest.Floods:     append(many, last),
		drivertest.Crashes:    {first, {Crash: drivertest.Status}},
		drivertest.Quits:      {first, {Crash: quits}},
		drivertest.Deaf:       {{Hang: true}},
		drivertest.Shuts:      {{Hang: true}},
		drivertest.Tardy:      {{Hang: true}},
		drivertest.Lingers:    speaks,
		drivertest.Belies:     speaks,
		drivertest.Breeds:     speaks,
		works: {
			{Use: &messages.Gesture{Tool: "Read", Args: "go.mod"}},
			{Write: &messages.Prop{Path: "a.txt", Content: "a"}},
			{Report: &messages.Account{Status: messages.ResultSuccess, Summary: "a is written"}},
			last,
		},
		drivertest.Babbles: babbles(drivertest.Noise),
		drivertest.Mumbles: babbles(drivertest.Mumble),
		drivertest.Shouts:  babbles(strings.Repeat("x", drivertest.TooLong) + "\n"),
		drivertest.Tears:   {{Babble: `{"type":"turn_end","turn":`}, {Crash: drivertest.Status}},
		drivertest.Lies:    {{Babble: `{"type":"turn_end","turn":7}` + "\n"}, last},
	}[b]
	return messages.Performance{Scenes: []messages.Scene{{Lines: lines}}}
}

// driver plays the behaviour through a real child.
func driver(b drivertest.Behaviour) messages.Driver {
	return rehearsal.New(rehearsal.Options{
		Command: []string{os.Args[0], verb, string(b)},
		Env:     map[string]string{"GORACE": "atexit_sleep_ms=0"},
	})
}

func TestExam(t *testing.T) {
	for name, once := range map[string]bool{"many turns": false, "one turn": true} {
		t.Run(name, func(t *testing.T) {
			drivertest.Exam(t, func(_ *testing.T, b drivertest.Behaviour) (messages.Driver, messages.Spec) {
				spec := messages.Spec{OneShot: once}
				if b == drivertest.Missing {
					return rehearsal.New(rehearsal.Options{Command: []string{"no-such-player"}}), spec
				}
				return driver(b), spec
			})
		})
	}
}
