package main

import (
	"context"
	"fmt"
	"os"

	"kurogo/drivers/process"
)

const (
	stdioCalls = 5000 // of one rival in one round, with 32 in flight
	stdioAlone = 1000 // with one
	stdioLimit = 0.6
)

// mcpStdio asks for the roles over a pipe, of a `kurogo mcp` that owns the project
// itself, and beside it lets mcp-go echo one word in its own process. Before an
// owner `kurogo mcp` only carries the question on, over a socket and back, which
// no bare server does: that is told and not judged.
func (b *bench) mcpStdio(ctx context.Context) error {
	rivals, end, err := b.onPipes(ctx)
	defer end()
	if err != nil {
		return err
	}
	for _, flight := range []struct{ voices, calls int }{{1, stdioAlone}, {inFlight, stdioCalls}} {
		tallies, err := contest(ctx, rivals, flight.voices, flight.calls)
		if err != nil {
			return err
		}
		joined, alone, bare := tallies[0], tallies[1], tallies[2]
		share, figure := alone.share(bare), fmt.Sprintf("list_roles, stdio, %d in flight", flight.voices)
		b.table.judge(figure, fmt.Sprintf("%s = %.0f %% of bare mcp-go's %s", alone, 100*share, bare), fmt.Sprintf("≥ %.0f %%", 100*stdioLimit), share >= stdioLimit)
		b.table.fact(figure+", before an owner", fmt.Sprintf("%s = %.0f %%", joined, 100*joined.share(bare)))
	}
	b.table.fact("list_roles over stdio, resident", residents(rivals))
	return nil
}

// onPipes starts the rivals; the last is the bare one. end ends what was
// started, whatever else happens.
func (b *bench) onPipes(ctx context.Context) (rivals []rival, end func(), err error) {
	var ends []func()
	end = func() {
		for _, f := range ends {
			f()
		}
	}
	start := func(name, tool, arguments string, c process.Command, behind ...int) error {
		d, p, err := onPipe(ctx, c)
		if err != nil {
			return err
		}
		ends = append(ends, d.close)
		caller, err := greet(ctx, d)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		rivals = append(rivals, rival{caller, name, tool, arguments, append([]int{p.Pid()}, behind...)})
		return nil
	}
	shared, err := b.mcpStage()
	if err != nil {
		return nil, end, err
	}
	owner, err := shared.own(ctx)
	if err != nil {
		return nil, end, err
	}
	ends = append(ends, func() { owner.stop(ctx) })
	if err := start("kurogo mcp", rolesTool, "{}", shared.command("mcp"), owner.process.Pid()); err != nil {
		return nil, end, err
	}
	alone, err := b.mcpStage()
	if err != nil {
		return nil, end, err
	}
	if err := start("kurogo mcp --standalone", rolesTool, "{}", alone.command("mcp", "--standalone")); err != nil {
		return nil, end, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, end, fmt.Errorf("find this program: %w", err)
	}
	err = start("mcp-go", echoTool, echoArguments, process.Command{Path: self, Args: []string{mcpEchoVerb}, Env: os.Environ(), Dir: b.dir, Grace: mcpGrace})
	return rivals, end, err
}
