package main

import (
	"context"
	"errors"
	"fmt"
)

const (
	httpCalls = 2000 // of one rival in one round, with 32 in flight
	httpAlone = 500  // with one
	httpLimit = 2.0  // times TypeScript's
)

// mcpHTTP asks `kurogo serve` for the roles over streamable HTTP, behind its
// gate, and beside it lets a TypeScript server without any gate echo one word.
func (b *bench) mcpHTTP(ctx context.Context) error {
	stage, err := b.mcpStage()
	if err != nil {
		return err
	}
	owner, err := stage.own(ctx)
	if err != nil {
		return err
	}
	defer owner.stop(ctx)
	ours, err := greet(ctx, onHTTP(owner.address, owner.token))
	if err != nil {
		return err
	}
	defer ours.close()
	theirs, p, err := b.onTypeScript(ctx)
	if errors.Is(err, errNoNode) {
		b.table.fact("list_roles over HTTP", "skipped: "+err.Error())
		return nil
	}
	if err != nil {
		return err
	}
	defer p.Stop(context.WithoutCancel(ctx))
	defer theirs.close()
	rivals := []rival{
		{ours, "kurogo serve", rolesTool, "{}", []int{owner.process.Pid()}},
		{theirs, "TypeScript", echoTool, echoArguments, []int{p.Pid()}},
	}
	for _, flight := range []struct{ voices, calls int }{{1, httpAlone}, {inFlight, httpCalls}} {
		tallies, err := contest(ctx, rivals, flight.voices, flight.calls)
		if err != nil {
			return err
		}
		share := tallies[0].share(tallies[1])
		b.table.judge(fmt.Sprintf("list_roles, HTTP, %d in flight", flight.voices),
			fmt.Sprintf("%s = %.1f × TypeScript's %s", tallies[0], share, tallies[1]), fmt.Sprintf("≥ %.0f ×", httpLimit), share >= httpLimit)
	}
	b.table.fact("list_roles over HTTP, resident", residents(rivals))
	return nil
}
