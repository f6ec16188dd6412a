package inquire_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kurogo/drivers/drivertest"
	"kurogo/drivers/inquire"
	"kurogo/messages"
)

// verb makes the test binary a CLI.
const verb = "inquire-test-cli"

func TestMain(m *testing.M) {
	drivertest.Main(m, verb, func(as string, args []string) {
		if as == "broken" {
			drivertest.Complain(3, "I am broken.")
		}
		_, _ = os.Stdout.WriteString(strings.Join(args, " "))
	})
}

func TestOneThatIsRunSaysWhatItSaid(t *testing.T) {
	env := append(os.Environ(), "GORACE=atexit_sleep_ms=0")
	said, err := inquire.Run(t.Context(), env, []string{os.Args[0], verb, "sound"}, "exec", "--help")
	if err != nil || said != "exec --help" {
		t.Errorf("%q, %v", said, err)
	}
	_, err = inquire.Run(t.Context(), env, []string{os.Args[0], verb, "broken"}, "--help")
	if e := messages.AsError(err); e == nil || e.Code != messages.CodeUnavailable || e.Remedy == "" || !strings.Contains(e.Message, "--help ended with status 3: I am broken.") {
		t.Errorf("broken: %v", err)
	}
	if _, err = inquire.Run(t.Context(), env, []string{"no-such-cli"}, "--help"); !messages.IsCode(err, messages.CodeUnavailable) {
		t.Errorf("missing: %v", err)
	}
}

func TestOptionsAreReadFromTheHelp(t *testing.T) {
	o := inquire.ReadHelp("  -p, --print <text>   as with --print, or --no-color.\n--x\n----- --9 -q")
	for _, name := range []string{"--print", "--no-color", "--x"} {
		if !o[name] {
			t.Errorf("%s is not among %v", name, o)
		}
	}
	if got, want := o.Missing([]string{"--zoom", "--print", "--prin", "-q"}), []string{"--zoom", "--prin", "-q"}; !slices.Equal(got, want) {
		t.Errorf("missing %q, want %q", got, want)
	}
	if got := o.Missing([]string{"--print", "--x"}); got != nil {
		t.Errorf("missing %q", got)
	}
}

func TestAFindingHoldsUntilTheFileChanges(t *testing.T) {
	file := filepath.Join(t.TempDir(), "cli")
	var finding inquire.Finding[int]
	asked := 0
	of := func(err error) int {
		t.Helper()
		n, got := finding.Of(file, func(string) (int, error) { asked++; return asked, err })
		if !errors.Is(got, err) {
			t.Errorf("got %v, want %v", got, err)
		}
		return n
	}
	if _, err := finding.Of(file, func(string) (int, error) { return 1, nil }); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("of a file that is not there: %v", err)
	}
	if err := os.WriteFile(file, []byte("1"), 0o600); err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct {
		err   error
		found int
		asked int
	}{{errors.ErrUnsupported, 0, 1}, {nil, 2, 2}, {nil, 2, 2}} {
		if n := of(want.err); n != want.found || asked != want.asked {
			t.Errorf("%d: found %d, asked %d times, want %+v", i, n, asked, want)
		}
	}
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(file, later, later); err != nil {
		t.Fatal(err)
	}
	if n := of(nil); n != 3 {
		t.Errorf("the file is another: found %d", n)
	}
}
