package main_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"
)

// binary is the real program: the stories run it as a person would.
var binary string

// TestMain builds the program once and looks afterwards whether a test left a
// goroutine behind. The processes are each story's own care.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && programs[os.Args[1]] != nil {
		programs[os.Args[1]](os.Args[2:])
		return
	}
	flag.Parse()
	dir, err := os.MkdirTemp("", "kurogo-bin-")
	if err == nil {
		binary = filepath.Join(dir, "kurogo")
		err = build(binary)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		_ = os.RemoveAll(dir)
		os.Exit(code)
	}))
}

func build(to string) error {
	c := exec.Command("go", "build", "-trimpath", "-ldflags", "-X main.version=test", "-o", to, ".")
	c.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("build kurogo: %w\n%s", err, out)
	}
	return nil
}
