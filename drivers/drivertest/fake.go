package drivertest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"kurogo/drivers/process"
)

// Main is the TestMain of a driver whose agent is a fake: called with the verb,
// a behaviour and what the driver adds, the test binary is that agent.
func Main(m *testing.M, verb string, fake func(as string, args []string)) {
	if len(os.Args) > 2 && os.Args[1] == verb {
		fake(os.Args[2], os.Args[3:])
		return
	}
	if err := process.Adopt(); err != nil {
		panic(err)
	}
	goleak.VerifyTestMain(m)
}

// Say says a line of JSON, as a fake.
func Say(line any) {
	b, err := json.Marshal(line)
	if err != nil {
		panic(err)
	}
	tell(string(b) + "\n")
}

func tell(text string) { _, _ = os.Stdout.WriteString(text) }

// Hear is what a fake is told, a line of JSON each, to the end of its input. A
// line that is none goes to wrong, which does not return.
func Hear(wrong func(line string)) <-chan map[string]any {
	lines := make(chan map[string]any)
	go func() {
		defer close(lines)
		in := bufio.NewReader(os.Stdin)
		for {
			text, err := in.ReadString('\n')
			if err != nil {
				return
			}
			var line map[string]any
			if json.Unmarshal([]byte(text), &line) != nil {
				wrong(text)
			}
			lines <- line
		}
	}()
	return lines
}

// Complain says why on the fake's stderr, and leaves.
func Complain(status int, why string) {
	fmt.Fprintln(os.Stderr, why)
	os.Exit(status)
}

// Some behaviours are the same in every protocol, or break it. A fake calls Rise
// where it would become ready, Blurt where its turn begins, and Part where it
// would leave well; each returns unless the behaviour is one of its own that ends
// there.

// Rise is Mute and Leaves.
func Rise(b Behaviour) {
	switch b { //nolint:exhaustive // the rest becomes ready
	case Mute:
		<-time.After(time.Hour)
	case Leaves:
		os.Exit(Status)
	}
}

// Blurt is Babbles, Mumbles, Shouts, Tears and Lies: torn is half a line of the
// fake's protocol, lie a whole one with nonsense in it.
func Blurt(b Behaviour, torn, lie string) {
	switch b { //nolint:exhaustive // the rest keeps to its protocol
	case Babbles:
		tell(Noise)
	case Mumbles:
		tell(Mumble)
	case Shouts:
		tell(strings.Repeat("x", TooLong) + "\n")
	case Tears:
		tell(torn)
		os.Exit(Status)
	case Lies:
		tell(lie + "\n")
		<-time.After(time.Hour)
	}
}

// Part is Lingers and Belies.
func Part(b Behaviour) {
	switch b { //nolint:exhaustive // the rest leaves well
	case Lingers:
		<-time.After(time.Hour)
	case Belies:
		os.Exit(Status)
	}
}
