package main

import (
	"context"
	"fmt"
	"time"
)

const (
	initializes     = 9
	initializeLimit = 50 * time.Millisecond
)

// mcpInitialize times from exec to the answer to initialize: of one who owns the
// project itself, where he has been before and where nobody has, and of one who
// connects to an owner.
func (b *bench) mcpInitialize(ctx context.Context) error {
	known, err := b.mcpStage()
	if err != nil {
		return err
	}
	if _, err := known.introduce(ctx, "mcp", "--standalone"); err != nil {
		return err
	}
	owned, err := b.mcpStage()
	if err != nil {
		return err
	}
	owner, err := owned.own(ctx)
	if err != nil {
		return err
	}
	defer owner.stop(ctx)
	var again, first, connected []time.Duration
	for range initializes {
		fresh, err := b.mcpStage()
		if err != nil {
			return err
		}
		for _, try := range []struct {
			on   *mcpStage
			args []string
			took *[]time.Duration
		}{
			{known, []string{"mcp", "--standalone"}, &again}, {fresh, []string{"mcp", "--standalone"}, &first}, {owned, []string{"mcp"}, &connected},
		} {
			took, err := try.on.introduce(ctx, try.args...)
			if err != nil {
				return err
			}
			*try.took = append(*try.took, took)
		}
	}
	b.table.judge("exec to initialize, standalone, state is there", spread(again), "≤ "+millis(initializeLimit), median(again) <= initializeLimit)
	b.table.fact("exec to initialize, standalone, first start", spread(first))
	b.table.fact("exec to initialize, connected to an owner", spread(connected))
	return nil
}

// introduce starts a server, shakes hands and lets it go.
func (s *mcpStage) introduce(ctx context.Context, args ...string) (time.Duration, error) {
	began := time.Now()
	d, p, err := onPipe(ctx, s.command(args...))
	if err != nil {
		return 0, err
	}
	_, err = greet(ctx, d)
	took := time.Since(began)
	d.close()
	if err != nil {
		return 0, fmt.Errorf("%v: %w: %s", args, err, p.Stop(ctx).Stderr)
	}
	return took, nil
}
