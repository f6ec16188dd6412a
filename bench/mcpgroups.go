package main

import (
	"context"
	"fmt"
	"strconv"
)

const (
	groupsEach  = 3200 // in one round
	groupsLimit = 2000 // a second
)

// mcpGroups makes groups over HTTP, 32 at a time. Each is in the journal, on the
// disk, before it is answered.
func (b *bench) mcpGroups(ctx context.Context) error {
	stage, err := b.mcpStage()
	if err != nil {
		return err
	}
	owner, err := stage.own(ctx)
	if err != nil {
		return err
	}
	defer owner.stop(ctx)
	c, err := greet(ctx, onHTTP(owner.address, owner.token))
	if err != nil {
		return err
	}
	defer c.close()
	var t tally
	for round := range rounds {
		took, each, err := volley(inFlight, groupsEach, func(voice, n int) error {
			_, err := c.use(ctx, voice, "create_group", `{"description":"round `+strconv.Itoa(round)+`, group `+strconv.Itoa(n)+`"}`)
			return err
		})
		if err != nil {
			return err
		}
		t.rates, t.took = append(t.rates, perSecond(groupsEach, took)), append(t.took, each...)
	}
	b.table.judge("create_group, HTTP, 32 in flight", t.String(), fmt.Sprintf("≥ %s", rate(groupsLimit)), median(t.rates) >= groupsLimit)
	return nil
}
