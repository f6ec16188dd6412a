// Command bench measures the house and prints a table: each figure beside its
// limit, both from the same run, because a number alone says as much of the
// machine as of us. It ends with 1 when a limit is missed, unless -soft is given.
//
// One file, one figure. What a figure is compared with (a channel, bare SQLite,
// fdatasync) is measured in turns with it, and medians are compared, so that a
// neighbour on the same machine disturbs both alike.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"runtime"
	"runtime/pprof"
	"time"
)

func main() {
	if len(os.Args) < 2 {
		os.Exit(run())
	}
	switch args := os.Args[2:]; os.Args[1] {
	case echoVerb:
		os.Exit(status(echo(os.Stdin, os.Stdout)))
	case claudeVerb:
		os.Exit(status(pretend(args, os.Stdin, os.Stdout)))
	case mcpEchoVerb:
		os.Exit(status(echoMCP()))
	case audienceVerb:
		os.Exit(status(audience(args, os.Stdin, os.Stdout)))
	case judgeVerb:
		os.Exit(status(pronounce(os.Stdin, os.Stdout)))
	case livesVerb:
		os.Exit(status(weigh(args[0])))
	}
	os.Exit(run())
}

// A bench is one run.
type bench struct {
	dir    string // on a real disk; every figure makes its own directories in it
	kurogo string // the real binary
	corpus string // source in other languages; "" = none
	table  table
}

// figures are measured in this order.
var figures = []struct {
	name    string
	measure func(*bench, context.Context) error
}{
	{"disk", (*bench).disk},
	{"wake", (*bench).wake},
	{"accept", (*bench).accept},
	{"hop", (*bench).hop},
	{"pace", (*bench).pace},
	{"start", (*bench).start},
	{"idle", (*bench).idle},
	{"parse", (*bench).parse},
	{"lives", (*bench).lives},
	{"warm", (*bench).warm},
	{"mcp-stdio", (*bench).mcpStdio},
	{"mcp-http", (*bench).mcpHTTP},
	{"mcp-initialize", (*bench).mcpInitialize},
	{"mcp-groups", (*bench).mcpGroups},
	{"mcp-waits", (*bench).mcpWaits},
	{"evaluation", (*bench).evaluation},
	{"index", (*bench).index},
	{"recall", (*bench).recall},
	{"recall-changes", (*bench).recallChanges},
	{"recall-languages", (*bench).recallByLanguage},
	{"hermes", (*bench).hermes},
	{"run", (*bench).run},
	{"evaluate", (*bench).evaluate},
	{"file-reads", (*bench).fileReads},
	{"file-writes", (*bench).fileWrites},
	{"file-mcp", (*bench).fileMCP},
}

func run() int {
	soft := flag.Bool("soft", false, "only print: missing a limit is no failure")
	only := flag.String("only", "", "measure only the figures that match this `regexp`")
	kurogo := flag.String("kurogo", "bin/kurogo", "the real `binary`")
	profile := flag.String("cpuprofile", "", "write a CPU profile to this `file`")
	corpus := flag.String("corpus", "", "ask for functions of the source below this `directory`, too, language by language")
	flag.Parse()
	wanted, err := regexp.Compile("^(" + *only + ")$")
	if *only == "" {
		wanted, err = regexp.MustCompile(""), nil
	}
	if err != nil {
		return status(err)
	}
	stop, err := profileTo(*profile)
	if err != nil {
		return status(err)
	}
	b := &bench{kurogo: *kurogo, corpus: *corpus}
	err = b.measure(wanted)
	stop()
	b.table.print(os.Stdout)
	switch {
	case err != nil:
		return status(err)
	case b.table.missed && !*soft:
		return 1
	}
	return 0
}

func (b *bench) measure(wanted *regexp.Regexp) (err error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if b.dir, err = workDir(); err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	b.table.fact("machine", fmt.Sprintf("%d cores, load %s, %s/%s, %s", runtime.NumCPU(), load(), runtime.GOOS, runtime.GOARCH, runtime.Version()))
	b.table.fact("files", fmt.Sprintf("in %s on %s", b.dir, filesystem(b.dir)))
	for _, f := range figures {
		if !wanted.MatchString(f.name) {
			continue
		}
		began := time.Now()
		fmt.Fprintf(os.Stderr, "measuring %s …", f.name)
		if err := f.measure(b, ctx); err != nil {
			fmt.Fprintln(os.Stderr)
			return fmt.Errorf("%s: %w", f.name, err)
		}
		fmt.Fprintf(os.Stderr, " %.1f s\n", time.Since(began).Seconds())
	}
	b.table.fact("load afterwards", load())
	return nil
}

// subdir makes a fresh directory for one round of a figure.
func (b *bench) subdir(name string) (string, error) { return os.MkdirTemp(b.dir, name+"-") }

func profileTo(file string) (stop func(), err error) {
	if file == "" {
		return func() {}, nil
	}
	f, err := os.Create(file)
	if err != nil {
		return nil, err
	}
	return func() { pprof.StopCPUProfile(); _ = f.Close() }, pprof.StartCPUProfile(f)
}

func status(err error) int {
	if err == nil {
		return 0
	}
	_, _ = io.WriteString(os.Stderr, "bench: "+err.Error()+"\n")
	return 1
}
