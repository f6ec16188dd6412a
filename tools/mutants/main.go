// Mutants plants bugs, one at a time, and asks the tests whether they notice: an
// invariant or a story that catches no bug is decoration.
//
//	go run -C tools ./mutants [-j 2] [-timeout 2m] [-run regexp] [-dir ..]
//
// It reads mutants.txt in dir. A mutant is caught when the changed program
// compiles, its test fails, and the output says the text that is wanted: the
// name of the invariant or the story. The tree itself is never touched: the go
// command sees the change through an overlay. Every test runs unchanged first
// and must pass. The exit status is 1 unless every mutant is caught.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("mutants", flag.ContinueOnError)
	dir := flags.String("dir", "..", "the module that is tested; holds mutants.txt")
	jobs := flags.Int("j", 2, "how many at once")
	timeout := flags.Duration("timeout", 2*time.Minute, "of one test run")
	only := flags.String("run", "", "only mutants whose names match")
	if err := flags.Parse(args); err != nil {
		return err
	}
	root, err := filepath.Abs(*dir)
	if err != nil {
		return err
	}
	pattern, err := regexp.Compile(*only)
	if err != nil {
		return fmt.Errorf("read -run: %w", err)
	}
	text, err := os.ReadFile(filepath.Join(root, "mutants.txt"))
	if err != nil {
		return err
	}
	mutants, err := parse(string(text))
	if err != nil {
		return fmt.Errorf("read mutants.txt: %w", err)
	}
	var chosen []mutant
	for _, m := range mutants {
		if pattern.MatchString(m.name) {
			chosen = append(chosen, m)
		}
	}
	if len(chosen) == 0 {
		return fmt.Errorf("no mutant matches %q", *only)
	}
	l := laboratory{root: root, jobs: *jobs, timeout: *timeout, out: out}
	return l.examine(ctx, chosen)
}
