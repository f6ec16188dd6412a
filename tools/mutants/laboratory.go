package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A laboratory examines mutants of one module.
type laboratory struct {
	root    string
	jobs    int
	timeout time.Duration
	out     io.Writer
}

// A finding is what became of one mutant. Empty trouble means caught.
type finding struct {
	trouble string
	output  string
	took    time.Duration
}

// examine prints a table and returns an error unless every mutant is caught.
func (l laboratory) examine(ctx context.Context, mutants []mutant) error {
	scratch, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)

	if err := l.sane(ctx, mutants); err != nil {
		return err
	}
	findings := make([]finding, len(mutants))
	l.each(len(mutants), func(i int) {
		began := time.Now()
		f := l.plant(ctx, mutants[i], filepath.Join(scratch, strconv.Itoa(i)))
		f.took = time.Since(began)
		findings[i] = f
	})
	escaped := 0
	for i, f := range findings {
		verdict := "caught"
		if f.trouble != "" {
			verdict = "ESCAPED"
			escaped++
		}
		fmt.Fprintf(l.out, "%-8s %6.1fs  %s\n", verdict, f.took.Seconds(), mutants[i].name)
	}
	for i, f := range findings {
		if f.trouble != "" {
			fmt.Fprintf(l.out, "\nmutants.txt:%d: %s: %s\n%s", mutants[i].line, mutants[i].name, f.trouble, indent(f.output))
		}
	}
	if escaped > 0 {
		return fmt.Errorf("%d of %d mutants escaped", escaped, len(mutants))
	}
	fmt.Fprintf(l.out, "%d mutants, all caught\n", len(mutants))
	return nil
}

// sane runs every test once as it is: a test that fails anyway catches nothing.
func (l laboratory) sane(ctx context.Context, mutants []mutant) error {
	tests := map[[2]string]bool{}
	var list [][2]string
	for _, m := range mutants {
		if key := [2]string{m.pkg, m.run}; !tests[key] {
			tests[key] = true
			list = append(list, key)
		}
	}
	errs := make([]error, len(list))
	l.each(len(list), func(i int) {
		output, err := l.test(ctx, list[i][0], list[i][1], "")
		switch {
		case err != nil:
			errs[i] = fmt.Errorf("unchanged, %s -run %s fails:\n%s", list[i][0], list[i][1], indent(output))
		case strings.Contains(output, "[no tests to run]"), strings.Contains(output, "[no test files]"):
			errs[i] = fmt.Errorf("%s -run %s runs no test", list[i][0], list[i][1])
		}
	})
	return errors.Join(errs...)
}

func (l laboratory) each(n int, do func(int)) {
	slots := make(chan struct{}, max(1, l.jobs))
	var all sync.WaitGroup
	for i := range n {
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			do(i)
		})
	}
	all.Wait()
}

// plant changes one file behind an overlay and runs the test that must notice.
func (l laboratory) plant(ctx context.Context, m mutant, scratch string) finding {
	overlay, err := l.overlay(m, scratch)
	if err != nil {
		return finding{trouble: err.Error()}
	}
	output, err := l.test(ctx, m.pkg, m.run, overlay)
	switch {
	case err == nil:
		return finding{trouble: "no test noticed it", output: output}
	case strings.Contains(output, "[build failed]"), strings.Contains(output, "[setup failed]"):
		return finding{trouble: "it does not compile", output: output}
	case !strings.Contains(output, m.want):
		return finding{trouble: fmt.Sprintf("the test failed without saying %q", m.want), output: output}
	}
	return finding{output: output}
}

func (l laboratory) overlay(m mutant, scratch string) (string, error) {
	target := filepath.Join(l.root, filepath.FromSlash(m.file))
	text, err := os.ReadFile(target)
	if err != nil {
		return "", err
	}
	if n := strings.Count(string(text), m.old); n != 1 {
		return "", fmt.Errorf("its old text is in %s %d times, not once", m.file, n)
	}
	if err := os.Mkdir(scratch, 0o700); err != nil {
		return "", err
	}
	changed := filepath.Join(scratch, filepath.Base(target))
	if err := os.WriteFile(changed, []byte(strings.Replace(string(text), m.old, m.new, 1)), 0o600); err != nil {
		return "", err
	}
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {target: changed}})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(scratch, "overlay.json")
	return overlay, os.WriteFile(overlay, replace, 0o600)
}

// test runs go test. An overlay of "" is the tree as it is.
func (l laboratory) test(ctx context.Context, pkg, pattern, overlay string) (string, error) {
	args := []string{"test", "-count=1", "-vet=off", "-timeout", l.timeout.String(), "-run", pattern}
	if overlay != "" {
		args = append(args, "-overlay", overlay)
	}
	// The test ends itself first and says where it hung. The rest is for the compiler.
	ctx, cancel := context.WithTimeout(ctx, l.timeout+5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "go", append(args, pkg)...)
	cmd.Dir = l.root
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	output, err := cmd.CombinedOutput()
	return string(output), err
}

// indent shows the beginning of an output, where the reason stands.
func indent(text string) string {
	const most = 40
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if len(lines) > most {
		lines = append(lines[:most], "…")
	}
	return "    " + strings.Join(lines, "\n    ") + "\n"
}
