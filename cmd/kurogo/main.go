// Command kurogo runs crews of AI coding agents: it starts them, carries their
// messages, brings them back when they fall, and shows the stage.
//
// main opens the doors and introduces everybody; what the actors do is none of
// its business. One file, one verb.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"kurogo/config"
	"kurogo/messages"
)

// version is set by the Makefile.
var version = "dev"

func main() { os.Exit(run(os.Args[1:])) }

// run is the whole program but for its end.
func run(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	p := &program{out: os.Stdout, err: os.Stderr, environ: os.Environ()}
	root := p.root()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	return p.exit(ctx, err)
}

// exitConfig, exitInterrupted are the two exit codes that are no error codes.
const (
	exitConfig      = 78
	exitInterrupted = 130
)

// A silent ending has been told already: only its status is left.
type silent struct{ status int }

func (s silent) Error() string { return fmt.Sprintf("exit status %d", s.status) }

// exit tells the error, if there is one, and chooses the status.
func (p *program) exit(ctx context.Context, err error) int {
	var quiet silent
	var problems config.Problems
	switch {
	case err == nil:
		return 0
	case errors.As(err, &quiet):
		return quiet.status
	case errors.As(err, &problems):
		p.tellError(messages.Error{Code: messages.CodeInvalid, Message: problems.Error()}, problems.Error())
		return exitConfig
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		p.tellError(messages.Error{Code: messages.CodeCancelled, Message: "interrupted"}, p.say("interrupted"))
		return exitInterrupted
	}
	var usage usageError
	e := messages.AsError(err)
	if errors.As(err, &usage) {
		e = messages.Errorf(messages.CodeInvalid, "%v", err).Try("see " + usage.path + " --help")
	}
	p.tellError(*e, e.Error())
	return e.Code.Exit()
}

// A usageError blames the command line.
type usageError struct {
	error
	path string
}

func (p *program) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "kurogo",
		Short: "Run crews of AI coding agents; lose no message, no agent, no money",
		Long: `Kurogo (黒衣, the stagehands in black) runs a crew of AI coding agents:
it starts them, carries their messages, and brings them back when they fall.`,
		Example: `  kurogo demo                                   # watch a rehearsed crew at work
  kurogo submit "Add a --json flag" --wait      # give the crew a task
  kurogo messages --follow                      # listen to them
  kurogo crew                                   # who is doing what`,
		Version:                    version,
		SuggestionsMinimumDistance: 2,
		SilenceErrors:              true,
		SilenceUsage:               true,
		Args:                       cobra.ArbitraryArgs, // noVerb blames them
		RunE:                       noVerb,
		PersistentPreRunE:          func(c *cobra.Command, _ []string) error { return p.prepare(verbOf(c)) },
	}
	root.SetOut(p.out)
	root.SetErr(p.err)
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error { return usageError{err, c.CommandPath()} })
	f := root.PersistentFlags()
	f.StringVar(&p.flags.config, "config", "", "configuration file (default: kurogo.toml upwards from here)")
	f.StringVar(&p.flags.project, "project", "", "project directory (default: the git repository around here)")
	f.StringVar(&p.flags.lang, "lang", "", "language of messages and prompts: ja or en")
	f.StringToStringVar(&p.flags.set, "set", nil, "override a configuration key, for example --set timeouts.idle=30s")
	f.BoolVar(&p.flags.json, "json", false, "print JSON, one object a line")
	f.BoolVar(&p.flags.noColor, "no-color", false, "print no colours")
	for _, verb := range []func() *cobra.Command{
		p.demo, p.submit, p.messages, p.tasks, p.task, p.cancel, p.chat, p.search, p.index, p.hook, p.evaluate, p.evaluated, p.run, p.runs, p.trace, p.undo, p.stats, p.crew, p.roles, p.group, p.agent, p.ps, p.logs, p.serve, p.stop, p.approvals, p.approve, p.resume, p.cost, p.audit, p.record, p.doctor, p.token, p.ui, p.mcp, p.initialise, p.version, p.play,
	} {
		c := verb()
		blameUsage(c)
		root.AddCommand(c)
	}
	return root
}

// blameUsage makes a usageError of every refusal of arguments by c and what is
// below it.
func blameUsage(c *cobra.Command) {
	if args := c.Args; args != nil {
		c.Args = func(c *cobra.Command, list []string) error {
			if err := args(c, list); err != nil {
				return usageError{err, c.CommandPath()}
			}
			return nil
		}
	}
	for _, below := range c.Commands() {
		blameUsage(below)
	}
}

// noVerb shows what there is, or says that there is no such verb.
func noVerb(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return root.Help()
	}
	what := fmt.Sprintf("there is no verb %q", args[0])
	if near := root.SuggestionsFor(args[0]); len(near) > 0 {
		what += ", did you mean " + strings.Join(near, " or ") + "?"
	}
	return usageError{errors.New(what), root.CommandPath()}
}

// verbOf is the verb that c is, or is below of; the program's name if it is none.
func verbOf(c *cobra.Command) string {
	for c.HasParent() && c.Parent().HasParent() {
		c = c.Parent()
	}
	return c.Name()
}
